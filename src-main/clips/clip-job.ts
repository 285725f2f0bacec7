import type { ClipFile, ClipJobBody, ClipRequest } from '../../src-preload/contract/api/file-processor-object.ts';
import type { ComparedStream } from '../ads/clips/clip-fit.ts';
import type { ConformInput, ConformProgress } from '../codec/clip/clip-target.ts';
import { JobQueue, type StoredJob } from '../lib/jobs/job-queue.ts';

/** Work of a job; `output` is the path of the finished file. */
export interface ClipTask extends Omit<ConformInput, 'loudness'> {
  /** LUFS, or a stream whose loudness at the start of the job is the target. */
  readonly loudness?: ClipJobBody['loudness'];
  /** `media_info` of the stream, from the request. */
  readonly stream: ComparedStream;
  /** Name of the unfinished file in the VOD location. */
  readonly unfinishedName: string;
}

/** A clip job, stored across restarts. */
export type ClipJob = StoredJob<ClipRequest, ClipTask, ClipFile>;

/** Clip jobs: queued, running and finished. */
export class ClipJobs extends JobQueue<ClipRequest, ClipTask, ClipFile, ConformProgress> {}
