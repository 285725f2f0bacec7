import type { Place } from '../../../src-preload/contract/config-language/lines.ts';
import type { ErrorCode } from '../../../src-preload/contract/errors.ts';

/** Where a value stands in the configuration: `['streams', 'cam1', 'inputs', 0, 'url']`. */
export type ConfigPath = readonly (string | number)[];

/** A mistake in a configuration text, or something its writer should know, with its place. */
export interface ConfigError extends Place {
  readonly code: ErrorCode;
  readonly message: string;
  readonly path: ConfigPath;
  /** What would be right. */
  readonly expected?: string;
  /** What stands there, at most 80 characters of it. */
  readonly found?: string;
}

/** How many errors and how many warnings are listed; more would not help. */
const MAX_PROBLEMS = 1000;
const MAX_FOUND_LENGTH = 80;

/** What turns offsets of a text into places. */
export interface Places {
  placeAt(offset: number): Place;
}

/** Collects what is wrong with one text. */
export class Problems {
  readonly errors: ConfigError[] = [];
  readonly warnings: ConfigError[] = [];
  readonly #places: Places;

  constructor(places: Places) {
    this.#places = places;
  }

  /** Whether further errors are not listed any more. */
  get isFull(): boolean {
    return this.errors.length >= MAX_PROBLEMS;
  }

  error(
    at: number,
    code: ErrorCode,
    path: ConfigPath,
    message: string,
    details: { expected?: string; found?: string } = {},
  ): void {
    if (!this.isFull) this.errors.push(this.#make(at, code, path, message, details));
  }

  warning(at: number, code: ErrorCode, path: ConfigPath, message: string): void {
    if (this.warnings.length < MAX_PROBLEMS) this.warnings.push(this.#make(at, code, path, message, {}));
  }

  /** Takes over what was found in a part of the text. @param lines how many lines stand before the part */
  addMoved({ errors, warnings }: Problems, lines: number): void {
    for (const error of errors) if (!this.isFull) this.errors.push({ ...error, line: error.line + lines });
    for (const warning of warnings)
      if (this.warnings.length < MAX_PROBLEMS) this.warnings.push({ ...warning, line: warning.line + lines });
  }

  /** Line of an offset, to speak of another place in a message. */
  lineOf(at: number): number {
    return this.#places.placeAt(at).line;
  }

  #make(
    at: number,
    code: ErrorCode,
    path: ConfigPath,
    message: string,
    { expected, found }: { expected?: string; found?: string },
  ): ConfigError {
    return {
      code,
      message,
      ...this.#places.placeAt(at),
      path,
      ...(expected === undefined ? {} : { expected }),
      ...(found === undefined ? {} : { found: shorten(found) }),
    };
  }
}

/** A text as it may stand in a message. */
function shorten(text: string): string {
  return text.length > MAX_FOUND_LENGTH ? `${text.slice(0, MAX_FOUND_LENGTH)}…` : text;
}
