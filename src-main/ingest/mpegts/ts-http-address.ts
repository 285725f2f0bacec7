import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import type { InputEnd } from '../input.ts';
import { readProgram } from './program-option.ts';

/** Address of a transport stream over HTTP. */
export interface TsHttpAddress {
  /** Address with the scheme `http:` or `https:`. */
  readonly url: URL;
  readonly program?: number;
}

const SCHEMES: ReadonlyMap<string, string> = new Map([
  ['tshttp:', 'http:'],
  ['tshttps:', 'https:'],
  ['http:', 'http:'],
  ['https:', 'https:'],
]);

/**
 * Parses `tshttp://` and `tshttps://`, and plain `http(s)://`. The query parameter `program` selects the programme by its
 * number; it is sent to the server too.
 */
export function parseTsHttpAddress(text: string): TsHttpAddress | InputEnd {
  const scheme = /^[a-z]+:/i.exec(text)?.[0].toLowerCase() ?? '';
  const plain = SCHEMES.get(scheme);
  const url = plain === undefined ? null : URL.parse(plain + text.slice(scheme.length));
  if (!url || url.hostname === '') return { code: 'bad_input_url', ...because('ts_http_address') };
  const program = readProgram(url.searchParams);
  return { url, ...(program === undefined ? {} : { program }) };
}
