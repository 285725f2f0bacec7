import { AirdeskError, type ErrorCode } from '../../src-preload/contract/errors.ts';
import type { ConfigPath } from '../config/parse/problem.ts';
import { pointerOf } from './configuration-error.ts';

/** Refused change: a value is valid in the configuration file, but the caller may not set it. */
export class ValueRefusal extends AirdeskError {
  /** Location of the value in the JSON of the configuration; empty if unknown. */
  readonly path: ConfigPath;

  constructor(code: ErrorCode, detail: string, path: ConfigPath) {
    super(code, detail, path.length > 0 ? { pointer: pointerOf(path) } : {});
    this.path = path;
  }
}
