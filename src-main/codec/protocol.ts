import type { ErrorValue } from '../../src-preload/contract/errors.ts';
import type { JobKind } from './job-table.ts';

/** Request of the parent to a codec process. The parent sends one at a time and waits for the answer. */
export interface JobRequest {
  readonly type: 'job';
  readonly id: number;
  readonly kind: JobKind;
  /** The `JobInput` of this kind. */
  readonly input: unknown;
}

/** Message of a codec process: its libraries are loaded, or a job has made progress, has succeeded or has failed. */
export type JobReply =
  | { readonly type: 'ready' }
  | { readonly type: 'progress'; readonly id: number; readonly progress: unknown }
  | {
      readonly type: 'done';
      readonly id: number;
      /** The `JobOutput` of the requested kind. */
      readonly output: unknown;
    }
  | { readonly type: 'failed'; readonly id: number; readonly error: ErrorValue };
