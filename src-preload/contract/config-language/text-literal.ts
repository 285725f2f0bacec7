import { continuesKey, endsWord, startsKey, startsWord } from './characters.ts';

const ESCAPES: Readonly<Record<string, string>> = { '"': '"', '\\': '\\', n: '\n', r: '\r', t: '\t' };
const ESCAPE = /\\(u\{([0-9a-fA-F]{1,6})\}|[^]?)/g;
const MUST_ESCAPE = /["\\\p{Cc}\u2028\u2029]|\p{Cs}/gu;

/** What stands between quotation marks, resolved; and the first escape that means nothing, as offset into `inner`. */
export function parseTextLiteral(inner: string): { value: string; badEscapeAt: number | undefined } {
  if (!inner.includes('\\')) return { value: inner, badEscapeAt: undefined };
  let badEscapeAt: number | undefined;
  const value = inner.replace(ESCAPE, (escape: string, what: string, hex: string | undefined, offset: number) => {
    const code = hex === undefined ? undefined : Number.parseInt(hex, 16);
    if (code !== undefined && code <= 0x10ffff) return String.fromCodePoint(code);
    const meaning = ESCAPES[what];
    if (meaning !== undefined) return meaning;
    badEscapeAt ??= offset;
    return escape;
  });
  return { value, badEscapeAt };
}

/** A value in quotation marks, on one line, whatever it holds. */
export function printTextLiteral(value: string): string {
  return `"${value.replace(MUST_ESCAPE, printEscape)}"`;
}

/** A value as an argument: as it is where that reads back the same, in quotation marks where not. */
export function printWord(value: string): string {
  return isPlainWord(value) ? value : printTextLiteral(value);
}

/** The value of an option as it stands behind `key=`. */
export function printOptionValue(value: string): string {
  return hasOnlyWordCharacters(value) && !value.startsWith('"') ? value : printTextLiteral(value);
}

/** Whether a text can be the key of an option. */
export function isOptionKey(key: string): boolean {
  if (key === '' || !startsKey(key.charCodeAt(0))) return false;
  for (let at = 1; at < key.length; at++) if (!continuesKey(key.charCodeAt(at))) return false;
  return true;
}

function isPlainWord(value: string): boolean {
  if (value === '' || !startsWord(value.charCodeAt(0)) || !hasOnlyWordCharacters(value)) return false;
  const equals = value.indexOf('=');
  return equals < 0 || !isOptionKey(value.slice(0, equals));
}

/** Control characters and lone surrogates need an escape although the grammar would take them. */
function hasOnlyWordCharacters(value: string): boolean {
  if (value === '' || !value.isWellFormed()) return false;
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at);
    if (endsWord(code) || code < 0x20 || (code >= 0x7f && code < 0xa0)) return false;
  }
  return true;
}

function printEscape(character: string): string {
  if (character === '"' || character === '\\') return `\\${character}`;
  if (character === '\n') return '\\n';
  if (character === '\r') return '\\r';
  if (character === '\t') return '\\t';
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
