import { Worker } from 'node:worker_threads';
import type { Clock } from '../lib/clock.ts';
import { InFlightParts } from './in-flight-parts.ts';
import { MediaThread } from './media-thread.ts';
import { Channel, type ChannelHandlers, type MessagePipe } from '../lib/channel/channel.ts';
import { localPipes, portPipe } from '../lib/channel/message-pipe.ts';
import type { FromMediaThread, MediaThreadOptions, ToMediaThread } from './messages.ts';
import { WorkMark, type WorkedInput } from './work-mark.ts';

export interface MediaWorkerOptions {
  readonly index: number;
  /** Unique number of this worker, which is never reused. */
  readonly number: number;
  /** Entry of the worker; undefined to run in the calling thread, for tests. */
  readonly entry: URL | undefined;
  readonly clock: Clock;
  /**
   * Maximum memory of JavaScript objects, in MiB. Node terminates a worker that needs more; the process continues.
   */
  readonly heapMb: number;
  /** Handlers of the thread's messages. */
  readonly handlers: (worker: MediaWorker) => ChannelHandlers<ToMediaThread, FromMediaThread>;
}

/** Number of seconds without a message after which a thread is terminated. A thread sends its status every second. */
const SILENT_TICKS = 10;
/**
 * Time for a terminated thread to end, in milliseconds. After it the thread counts as stuck in the system, for example in
 * a file read that never returns.
 */
const STUCK_MS = 3000;
/** Time for a thread to close its streams before it is terminated, in milliseconds. */
const CLOSE_MS = 3000;
/** Error code with which Node ends a worker that is out of memory. */
const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY';

/** A media thread from its launch to its end. */
export class MediaWorker {
  readonly index: number;
  readonly number: number;
  /** Resolves when the thread is ready; rejects if it dies before. */
  readonly ready: Promise<void>;
  /** Resolves when the thread has ended, with the reason. */
  readonly gone: Promise<string>;
  /** Channel between the thread and the server thread. */
  readonly channel: Channel<ToMediaThread, FromMediaThread>;
  /** Number of streams on the thread. */
  streams = 0;
  /** Parts of copied streams in transit to the thread. */
  readonly flight = new InFlightParts();
  /** Time of the launch, in epoch milliseconds; 0 before. */
  launchedMs = 0;
  /** Input that ended the thread, by a stall or by exhausted memory. */
  culprit: WorkedInput | undefined;
  /** True if the thread was terminated but did not end. */
  isStuck = false;
  isReady = false;
  isDead = false;
  readonly #options: MediaWorkerOptions;
  readonly #mark = new WorkMark();
  readonly #ready = Promise.withResolvers<void>();
  readonly #gone = Promise.withResolvers<string>();
  #kill: (reason: string) => void = (reason) => {
    this.#end(reason);
  };
  #silentTicks = 0;

  constructor(options: MediaWorkerOptions) {
    this.#options = options;
    this.index = options.index;
    this.number = options.number;
    this.channel = new Channel(options.clock, options.handlers(this));
    this.ready = this.#ready.promise;
    this.gone = this.#gone.promise;
    // Avoids an unhandled rejection if no caller awaits `ready`; `gone` reports the fault as well.
    this.ready.catch(() => {});
  }

  get isLaunched(): boolean {
    return this.launchedMs > 0;
  }

  launch(options: Omit<MediaThreadOptions, 'index' | 'handledCopies' | 'workMark'>): void {
    const { clock, entry, index } = this.#options;
    if (this.isDead) return;
    this.launchedMs = clock.now();
    const threadOptions: MediaThreadOptions = {
      ...options,
      index,
      handledCopies: this.flight.handled,
      workMark: this.#mark.memory,
    };
    const pipe = entry ? this.#startWorker(entry, threadOptions) : this.#startHere(threadOptions);
    pipe.onMessage(() => {
      this.#silentTicks = 0;
    });
    this.channel.attach(pipe);
  }

  /** Marks the thread as ready. */
  markReady(): void {
    this.isReady = true;
    this.#ready.resolve();
  }

  /**
   * Terminates the thread at once.
   * @param reason reason for the log
   */
  kill(reason: string): void {
    this.#kill(reason);
  }

  /** Closes the streams of the thread, and then the thread; terminates it if that takes too long. Resolves when it has ended. */
  async close(): Promise<void> {
    if (!this.isLaunched) this.kill('the server closes');
    else
      await this.channel.call('close', undefined, { timeoutMs: CLOSE_MS }).then(
        () => {
          this.kill('it was closed');
        },
        () => {
          this.kill('it did not close');
        },
      );
    await this.gone;
  }

  /** Called every second; terminates a thread that has sent no message for too long. */
  tick(): void {
    if (!this.#options.entry || !this.isLaunched || this.isDead || ++this.#silentTicks <= SILENT_TICKS) return;
    this.culprit ??= this.#mark.current;
    this.kill(`it did not respond for ${SILENT_TICKS} s`);
  }

  #end(reason: string): void {
    if (this.isDead) return;
    this.isDead = true;
    this.isReady = false;
    this.#ready.reject(new Error(reason));
    // Before the channel closes, so that callers whose calls fail find the replacement.
    this.#gone.resolve(reason);
    this.channel.close({ code: 'media_thread_failed', detail: reason });
  }

  #startHere(options: MediaThreadOptions): MessagePipe {
    const { server, worker } = localPipes();
    new MediaThread(options, worker, this.#options.clock).start();
    return server;
  }

  #startWorker(entry: URL, options: MediaThreadOptions): MessagePipe {
    const worker = new Worker(entry, {
      workerData: options,
      name: `media-${options.index}`,
      resourceLimits: { maxOldGenerationSizeMb: this.#options.heapMb },
    });
    let reason: string | undefined;
    worker.on('error', (error: NodeJS.ErrnoException) => {
      reason ??= error.message;
      if (error.code === OUT_OF_MEMORY) this.culprit ??= this.#mark.current;
    });
    // All messages of the thread arrive before this event.
    worker.on('exit', (code) => {
      this.#end(reason ?? `it ended with code ${code}`);
    });
    this.#kill = (why) => {
      reason ??= why;
      void worker.terminate();
      this.#options.clock.after(STUCK_MS, () => {
        if (this.isDead) return;
        this.isStuck = true;
        this.#end(reason ?? why);
      });
    };
    return portPipe(worker);
  }
}
