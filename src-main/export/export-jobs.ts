import { JobQueue, type StoredJob } from '../lib/jobs/job-queue.ts';
import type { ExportedFile, ExportRequest } from './thread/export-request.ts';
import type { ExportProgress } from './thread/export-run.ts';
import type { ExportTask } from './thread/export-task.ts';

/** Export job, stored across restarts. */
export type ExportJob = StoredJob<ExportRequest, ExportTask, ExportedFile>;

/** Queue of exports: waiting, running and finished. */
export class ExportJobs extends JobQueue<ExportRequest, ExportTask, ExportedFile, ExportProgress> {
  /** Whether an unfinished job needs media of a stream in a time range. */
  needs(stream: string, time: { readonly startMs: number; readonly endMs: number }): boolean {
    return this.list().some(
      ({ status, request, task }) =>
        (status === 'queued' || status === 'running') &&
        request.fromMs < time.endMs &&
        request.toMs > time.startMs &&
        (request.case ? needsOf(task, stream, time) : request.streams.includes(stream)),
    );
  }
}

/** Whether the folder of a case needs media of a stream in a time range. */
function needsOf(
  { streams, folder }: ExportTask,
  stream: string,
  { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
): boolean {
  return (
    streams.some((one) => one.stream === stream && one.time && one.time.fromMs < endMs && one.time.toMs > startMs) ||
    folder?.stills.some((one) => one.stream === stream && one.atMs >= startMs && one.atMs < endMs) === true
  );
}
