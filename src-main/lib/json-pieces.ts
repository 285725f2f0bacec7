/** How long one turn of the event loop may make text, in milliseconds. */
const TURN_MS = 4;
/** A piece of text is handed on from this length on, in characters. */
const PIECE_CHARS = 65_536;

/** What stands around a list. */
export interface JsonFrame {
  /** Up to and with the `[`. */
  readonly before: string;
  /** From the `]` on. */
  readonly after: string;
}

/** The JSON text of a long list in pieces, each made in one short turn. @param textOf JSON text of one item */
export async function* jsonPieces<T>(items: Iterable<T>, textOf: (item: T) => string, { before, after }: JsonFrame = { before: '[', after: ']' }): AsyncGenerator<string, void> {
  let piece = before;
  let separator = '';
  let endMs = performance.now() + TURN_MS;
  for (const item of items) {
    piece += separator + textOf(item);
    separator = ',';
    if (piece.length < PIECE_CHARS && performance.now() < endMs) continue;
    yield piece;
    piece = '';
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    endMs = performance.now() + TURN_MS;
  }
  yield piece + after;
}
