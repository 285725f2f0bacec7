import type { Clock } from '../lib/clock.ts';
import type { ExportedFile, ExportRequest } from './export-request.ts';
import type { ExportProgress } from './thread/export-run.ts';
import type { ExportTask } from './thread/export-task.ts';

/** An export, as it is kept over restarts. */
export interface ExportJob {
  readonly id: string;
  readonly request: ExportRequest;
  readonly task: ExportTask;
  /** Login of who asked for it, or what is known instead. */
  readonly by: string;
  readonly status: 'queued' | 'running' | 'done' | 'failed';
  /** Epoch milliseconds; null before. */
  readonly createdMs: number;
  readonly startedMs: number | null;
  readonly finishedMs: number | null;
  /** How often it was begun. */
  readonly attempts: number;
  /** Why it failed. */
  readonly failure: { readonly code: string; readonly detail: string } | null;
  readonly files: readonly ExportedFile[];
}

/** Where jobs outlast a restart. Raises what keeps it from that. */
export interface ExportStore {
  /** All of them, in the order of their making. */
  all(): Iterable<ExportJob>;
  put(job: ExportJob): void;
  remove(id: string): void;
}

/** How an export ended. */
export type ExportOutcome =
  { readonly files: readonly ExportedFile[] } | { readonly code: string; readonly detail: string };

/** An export that is being carried out. */
export interface RunningExport {
  readonly outcome: Promise<ExportOutcome>;
  /** Ends it, and removes what it began; resolves when nothing of it is there any more. */
  stop(): Promise<void>;
}

/** Carries out exports. */
export interface ExportRunner {
  run(task: ExportTask, progress: (progress: ExportProgress) => void): RunningExport;
}

/** What the jobs need. */
export interface ExportJobsOptions {
  readonly clock: Clock;
  readonly store: ExportStore;
  readonly runner: ExportRunner;
  /** A job was done, failed, or was removed before it was over: `export_cancelled` then. */
  readonly ended: (job: ExportJob) => void;
  /** A change could not be stored. */
  readonly unstored: (error: unknown) => void;
  /** Jobs that run at once; default 1: they share a disk, and so does what is live. */
  readonly mostRunning?: number;
}

/** Jobs that wait at most, and those that are over and still listed. */
export const MOST_QUEUED = 100;
const MOST_OVER = 1000;
/** A job that was begun so often and never ended is not begun again: it may be what ends the server. */
const MOST_ATTEMPTS = 5;

/** What is known of a job beside what is kept. */
interface Known {
  job: ExportJob;
  run: RunningExport | undefined;
  progress: ExportProgress | undefined;
  isRemoved: boolean;
}

/** The exports: a queue, those that run, and those that are over. All are stored; those that were not over at the end of the server begin again. */
export class ExportJobs {
  readonly #options: ExportJobsOptions;
  /** In the order of their making. */
  readonly #jobs = new Map<string, Known>();
  readonly #stopping = new Set<Promise<void>>();
  #isClosed = false;

  /** Reads what is stored. Raises what the store does. */
  constructor(options: ExportJobsOptions) {
    this.#options = options;
    for (const stored of options.store.all()) {
      const job: ExportJob = stored.status === 'running' ? { ...stored, status: 'queued' } : stored;
      this.#jobs.set(job.id, { job, run: undefined, progress: undefined, isRemoved: false });
    }
  }

  /** Begins with what waits. */
  start(): void {
    this.#begin();
  }

  /** Jobs that wait. */
  get queuedCount(): number {
    return [...this.#jobs.values()].filter(({ job }) => job.status === 'queued').length;
  }

  list(): ExportJob[] {
    return [...this.#jobs.values()].map(({ job }) => job);
  }

  get(id: string): ExportJob | undefined {
    return this.#jobs.get(id)?.job;
  }

  /** How far a job that runs has come; undefined before its first report. */
  progress(id: string): ExportProgress | undefined {
    return this.#jobs.get(id)?.progress;
  }

  /** Whether a job that is not over needs something of a time of a stream. */
  needs(stream: string, time: { readonly startMs: number; readonly endMs: number }): boolean {
    for (const { job } of this.#jobs.values()) {
      const { status, request } = job;
      if (status !== 'queued' && status !== 'running') continue;
      if (request.fromMs < time.endMs && request.toMs > time.startMs && request.streams.includes(stream)) return true;
    }
    return false;
  }

  /** Puts a job at the end of the queue. Raises what keeps it from being stored. @returns undefined where too many wait */
  add(id: string, request: ExportRequest, task: ExportTask, by: string): ExportJob | undefined {
    if (this.queuedCount >= MOST_QUEUED) return undefined;
    const job: ExportJob = {
      ...{ id, request, task, by, status: 'queued', createdMs: this.#options.clock.now() },
      ...{ startedMs: null, finishedMs: null, attempts: 0, failure: null, files: [] },
    };
    this.#options.store.put(job);
    this.#jobs.set(id, { job, run: undefined, progress: undefined, isRemoved: false });
    this.#forgetOld();
    this.#begin();
    return this.get(id);
  }

  /** Removes a job: one that is not over is cancelled, and what it began is removed; files of one that is done stay. @returns it as it was */
  async remove(id: string): Promise<ExportJob | undefined> {
    const known = this.#jobs.get(id);
    if (!known) return undefined;
    const { job } = known;
    known.isRemoved = true;
    this.#jobs.delete(id);
    this.#stored(() => {
      this.#options.store.remove(id);
    });
    await this.#stop(known);
    if (job.status === 'queued' || job.status === 'running')
      this.#options.ended({
        ...{ ...job, status: 'failed', finishedMs: this.#options.clock.now() },
        failure: { code: 'export_cancelled', detail: 'It was cancelled' },
      });
    this.#begin();
    return job;
  }

  /** Ends what runs; it begins again with the next start of the server. */
  async close(): Promise<void> {
    this.#isClosed = true;
    // What ends with the server in order is no failed attempt.
    for (const known of this.#jobs.values())
      if (known.run) this.#change(known, { status: 'queued', attempts: known.job.attempts - 1 });
    await Promise.all([...this.#jobs.values()].map(async (known) => this.#stop(known)));
    await Promise.all(this.#stopping);
  }

  #begin(): void {
    if (this.#isClosed) return;
    let running = 0;
    for (const { job } of this.#jobs.values()) if (job.status === 'running') running++;
    for (const known of this.#jobs.values()) {
      if (running >= (this.#options.mostRunning ?? 1)) return;
      if (known.job.status !== 'queued') continue;
      if (known.job.attempts >= MOST_ATTEMPTS) {
        this.#end(known, { code: 'export_failed', detail: `It was begun ${MOST_ATTEMPTS} times and never ended` });
        continue;
      }
      running++;
      this.#run(known);
    }
  }

  #run(known: Known): void {
    const { clock, runner } = this.#options;
    this.#change(known, { status: 'running', startedMs: clock.now(), attempts: known.job.attempts + 1 });
    known.progress = undefined;
    const run = runner.run(known.job.task, (progress) => {
      known.progress = progress;
    });
    known.run = run;
    void run.outcome.then((outcome) => {
      if (known.run !== run || known.isRemoved || this.#isClosed) return;
      known.run = undefined;
      this.#end(known, outcome);
      this.#forgetOld();
      this.#begin();
    });
  }

  #end(known: Known, outcome: ExportOutcome): void {
    const finishedMs = this.#options.clock.now();
    const isDone = 'files' in outcome;
    this.#change(known, {
      ...{ status: isDone ? 'done' : 'failed', finishedMs },
      ...(isDone ? { files: outcome.files } : { failure: outcome }),
    });
    known.progress = undefined;
    this.#options.ended(known.job);
  }

  #change(known: Known, changed: Partial<ExportJob>): void {
    known.job = { ...known.job, ...changed };
    this.#stored(() => {
      this.#options.store.put(known.job);
    });
  }

  async #stop(known: Known): Promise<void> {
    const { run } = known;
    known.run = undefined;
    if (!run) return;
    const stopped = run.stop().catch(() => undefined);
    this.#stopping.add(stopped);
    await stopped;
    this.#stopping.delete(stopped);
  }

  /** Of those that are over the oldest go. */
  #forgetOld(): void {
    const over = [...this.#jobs.values()].filter(({ job }) => job.status === 'done' || job.status === 'failed');
    for (const { job } of over.slice(0, Math.max(0, over.length - MOST_OVER))) {
      this.#jobs.delete(job.id);
      this.#stored(() => {
        this.#options.store.remove(job.id);
      });
    }
  }

  /** What cannot be stored lasts as long as the server runs. */
  #stored(change: () => void): void {
    try {
      change();
    } catch (error) {
      this.#options.unstored(error);
    }
  }
}
