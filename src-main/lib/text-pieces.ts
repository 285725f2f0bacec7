import { nextTurn } from './turns.ts';

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

/** A long text in pieces, each made in one short turn. */
export async function* textPieces(texts: Iterable<string>): AsyncGenerator<string, void> {
  let piece = '';
  let endMs = performance.now() + TURN_MS;
  for (const text of texts) {
    piece += text;
    if (piece.length < PIECE_CHARS && performance.now() < endMs) continue;
    yield piece;
    piece = '';
    await nextTurn();
    endMs = performance.now() + TURN_MS;
  }
  yield piece;
}

/** The JSON text of a long list in pieces. @param textOf JSON text of one item */
export function jsonPieces<T>(
  items: Iterable<T>,
  textOf: (item: T) => string,
  frame: JsonFrame = { before: '[', after: ']' },
): AsyncGenerator<string, void> {
  return textPieces(jsonTexts(items, textOf, frame));
}

function* jsonTexts<T>(
  items: Iterable<T>,
  textOf: (item: T) => string,
  { before, after }: JsonFrame,
): Generator<string, void> {
  yield before;
  let separator = '';
  for (const item of items) {
    yield separator + textOf(item);
    separator = ',';
  }
  yield after;
}
