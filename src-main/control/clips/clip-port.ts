import type { CallInput, CallOutput } from '../../../src-preload/contract/index.ts';
import type { ClipFile, ClipJobBody, ClipRequest } from '../../../src-preload/contract/api/file-processor-object.ts';
import type { StoredJob } from '../../lib/jobs/job-queue.ts';

/** Job that prepares a clip. Times are epoch milliseconds. */
export type ShownClipJob = Omit<StoredJob<ClipRequest, never, ClipFile>, 'task' | 'attempts'>;

export interface ShownClips {
  /** All jobs, in the order of their creation. */
  list(): readonly ShownClipJob[];
  get(id: string): ShownClipJob | undefined;
  /** Progress of a running job, 0 to 1; undefined before the first report. */
  progress(id: string): { readonly part: number } | undefined;
  /** Raises the error if a `path` of `file_processor` cannot be used. */
  requireLocation(path: string): unknown;
  /** Overview of a file: pictures are JPEG, peaks 0 to 1. Raises the reason of a failure. */
  survey(name: string): Promise<{
    readonly durationMs: number;
    readonly pictures: readonly Uint8Array[];
    readonly peaks: readonly number[];
  }>;
  /** Queues a clip. Raises the reason if it is refused. */
  create(body: ClipJobBody, by: string): Promise<ShownClipJob>;
  /** Removes a job, and cancels it if it is not finished. Raises `job_not_found`. */
  remove(id: string): Promise<void>;
}

interface VodPlace {
  readonly location: string;
  /** Folder of the machine, as the location names it. */
  readonly root: string;
}

/** Upload and removal of files in VOD locations. */
export interface VodFiles {
  /** Announces an upload. Raises the reason if it is refused. @returns ticket of the upload */
  announce(request: CallInput<'clips.upload'>): Promise<string>;
  /** Receives a file. Raises the reason of a failure and then leaves no part of the file. */
  put(
    request: Omit<CallInput<'clips.upload'>, 'sizeBytes'> & VodPlace & { readonly sizeBytes: number | undefined },
    body: AsyncIterable<Uint8Array> & { destroy(): unknown },
  ): Promise<{ readonly sizeBytes: number; readonly hasReplaced: boolean }>;
  /** Removes a file. Raises the reason of a failure. */
  remove(path: string, place?: VodPlace): Promise<void>;
}

/** Files that are used in place of advertisement backends, for tests. */
export interface ShownBackends {
  list(): Promise<CallOutput<'clips.backends'>['backends']>;
  /** Saves an answer. Raises the mistakes in it. @returns path of the file */
  save(name: string, text: string): Promise<string>;
  /** Raises `not_found`. */
  remove(name: string): Promise<void>;
}
