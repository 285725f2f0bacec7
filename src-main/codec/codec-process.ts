import { AirdeskError } from '../../src-preload/contract/errors.ts';
import type { Clock } from '../lib/clock.ts';
import type { CodecChild, StartCodecChild } from './codec-child.ts';
import { forkCodecChild } from './forked-child.ts';
import type { JobInput, JobKind, JobOutput } from './job-table.ts';
import type { JobReply, JobRequest } from './protocol.ts';

/** What a codec process is started with. */
export interface CodecProcessOptions {
  /** The entry of the child: `codec-process.ts` beside the sources, `codec-process.js` in the bundle. */
  readonly entry: URL;
  readonly clock: Clock;
  /** Starts the child where this thread may not do so itself; without it the child is forked from `entry`. */
  readonly startChild?: StartCodecChild | undefined;
}

/** The job that a process is doing. */
interface RunningJob {
  readonly id: number;
  report(progress: unknown): void;
  resolve(output: unknown): void;
  reject(error: AirdeskError): void;
}

/** Time for an idle child to go by itself before it is killed. */
const GRACE_MS = 2000;
const MOST_STDERR = 2000;

/**
 * One child process that does one job at a time, from its start to its end. A job that takes too long ends with the
 * process: a call into FFmpeg can be stopped in no other way.
 */
export class CodecProcess {
  /** Resolves when the child is gone, with the reason of its end. */
  readonly ended: Promise<string>;
  readonly #child: CodecChild;
  readonly #clock: Clock;
  #job: RunningJob | undefined;
  #lastId = 0;
  #hasEnded = false;
  #isDoomed = false;
  #stderr = '';

  constructor(options: CodecProcessOptions) {
    this.#clock = options.clock;
    const start = options.startChild ?? ((listener) => forkCodecChild(options.entry, listener));
    const gone = Promise.withResolvers<string>();
    this.ended = gone.promise;
    this.#child = start({
      reply: (reply) => {
        this.#hear(reply);
      },
      printed: (text) => {
        this.#stderr = (this.#stderr + text).slice(-MOST_STDERR);
      },
      ended: (how) => {
        gone.resolve(this.#end(how));
      },
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Whether it is doing a job. */
  get isBusy(): boolean {
    return this.#job !== undefined;
  }

  /** Whether it can take a job. */
  get isAlive(): boolean {
    return !this.#hasEnded && !this.#isDoomed && this.#child.isConnected;
  }

  /** Whether its end was asked for: a job took too long, or `close` was called. */
  get isDoomed(): boolean {
    return this.#isDoomed;
  }

  /**
   * Does a job. Only one at a time. Raises `codec_process_failed` when the process dies in the middle,
   * `codec_process_timeout` when it takes too long, and what the job itself raises. Without a time it lasts as long as it likes.
   */
  run<Kind extends JobKind>(
    kind: Kind,
    input: JobInput<Kind>,
    timeoutMs: number | undefined,
    report: (progress: unknown) => void = () => {},
  ): Promise<JobOutput<Kind>> {
    if (this.#job || !this.isAlive)
      return Promise.reject(new AirdeskError('internal', 'The codec process cannot take a job now'));
    return new Promise<JobOutput<Kind>>((resolve, reject) => {
      const id = ++this.#lastId;
      const cancel =
        timeoutMs === undefined
          ? () => {}
          : this.#clock.after(timeoutMs, () => {
              this.#settle()?.reject(
                new AirdeskError('codec_process_timeout', `The job ${kind} took longer than ${String(timeoutMs)} ms`),
              );
              this.#kill();
            });
      this.#job = {
        id,
        report,
        resolve: (output) => {
          cancel();
          // The child answers with the output of the kind that it was asked for.
          resolve(output as JobOutput<Kind>);
        },
        reject: (error) => {
          cancel();
          reject(error);
        },
      };
      const request: JobRequest = { type: 'job', id, kind, input };
      this.#child.send(request);
    });
  }

  /** Lets the child go, kills it if it does not; resolves when it is gone. A running job fails. */
  async close(): Promise<void> {
    this.#isDoomed = true;
    if (!this.#hasEnded) {
      if (this.#job) this.#kill();
      else this.#child.hangUp();
    }
    const cancel = this.#clock.after(GRACE_MS, () => {
      this.#child.kill();
    });
    await this.ended;
    cancel();
  }

  /** Nothing comes any more: fails the job that is there; the reason of the end. */
  #end(how: string): string {
    this.#hasEnded = true;
    const lines = this.#stderr.trim().split('\n');
    const why = lines.find((line) => /^\w*Error\b/.test(line)) ?? lines.at(-1);
    const reason = why ? `${how}: ${why}` : how;
    this.#settle()?.reject(new AirdeskError('codec_process_failed', `A codec process ended unexpectedly (${reason})`));
    return reason;
  }

  #kill(): void {
    this.#isDoomed = true;
    this.#child.kill();
  }

  #hear(reply: JobReply): void {
    if (reply.type === 'ready' || reply.id !== this.#job?.id) return;
    if (reply.type === 'progress') {
      this.#job.report(reply.progress);
      return;
    }
    const job = this.#settle();
    if (reply.type === 'done') job?.resolve(reply.output);
    else job?.reject(new AirdeskError(reply.error.code, reply.error.message, reply.error.details));
  }

  #settle(): RunningJob | undefined {
    const job = this.#job;
    this.#job = undefined;
    return job;
  }
}
