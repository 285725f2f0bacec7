import { LineTable } from '../../src-preload/contract/config-language/lines.ts';
import { parseConfigText, parseConfigTextInSteps } from '../../src-preload/contract/config-language/parse.ts';
import { runAtOnce, runInTurns } from '../lib/turns.ts';
import { assembleConfig } from './assemble-config.ts';
import type { Config } from './config.ts';
import { Problems, type ConfigError } from './problem.ts';
import { Segment } from './segment.ts';
import { endOfStatementLines } from './split-text.ts';

/** The longest configuration text that is read. */
export const MAX_TEXT_LENGTH = 16 * 1024 * 1024;

/** What a configuration text says. */
export interface ConfigResult {
  /** Undefined when there are errors. */
  readonly config: Config | undefined;
  readonly errors: readonly ConfigError[];
  /** What works and should be known, such as directives without effect yet. */
  readonly warnings: readonly ConfigError[];
}

/**
 * A configuration text and what it says. A changed text is read on the ground of the one before it: only the statements that differ are read anew,
 * and the values of all others are the same objects.
 */
export class ConfigDocument implements ConfigResult {
  readonly text: string;
  readonly config: Config | undefined;
  readonly errors: readonly ConfigError[];
  readonly warnings: readonly ConfigError[];
  /** The text in parts; undefined where it has mistakes of form. */
  readonly segments: readonly Segment[] | undefined;
  /** How many parts were read for this document and not taken over. */
  readonly readCount: number;

  private constructor(
    text: string,
    problems: Problems,
    config: Config | undefined,
    segments: readonly Segment[] | undefined,
    readCount: number,
  ) {
    this.text = text;
    this.errors = problems.errors.sort((a, b) => a.line - b.line || a.column - b.column);
    this.warnings = problems.warnings;
    this.config = this.errors.length > 0 ? undefined : config;
    this.segments = segments;
    this.readCount = readCount;
  }

  /** Reads a text. Any text gives a document; mistakes have a place. @param previous a document that most likely has much in common */
  static parse(text: string, previous?: ConfigDocument): ConfigDocument {
    return runAtOnce(ConfigDocument.#read(text, previous));
  }

  /** The same in short turns, so that the thread stays free for others. */
  static parseInTurns(text: string, previous?: ConfigDocument): Promise<ConfigDocument> {
    return runInTurns(ConfigDocument.#read(text, previous));
  }

  static *#read(text: string, previous: ConfigDocument | undefined): Generator<void, ConfigDocument> {
    if (text.length > MAX_TEXT_LENGTH) {
      const problems = new Problems(new LineTable(''));
      problems.error(0, 'config_syntax', [], `The configuration is longer than ${MAX_TEXT_LENGTH} characters`);
      return new ConfigDocument(text, problems, undefined, undefined, 0);
    }
    const read = yield* readSegments(text, previous?.segments ?? []);
    if (read.problems) return new ConfigDocument(text, read.problems, undefined, undefined, read.count);
    const { config, problems } = yield* assembleConfig(read.segments);
    return new ConfigDocument(text, problems, config, read.segments, read.count);
  }
}

interface SegmentsRead {
  readonly segments: readonly Segment[];
  /** Mistakes of form: the statements after one may be another's arguments or block, so that what they mean is not told. */
  readonly problems?: Problems;
  readonly count: number;
}

function* readSegments(text: string, previous: readonly Segment[]): Generator<void, SegmentsRead> {
  const { head, tail, from, to } = commonSegments(text, previous);
  const known = new Map(previous.slice(head, previous.length - tail).map((segment) => [segment.text, segment]));
  const segments = previous.slice(0, head);
  let lines = segments.reduce((sum, { lineCount }) => sum + lineCount, 0);
  let count = 0;
  const hasPrevious = previous.length > 0;
  for (let at = from; at < to;) {
    const end = Math.min(to, endOfStatementLines(text, at));
    const part = text.slice(at, end);
    let segment = known.get(part);
    if (!segment) {
      const parsed = parseConfigText(hasPrevious ? detached(part) : part);
      count++;
      if (parsed.problems.length > 0) return yield* readRest(text, at, lines, segments, count);
      segment = new Segment(parsed);
    }
    segments.push(segment);
    lines += segment.lineCount;
    at = end;
    yield;
  }
  return { segments: [...segments, ...previous.slice(previous.length - tail)], count };
}

/** Reads the text from a place on as a whole: either there are mistakes of form in it, or the guess at its parts was wrong. */
function* readRest(
  text: string,
  from: number,
  lines: number,
  before: readonly Segment[],
  count: number,
): Generator<void, SegmentsRead> {
  const parsed = yield* parseConfigTextInSteps(text.slice(from), lines + 1);
  if (parsed.problems.length === 0) return { segments: [...before, new Segment(parsed)], count };
  const found = new Problems(parsed.lines);
  for (const { from: at, message, expected, found: what } of parsed.problems)
    found.error(at, 'config_syntax', [], message, { expected, found: what });
  const problems = new Problems(parsed.lines);
  problems.addMoved(found, lines);
  return { segments: before, problems, count };
}

/** How many segments a text has at its beginning and at its end in common with a text before it. `from` and `to` enclose what is new. */
function commonSegments(
  text: string,
  previous: readonly Segment[],
): { readonly head: number; readonly tail: number; readonly from: number; readonly to: number } {
  let head = 0;
  let from = 0;
  for (const segment of previous) {
    const end = from + segment.text.length;
    // A last line without its end may go on in the new text, and CR LF is one line break.
    if (
      !/[\r\n]$/.test(segment.text) ||
      (text[end] === '\n' && segment.text.endsWith('\r')) ||
      !text.startsWith(segment.text, from)
    )
      break;
    from = end;
    head++;
  }
  let tail = 0;
  let to = text.length;
  for (let index = previous.length - 1; index >= head; index--) {
    const segment = previous[index];
    const start = to - (segment?.text.length ?? 0);
    if (!segment || start < from || !text.startsWith(segment.text, start)) break;
    const isAtLineStart = start === from || /[\r\n]/.test(text[start - 1] ?? '');
    if (!isAtLineStart || (text[start - 1] === '\r' && text[start] === '\n')) break;
    to = start;
    tail++;
  }
  return { head, tail, from, to };
}

/** A copy of a part of a text that does not keep the whole text in memory. */
function detached(part: string): string {
  return Buffer.from(part, 'utf16le').toString('utf16le');
}
