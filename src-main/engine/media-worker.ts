import { Worker } from 'node:worker_threads';
import type { Clock } from '../lib/clock.ts';
import { InFlightParts } from './in-flight-parts.ts';
import { MediaThread } from './media-thread.ts';
import { Channel, type ChannelHandlers, type MessagePipe } from '../lib/channel/channel.ts';
import { localPipes, portPipe } from '../lib/channel/message-pipe.ts';
import type { FromMediaThread, MediaThreadOptions, ToMediaThread } from './messages.ts';
import { WorkMark, type WorkedInput } from './work-mark.ts';

/** How a media worker runs. */
export interface MediaWorkerOptions {
  readonly index: number;
  /** Number of this worker; never used twice. */
  readonly number: number;
  /** Entry of a worker; undefined runs in the calling thread, for tests. */
  readonly entry: URL | undefined;
  readonly clock: Clock;
  /** Most memory for JavaScript objects in MiB: a worker that needs more is ended, and not the process. */
  readonly heapMb: number;
  /** What hears the thread. */
  readonly handlers: (worker: MediaWorker) => ChannelHandlers<ToMediaThread, FromMediaThread>;
}

/** Seconds without a status after which a thread is taken for dead: it sends one a second. */
const SILENT_TICKS = 10;
/** A thread that was ended and does not end after this long hangs in the system, in milliseconds: a read of a file that never comes back. */
const STUCK_MS = 3000;
/** Code of the error with which Node ends a worker whose memory is used up. */
const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY';

/** A media thread from its launch to its end. */
export class MediaWorker {
  readonly index: number;
  readonly number: number;
  /** Resolves when it works; rejects when it dies before. */
  readonly ready: Promise<void>;
  /** Resolves when the thread is gone, with why. */
  readonly gone: Promise<string>;
  /** What is said between it and the server thread. */
  readonly channel: Channel<ToMediaThread, FromMediaThread>;
  /** Streams that live on it. */
  streams = 0;
  /** Parts on their way to it. */
  readonly flight = new InFlightParts();
  /** Epoch milliseconds of its launch; 0 before. */
  launchedMs = 0;
  /** The input that ended it, by stall or by exhausted memory. */
  culprit: WorkedInput | undefined;
  /** Whether it was ended and did not end. */
  isStuck = false;
  isReady = false;
  isDead = false;
  readonly #options: MediaWorkerOptions;
  readonly #mark = new WorkMark();
  readonly #ready = Promise.withResolvers<void>();
  readonly #gone = Promise.withResolvers<string>();
  #kill: (words: string) => void = (words) => {
    this.#end(words);
  };
  #silentTicks = 0;

  constructor(options: MediaWorkerOptions) {
    this.#options = options;
    this.index = options.index;
    this.number = options.number;
    this.channel = new Channel(options.clock, options.handlers(this));
    this.ready = this.#ready.promise;
    this.gone = this.#gone.promise;
    // No caller has to wait for a worker that never became ready: its end says so.
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

  /** It has said that it works. */
  begin(): void {
    this.isReady = true;
    this.#ready.resolve();
  }

  /** Ends the thread at once. @param words why, for the log */
  kill(words: string): void {
    this.#kill(words);
  }

  /** A second has passed: a thread that says nothing for too long is ended. */
  tick(): void {
    if (!this.#options.entry || !this.isLaunched || this.isDead || ++this.#silentTicks <= SILENT_TICKS) return;
    this.culprit ??= this.#mark.current;
    this.kill(`it did not respond for ${SILENT_TICKS} s`);
  }

  #end(words: string): void {
    if (this.isDead) return;
    this.isDead = true;
    this.isReady = false;
    this.#ready.reject(new Error(words));
    // First of all another takes its place: a caller whose call failed may turn to that one.
    this.#gone.resolve(words);
    this.channel.close({ code: 'media_thread_failed', detail: words });
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
    let words: string | undefined;
    worker.on('error', (error: NodeJS.ErrnoException) => {
      words ??= error.message;
      if (error.code === OUT_OF_MEMORY) this.culprit ??= this.#mark.current;
    });
    // What it said last has been heard by then.
    worker.on('exit', (code) => {
      this.#end(words ?? `it ended with code ${code}`);
    });
    this.#kill = (why) => {
      words ??= why;
      void worker.terminate();
      this.#options.clock.after(STUCK_MS, () => {
        if (this.isDead) return;
        this.isStuck = true;
        this.#end(words ?? why);
      });
    };
    return portPipe(worker);
  }
}
