import { continuesKey, endsWord, startsKey, startsWord } from './characters.ts';

const ESCAPES: Readonly<Record<string, string>> = { '"': '"', '\\': '\\', n: '\n', r: '\r', t: '\t' };
const ESCAPE = /\\(u\{([0-9a-fA-F]{1,6})\}|[^]?)/g;
const MUST_ESCAPE = /["\\\p{Cc}\u2028\u2029]|\p{Cs}/gu;

/** Resolves the text between quotation marks. @returns value, and offset of the first invalid escape within `inner` */
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

/** Prints any value as a quoted text on one line. */
export function printTextLiteral(value: string): string {
  return `"${value.replace(MUST_ESCAPE, printEscape)}"`;
}

/** Prints a value as an argument: without quotation marks if the grammar reads the same value from it, otherwise quoted. */
export function printWord(value: string): string {
  return isPlainWord(value) ? value : printTextLiteral(value);
}

/** Prints the value of an option, as written after `key=`. */
export function printOptionValue(value: string): string {
  return hasOnlyWordCharacters(value) && !value.startsWith('"') ? value : printTextLiteral(value);
}

/** True if the grammar accepts a text as the key of an option. */
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

/** True if no character needs an escape. Control characters and lone surrogates need one, although the grammar accepts them. */
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
