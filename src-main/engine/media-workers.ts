import type { ReadableFolders } from '../lib/allowed-paths.ts';
import { BackOff } from '../lib/back-off.ts';
import { ConnectionBoard } from '../ingest/rtmp/connection-count.ts';
import type { Clock } from '../lib/clock.ts';
import { fileShare, releaseFileTurns } from '../lib/file-turns.ts';
import type { Log } from '../lib/log.ts';
import { every } from '../lib/timers.ts';
import { MediaWorker, type MediaWorkerOptions } from './media-worker.ts';
import { ProbeWorker } from './probe-worker.ts';
import { RefusalLog } from './refusal-log.ts';
import type { WorkedInput } from './work-mark.ts';

export interface EngineOptions {
  /** Number of media threads; 0 runs everything in the calling thread, for tests. */
  readonly threads: number;
  /** Entry of a media thread: `media-thread.js` or `.ts`. */
  readonly threadEntry: URL;
  readonly fileRoot: string;
  readonly ownPorts?: SharedArrayBuffer;
  /** Maximum memory of JavaScript objects of one media thread, in MiB; default 1024. Media is not part of it. */
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
   * Called when a thread was launched and can receive events.
   * @param isAgain true if the thread replaces a dead thread
   */
  launched(worker: MediaWorker, isAgain: boolean): void;
  /** Called when an input ended its thread, by a stall or by exhausted memory, before the streams of the thread are lost. */
  inputAtFault(input: WorkedInput, detail: string): void;
  /** Called when a thread has died. Its replacement is in `all`, and is launched after a pause. */
  died(worker: MediaWorker, reason: string): Promise<void>;
}

/** First pause before a dead thread is restarted, in milliseconds. The pause grows with each restart. */
const FIRST_PAUSE_MS = 250;
/** Run time of a thread after which the pause before its next restart is the first one again, in milliseconds. */
const STEADY_MS = 60_000;
/** Interval of checks that threads respond, in milliseconds. */
const WATCH_MS = 1000;
const THREAD_HEAP_MB = 1024;

/** Starts the media threads in order, watches them, and restarts threads that die. */
export class MediaWorkers {
  readonly #options: EngineOptions;
  readonly #port: MediaWorkersPort;
  readonly #workers: MediaWorker[] = [];
  readonly #backOffs: BackOff[] = [];
  readonly #fileTurns: SharedArrayBuffer;
  readonly #refusals: RefusalLog;
  /** RTMP connections of encoders, counted by all threads. */
  readonly rtmpConnections: ConnectionBoard;
  /** Thread for probes of addresses. */
  readonly probes: ProbeWorker;
  #nextNumber = 1;
  #hasStarted = false;
  #isClosed = false;
  #stopWatch: (() => void) | undefined;

  constructor(options: EngineOptions, port: MediaWorkersPort) {
    this.#options = options;
    this.#port = port;
    this.#refusals = new RefusalLog(options.clock, options.log);
    const count = Math.max(1, options.threads);
    // The last counter belongs to the thread for probes.
    this.#fileTurns = new SharedArrayBuffer(4 * (2 + count));
    this.rtmpConnections = new ConnectionBoard(count);
    this.probes = new ProbeWorker(options.clock, {
      launch: () => {
        const worker = this.#make(count);
        this.#launch(worker);
        return worker;
      },
      gone: (worker) => {
        this.#releaseTurns(worker);
        worker.flight.releaseAll();
      },
    });
  }

  /** Threads in order of their index. A dead thread is replaced by its successor at once. */
  get all(): readonly MediaWorker[] {
    return this.#workers;
  }

  /** Ready thread with the fewest streams. */
  get leastLoaded(): MediaWorker {
    return this.#workers.reduce((best, worker) => {
      if (best.isReady !== worker.isReady) return best.isReady ? best : worker;
      return worker.streams < best.streams ? worker : best;
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
      const worker = this.#makeWatched(index);
      this.#workers.push(worker);
      this.#backOffs.push(new BackOff({ firstMs: FIRST_PAUSE_MS }));
      this.#launchWatched(worker);
      await worker.ready;
    }
    this.#hasStarted = true;
    this.#stopWatch = every(this.#options.clock, WATCH_MS, () => {
      for (const worker of this.#workers) worker.tick();
      this.probes.tick();
    });
  }

  /** Closes all streams and threads; resolves in bounded time. Throws with the threads that did not end. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopWatch?.();
    await Promise.all([this.probes.close(), ...this.#workers.map((worker) => worker.close())]);
    const stuck = this.#workers.filter(({ isStuck }) => isStuck).map(({ index }) => index);
    if (stuck.length > 0) throw new Error(`the media threads ${stuck.join(', ')} did not end`);
  }

  /** Creates a media thread without launching it. */
  #make(index: number): MediaWorker {
    const { threads, threadEntry, threadHeapMb, clock } = this.#options;
    return new MediaWorker({
      index,
      number: this.#nextNumber++,
      entry: threads === 0 ? undefined : threadEntry,
      clock,
      heapMb: threadHeapMb ?? THREAD_HEAP_MB,
      handlers: this.#port.handlers,
    });
  }

  /** Creates a media thread that is replaced when it dies. */
  #makeWatched(index: number): MediaWorker {
    const worker = this.#make(index);
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
  }

  #launchWatched(worker: MediaWorker): void {
    this.#launch(worker);
    this.#port.launched(worker, this.#hasStarted);
  }

  /** Releases the file operations of a dead thread. A stuck thread may still run them. */
  #releaseTurns(worker: MediaWorker): void {
    if (!worker.isStuck) releaseFileTurns(this.#fileTurns, worker.index);
  }

  /** Handles a dead thread: its streams continue elsewhere, and it is restarted after a pause. */
  async #died(worker: MediaWorker, reason: string): Promise<void> {
    if (this.#isClosed || !this.#hasStarted) return;
    this.#refusals.forget(worker.number);
    const { clock, log } = this.#options;
    const next = this.#makeWatched(worker.index);
    this.#workers[worker.index] = next;
    const backOff = this.#backOffs[worker.index] ?? new BackOff();
    // If the input that caused the end is known, only that input waits, and the thread restarts after the first pause.
    if (worker.culprit) this.#port.inputAtFault(worker.culprit, reason);
    if (worker.culprit || clock.now() - worker.launchedMs > STEADY_MS) backOff.reset();
    const waitMs = backOff.next();
    log.error('a media thread died and will be restarted', {
      event: 'media_thread_failed',
      code: 'media_thread_failed',
      thread: worker.index,
      reason,
      streams: worker.streams,
      waitMs,
    });
    clock.after(waitMs, () => {
      if (!this.#isClosed) this.#launchWatched(next);
    });
    const restored = { event: 'media_thread_restored', thread: worker.index };
    void next.ready.then(() => log.info('a media thread was restarted', restored)).catch(() => {});
    this.#releaseTurns(worker);
    // A stuck thread may still hold its connections.
    if (!worker.isStuck) this.rtmpConnections.release(worker.index);
    worker.flight.releaseAll();
    await this.#port.died(worker, reason);
  }
}
