import { nextTurn } from './turns.ts';

/** Maximum time for creating text in one turn of the event loop, in milliseconds. */
const TURN_MS = 2;
/** Length at which a piece of text is passed on, in characters. */
const PIECE_CHARS = 65_536;

/** Text around a list. */
export interface JsonFrame {
  /** Text up to and including the `[`. */
  readonly before: string;
  /** Text from the `]` on. */
  readonly after: string;
}

/** Joins texts into pieces. Each piece is created in one short turn of the event loop. */
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

/**
 * JSON text of a long list in pieces.
 * @param textOf JSON text of one item
 */
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
