import { because } from '../../src-preload/contract/explanations/explanations.ts';
import { LineTable } from '../../src-preload/contract/config-language/lines.ts';
import { runAtOnce, runInTurns } from '../lib/turns.ts';
import { assembleConfig } from './parse/assemble-config.ts';
import { parseInPortions } from './parse/parse-portions.ts';
import type { Config } from './schema/config.ts';
import { Problems, type ConfigError } from './parse/problem.ts';
import { TEXT_BLOCKS_PER_STEP, TextBlock } from './parse/text-block.ts';
import { endOfStatementLines } from './parse/split-text.ts';

const MAX_TEXT_LENGTH = 16 * 1024 * 1024;

/** Result of parsing a configuration text. */
export interface ConfigResult {
  /** Undefined if there are errors. */
  readonly config: Config | undefined;
  readonly errors: readonly ConfigError[];
  /** Warnings about a valid text, such as directives without effect yet. */
  readonly warnings: readonly ConfigError[];
}

/**
 * Configuration text and its meaning. A changed text reuses its predecessor: only statements that differ are parsed again, and
 * the values of all others are the same objects.
 */
export class ConfigDocument implements ConfigResult {
  readonly text: string;
  readonly config: Config | undefined;
  readonly errors: readonly ConfigError[];
  readonly warnings: readonly ConfigError[];
  /** Parts of the text; undefined if its syntax is wrong. */
  readonly textBlocks: readonly TextBlock[] | undefined;
  /** Number of parts that were parsed for this document and not reused. */
  readonly readCount: number;

  private constructor(
    text: string,
    problems: Problems,
    config: Config | undefined,
    textBlocks: readonly TextBlock[] | undefined,
    readCount: number,
  ) {
    this.text = text;
    this.errors = problems.errors.sort((a, b) => a.line - b.line || a.column - b.column);
    this.warnings = problems.warnings;
    this.config = this.errors.length > 0 ? undefined : config;
    this.textBlocks = textBlocks;
    this.readCount = readCount;
  }

  /**
   * Parses a text. Every text gives a document, with the positions of its mistakes.
   * @param previous similar document whose parts are reused
   */
  static parse(text: string, previous?: ConfigDocument): ConfigDocument {
    return runAtOnce(ConfigDocument.parseInSteps(text, previous));
  }

  /** Parses a text in short turns, so that the thread stays free. */
  static parseInTurns(text: string, previous?: ConfigDocument): Promise<ConfigDocument> {
    return runInTurns(ConfigDocument.parseInSteps(text, previous));
  }

  static *parseInSteps(text: string, previous?: ConfigDocument): Generator<void, ConfigDocument> {
    if (text.length > MAX_TEXT_LENGTH) {
      const problems = new Problems(new LineTable(''));
      problems.error(0, 'config_syntax', [], because('text_too_long', { limit: MAX_TEXT_LENGTH }));
      return new ConfigDocument(text, problems, undefined, undefined, 0);
    }
    const read = yield* readTextBlocks(text, previous?.textBlocks ?? []);
    if (read.problems) return new ConfigDocument(text, read.problems, undefined, undefined, read.count);
    const { config, problems } = yield* assembleConfig(read.textBlocks);
    return new ConfigDocument(text, problems, config, read.textBlocks, read.count);
  }
}

interface TextBlocksRead {
  readonly textBlocks: readonly TextBlock[];
  /**
   * Syntax errors. After one, statements may really be arguments or the block of another statement, so their meaning is not
   * evaluated.
   */
  readonly problems?: Problems;
  readonly count: number;
}

function* readTextBlocks(text: string, previous: readonly TextBlock[]): Generator<void, TextBlocksRead> {
  const { head, tail, from, to } = yield* commonTextBlocks(text, previous);
  const textBlocks = previous.slice(0, head);
  const known = new Map<string, TextBlock>();
  for (const textBlock of previous.slice(head, previous.length - tail)) {
    known.set(textBlock.text, textBlock);
    if (known.size % TEXT_BLOCKS_PER_STEP === 0) yield;
  }
  let count = 0;
  const hasPrevious = previous.length > 0;
  for (let at = from; at < to;) {
    const end = Math.min(to, yield* endOfStatementLines(text, at));
    const part = text.slice(at, end);
    let textBlock = known.get(part);
    if (!textBlock) {
      const parsed = yield* parseInPortions(hasPrevious ? detached(part) : part);
      count++;
      if (parsed.problems.length > 0) return yield* readRest(text, at, textBlocks, count);
      textBlock = yield* TextBlock.read(parsed);
    }
    textBlocks.push(textBlock);
    at = end;
    yield;
  }
  return { textBlocks: [...textBlocks, ...previous.slice(previous.length - tail)], count };
}

/** Parses the text from an offset to its end, after a syntax error or a wrong guess of the cuts. */
function* readRest(
  text: string,
  from: number,
  before: readonly TextBlock[],
  count: number,
): Generator<void, TextBlocksRead> {
  let lines = 0;
  for (const { lineCount } of before) lines += lineCount;
  const parsed = yield* parseInPortions(text.slice(from), lines + 1);
  if (parsed.problems.length === 0) return { textBlocks: [...before, yield* TextBlock.read(parsed)], count };
  const found = new Problems(parsed.lines);
  for (const { from: at, reason, expected, found: what } of parsed.problems)
    found.error(at, 'config_syntax', [], reason, { expected, found: what });
  const problems = new Problems(parsed.lines);
  problems.addMoved(found, lines);
  return { textBlocks: before, problems, count };
}

/**
 * Finds the text blocks that a text and its predecessor share at the start and at the end. `from` and `to` are the bounds of
 * the new part.
 */
function* commonTextBlocks(
  text: string,
  previous: readonly TextBlock[],
): Generator<void, { readonly head: number; readonly tail: number; readonly from: number; readonly to: number }> {
  let head = 0;
  let from = 0;
  for (const textBlock of previous) {
    const end = from + textBlock.text.length;
    // A last line without a line break may continue in the new text, and CR LF must stay together.
    if (
      !/[\r\n]$/.test(textBlock.text) ||
      (text[end] === '\n' && textBlock.text.endsWith('\r')) ||
      !text.startsWith(textBlock.text, from)
    )
      break;
    from = end;
    head++;
    if (head % TEXT_BLOCKS_PER_STEP === 0) yield;
  }
  let tail = 0;
  let to = text.length;
  for (let index = previous.length - 1; index >= head; index--) {
    const textBlock = previous[index];
    const start = to - (textBlock?.text.length ?? 0);
    if (!textBlock || start < from || !text.startsWith(textBlock.text, start)) break;
    const isAtLineStart = start === from || /[\r\n]/.test(text[start - 1] ?? '');
    if (!isAtLineStart || (text[start - 1] === '\r' && text[start] === '\n')) break;
    to = start;
    tail++;
    if (tail % TEXT_BLOCKS_PER_STEP === 0) yield;
  }
  return { head, tail, from, to };
}

/** Copies a part of a text, so that it does not keep the complete text in memory. */
function detached(part: string): string {
  return Buffer.from(part, 'utf16le').toString('utf16le');
}
