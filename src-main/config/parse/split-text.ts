import { endsWord } from '../../../src-preload/contract/config-language/characters.ts';
import { MAX_DEPTH } from '../../../src-preload/contract/config-language/parse.ts';

const QUOTE = 0x22;
const HASH = 0x23;
const SEMICOLON = 0x3b;
const EQUALS = 0x3d;
const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const LF = 0x0a;
const CR = 0x0d;

/** Number of characters that are scanned between two checks of the time. */
const CHARACTERS_PER_STEP = 50_000;

/**
 * Estimates the end of the first range of complete lines from `from` on that holds complete top-level statements. The estimate
 * counts braces and quotation marks. The caller parses the range with the grammar and uses it only without mistakes. Runs in
 * steps.
 */
export function* endOfStatementLines(text: string, from: number): Generator<void, number> {
  let depth = 0;
  let isOpen = false;
  let hasStatement = false;
  let at = from;
  let pauseAt = from + CHARACTERS_PER_STEP;
  while (at < text.length) {
    if (at >= pauseAt) {
      pauseAt = at + CHARACTERS_PER_STEP;
      yield;
    }
    const code = text.charCodeAt(at++);
    if (code === LF || code === CR) {
      if (code === CR && text.charCodeAt(at) === LF) at++;
      if (depth <= 0 && !isOpen && hasStatement) return at;
    } else if (code === HASH) at = endOfLine(text, at);
    else if (code === QUOTE) at = endOfLiteral(text, at);
    else if (code === OPEN) depth++;
    else if (code === CLOSE || (code === SEMICOLON && depth <= 0)) {
      if (code === CLOSE) depth--;
      if (depth <= 0) isOpen = false;
      hasStatement ||= depth <= 0;
    } else if (!endsWord(code)) {
      isOpen = true;
      at = endOfWord(text, at);
    }
  }
  return text.length;
}

/** Maximum number of characters that are parsed at once, if the text can be cut. */
export const PORTION_CHARS = 16_384;

/** Range of complete statements, or of one with a long block. */
export interface Portion {
  readonly from: number;
  readonly to: number;
  /** Content of the long block. */
  readonly block?: { readonly from: number; readonly portions: readonly Portion[] };
}

interface OpenBlock {
  /** Start of the current statement: after the previous one, so that blanks and comments belong to it. */
  from: number;
  /** Start of its block. */
  blockFrom: number;
  portions: Portion[];
}

/**
 * Cuts a text between statements, in steps; undefined if braces do not match or are nested too deep. The cuts are an estimate
 * that the grammar has to confirm.
 */
export function* portionsOf(text: string): Generator<void, readonly Portion[] | undefined> {
  let block: OpenBlock = { from: 0, blockFrom: 0, portions: [] };
  const open: OpenBlock[] = [];
  let pauseAt = CHARACTERS_PER_STEP;
  let at = 0;
  while (at < text.length) {
    if (at >= pauseAt) {
      pauseAt = at + CHARACTERS_PER_STEP;
      yield;
    }
    const code = text.charCodeAt(at++);
    if (code === HASH) at = endOfLine(text, at);
    else if (code === QUOTE) at = endOfLiteral(text, at);
    else if (code === OPEN) {
      if (open.length > MAX_DEPTH) return undefined;
      block.blockFrom = at - 1;
      open.push(block);
      block = { from: at, blockFrom: at, portions: [] };
    } else if (code === CLOSE) {
      const outer = open.pop();
      if (!outer) return undefined;
      const { portions } = block;
      add(portions, { from: block.from, to: at - 1 });
      const isLong = at - outer.blockFrom > PORTION_CHARS;
      add(outer.portions, {
        from: outer.from,
        to: at,
        ...(isLong ? { block: { from: outer.blockFrom, portions } } : {}),
      });
      outer.from = at;
      block = outer;
    } else if (code === SEMICOLON) {
      add(block.portions, { from: block.from, to: at });
      block.from = at;
    } else if (!endsWord(code)) at = endOfWord(text, at);
  }
  if (open.length > 0) return undefined;
  add(block.portions, { from: block.from, to: text.length });
  return block.portions;
}

/** Adds a statement to the previous portion if it fits, otherwise as a new portion. */
function add(portions: Portion[], next: Portion): void {
  const last = portions.at(-1);
  if (last && !last.block && !next.block && next.to - last.from <= PORTION_CHARS)
    portions[portions.length - 1] = { from: last.from, to: next.to };
  else portions.push(next);
}

function endOfLine(text: string, from: number): number {
  let at = from;
  while (at < text.length && !isBreak(text.charCodeAt(at))) at++;
  return at;
}

function endOfLiteral(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (isBreak(code)) return at;
    if (code === BACKSLASH && !isBreak(text.charCodeAt(at + 1))) at++;
  }
  return text.length;
}

function endOfWord(text: string, from: number): number {
  let at = from;
  while (at < text.length && !endsWord(text.charCodeAt(at))) {
    at++;
    if (text.charCodeAt(at - 1) === EQUALS && text.charCodeAt(at) === QUOTE) return endOfLiteral(text, at + 1);
  }
  return at;
}

function isBreak(code: number): boolean {
  return code === LF || code === CR;
}
