import type { Explained } from '../../../src-preload/contract/explanations/explanations.ts';
import type { ErrorCode } from '../../../src-preload/contract/errors.ts';
import type { ConfigPath } from '../parse/problem.ts';

/** Impossible edit; caught at the entry points of edits. */
export class EditProblem extends Error {
  readonly code: ErrorCode;
  readonly reason: Explained;
  /** Place in the text; undefined if no part of the text is the reason. */
  readonly at: { readonly piece: number; readonly offset: number } | undefined;
  readonly path: ConfigPath | undefined;

  constructor(
    reason: Explained,
    path?: ConfigPath,
    code: ErrorCode = 'config_bad_value',
    at?: { readonly piece: number; readonly offset: number },
  ) {
    super(reason.detail);
    this.reason = reason;
    this.code = code;
    this.at = at;
    this.path = path;
  }
}
