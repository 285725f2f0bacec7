import { JobQueue, type KeptJob } from '../lib/jobs/job-queue.ts';
import type { ExportedFile, ExportRequest } from './export-request.ts';
import type { ExportProgress } from './thread/export-run.ts';
import type { ExportTask } from './thread/export-task.ts';

/** An export, as it is kept over restarts. */
export type ExportJob = KeptJob<ExportRequest, ExportTask, ExportedFile>;

/** The exports: those that wait, that run, and that are over. */
export class ExportJobs extends JobQueue<ExportRequest, ExportTask, ExportedFile, ExportProgress> {
  /** Whether a job that is not over needs something of a time of a stream. */
  needs(stream: string, time: { readonly startMs: number; readonly endMs: number }): boolean {
    return this.list().some(
      ({ status, request: { fromMs, toMs, streams } }) =>
        (status === 'queued' || status === 'running') &&
        fromMs < time.endMs &&
        toMs > time.startMs &&
        streams.includes(stream),
    );
  }
}
