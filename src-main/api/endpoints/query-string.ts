import { AirdeskError, badParameter } from '../../../src-preload/contract/index.ts';

export interface QueryParameter {
  readonly name: string;
  /** Value after `=`; undefined without `=`. */
  readonly value: string | undefined;
}

/** Maximum number of parameters of a request. */
const MAX_PARAMETERS = 200;

/** Parses the query string of an address, in order. @param url path and query */
export function readQueryString(url: string): QueryParameter[] {
  const mark = url.indexOf('?');
  if (mark < 0) return [];
  const hash = url.indexOf('#', mark);
  const parts = url
    .slice(mark + 1, hash < 0 ? undefined : hash)
    .split('&')
    .filter((part) => part !== '');
  if (parts.length > MAX_PARAMETERS)
    throw new AirdeskError('bad_query', `A request has at most ${MAX_PARAMETERS} parameters`);
  return parts.map((part) => {
    const equals = part.indexOf('=');
    const name = decoded(equals < 0 ? part : part.slice(0, equals), part);
    return { name, value: equals < 0 ? undefined : decoded(part.slice(equals + 1), name) };
  });
}

/** Words separated by commas; `\,` is a comma and `\\` a backslash inside a word. */
export function splitAtCommas(text: string): string[] {
  if (!text.includes('\\')) return text.split(',');
  const words = [''];
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    const next = text.charAt(index + 1);
    if (character === '\\' && (next === ',' || next === '\\')) {
      words[words.length - 1] += next;
      index++;
    } else if (character === ',') words.push('');
    else words[words.length - 1] += character;
  }
  return words;
}

function decoded(text: string, parameter: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw badParameter(parameter, 'The percent-encoding of the query is broken');
  }
}
