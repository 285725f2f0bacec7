import type { Clock } from '../clock.ts';

/** A job that makes files, as it is kept over restarts: what was asked for, what is to be done, and what came out. */
export interface KeptJob<Request, Task, File> {
  readonly id: string;
  readonly request: Request;
  readonly task: Task;
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
  readonly files: readonly File[];
}

/** Where jobs outlast a restart. Raises what keeps it from that. */
export interface JobStore<Job> {
  /** All of them, in the order of their making. */
  all(): Iterable<Job>;
  put(job: Job): void;
  remove(id: string): void;
}

/** How a job ended. */
export type JobOutcome<File> = { readonly files: readonly File[] } | { readonly code: string; readonly detail: string };

/** A job that is being carried out. */
export interface RunningJob<File> {
  readonly outcome: Promise<JobOutcome<File>>;
  /** Ends it, and removes what it began; resolves when nothing of it is there any more. */
  stop(): Promise<void>;
}

/** Carries out jobs. */
export interface JobRunner<Task, File, Progress> {
  run(task: Task, progress: (progress: Progress) => void): RunningJob<File>;
}

/** What a queue needs. */
export interface JobQueueOptions<Request, Task, File, Progress> {
  readonly clock: Clock;
  readonly store: JobStore<KeptJob<Request, Task, File>>;
  readonly runner: JobRunner<Task, File, Progress>;
  /** Codes of jobs that never end, and of those that are removed before they are over. */
  readonly codes: { readonly failed: string; readonly cancelled: string };
  /** A job was done, failed, or was removed before it was over. */
  readonly ended: (job: KeptJob<Request, Task, File>) => void;
  /** A change could not be stored. */
  readonly unstored: (error: unknown) => void;
  /** Jobs that run at once; default 1: they share a disk, and so does what is live. */
  readonly mostRunning?: () => number;
}

/** Jobs that wait at most, and those that are over and still listed. */
export const MOST_QUEUED = 100;
const MOST_OVER = 1000;
/** A job that was begun so often and never ended is not begun again: it may be what ends the server. */
const MOST_ATTEMPTS = 5;

/** What is known of a job beside what is kept. */
interface Known<Job, File, Progress> {
  job: Job;
  run: RunningJob<File> | undefined;
  progress: Progress | undefined;
  isRemoved: boolean;
}

/** Jobs that wait, that run, and that are over. All are stored; those that were not over at the end of the server begin again. */
export class JobQueue<Request, Task, File, Progress> {
  readonly #options: JobQueueOptions<Request, Task, File, Progress>;
  /** In the order of their making. */
  readonly #jobs = new Map<string, Known<KeptJob<Request, Task, File>, File, Progress>>();
  readonly #stopping = new Set<Promise<void>>();
  #isClosed = false;

  /** Reads what is stored. Raises what the store does. */
  constructor(options: JobQueueOptions<Request, Task, File, Progress>) {
    this.#options = options;
    for (const stored of options.store.all()) {
      const job: KeptJob<Request, Task, File> = stored.status === 'running' ? { ...stored, status: 'queued' } : stored;
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

  list(): KeptJob<Request, Task, File>[] {
    return [...this.#jobs.values()].map(({ job }) => job);
  }

  get(id: string): KeptJob<Request, Task, File> | undefined {
    return this.#jobs.get(id)?.job;
  }

  /** How far a job that runs has come; undefined before its first report. */
  progress(id: string): Progress | undefined {
    return this.#jobs.get(id)?.progress;
  }

  /** Puts a job at the end of the queue. Raises what keeps it from being stored. @returns undefined where too many wait */
  add(id: string, request: Request, task: Task, by: string): KeptJob<Request, Task, File> | undefined {
    if (this.queuedCount >= MOST_QUEUED) return undefined;
    const job: KeptJob<Request, Task, File> = {
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
  async remove(id: string): Promise<KeptJob<Request, Task, File> | undefined> {
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
        failure: { code: this.#options.codes.cancelled, detail: 'It was cancelled' },
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
      if (running >= (this.#options.mostRunning?.() ?? 1)) return;
      if (known.job.status !== 'queued') continue;
      if (known.job.attempts >= MOST_ATTEMPTS) {
        this.#end(known, {
          code: this.#options.codes.failed,
          detail: `It was begun ${MOST_ATTEMPTS} times and never ended`,
        });
        continue;
      }
      running++;
      this.#run(known);
    }
  }

  #run(known: Known<KeptJob<Request, Task, File>, File, Progress>): void {
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

  #end(known: Known<KeptJob<Request, Task, File>, File, Progress>, outcome: JobOutcome<File>): void {
    const finishedMs = this.#options.clock.now();
    const isDone = 'files' in outcome;
    this.#change(known, {
      ...{ status: isDone ? 'done' : 'failed', finishedMs },
      ...(isDone ? { files: outcome.files } : { failure: outcome }),
    });
    known.progress = undefined;
    this.#options.ended(known.job);
  }

  #change(
    known: Known<KeptJob<Request, Task, File>, File, Progress>,
    changed: Partial<KeptJob<Request, Task, File>>,
  ): void {
    known.job = { ...known.job, ...changed };
    this.#stored(() => {
      this.#options.store.put(known.job);
    });
  }

  async #stop(known: Known<KeptJob<Request, Task, File>, File, Progress>): Promise<void> {
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
