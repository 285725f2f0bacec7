import { AirdeskError } from '../../src-preload/contract/errors.ts';
import type { Clock } from '../lib/clock.ts';
import type { CodecChild, StartCodecChild } from './codec-child.ts';
import { forkCodecChild } from './forked-child.ts';
import type { JobInput, JobKind, JobOutput } from './job-table.ts';
import type { JobReply, JobRequest } from './protocol.ts';

export interface CodecProcessOptions {
  /** Entry of the child: `codec-process.ts` beside the sources, `codec-process.js` in the bundle. */
  readonly entry: URL;
  readonly clock: Clock;
  /** Starts the child on behalf of this thread; without it the child is forked from `entry`. */
  readonly startChild?: StartCodecChild | undefined;
  /** Receives the text that the child prints. */
  readonly printed?: (text: string) => void;
}

/** Current job of a process. */
interface RunningJob {
  readonly id: number;
  report(progress: unknown): void;
  resolve(output: unknown): void;
  reject(error: AirdeskError): void;
}

/** Time for an idle child to end by itself before it is killed, in milliseconds. */
const GRACE_MS = 2000;
const MAX_STDERR = 2000;

/**
 * One child process, which runs one job at a time. A job that takes too long is stopped with its process: a call into FFmpeg
 * cannot be stopped otherwise.
 */
export class CodecProcess {
  /** Resolves when the child has ended, with the reason. */
  readonly ended: Promise<string>;
  readonly #child: CodecChild;
  readonly #clock: Clock;
  #job: RunningJob | undefined;
  #lastId = 0;
  #hasEnded = false;
  #isEnding = false;
  #stderr = '';

  constructor(options: CodecProcessOptions) {
    this.#clock = options.clock;
    const start = options.startChild ?? ((listener) => forkCodecChild(options.entry, listener));
    const end = Promise.withResolvers<string>();
    this.ended = end.promise;
    this.#child = start({
      reply: (reply) => {
        this.#receive(reply);
      },
      printed: (text) => {
        this.#stderr = (this.#stderr + text).slice(-MAX_STDERR);
        options.printed?.(text);
      },
      ended: (reason) => {
        end.resolve(this.#end(reason));
      },
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Whether the process runs a job. */
  get isBusy(): boolean {
    return this.#job !== undefined;
  }

  /** Whether the process can take a job. */
  get isAvailable(): boolean {
    return !this.#hasEnded && !this.#isEnding && this.#child.isConnected;
  }

  /** Whether the end of the process was requested: a job took too long, or `close` was called. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  /**
   * Runs a job; only one at a time. Rejects with `codec_process_failed` if the process dies, with
   * `codec_process_timeout` if it takes too long, and with the error of the job. Without a timeout it may run
   * indefinitely.
   */
  run<Kind extends JobKind>(
    kind: Kind,
    input: JobInput<Kind>,
    timeoutMs: number | undefined,
    report: (progress: unknown) => void = () => {},
  ): Promise<JobOutput<Kind>> {
    if (this.#job || !this.isAvailable)
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
          // The child answers with the output of the requested kind.
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

  /** Disconnects the child, and kills it if it does not end in time; resolves when it has ended. A running job fails. */
  async close(): Promise<void> {
    this.#isEnding = true;
    if (!this.#hasEnded) {
      if (this.#job) this.#kill();
      else this.#child.disconnect();
    }
    const cancel = this.#clock.after(GRACE_MS, () => {
      this.#child.kill();
    });
    await this.ended;
    cancel();
  }

  /** Handles the end of the child: the current job fails. Returns the reason. */
  #end(status: string): string {
    this.#hasEnded = true;
    const lines = this.#stderr.trim().split('\n');
    const why = lines.find((line) => /^\w*Error\b/.test(line)) ?? lines.at(-1);
    const reason = why ? `${status}: ${why}` : status;
    this.#settle()?.reject(new AirdeskError('codec_process_failed', `A codec process ended unexpectedly (${reason})`));
    return reason;
  }

  #kill(): void {
    this.#isEnding = true;
    this.#child.kill();
  }

  #receive(reply: JobReply): void {
    if (reply.type === 'ready' || reply.id !== this.#job?.id) return;
    if (reply.type === 'progress') {
      this.#job.report(reply.progress);
      return;
    }
    const job = this.#settle();
    if (reply.type === 'done') job?.resolve(reply.output);
    else job?.reject(AirdeskError.fromValue(reply.error));
  }

  #settle(): RunningJob | undefined {
    const job = this.#job;
    this.#job = undefined;
    return job;
  }
}
