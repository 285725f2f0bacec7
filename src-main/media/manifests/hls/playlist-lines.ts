/** Maximum characters of a line, before and after its variables are replaced; a longer line is cut. */
export const MAX_LINE_CHARACTERS = 16_384;

/** Maximum number of lines of a playlist, including empty ones; later ones are ignored. */
const MAX_LINES = 500_000;

/** Lines after which a reader should yield: this takes well below a millisecond unless lines are very long. */
export const LINES_PER_STEP = 16;

/** Non-empty lines of a playlist, trimmed. */
export function* playlistLines(text: string): Generator<void, readonly string[]> {
  const lines: string[] = [];
  let start = text.startsWith('\uFEFF') ? 1 : 0;
  for (let count = 0; count < MAX_LINES && start < text.length; count++) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(start, Math.min(end, start + MAX_LINE_CHARACTERS)).trim();
    if (line !== '') lines.push(line);
    start = end + 1;
    if (count % LINES_PER_STEP === 0) yield;
  }
  return lines;
}

/** Copy of a text in its own memory: a slice would keep the whole source text in memory. */
export function ownCopy(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}
