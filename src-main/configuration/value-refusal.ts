import { AirdeskError, type ErrorCode } from '../../src-preload/contract/errors.ts';
import type { ConfigPath } from '../config/parse/problem.ts';
import { pointerOf } from './configuration-error.ts';

/** A change with a value that is not allowed, though the configuration may contain it. */
export class ValueRefusal extends AirdeskError {
  /** Place of the value in the configuration; empty if it is not shown there. */
  readonly path: ConfigPath;

  constructor(code: ErrorCode, detail: string, path: ConfigPath) {
    super(code, detail, path.length > 0 ? { pointer: pointerOf(path) } : {});
    this.path = path;
  }
}
