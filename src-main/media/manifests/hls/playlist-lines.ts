/** Characters that one line may have, before and after its variables are replaced; the rest is cut off. */
export const MAX_LINE_CHARACTERS = 16_384;

/** Lines that one playlist may have, empty ones too; later ones are left unread. */
const MAX_LINES = 500_000;

/** Lines after which a reader of lines should yield: well below a millisecond for all but the longest. */
export const LINES_OF_A_STEP = 16;

/** The lines of a playlist that are not empty, without the space around them. */
export function* playlistLines(text: string): Generator<void, readonly string[]> {
  const lines: string[] = [];
  let start = text.startsWith('\uFEFF') ? 1 : 0;
  for (let count = 0; count < MAX_LINES && start < text.length; count++) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(start, Math.min(end, start + MAX_LINE_CHARACTERS)).trim();
    if (line !== '') lines.push(line);
    start = end + 1;
    if (count % LINES_OF_A_STEP === 0) yield;
  }
  return lines;
}

/** The same text in memory of its own: a slice would keep the whole text alive that it was cut from. */
export function ownCopy(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}
