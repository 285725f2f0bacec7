/** One replacement in a text; insertion when `from` equals `to`. */
export interface TextChange {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/** The text after the changes. They must not overlap; changes at one place apply in the order given. */
export function applyChanges(text: string, changes: readonly TextChange[]): string {
  let result = '';
  let done = 0;
  for (const { from, to, insert } of [...changes].sort((a, b) => a.from - b.from)) {
    result += text.slice(done, from) + insert;
    done = to;
  }
  return result + text.slice(done);
}

/** Where the line of an offset begins. */
export function lineStart(text: string, offset: number): number {
  let at = offset;
  while (at > 0 && !isLineBreak(text, at - 1)) at--;
  return at;
}

/** Where the line of an offset ends, before its line break. */
export function lineEnd(text: string, offset: number): number {
  let at = offset;
  while (at < text.length && !isLineBreak(text, at)) at++;
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
  return /^[ \t]*/.exec(text.slice(start, lineEnd(text, start)))?.[0] ?? '';
}

/** The line break that the text uses: its first one, or LF. */
export function lineBreakOf(text: string): string {
  return /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
}

/** Takes a stretch out: with its lines where nothing else stands on them, else with the blanks that part it from its neighbours. */
export function removal(text: string, from: number, to: number): TextChange {
  const start = lineStart(text, from);
  const isFirst = isBlank(text.slice(start, from));
  const isLast = isBlank(text.slice(to, lineEnd(text, to)));
  if (isFirst && isLast) return { from: start, to: nextLine(text, to), insert: '' };
  if (isFirst) return { from, to: skipBlanks(text, to), insert: '' };
  return { from: blanksBefore(text, from), to, insert: '' };
}

/** Where the last line of a text begins, if it is an empty one with its break; undefined otherwise. */
export function emptyLineAtEnd(text: string): number | undefined {
  const end = text.endsWith('\r\n') ? text.length - 2 : text.length - 1;
  if (end < 0 || !/[\r\n]/.test(text.charAt(end))) return undefined;
  const start = lineStart(text, end);
  return isBlank(text.slice(start, end)) ? start : undefined;
}

/** Where the blanks before an offset begin, on its line. */
export function blanksBefore(text: string, offset: number): number {
  let at = offset;
  while (at > 0 && (text[at - 1] === ' ' || text[at - 1] === '\t')) at--;
  return at;
}

function skipBlanks(text: string, offset: number): number {
  let at = offset;
  while (text[at] === ' ' || text[at] === '\t') at++;
  return at;
}

function isBlank(text: string): boolean {
  return /^[ \t]*$/.test(text);
}

function isLineBreak(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 0x0a || code === 0x0d;
}
