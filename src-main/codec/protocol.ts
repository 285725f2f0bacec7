import type { ErrorValue } from '../../src-preload/contract/errors.ts';
import type { JobKind } from './job-table.ts';

/** What the parent says to a codec process: do this job. It says so once a time and waits for the answer. */
export interface JobRequest {
  readonly type: 'job';
  readonly id: number;
  readonly kind: JobKind;
  /** The `JobInput` of this kind. */
  readonly input: unknown;
}

/** What a codec process says: it has loaded its libraries, how far a job is, a job is done, a job has failed. */
export type JobReply =
  | { readonly type: 'ready' }
  | { readonly type: 'progress'; readonly id: number; readonly progress: unknown }
  | {
      readonly type: 'done';
      readonly id: number;
      /** The `JobOutput` of the kind that was asked for. */
      readonly output: unknown;
    }
  | { readonly type: 'failed'; readonly id: number; readonly error: ErrorValue };
