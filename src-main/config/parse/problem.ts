import type { TextPosition } from '../../../src-preload/contract/config-language/lines.ts';
import { because, type Explained, type Explanation } from '../../../src-preload/contract/explanations/explanations.ts';
import type { ErrorCode } from '../../../src-preload/contract/errors.ts';

/** Path of a value in the configuration: `['streams', 'cam1', 'inputs', 0, 'url']`. */
export type ConfigPath = readonly (string | number)[];

/** Mistake or warning in a configuration text, with its position. */
export interface ConfigError extends TextPosition {
  readonly code: ErrorCode;
  /** English sentence of the explanation. */
  readonly message: string;
  readonly explanation: Explanation | undefined;
  readonly path: ConfigPath;
  /** Correct form. */
  readonly expected?: string;
  /** Text at the position, at most 80 characters. */
  readonly found?: string;
}

/** Maximum number of listed errors, and of warnings. */
const MAX_PROBLEMS = 1000;
const MAX_FOUND_LENGTH = 80;

export interface Positions {
  positionAt(offset: number): TextPosition;
}

/** Collects the errors and warnings of one text. */
export class Problems {
  readonly errors: ConfigError[] = [];
  readonly warnings: ConfigError[] = [];
  readonly #positions: Positions;

  constructor(positions: Positions) {
    this.#positions = positions;
  }

  /** Whether no further errors are listed. */
  get isFull(): boolean {
    return this.errors.length >= MAX_PROBLEMS;
  }

  error(
    at: number,
    code: ErrorCode,
    path: ConfigPath,
    reason: Explained,
    details: { expected?: string; found?: string } = {},
  ): void {
    if (!this.isFull) this.errors.push(this.#make(at, code, path, reason, details));
  }

  warning(at: number, code: ErrorCode, path: ConfigPath, reason: Explained): void {
    if (this.warnings.length < MAX_PROBLEMS) this.warnings.push(this.#make(at, code, path, reason, {}));
  }

  /** Adds the problems of a part of the text. @param lines number of lines before the part */
  addMoved({ errors, warnings }: Problems, lines: number): void {
    for (const error of errors) if (!this.isFull) this.errors.push({ ...error, line: error.line + lines });
    for (const warning of warnings)
      if (this.warnings.length < MAX_PROBLEMS) this.warnings.push({ ...warning, line: warning.line + lines });
  }

  /** Line of an offset, for messages that refer to another position. */
  lineOf(at: number): number {
    return this.#positions.positionAt(at).line;
  }

  #make(
    at: number,
    code: ErrorCode,
    path: ConfigPath,
    { detail, explanation }: Explained,
    { expected, found }: { expected?: string; found?: string },
  ): ConfigError {
    return {
      code,
      message: detail,
      explanation,
      ...this.#positions.positionAt(at),
      path,
      ...(expected === undefined ? {} : { expected }),
      ...(found === undefined ? {} : { found: shorten(found) }),
    };
  }
}

/** Adds the name that was probably meant. */
export function withSuggestion(explanation: Explained, name: string | undefined): Explained {
  return name === undefined ? explanation : because('did_you_mean', { explanation, name });
}

function shorten(text: string): string {
  return text.length > MAX_FOUND_LENGTH ? `${text.slice(0, MAX_FOUND_LENGTH)}…` : text;
}
