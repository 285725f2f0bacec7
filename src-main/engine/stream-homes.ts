import { runInTurns } from '../lib/turns.ts';
import { releaseEvents } from '../segment/live-window.ts';
import type { ResumePoint, RunWindow } from '../segment/run-window.ts';
import type { Copies } from './copies.ts';
import type { MediaWorker } from './media-worker.ts';
import type { StreamSpec, WindowBatch } from './messages.ts';

/** Who has the windows of the streams, and hears when a thread loses them. */
export interface StreamHomesPort {
  /** The window of a run that opens: it takes all events of the run. */
  window(id: number): RunWindow;
  /** The thread of a stream died: its run is over, and it may be opened again from there. */
  streamLost(id: number, end: ResumePoint, detail: string): void;
}

/** A stream on its thread. */
interface Home {
  readonly stream: StreamSpec;
  readonly worker: MediaWorker;
  readonly run: RunWindow;
  /** Whether its thread has heard of it, or will as soon as it is there. */
  isSent: boolean;
  /** What was put on air by hand while the thread was not there. */
  selected?: number | null;
  isClosing: boolean;
}

/** Which stream lives on which media thread, as the server thread sees it. */
export class StreamHomes {
  readonly #port: StreamHomesPort;
  readonly #copies: Copies;
  readonly #homes = new Map<number, Home>();

  constructor(port: StreamHomesPort, copies: Copies) {
    this.#port = port;
    this.#copies = copies;
  }

  /** The thread of a stream; undefined where it lives nowhere. */
  workerOf(id: number): MediaWorker | undefined {
    return this.#homes.get(id)?.worker;
  }

  /** Opens a stream that has an input of its own. */
  open(stream: StreamSpec, worker: MediaWorker): void {
    const home = this.#settle(stream, worker);
    home.isSent = worker.channel.emit('open', home.stream);
  }

  /** A stream comes to a thread with its publisher. Returns what the publisher brings there: what the stream is opened with. */
  arrive(stream: StreamSpec, worker: MediaWorker): StreamSpec {
    const isKnown = this.workerOf(stream.id) === worker;
    const home = this.#settle(stream, worker);
    home.isSent = true;
    return isKnown ? stream : home.stream;
  }

  /** Closes a stream; resolves with where it ended. */
  async close(id: number): Promise<ResumePoint> {
    const home = this.#homes.get(id);
    if (!home) return { endMs: 0, resume: { nextMsn: 0, nextInitId: 0, isContinuation: false } };
    const { worker, run, isSent } = home;
    home.isClosing = true;
    const closing = isSent ? worker.channel.ask('close-stream', id) : Promise.resolve(0);
    let endMs = 0;
    // What waits for a thread that is not there is closed when it is there; no caller has to wait for that.
    if (!worker.isDead && !worker.isLaunched) closing.catch(() => {});
    else {
      try {
        endMs = await closing;
      } catch {
        // The thread died.
        run.interrupt();
      }
    }
    this.#forget(id);
    const { resumePoint } = run;
    return { ...resumePoint, endMs: Math.max(endMs, resumePoint.endMs) };
  }

  /** Puts an input of a stream on air, by its place in the configuration; null for the best one again. */
  select(id: number, index: number | null): void {
    const home = this.#homes.get(id);
    if (home && !home.worker.channel.emit('select-input', { id, index })) home.selected = index;
  }

  /** Marks a splice point in a stream. Returns whether its thread heard of it. */
  splice(id: number, section: Uint8Array, atMs: number): boolean {
    return this.#homes.get(id)?.worker.channel.emit('splice', { id, atMs, section }) ?? false;
  }

  /** The open parts of a stream are wanted in chunks, too. @param untilMs epoch milliseconds */
  wantChunks(id: number, untilMs: number): void {
    this.#homes.get(id)?.worker.channel.emit('want-chunks', { id, untilMs });
  }

  /** Takes what happened to the windows of a thread. */
  windows(batches: readonly WindowBatch[]): void {
    for (const { id, events } of batches) {
      const run = this.#homes.get(id)?.run;
      if (run) run.apply(events);
      else releaseEvents(events);
    }
  }

  /** A thread is there: it hears of what waits for it. */
  launched(worker: MediaWorker): void {
    for (const [id, home] of this.#homes) {
      if (home.worker !== worker) continue;
      if (!home.isSent) home.isSent = worker.channel.emit('open', home.stream);
      if (home.selected !== undefined) worker.channel.emit('select-input', { id, index: home.selected });
    }
  }

  /** A thread is gone: the windows of its streams are ended, one in each turn of the event loop. */
  async lose(worker: MediaWorker, reason: string): Promise<void> {
    await runInTurns(this.#loseAll(worker, reason));
  }

  *#loseAll(worker: MediaWorker, reason: string): Generator<void, void> {
    for (const [id, { worker: home, run, isClosing }] of this.#homes) {
      // Who closes a stream hears of its end there.
      if (home !== worker || isClosing) continue;
      run.interrupt();
      this.#forget(id);
      this.#port.streamLost(id, run.resumePoint, reason);
      yield;
    }
  }

  /** Gives a run a thread to live on, behind what it showed on one that died. */
  #settle(stream: StreamSpec, worker: MediaWorker): Home {
    const { id, name } = stream;
    const known = this.#homes.get(id);
    if (known?.worker === worker) return known;
    const run = known?.run ?? this.#port.window(id);
    if (known) run.interrupt();
    else this.#copies.opened(name, run);
    const home = { stream: { ...stream, ...run.resumePoint }, worker, run, isSent: false, isClosing: false };
    this.#homes.set(id, home);
    worker.streams++;
    return home;
  }

  /** A stream lives nowhere any more. */
  #forget(id: number): void {
    const home = this.#homes.get(id);
    if (home) home.worker.streams--;
    this.#homes.delete(id);
  }
}
