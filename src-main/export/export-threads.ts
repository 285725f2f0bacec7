import { readdir, rmdir, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { TimeRange } from '../dvr/catalog/catalog-store.ts';
import { explained, messageOf } from '../lib/error-message.ts';
import type { JobOutcome, JobRunner, RunningJob } from '../lib/jobs/job-queue.ts';
import type { ExportedFile } from './thread/export-request.ts';
import type { CutPictures } from './thread/exact-format.ts';
import type { ArchiveBlocks, FromExportThread, ToExportThread } from './thread/export-messages.ts';
import type { ExportProgress } from './thread/export-run.ts';
import type { ExportTask } from './thread/export-task.ts';
import { because } from '../../src-preload/contract/explanations/explanations.ts';

export interface ExportThreadsOptions {
  /** Entry of the thread: `export-thread.ts` beside the sources, `export-thread.js` in the bundle. */
  readonly entry: URL;
  /** Blocks of a stream that have media in a time range. */
  readonly blocks: (stream: string, time: TimeRange) => Promise<ArchiveBlocks>;
  /** Encodes pictures again. Throws if this is not possible. */
  readonly encode: CutPictures;
  /** JPEG of the picture of a stream at a time, in full size. Throws if it cannot be created. */
  readonly picture: (stream: string, atMs: number) => Promise<Uint8Array>;
}

/** Maximum memory for JavaScript objects of a thread, in MiB. */
const HEAP_MB = 256;

/** Runs each export in its own thread, so a crash ends only that export. */
export class ExportThreads implements JobRunner<ExportTask, ExportedFile, ExportProgress> {
  readonly #options: ExportThreadsOptions;

  constructor(options: ExportThreadsOptions) {
    this.#options = options;
  }

  run(task: ExportTask, progress: (progress: ExportProgress) => void): RunningJob<ExportedFile> {
    const outcome = Promise.withResolvers<JobOutcome<ExportedFile>>();
    let worker: Worker | undefined;
    let isStopped = false;
    const start = async (): Promise<void> => {
      // Files of an earlier run of the same job.
      await removeUnfinished(task);
      if (isStopped) return;
      worker = new Worker(this.#options.entry, {
        workerData: task,
        name: 'export',
        resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
      });
      worker.on('message', (message: FromExportThread) => {
        if (message.type === 'progress') progress(message.progress);
        else if (message.type === 'done') outcome.resolve({ files: message.files });
        else if (message.type === 'failed')
          outcome.resolve({ code: message.code, detail: message.detail, explanation: message.explanation });
        else void this.#answer(message, worker);
      });
      worker.on('error', (error) => {
        outcome.resolve({ code: 'export_failed', ...explained(error) });
      });
      worker.on('exit', (code) => {
        outcome.resolve({ code: 'export_failed', ...because('export_thread_ended', { exit: code }) });
      });
    };
    void start();
    return {
      outcome: outcome.promise,
      async stop() {
        isStopped = true;
        await worker?.terminate();
        await removeUnfinished(task);
      },
    };
  }

  async #answer(
    request: FromExportThread & { readonly type: 'blocks' | 'encode' | 'picture' },
    worker: Worker | undefined,
  ): Promise<void> {
    const { call } = request;
    const { blocks, encode, picture } = this.#options;
    let answer: ToExportThread;
    try {
      const value =
        request.type === 'blocks'
          ? await blocks(request.stream, request.time)
          : request.type === 'encode'
            ? await encode(request.input)
            : await picture(request.stream, request.atMs);
      answer = { type: 'answer', call, value };
    } catch (error) {
      answer = { type: 'refusal', call, detail: messageOf(error) };
    }
    worker?.postMessage(answer);
  }
}

/** Removes the unfinished files of a job. */
async function removeUnfinished({ id, streams, folder: folderTask }: ExportTask): Promise<void> {
  const folders = streams.map(({ stem }) => dirname(stem));
  for (const folder of new Set(folderTask ? [folderTask.path, ...folders] : folders)) {
    const names = await readdir(folder).catch(() => []);
    for (const name of names)
      if (name.startsWith('.') && name.endsWith(`.${id}.tmp`)) await unlink(join(folder, name)).catch(() => undefined);
  }
  // A folder with other content stays.
  if (folderTask) await rmdir(folderTask.path).catch(() => undefined);
}
