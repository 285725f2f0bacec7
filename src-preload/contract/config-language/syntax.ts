/** A range of the text, as UTF-16 offsets; `to` lies behind the last character. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** How an argument is written. */
export type WordKind = 'word' | 'number' | 'url' | 'text';

/** One argument of a directive: `udp://239.0.0.1:1234`, `2s`, `"Camera 1"`. */
export interface ConfigWord extends Range {
  readonly kind: WordKind;
  /** What it means: without quotation marks, escapes resolved. */
  readonly value: string;
}

/** One option of a directive, `key=value`. The range covers both. */
export interface ConfigOption extends Range {
  readonly key: string;
  readonly value: string;
  /** Where the value begins; the end of the option for `key=` without one. */
  readonly valueFrom: number;
}

/** One statement of the text: `name args key=value;` or `name args { … }`. */
export interface ConfigDirective extends Range {
  readonly name: string;
  /** Range of the name. */
  readonly nameTo: number;
  /** Arguments without a key, in order. */
  readonly args: readonly ConfigWord[];
  /** Arguments with a key, in order; keys may come twice. */
  readonly options: readonly ConfigOption[];
  /** Statements between the braces; undefined without a block. */
  readonly block: readonly ConfigDirective[] | undefined;
  /** Range of the block with its braces; both 0 without one. */
  readonly blockFrom: number;
  readonly blockTo: number;
  /** Place of the name, counted from 1. */
  readonly line: number;
  readonly column: number;
}

/** A mistake in the form of the text, whatever the directives mean. */
export interface SyntaxProblem extends Range {
  readonly message: string;
  readonly expected: string;
  readonly found: string;
}
