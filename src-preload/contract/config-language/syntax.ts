import type { Explained } from '../explanations/explanations.ts';
/** Range of the text in UTF-16 offsets; `to` is exclusive. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** Notation of an argument. */
export type WordKind = 'word' | 'number' | 'url' | 'text';

/** Argument of a directive: `udp://239.0.0.1:1234`, `2s`, `"Camera 1"`. */
export interface ConfigWord extends Range {
  readonly kind: WordKind;
  /** Value without quotation marks and with escapes resolved. */
  readonly value: string;
}

/** Option of a directive, `key=value`. The range covers key and value. */
export interface ConfigOption extends Range {
  readonly key: string;
  readonly value: string;
  /** Start of the value; end of the option for `key=` without a value. */
  readonly valueFrom: number;
}

/** Statement of the text: `name args key=value;` or `name args { … }`. */
export interface ConfigDirective extends Range {
  readonly name: string;
  /** End of the name, exclusive. */
  readonly nameTo: number;
  /** Arguments without a key, in order. */
  readonly args: readonly ConfigWord[];
  /** Arguments with a key, in order; a key may occur twice. */
  readonly options: readonly ConfigOption[];
  /** Statements between the braces; undefined without a block. */
  readonly block: readonly ConfigDirective[] | undefined;
  /** Start of the block at its opening brace; 0 without a block, as is the end. */
  readonly blockFrom: number;
  readonly blockTo: number;
  /** Line and column of the name, from 1. */
  readonly line: number;
  readonly column: number;
}

/** Syntax error: independent of the meaning of directives. */
export interface SyntaxProblem extends Range {
  readonly reason: Explained;
  readonly expected: string;
  readonly found: string;
}
