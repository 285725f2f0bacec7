import type { CallInput, CallOutput } from '../../../src-preload/contract/index.ts';
import type {
  ClipFilter,
  ClipJobBody,
  ClipJobObject,
} from '../../../src-preload/contract/api/file-processor-object.ts';

/** A preparation of a clip. Times are epoch milliseconds. */
export interface ShownClipJob {
  readonly id: string;
  readonly request: {
    readonly inputFiles: readonly string[];
    readonly filters: readonly ClipFilter[];
    readonly leadInMs: number;
    readonly loudness?: ClipJobBody['loudness'];
    readonly slate?: ClipJobBody['slate'];
    readonly location: string;
    readonly outputFile: string;
  };
  readonly by: string;
  readonly status: 'queued' | 'running' | 'done' | 'failed';
  readonly createdMs: number;
  readonly startedMs: number | null;
  readonly finishedMs: number | null;
  readonly failure: { readonly code: string; readonly detail: string } | null;
  readonly files: readonly {
    readonly sizeBytes: number;
    readonly durationMs: number;
    readonly loudness?: { readonly ofInputs: readonly (number | null)[]; readonly lufs: number } | undefined;
    readonly differences: readonly Readonly<ClipJobObject['differences'][number]>[];
  }[];
}

/** The preparations of clips, and what is done with them. */
export interface ShownClips {
  /** All of them, in the order of their making. */
  list(): readonly ShownClipJob[];
  get(id: string): ShownClipJob | undefined;
  /** How far a job that runs has come, 0 to 1; undefined before that is known. */
  progress(id: string): { readonly part: number } | undefined;
  /** Raises what is wrong with a `path` of `file_processor`. */
  requireLocation(path: string): unknown;
  /** An overview of a file: pictures are JPEG, peaks 0 to 1. Raises why there is none. */
  survey(name: string): Promise<{
    readonly durationMs: number;
    readonly pictures: readonly Uint8Array[];
    readonly peaks: readonly number[];
  }>;
  /** Puts a clip into the queue. Raises why it cannot be made. */
  create(body: ClipJobBody, by: string): Promise<ShownClipJob>;
  /** Removes a job, and cancels it where it is not over. Raises `job_not_found`. */
  remove(id: string): Promise<void>;
}

/** Where a file comes into, or lies. */
interface VodPlace {
  readonly location: string;
  /** Folder of the machine, one of the location. */
  readonly root: string;
}

/** Files that come into VOD locations, and go. */
export interface VodFiles {
  /** Announces a file that is to be sent. Raises why it cannot come. @returns the ticket under which it is sent */
  announce(wanted: CallInput<'clips.upload'>): Promise<string>;
  /** Takes a file. Raises why it cannot come; nothing is left of it then. */
  put(
    wanted: Omit<CallInput<'clips.upload'>, 'sizeBytes'> & VodPlace & { readonly sizeBytes: number | undefined },
    body: AsyncIterable<Uint8Array> & { destroy(): unknown },
  ): Promise<{ readonly sizeBytes: number; readonly hasReplaced: boolean }>;
  /** Removes a file. Raises why it stays. */
  remove(path: string, place?: VodPlace): Promise<void>;
}

/** Files that stand for backends. */
export interface ShownBackends {
  list(): Promise<CallOutput<'clips.backends'>['backends']>;
  /** Raises what is wrong with the answer. @returns its path */
  save(name: string, text: string): Promise<string>;
  /** Raises `not_found`. */
  remove(name: string): Promise<void>;
}
