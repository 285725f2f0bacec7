import { LineTable, type TextPosition } from '../../../src-preload/contract/config-language/lines.ts';
import type { ConfigDirective } from '../../../src-preload/contract/config-language/syntax.ts';
import { DIRECTIVES } from '../schema/directives.ts';
import { movedDirective, type ParsedStatements } from './parse-portions.ts';
import { StreamBlock } from './stream-block.ts';

/** Number of text blocks that are skipped between two checks of the time. */
export const TEXT_BLOCKS_PER_STEP = 500;

/**
 * Range of complete lines of a configuration text with complete top-level statements, and the meaning of the statements. It is
 * independent of its position, so the same object can be part of several texts.
 */
export class TextBlock {
  readonly text: string;
  readonly lines: LineTable;
  readonly directives: readonly ConfigDirective[];
  /** Statements that define streams. */
  readonly blocks: readonly StreamBlock[];
  /** All other statements. */
  readonly fileDirectives: readonly ConfigDirective[];

  private constructor({ text, lines, directives }: ParsedStatements, blocks: readonly StreamBlock[]) {
    this.text = text;
    this.lines = lines;
    this.directives = directives;
    this.blocks = blocks;
    this.fileDirectives = blocks.length === directives.length ? [] : directives.filter((one) => !isStreamBlock(one));
  }

  /** Reads a range of complete lines, in steps. @param parsed without syntax errors */
  static *read(parsed: ParsedStatements): Generator<void, TextBlock> {
    const blocks: StreamBlock[] = [];
    for (const directive of parsed.directives) {
      const known = DIRECTIVES.file.get(directive.name);
      if (known?.kind === 'stream-block')
        blocks.push(yield* StreamBlock.read(directive, known.entry.directive, parsed.lines));
      yield;
    }
    return new TextBlock(parsed, blocks);
  }

  get lineCount(): number {
    return this.lines.count - 1;
  }
}

function isStreamBlock({ name }: ConfigDirective): boolean {
  return DIRECTIVES.file.get(name)?.kind === 'stream-block';
}

/** Offsets of the text blocks of a text. Converts offsets and lines between the text and a text block. */
export class TextBlockOffsets {
  readonly #textBlocks: readonly TextBlock[];
  readonly #offsets: number[] = [];
  readonly #lines: number[] = [];

  constructor(textBlocks: readonly TextBlock[]) {
    this.#textBlocks = textBlocks;
    let offset = 0;
    let line = 0;
    for (const textBlock of textBlocks) {
      this.#offsets.push(offset);
      this.#lines.push(line);
      offset += textBlock.text.length;
      line += textBlock.lineCount;
    }
  }

  /** Start of a text block. */
  offsetOf(index: number): number {
    return this.#offsets[index] ?? 0;
  }

  /** Number of lines before a text block. */
  linesBefore(index: number): number {
    return this.#lines[index] ?? 0;
  }

  lineAt(offset: number): number {
    return this.positionAt(offset).line;
  }

  startOf(line: number): number | undefined {
    const index = lastAtOrBelow(this.#lines, line - 1);
    const start = this.#textBlocks[index]?.lines.startOf(line - this.linesBefore(index));
    return start === undefined ? undefined : start + this.offsetOf(index);
  }

  positionAt(offset: number): TextPosition {
    const index = lastAtOrBelow(this.#offsets, offset);
    const { line, column } = (this.#textBlocks[index]?.lines ?? new LineTable('')).positionAt(
      offset - this.offsetOf(index),
    );
    return { line: line + this.linesBefore(index), column };
  }
}

/** Statement at its place in a longer text. */
export function moveDirective(directive: ConfigDirective, offset: number, lines: number): ConfigDirective {
  return movedDirective(directive, offset, ({ line, column }) => ({ line: line + lines, column }));
}

function lastAtOrBelow(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) <= value) low = middle;
    else high = middle;
  }
  return low;
}
