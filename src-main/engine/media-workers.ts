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

/** How the engine runs. */
export interface EngineOptions {
  /** Media threads; 0 runs everything in the calling thread, for tests. */
  readonly threads: number;
  /** Entry of a media thread: `media-thread.js` or `.ts`. */
  readonly threadEntry: URL;
  readonly fileRoot: string;
  readonly ownPorts?: SharedArrayBuffer;
  /** Most memory for JavaScript objects of one media thread in MiB; default 1024. Media lies outside of it. */
  readonly threadHeapMb?: number;
  readonly clock: Clock;
  readonly log: Log;
}

/** What the media threads need from the engine. */
export interface MediaWorkersPort {
  readonly handlers: MediaWorkerOptions['handlers'];
  /** Folders that files may be read from, beside the data folder. */
  readableFolders(): ReadableFolders;
  /** A thread was launched: what it is to know can be emitted. @param isAgain whether another one died in its place, or before all were there */
  launched(worker: MediaWorker, isAgain: boolean): void;
  /** An input ended its thread, by stall or by exhausted memory; reported before its streams are lost. */
  inputAtFault(input: WorkedInput, detail: string): void;
  /** A thread is gone, and with it all that it held; another one stands in its place. */
  died(worker: MediaWorker, reason: string): Promise<void>;
}

/** A thread that died waits so long before it is started again, longer each time, in milliseconds. */
const FIRST_PAUSE_MS = 250;
/** A thread that lived so long begins with the first pause again, in milliseconds. */
const STEADY_MS = 60_000;
/** A thread that has not closed its streams after this long is ended, in milliseconds. */
const CLOSE_MS = 3000;
/** How often it is looked whether threads respond, in milliseconds. */
const WATCH_MS = 1000;
const THREAD_HEAP_MB = 1024;

/** The media threads: started in their order, watched, and started again when they die. */
export class MediaWorkers {
  readonly #options: EngineOptions;
  readonly #port: MediaWorkersPort;
  readonly #workers: MediaWorker[] = [];
  readonly #backOffs: BackOff[] = [];
  readonly #fileTurns: SharedArrayBuffer;
  readonly #refusals: RefusalLog;
  /** The connections of encoders, which all threads count. */
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

  /** In their order; one that died has its successor in its place. */
  get all(): readonly MediaWorker[] {
    return this.#workers;
  }

  /** The one that works and has the fewest streams. */
  get leastLoaded(): MediaWorker {
    return this.#workers.reduce((least, other) => {
      if (least.isReady !== other.isReady) return least.isReady ? least : other;
      return other.streams < least.streams ? other : least;
    });
  }

  /** A thread says how many connections by RTMP it has refused since it was started. */
  refused(worker: MediaWorker, count: number): void {
    this.#refusals.take(worker.number, count);
  }

  /** Starts the threads. Rejects with why one could not be started. */
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

  /** Closes all streams and threads; resolves in bounded time. Raises which threads did not end. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopWatch?.();
    await Promise.all(this.#workers.map((worker) => close(worker)));
    const stuck = this.#workers.filter(({ isStuck }) => isStuck).map(({ index }) => index);
    if (stuck.length > 0) throw new Error(`the media threads ${stuck.join(', ')} do not end`);
  }

  /** A media thread that is not launched yet. */
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

  /** A thread is gone: its streams go on elsewhere, and after a pause it is started again. */
  async #died(worker: MediaWorker, reason: string): Promise<void> {
    if (this.#isClosed || !this.#hasStarted) return;
    this.#refusals.forget(worker.number);
    const { clock, log } = this.#options;
    const next = this.#make(worker.index);
    this.#workers[worker.index] = next;
    const backOff = this.#backOffs[worker.index] ?? new BackOff();
    // Where the input is known that did it, that one waits and not the others.
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
    // What hangs goes on to hang in the system.
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
