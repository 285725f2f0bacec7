/** What ends a line: LF, CR LF, CR, as in the editor. */
export const LINE_BREAK = /\r\n|\n|\r/g;

/** Whether a UTF-16 code unit separates words. The grammar's `whitespace` token is the same set; a test compares them. */
export function isWhitespace(code: number): boolean {
  if (code > 0x20) return code === 0xa0 || code === 0xfeff || code === 0x2028 || code === 0x2029;
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

/** Whether a UTF-16 code unit, or the end of the text (-1), ends an unquoted word. */
export function endsWord(code: number): boolean {
  // -1 end, { } ;
  return code < 0 || code === 0x7b || code === 0x7d || code === 0x3b || isWhitespace(code);
}

/** Whether a word may begin with this code unit: not a quotation mark (a text) and not `#` (a comment). */
export function startsWord(code: number): boolean {
  return code !== 0x22 && code !== 0x23 && !endsWord(code);
}

/** Whether the key of an option may begin with this code unit: a letter or `_`. */
export function startsKey(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === 0x5f;
}

/** Whether the key of an option may go on with this code unit: a letter, a digit, `_`, `-` or `.`. */
export function continuesKey(code: number): boolean {
  return startsKey(code) || isDigit(code) || code === 0x2d || code === 0x2e;
}

/** Whether a code unit is an ASCII digit. */
export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
