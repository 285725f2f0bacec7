import { AirdeskError } from '../../src-preload/contract/errors.ts';
import type { Log } from '../lib/log.ts';
import { CodecProcess, type CodecProcessOptions } from './codec-process.ts';
import type { JobInput, JobOutput, ShortJobKind } from './job-table.ts';

/** What a pool is made with. */
export interface CodecPoolOptions extends CodecProcessOptions {
  readonly log: Log;
  /** Most processes at the same time; 2 without it, so that a picture does not wait behind a long job. */
  readonly size?: number;
  /** Most jobs that wait; one more is refused with `unavailable`. 64 without it. */
  readonly queueLimit?: number;
  /** An idle process goes after this time; 30 000 without it. */
  readonly idleMs?: number;
  /** Pause after a process died, doubled with each death in a row up to 30 s; 250 without it. */
  readonly backOffMs?: number;
}

/** Counters of a pool since its start, and what it holds now. */
export interface CodecPoolStats {
  readonly processes: number;
  readonly busy: number;
  readonly queued: number;
  readonly started: number;
  readonly done: number;
  /** Jobs that raised an error of their own. */
  readonly failed: number;
  readonly timedOut: number;
  /** Processes that ended unasked. */
  readonly crashed: number;
  readonly refused: number;
}

/** How long a job may wait for a process, and then how long it may take, where the caller does not say. */
const JOB_TIMEOUT_MS: Readonly<Record<ShortJobKind, number>> = {
  picture: 5000,
  look: 5000,
  'cut-pictures': 120_000,
  sprite: 20_000,
  'test-picture': 120_000,
};
const LONGEST_BACK_OFF_MS = 30_000;

/** One job in the queue. */
interface WaitingJob {
  /** Runs on this process, reports when it is free again, then settles the caller's promise. */
  start(process: CodecProcess, release: () => void): void;
  fail(error: AirdeskError): void;
}

/** A process and the timer that sends it home. */
interface Member {
  readonly process: CodecProcess;
  cancelIdle: () => void;
}

/**
 * The codec processes of the server: started when there is work, sent home when there is none, started again after a
 * death with growing pauses. Jobs run in the order in which they came, one on each process.
 */
export class CodecPool {
  readonly #options: CodecPoolOptions;
  readonly #members = new Set<Member>();
  readonly #queue: WaitingJob[] = [];
  #counts = { started: 0, done: 0, failed: 0, timedOut: 0, crashed: 0, refused: 0 };
  #deathsInARow = 0;
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
   * Does a job as soon as a process is free. Raises what the job raises, `codec_process_failed`, `codec_process_timeout`
   * (waiting and working have this time each), and `unavailable` when the queue is full or the pool is closed.
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
              this.#deathsInARow = 0;
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

  /** Fails the jobs that are there and takes no more; resolves when no child is left. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelPause?.();
    for (const job of this.#queue.splice(0))
      job.fail(new AirdeskError('unavailable', 'The codec processes are closed'));
    await Promise.all([...this.#members].map((member) => this.#dismiss(member)));
  }

  /** Gives waiting jobs to idle processes; starts another one where all have work. */
  #assign(): void {
    while (this.#queue.length > 0) {
      const member = this.#idleMember() ?? this.#hire();
      const job = member && this.#queue.shift();
      if (!job) return;
      member.cancelIdle();
      job.start(member.process, () => {
        if (member.process.isAlive) this.#rest(member);
        this.#assign();
      });
    }
  }

  #idleMember(): Member | undefined {
    for (const member of this.#members) {
      if (!member.process.isBusy && member.process.isAlive) return member;
    }
    return undefined;
  }

  #hire(): Member | undefined {
    if (this.#isClosed || this.#cancelPause || this.#members.size >= (this.#options.size ?? 2)) return undefined;
    const process = new CodecProcess(this.#options);
    const member: Member = { process, cancelIdle: () => {} };
    this.#members.add(member);
    this.#counts.started++;
    void process.ended.then((how) => {
      member.cancelIdle();
      this.#members.delete(member);
      if (!process.isDoomed) this.#mourn(how);
      this.#assign();
    });
    return member;
  }

  /** A process died unasked: counts it and waits before the next one is started. */
  #mourn(how: string): void {
    this.#counts.crashed++;
    const pauseMs = Math.min((this.#options.backOffMs ?? 250) * 2 ** this.#deathsInARow, LONGEST_BACK_OFF_MS);
    this.#deathsInARow++;
    this.#options.log.warn('a codec process ended unexpectedly', { how, pauseMs });
    this.#cancelPause?.();
    this.#cancelPause = this.#options.clock.after(pauseMs, () => {
      this.#cancelPause = undefined;
      this.#assign();
    });
  }

  #rest(member: Member): void {
    member.cancelIdle();
    member.cancelIdle = this.#options.clock.after(this.#options.idleMs ?? 30_000, () => {
      void this.#dismiss(member);
    });
  }

  async #dismiss(member: Member): Promise<void> {
    member.cancelIdle();
    await member.process.close();
  }

  #countFailure(error: unknown): void {
    const code = error instanceof AirdeskError ? error.code : 'internal';
    if (code === 'codec_process_timeout') this.#counts.timedOut++;
    else if (code !== 'codec_process_failed') this.#counts.failed++;
  }
}
