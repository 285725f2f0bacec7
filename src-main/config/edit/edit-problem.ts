import type { ErrorCode } from '../../../src-preload/contract/errors.ts';
import type { ConfigPath } from '../parse/problem.ts';

/** An edit that cannot be made; caught where edits begin. */
export class EditProblem extends Error {
  readonly code: ErrorCode;
  /** Where in the text it lies; undefined where nothing in the text is to blame. */
  readonly at: { readonly piece: number; readonly offset: number } | undefined;
  readonly path: ConfigPath | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    at?: { readonly piece: number; readonly offset: number },
    path?: ConfigPath,
  ) {
    super(message);
    this.code = code;
    this.at = at;
    this.path = path;
  }
}
