/** One replacement in a text; insertion when `from` equals `to`. */
export interface TextChange {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
  /** Whether a block goes, which may leave an empty line too many. */
  readonly isSeam?: boolean;
}

/** The text after the changes. They must not overlap; changes at one place apply in the order given, what is only put in first. */
export function applyChanges(text: string, changes: readonly TextChange[]): string {
  return applyWithSeams(text, changes).text;
}

/** The same, with the offsets at which blocks stood that are gone. */
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
    if (change.from < done) throw new Error('Two changes of a text reach into each other');
    parts.push(text.slice(done, change.from), change.insert);
    length += change.from - done + change.insert.length;
    if (change.isSeam) seams.push(length);
    done = change.to;
  }
  parts.push(text.slice(done));
  return { text: parts.join(''), seams };
}

/** Where the line of an offset begins. */
export function lineStart(text: string, offset: number): number {
  let at = offset;
  while (at > 0 && !isLineBreak(text, at - 1)) at--;
  return at;
}

/** Where the line of an offset ends, before its line break. @param limit where nothing is looked for any more */
export function lineEnd(text: string, offset: number, limit = text.length): number {
  let at = offset;
  while (at < limit && !isLineBreak(text, at)) at++;
  return at;
}

/** Where the line after the line of an offset begins, or the end of the text. */
export function nextLine(text: string, offset: number): number {
  const end = lineEnd(text, offset);
  return text.startsWith('\r\n', end) ? end + 2 : Math.min(end + 1, text.length);
}

/** The white space that the line of an offset begins with. */
export function indentAt(text: string, offset: number): string {
  const start = lineStart(text, offset);
  return text.slice(start, skipBlanks(text, start));
}

/** The line break that the text uses: its first one, or LF. */
export function lineBreakOf(text: string): string {
  return /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
}

/** Takes a range out: with its lines where nothing else stands on them, else with the blanks that part it from its neighbours. */
export function removal(text: string, from: number, to: number): TextChange {
  const start = blanksBefore(text, from);
  const end = skipBlanks(text, to);
  const isFirst = start === 0 || isLineBreak(text, start - 1);
  const isLast = end === text.length || isLineBreak(text, end);
  if (isFirst && isLast) return { from: start, to: nextLine(text, end), insert: '' };
  if (isFirst) return { from, to: end, insert: '' };
  return { from: start, to, insert: '' };
}

/** Whether nothing but a comment stands between an offset and the end of its line. */
export function isRestOfLineFree(text: string, offset: number): boolean {
  let at = offset;
  while (at < text.length && !isLineBreak(text, at) && /[\s;]/.test(text.charAt(at))) at++;
  return at === text.length || isLineBreak(text, at) || text[at] === '#';
}

/** Whether an empty line stands before the line of an offset. */
export function followsEmptyLine(text: string, offset: number): boolean {
  const start = lineStart(text, offset);
  if (start === 0) return false;
  const before = start - (text.startsWith('\r\n', start - 2) ? 2 : 1);
  return before >= 0 && lineStart(text, before) === before;
}

/** Where the line before an offset begins, if it is an empty one with its break; undefined otherwise. */
export function emptyLineBefore(text: string, offset: number): number | undefined {
  const end = offset - (text.startsWith('\r\n', offset - 2) ? 2 : 1);
  if (end < 0 || !/[\r\n]/.test(text.charAt(end))) return undefined;
  const start = lineStart(text, end);
  return skipBlanks(text, start) === end ? start : undefined;
}

/** Where the blanks before an offset begin, on its line. */
export function blanksBefore(text: string, offset: number): number {
  let at = offset;
  while (at > 0 && (text[at - 1] === ' ' || text[at - 1] === '\t')) at--;
  return at;
}

/** Where the blanks behind an offset end. */
export function skipBlanks(text: string, offset: number): number {
  let at = offset;
  while (text[at] === ' ' || text[at] === '\t') at++;
  return at;
}

function isLineBreak(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 0x0a || code === 0x0d;
}
