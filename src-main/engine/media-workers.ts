import type { ReadableFolders } from '../lib/allowed-paths.ts';
import { BackOff } from '../lib/back-off.ts';
import { ConnectionBoard } from '../ingest/rtmp/connection-count.ts';
import type { Clock } from '../lib/clock.ts';
import { fileShare, releaseFileTurns } from '../lib/file-turns.ts';
import type { Log } from '../lib/log.ts';
import { every } from '../lib/timers.ts';
import { MediaWorker, type MediaWorkerOptions } from './media-worker.ts';
import { RefusalLog } from './refusal-log.ts';
import type { WorkedInput } from './work-mark.ts';

export interface EngineOptions {
  /** Number of media threads; 0 runs everything in the calling thread, for tests. */
  readonly threads: number;
  /** Entry of a media thread: `media-thread.js` or `.ts`. */
  readonly threadEntry: URL;
  readonly fileRoot: string;
  readonly ownPorts?: SharedArrayBuffer;
  /** Maximum memory of JavaScript objects of one media thread, in MiB; default 1024. Media is outside this memory. */
  readonly threadHeapMb?: number;
  readonly clock: Clock;
  readonly log: Log;
}

/** Functions that the media threads need from the engine. */
export interface MediaWorkersPort {
  readonly handlers: MediaWorkerOptions['handlers'];
  /** Folders with readable files besides the data folder. */
  readableFolders(): ReadableFolders;
  /**
   * A thread was launched and can receive events.
   * @param isAgain true if it replaces a dead thread, or was launched after the start of the engine
   */
  launched(worker: MediaWorker, isAgain: boolean): void;
  /** An input ended its thread, by a stall or by exhausted memory; called before its streams are lost. */
  inputAtFault(input: WorkedInput, detail: string): void;
  /** A thread has died with its streams; its replacement is running. */
  died(worker: MediaWorker, reason: string): Promise<void>;
}

/** First pause before a dead thread is started again, in milliseconds; it grows each time. */
const FIRST_PAUSE_MS = 250;
/** Run time after which the pauses start over, in milliseconds. */
const STEADY_MS = 60_000;
/** Time after which a thread that has not closed its streams is terminated, in milliseconds. */
const CLOSE_MS = 3000;
/** Interval of checks that threads respond, in milliseconds. */
const WATCH_MS = 1000;
const THREAD_HEAP_MB = 1024;

/** Media threads: started in order, watched, and restarted when they die. */
export class MediaWorkers {
  readonly #options: EngineOptions;
  readonly #port: MediaWorkersPort;
  readonly #workers: MediaWorker[] = [];
  readonly #backOffs: BackOff[] = [];
  readonly #fileTurns: SharedArrayBuffer;
  readonly #refusals: RefusalLog;
  /** RTMP connections of encoders, counted by all threads. */
  readonly rtmpConnections: ConnectionBoard;
  #nextNumber = 1;
  #hasStarted = false;
  #isClosed = false;
  #stopWatch: (() => void) | undefined;

  constructor(options: EngineOptions, port: MediaWorkersPort) {
    this.#options = options;
    this.#port = port;
    this.#refusals = new RefusalLog(options.clock, options.log);
    const count = Math.max(1, options.threads);
    this.#fileTurns = new SharedArrayBuffer(4 * (1 + count));
    this.rtmpConnections = new ConnectionBoard(count);
  }

  /** Threads in order; a dead one is replaced by its successor. */
  get all(): readonly MediaWorker[] {
    return this.#workers;
  }

  /** Ready thread with the fewest streams. */
  get leastLoaded(): MediaWorker {
    return this.#workers.reduce((least, other) => {
      if (least.isReady !== other.isReady) return least.isReady ? least : other;
      return other.streams < least.streams ? other : least;
    });
  }

  /** Records the number of RTMP connections that a thread has refused since its start. */
  refused(worker: MediaWorker, count: number): void {
    this.#refusals.take(worker.number, count);
  }

  /** Starts the threads. Rejects with the reason if one could not be started. */
  async start(): Promise<void> {
    const count = Math.max(1, this.#options.threads);
    for (let index = 0; index < count; index++) {
      const worker = this.#make(index);
      this.#workers.push(worker);
      this.#backOffs.push(new BackOff({ firstMs: FIRST_PAUSE_MS }));
      this.#launch(worker);
      await worker.ready;
    }
    this.#hasStarted = true;
    this.#stopWatch = every(this.#options.clock, WATCH_MS, () => {
      for (const worker of this.#workers) worker.tick();
    });
  }

  /** Closes all streams and threads; resolves in bounded time. Throws with the threads that did not end. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopWatch?.();
    await Promise.all(this.#workers.map((worker) => close(worker)));
    const stuck = this.#workers.filter(({ isStuck }) => isStuck).map(({ index }) => index);
    if (stuck.length > 0) throw new Error(`the media threads ${stuck.join(', ')} do not end`);
  }

  /** Creates a media thread without launching it. */
  #make(index: number): MediaWorker {
    const { threads, threadEntry, threadHeapMb, clock } = this.#options;
    const worker = new MediaWorker({
      index,
      number: this.#nextNumber++,
      entry: threads === 0 ? undefined : threadEntry,
      clock,
      heapMb: threadHeapMb ?? THREAD_HEAP_MB,
      handlers: this.#port.handlers,
    });
    void worker.gone.then((reason) => this.#died(worker, reason));
    return worker;
  }

  #launch(worker: MediaWorker): void {
    const { fileRoot, ownPorts } = this.#options;
    const readableFolders = this.#port.readableFolders();
    worker.launch({
      fileRoot,
      ownPorts,
      readableFolders,
      fileTurns: this.#fileTurns,
      fileLimit: fileShare(),
      rtmpConnections: this.rtmpConnections.memory,
    });
    this.#port.launched(worker, this.#hasStarted);
  }

  /** Handles a dead thread: its streams continue elsewhere, and it is restarted after a pause. */
  async #died(worker: MediaWorker, reason: string): Promise<void> {
    if (this.#isClosed || !this.#hasStarted) return;
    this.#refusals.forget(worker.number);
    const { clock, log } = this.#options;
    const next = this.#make(worker.index);
    this.#workers[worker.index] = next;
    const backOff = this.#backOffs[worker.index] ?? new BackOff();
    // If the responsible input is known, only that input waits.
    if (worker.culprit) this.#port.inputAtFault(worker.culprit, reason);
    if (worker.culprit || clock.now() - worker.launchedMs > STEADY_MS) backOff.reset();
    const waitMs = backOff.next();
    log.error('a media thread died; it is started again', {
      event: 'media_thread_failed',
      code: 'media_thread_failed',
      thread: worker.index,
      reason,
      streams: worker.streams,
      waitMs,
    });
    clock.after(waitMs, () => {
      if (!this.#isClosed) this.#launch(next);
    });
    const restored = { event: 'media_thread_restored', thread: worker.index };
    void next.ready.then(() => log.info('a media thread was restarted', restored)).catch(() => {});
    // A stuck thread still uses its places.
    if (!worker.isStuck) {
      releaseFileTurns(this.#fileTurns, worker.index);
      this.rtmpConnections.release(worker.index);
    }
    worker.flight.releaseAll();
    await this.#port.died(worker, reason);
  }
}

async function close(worker: MediaWorker): Promise<void> {
  if (worker.isLaunched)
    await worker.channel.ask('close', undefined, { timeoutMs: CLOSE_MS }).then(
      () => {
        worker.kill('it was closed');
      },
      () => {
        worker.kill('it did not close');
      },
    );
  else worker.kill('the server closes');
  await worker.gone;
}
