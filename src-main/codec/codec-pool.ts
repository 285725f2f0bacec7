import { AirdeskError } from '../../src-preload/contract/errors.ts';
import type { Log } from '../lib/log.ts';
import { CodecProcess, type CodecProcessOptions } from './codec-process.ts';
import type { JobInput, JobOutput, ShortJobKind } from './job-table.ts';

export interface CodecPoolOptions extends CodecProcessOptions {
  readonly log: Log;
  /** Maximum number of processes; default 2, so that a picture does not wait for a long job. */
  readonly size?: number;
  /** Maximum number of waiting jobs; more are refused with `unavailable`. Default 64. */
  readonly queueLimit?: number;
  /** Time after which an idle process ends, in milliseconds; default 30 000. */
  readonly idleMs?: number;
  /** Pause after a crash of a process, in milliseconds, doubled with each consecutive crash up to 30 s; default 250. */
  readonly backOffMs?: number;
}

/** Counters of a pool since its start, and its current state. */
export interface CodecPoolStats {
  readonly processes: number;
  readonly busy: number;
  readonly queued: number;
  readonly started: number;
  readonly done: number;
  /** Number of jobs that failed with an error of the job, not of the process. */
  readonly failed: number;
  readonly timedOut: number;
  /** Number of processes that ended unexpectedly. */
  readonly crashed: number;
  readonly refused: number;
}

/** Default limit in milliseconds, first for the wait for a process and then for the job itself. */
const JOB_TIMEOUT_MS: Readonly<Record<ShortJobKind, number>> = {
  picture: 5000,
  probe: 5000,
  'cut-pictures': 120_000,
  sprite: 20_000,
  'test-picture': 120_000,
};
const LONGEST_BACK_OFF_MS = 30_000;

/** One job in the queue. */
interface WaitingJob {
  /** Runs the job on a process, releases the process, then settles the caller's promise. */
  start(process: CodecProcess, release: () => void): void;
  fail(error: AirdeskError): void;
}

/** A process and its idle timer. */
interface PoolMember {
  readonly process: CodecProcess;
  cancelIdle: () => void;
}

/**
 * Pool of codec processes: started when there is work, terminated when idle, restarted after a crash with growing pauses. Jobs
 * run in order of arrival, one per process.
 */
export class CodecPool {
  readonly #options: CodecPoolOptions;
  readonly #members = new Set<PoolMember>();
  readonly #queue: WaitingJob[] = [];
  #counts = { started: 0, done: 0, failed: 0, timedOut: 0, crashed: 0, refused: 0 };
  #consecutiveCrashes = 0;
  #cancelPause: (() => void) | undefined;
  #isClosed = false;

  constructor(options: CodecPoolOptions) {
    this.#options = options;
  }

  get stats(): CodecPoolStats {
    const busy = [...this.#members].filter(({ process }) => process.isBusy).length;
    return { processes: this.#members.size, busy, queued: this.#queue.length, ...this.#counts };
  }

  /** Process ids of the running children, for monitoring. */
  get pids(): number[] {
    return [...this.#members].flatMap(({ process }) => (process.pid === undefined ? [] : [process.pid]));
  }

  /**
   * Runs a job as soon as a process is free. Rejects with the error of the job, with `codec_process_failed`, with
   * `codec_process_timeout` (`timeoutMs` limits first the wait and then the job), and with `unavailable` if the queue is full
   * or the pool is closed.
   */
  run<Kind extends ShortJobKind>(
    kind: Kind,
    input: JobInput<Kind>,
    timeoutMs = JOB_TIMEOUT_MS[kind],
  ): Promise<JobOutput<Kind>> {
    if (this.#isClosed || this.#queue.length >= (this.#options.queueLimit ?? 64)) {
      this.#counts.refused++;
      return Promise.reject(
        new AirdeskError(
          'unavailable',
          this.#isClosed ? 'The codec processes are closed' : 'The codec processes have too much to do',
        ),
      );
    }
    return new Promise((resolve, reject) => {
      const cancelWait = this.#options.clock.after(timeoutMs, () => {
        this.#queue.splice(this.#queue.indexOf(job), 1);
        this.#counts.timedOut++;
        reject(
          new AirdeskError(
            'codec_process_timeout',
            `The job ${kind} waited longer than ${String(timeoutMs)} ms for a process`,
          ),
        );
      });
      const job: WaitingJob = {
        start: (process, release) => {
          cancelWait();
          void process.run(kind, input, timeoutMs).then(
            (output) => {
              this.#counts.done++;
              this.#consecutiveCrashes = 0;
              release();
              resolve(output);
            },
            (error: unknown) => {
              this.#countFailure(error);
              release();
              reject(error instanceof Error ? error : new Error(String(error)));
            },
          );
        },
        fail: (error) => {
          cancelWait();
          reject(error);
        },
      };
      this.#queue.push(job);
      this.#assign();
    });
  }

  /** Fails the waiting and running jobs and refuses new ones; resolves when all children have ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelPause?.();
    for (const job of this.#queue.splice(0))
      job.fail(new AirdeskError('unavailable', 'The codec processes are closed'));
    await Promise.all([...this.#members].map((member) => this.#terminate(member)));
  }

  /** Gives waiting jobs to idle processes; starts another process if all are busy. */
  #assign(): void {
    while (this.#queue.length > 0) {
      const member = this.#idleMember() ?? this.#startProcess();
      const job = member && this.#queue.shift();
      if (!job) return;
      member.cancelIdle();
      job.start(member.process, () => {
        if (member.process.isAvailable) this.#startIdleTimer(member);
        this.#assign();
      });
    }
  }

  #idleMember(): PoolMember | undefined {
    for (const member of this.#members) {
      if (!member.process.isBusy && member.process.isAvailable) return member;
    }
    return undefined;
  }

  #startProcess(): PoolMember | undefined {
    if (this.#isClosed || this.#cancelPause || this.#members.size >= (this.#options.size ?? 2)) return undefined;
    const process = new CodecProcess(this.#options);
    const member: PoolMember = { process, cancelIdle: () => {} };
    this.#members.add(member);
    this.#counts.started++;
    void process.ended.then((reason) => {
      member.cancelIdle();
      this.#members.delete(member);
      if (!process.isEnding) this.#countCrash(reason);
      this.#assign();
    });
    return member;
  }

  /** Counts an unexpected end of a process, and delays the next start. */
  #countCrash(reason: string): void {
    this.#counts.crashed++;
    const pauseMs = Math.min((this.#options.backOffMs ?? 250) * 2 ** this.#consecutiveCrashes, LONGEST_BACK_OFF_MS);
    this.#consecutiveCrashes++;
    this.#options.log.warn('a codec process ended unexpectedly', { how: reason, pauseMs });
    this.#cancelPause?.();
    this.#cancelPause = this.#options.clock.after(pauseMs, () => {
      this.#cancelPause = undefined;
      this.#assign();
    });
  }

  #startIdleTimer(member: PoolMember): void {
    member.cancelIdle();
    member.cancelIdle = this.#options.clock.after(this.#options.idleMs ?? 30_000, () => {
      void this.#terminate(member);
    });
  }

  async #terminate(member: PoolMember): Promise<void> {
    member.cancelIdle();
    await member.process.close();
  }

  #countFailure(error: unknown): void {
    const code = error instanceof AirdeskError ? error.code : 'internal';
    if (code === 'codec_process_timeout') this.#counts.timedOut++;
    else if (code !== 'codec_process_failed') this.#counts.failed++;
  }
}
