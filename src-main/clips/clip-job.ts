import type { ClipFilter, ClipJobBody } from '../../src-preload/contract/api/file-processor-object.ts';
import type { ComparedStream, Difference } from '../ads/clip-fit.ts';
import type { ConformInput, ConformOutput, ConformProgress } from '../codec/clip/clip-target.ts';
import { JobQueue, type KeptJob } from '../lib/jobs/job-queue.ts';

/** What was asked for. */
export interface ClipRequest {
  readonly inputFiles: readonly string[];
  readonly filters: readonly ClipFilter[];
  readonly leadInMs: number;
  readonly loudness?: ClipJobBody['loudness'];
  readonly slate?: ClipJobBody['slate'];
  /** Prefix of the VOD location, and the name of the file in it. */
  readonly location: string;
  readonly outputFile: string;
}

/** What is to be done: `output` is where the finished file lies. */
export interface ClipTask extends Omit<ConformInput, 'loudness'> {
  /** LUFS, or the stream that it is to be as loud as when the job begins. */
  readonly loudness?: ClipJobBody['loudness'];
  /** `media_info` of the stream, as the request has it. */
  readonly stream: ComparedStream;
  /** The unfinished file by its name in the VOD location. */
  readonly unfinishedName: string;
}

/** A clip that was made. */
export interface ClipFile {
  readonly sizeBytes: number;
  readonly durationMs: number;
  readonly loudness?: ConformOutput['loudness'];
  /** In what it is not like the stream; it is inserted only where there is nothing. */
  readonly differences: readonly Difference[];
}

/** A preparation of a clip, as it is kept over restarts. */
export type ClipJob = KeptJob<ClipRequest, ClipTask, ClipFile>;

/** The preparations of clips: those that wait, that run, and that are over. */
export class ClipJobs extends JobQueue<ClipRequest, ClipTask, ClipFile, ConformProgress> {}
