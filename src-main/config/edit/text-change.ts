/** One replacement in a text; an insertion if `from` equals `to`. */
export interface TextChange {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
  /** Whether a block is removed, so that an empty line may be left over. */
  readonly isSeam?: boolean;
}

/** Applies changes to a text. They must not overlap. Changes at one offset apply in the given order, insertions first. */
export function applyChanges(text: string, changes: readonly TextChange[]): string {
  return applyWithSeams(text, changes).text;
}

/** Applies changes. Returns also the offsets of removed blocks. */
export function applyWithSeams(
  text: string,
  changes: readonly TextChange[],
): { readonly text: string; readonly seams: readonly number[] } {
  const seams: number[] = [];
  let length = 0;
  const parts: string[] = [];
  let done = 0;
  const isInsertion = ({ from, to }: TextChange): number => (from === to ? 0 : 1);
  for (const change of [...changes].sort((a, b) => a.from - b.from || isInsertion(a) - isInsertion(b))) {
    if (change.from < done) throw new Error('Two changes of a text overlap');
    parts.push(text.slice(done, change.from), change.insert);
    length += change.from - done + change.insert.length;
    if (change.isSeam) seams.push(length);
    done = change.to;
  }
  parts.push(text.slice(done));
  return { text: parts.join(''), seams };
}

export function lineStart(text: string, offset: number): number {
  let at = offset;
  while (at > 0 && !isLineBreak(text, at - 1)) at--;
  return at;
}

/** End of the line of an offset, before its line break. @param limit end of the search */
export function lineEnd(text: string, offset: number, limit = text.length): number {
  let at = offset;
  while (at < limit && !isLineBreak(text, at)) at++;
  return at;
}

/** Start of the next line, or the end of the text. */
export function nextLine(text: string, offset: number): number {
  const end = lineEnd(text, offset);
  return text.startsWith('\r\n', end) ? end + 2 : Math.min(end + 1, text.length);
}

/** White space at the start of the line of an offset. */
export function indentAt(text: string, offset: number): string {
  const start = lineStart(text, offset);
  return text.slice(start, skipBlanks(text, start));
}

/** Line break of the text: its first one, or LF. */
export function lineBreakOf(text: string): string {
  return /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
}

/**
 * Removal of a range: complete lines if they contain nothing else, otherwise with the blanks that separate the range from its
 * neighbours.
 */
export function removal(text: string, from: number, to: number): TextChange {
  const start = blanksBefore(text, from);
  const end = skipBlanks(text, to);
  const isFirst = start === 0 || isLineBreak(text, start - 1);
  const isLast = end === text.length || isLineBreak(text, end);
  if (isFirst && isLast) return { from: start, to: nextLine(text, end), insert: '' };
  if (isFirst) return { from, to: end, insert: '' };
  return { from: start, to, insert: '' };
}

/** Whether the rest of a line after an offset is empty or a comment. */
export function isRestOfLineFree(text: string, offset: number): boolean {
  let at = offset;
  while (at < text.length && !isLineBreak(text, at) && /[\s;]/.test(text.charAt(at))) at++;
  return at === text.length || isLineBreak(text, at) || text[at] === '#';
}

/** Whether the line before the line of an offset is empty. */
export function followsEmptyLine(text: string, offset: number): boolean {
  const start = lineStart(text, offset);
  if (start === 0) return false;
  const before = start - (text.startsWith('\r\n', start - 2) ? 2 : 1);
  return before >= 0 && lineStart(text, before) === before;
}

/** Start of the line before an offset if it is empty; undefined otherwise. */
export function emptyLineBefore(text: string, offset: number): number | undefined {
  const end = offset - (text.startsWith('\r\n', offset - 2) ? 2 : 1);
  if (end < 0 || !/[\r\n]/.test(text.charAt(end))) return undefined;
  const start = lineStart(text, end);
  return skipBlanks(text, start) === end ? start : undefined;
}

/** Start of the blanks before an offset, on its line. */
export function blanksBefore(text: string, offset: number): number {
  let at = offset;
  while (at > 0 && (text[at - 1] === ' ' || text[at - 1] === '\t')) at--;
  return at;
}

/** End of the blanks after an offset. */
export function skipBlanks(text: string, offset: number): number {
  let at = offset;
  while (text[at] === ' ' || text[at] === '\t') at++;
  return at;
}

function isLineBreak(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 0x0a || code === 0x0d;
}
