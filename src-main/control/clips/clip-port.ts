import type { CallInput, CallOutput } from '../../../src-preload/contract/index.ts';
import type { ClipFile, ClipJobBody, ClipRequest } from '../../../src-preload/contract/api/file-processor-object.ts';
import type { StoredJob } from '../../lib/jobs/job-queue.ts';

/** Preparation of a clip. Times are epoch milliseconds. */
export type ShownClipJob = Omit<StoredJob<ClipRequest, never, ClipFile>, 'task' | 'attempts'>;

export interface ShownClips {
  /** All preparations, in the order of their creation. */
  list(): readonly ShownClipJob[];
  get(id: string): ShownClipJob | undefined;
  /** Progress of a running job, 0 to 1; undefined before it is known. */
  progress(id: string): { readonly part: number } | undefined;
  /** Raises the fault of a `path` of `file_processor`. */
  requireLocation(path: string): unknown;
  /** Overview of a file: pictures are JPEG, peaks 0 to 1. Raises the reason of a failure. */
  survey(name: string): Promise<{
    readonly durationMs: number;
    readonly pictures: readonly Uint8Array[];
    readonly peaks: readonly number[];
  }>;
  /** Queues a clip. Raises the reason of a refusal. */
  create(body: ClipJobBody, by: string): Promise<ShownClipJob>;
  /** Removes a job, and cancels it if it is not finished. Raises `job_not_found`. */
  remove(id: string): Promise<void>;
}

interface VodPlace {
  readonly location: string;
  /** Folder of the machine that the location names. */
  readonly root: string;
}

/** Upload and removal of files in VOD locations. */
export interface VodFiles {
  /** Announces an upload. Raises the reason of a refusal. @returns ticket of the upload */
  announce(request: CallInput<'clips.upload'>): Promise<string>;
  /** Receives a file. Raises the reason of a failure and then leaves no part of the file. */
  put(
    request: Omit<CallInput<'clips.upload'>, 'sizeBytes'> & VodPlace & { readonly sizeBytes: number | undefined },
    body: AsyncIterable<Uint8Array> & { destroy(): unknown },
  ): Promise<{ readonly sizeBytes: number; readonly hasReplaced: boolean }>;
  /** Removes a file. Raises the reason of a failure. */
  remove(path: string, place?: VodPlace): Promise<void>;
}

/** Files that replace advertisement backends. */
export interface ShownBackends {
  list(): Promise<CallOutput<'clips.backends'>['backends']>;
  /** Saves an answer. Raises its mistakes. @returns its path */
  save(name: string, text: string): Promise<string>;
  /** Raises `not_found`. */
  remove(name: string): Promise<void>;
}
