/** Line breaks as in the editor: LF, CR LF or CR. */
export const LINE_BREAK = /\r\n|\n|\r/g;

/** True for a UTF-16 code unit that separates words. A test compares it with the `whitespace` token of the grammar. */
export function isWhitespace(code: number): boolean {
  if (code > 0x20) return code === 0xa0 || code === 0xfeff || code === 0x2028 || code === 0x2029;
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

/** True for a UTF-16 code unit, or the end of the text (-1), that ends an unquoted word. */
export function endsWord(code: number): boolean {
  // -1 is the end of the text; the rest are { } and ;
  return code < 0 || code === 0x7b || code === 0x7d || code === 0x3b || isWhitespace(code);
}

/**
 * True for a code unit that may start a word: not a quotation mark, which starts a quoted text, and not `#`, which starts a
 * comment.
 */
export function startsWord(code: number): boolean {
  return code !== 0x22 && code !== 0x23 && !endsWord(code);
}

/** True for a code unit that may start the key of an option: a letter or `_`. */
export function startsKey(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === 0x5f;
}

/** True for a code unit that may continue the key of an option: a letter, a digit, `_`, `-` or `.`. */
export function continuesKey(code: number): boolean {
  return startsKey(code) || isDigit(code) || code === 0x2d || code === 0x2e;
}

/** True for the code unit of an ASCII digit. */
export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
