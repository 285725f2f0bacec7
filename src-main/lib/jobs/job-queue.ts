import { because, type Explained } from '../../../src-preload/contract/explanations/explanations.ts';
import type { Clock } from '../clock.ts';

/** Stored form of a job that creates files: request, task and result. */
export interface StoredJob<Request, Task, File> {
  readonly id: string;
  readonly request: Request;
  readonly task: Task;
  /** Login of the requester, or another description. */
  readonly by: string;
  readonly status: 'queued' | 'running' | 'done' | 'failed';
  /** Times in epoch milliseconds; null before the event. */
  readonly createdMs: number;
  readonly startedMs: number | null;
  readonly finishedMs: number | null;
  /** Number of attempts. */
  readonly attempts: number;
  /** Explanation of the failure. */
  readonly failure: ({ readonly code: string } & Explained) | null;
  readonly files: readonly File[];
}

/** Storage of jobs across restarts. Throws on failure. */
export interface JobStore<Job> {
  /** All jobs in order of creation. */
  all(): Iterable<Job>;
  put(job: Job): void;
  remove(id: string): void;
}

/** Result of a job. */
export type JobOutcome<File> = { readonly files: readonly File[] } | ({ readonly code: string } & Explained);

/** A running job. */
export interface RunningJob<File> {
  readonly outcome: Promise<JobOutcome<File>>;
  /** Stops the job and removes its unfinished files; resolves when that is done. */
  stop(): Promise<void>;
}

export interface JobRunner<Task, File, Progress> {
  run(task: Task, progress: (progress: Progress) => void): RunningJob<File>;
}

export interface JobQueueOptions<Request, Task, File, Progress> {
  readonly clock: Clock;
  readonly store: JobStore<StoredJob<Request, Task, File>>;
  readonly runner: JobRunner<Task, File, Progress>;
  /** Error codes of jobs that failed at every attempt, and of jobs that were removed before their end. */
  readonly codes: { readonly failed: string; readonly cancelled: string };
  /** Called when a job has finished or failed, or was removed before its end. */
  readonly ended: (job: StoredJob<Request, Task, File>) => void;
  /** Called when a change could not be stored. */
  readonly unstored: (error: unknown) => void;
  /** Maximum number of running jobs; default 1, because jobs and live streams share the disk. */
  readonly maxRunning?: () => number;
}

/** Maximum number of queued jobs. */
export const MAX_QUEUED = 100;
/** Maximum number of listed finished jobs. */
const MAX_FINISHED = 1000;
/** Maximum number of attempts. A job that is always interrupted may be the cause of crashes of the server. */
const MAX_ATTEMPTS = 5;

/** Stored job with its runtime state. */
interface QueueEntry<Job, File, Progress> {
  job: Job;
  run: RunningJob<File> | undefined;
  progress: Progress | undefined;
  isRemoved: boolean;
}

/** Queue of waiting, running and finished jobs. All are stored; unfinished jobs run again after the next start. */
export class JobQueue<Request, Task, File, Progress> {
  readonly #options: JobQueueOptions<Request, Task, File, Progress>;
  /** Jobs in order of creation, by id. */
  readonly #jobs = new Map<string, QueueEntry<StoredJob<Request, Task, File>, File, Progress>>();
  readonly #stopping = new Set<Promise<void>>();
  #isClosed = false;

  /** Loads the stored jobs. Throws the errors of the store. */
  constructor(options: JobQueueOptions<Request, Task, File, Progress>) {
    this.#options = options;
    for (const stored of options.store.all()) {
      const job: StoredJob<Request, Task, File> =
        stored.status === 'running' ? { ...stored, status: 'queued' } : stored;
      this.#jobs.set(job.id, { job, run: undefined, progress: undefined, isRemoved: false });
    }
  }

  /** Starts waiting jobs. */
  start(): void {
    this.#startWaiting();
  }

  get queuedCount(): number {
    return [...this.#jobs.values()].filter(({ job }) => job.status === 'queued').length;
  }

  list(): StoredJob<Request, Task, File>[] {
    return [...this.#jobs.values()].map(({ job }) => job);
  }

  get(id: string): StoredJob<Request, Task, File> | undefined {
    return this.#jobs.get(id)?.job;
  }

  /** Progress of a running job; undefined before its first report. */
  progress(id: string): Progress | undefined {
    return this.#jobs.get(id)?.progress;
  }

  /**
   * Appends a job to the queue. Throws if it cannot be stored.
   * @returns undefined if the queue is full
   */
  add(id: string, request: Request, task: Task, by: string): StoredJob<Request, Task, File> | undefined {
    if (this.queuedCount >= MAX_QUEUED) return undefined;
    const job: StoredJob<Request, Task, File> = {
      id,
      request,
      task,
      by,
      status: 'queued',
      createdMs: this.#options.clock.now(),
      startedMs: null,
      finishedMs: null,
      attempts: 0,
      failure: null,
      files: [],
    };
    this.#options.store.put(job);
    this.#jobs.set(id, { job, run: undefined, progress: undefined, isRemoved: false });
    this.#forgetOld();
    this.#startWaiting();
    return this.get(id);
  }

  /**
   * Removes a job. An unfinished job is cancelled and its files are removed; files of a finished job stay.
   * @returns the removed job
   */
  async remove(id: string): Promise<StoredJob<Request, Task, File> | undefined> {
    const entry = this.#jobs.get(id);
    if (!entry) return undefined;
    const { job } = entry;
    entry.isRemoved = true;
    this.#jobs.delete(id);
    this.#stored(() => {
      this.#options.store.remove(id);
    });
    await this.#stop(entry);
    if (job.status === 'queued' || job.status === 'running')
      this.#options.ended({
        ...job,
        status: 'failed',
        finishedMs: this.#options.clock.now(),
        failure: { code: this.#options.codes.cancelled, ...because('clip_stopped') },
      });
    this.#startWaiting();
    return job;
  }

  /** Stops the running jobs; they run again after the next start of the server. */
  async close(): Promise<void> {
    this.#isClosed = true;
    // An orderly end of the server does not count as a failed attempt.
    for (const entry of this.#jobs.values())
      if (entry.run) this.#change(entry, { status: 'queued', attempts: entry.job.attempts - 1 });
    await Promise.all([...this.#jobs.values()].map(async (entry) => this.#stop(entry)));
    await Promise.all(this.#stopping);
  }

  #startWaiting(): void {
    if (this.#isClosed) return;
    let running = 0;
    for (const { job } of this.#jobs.values()) if (job.status === 'running') running++;
    for (const entry of this.#jobs.values()) {
      if (running >= (this.#options.maxRunning?.() ?? 1)) return;
      if (entry.job.status !== 'queued') continue;
      if (entry.job.attempts >= MAX_ATTEMPTS) {
        this.#end(entry, {
          code: this.#options.codes.failed,
          ...because('job_never_finished', { count: MAX_ATTEMPTS }),
        });
        continue;
      }
      running++;
      this.#run(entry);
    }
  }

  #run(entry: QueueEntry<StoredJob<Request, Task, File>, File, Progress>): void {
    const { clock, runner } = this.#options;
    this.#change(entry, { status: 'running', startedMs: clock.now(), attempts: entry.job.attempts + 1 });
    entry.progress = undefined;
    const run = runner.run(entry.job.task, (progress) => {
      entry.progress = progress;
    });
    entry.run = run;
    void run.outcome.then((outcome) => {
      if (entry.run !== run || entry.isRemoved || this.#isClosed) return;
      entry.run = undefined;
      this.#end(entry, outcome);
      this.#forgetOld();
      this.#startWaiting();
    });
  }

  #end(entry: QueueEntry<StoredJob<Request, Task, File>, File, Progress>, outcome: JobOutcome<File>): void {
    const finishedMs = this.#options.clock.now();
    const isDone = 'files' in outcome;
    this.#change(entry, {
      status: isDone ? 'done' : 'failed',
      finishedMs,
      ...(isDone ? { files: outcome.files } : { failure: outcome }),
    });
    entry.progress = undefined;
    this.#options.ended(entry.job);
  }

  #change(
    entry: QueueEntry<StoredJob<Request, Task, File>, File, Progress>,
    changed: Partial<StoredJob<Request, Task, File>>,
  ): void {
    entry.job = { ...entry.job, ...changed };
    this.#stored(() => {
      this.#options.store.put(entry.job);
    });
  }

  async #stop(entry: QueueEntry<StoredJob<Request, Task, File>, File, Progress>): Promise<void> {
    const { run } = entry;
    entry.run = undefined;
    if (!run) return;
    const stopped = run.stop().catch(() => undefined);
    this.#stopping.add(stopped);
    await stopped;
    this.#stopping.delete(stopped);
  }

  /** Removes the oldest finished jobs above the limit. */
  #forgetOld(): void {
    const over = [...this.#jobs.values()].filter(({ job }) => job.status === 'done' || job.status === 'failed');
    for (const { job } of over.slice(0, Math.max(0, over.length - MAX_FINISHED))) {
      this.#jobs.delete(job.id);
      this.#stored(() => {
        this.#options.store.remove(job.id);
      });
    }
  }

  /** Stores a change. If that fails, the change is lost when the server ends. */
  #stored(change: () => void): void {
    try {
      change();
    } catch (error) {
      this.#options.unstored(error);
    }
  }
}
