import { runInTurns } from '../lib/turns.ts';
import { releaseEvents } from '../segment/live-window.ts';
import type { ResumePoint, RunWindow } from '../segment/run-window.ts';
import type { Copies } from './copies.ts';
import type { MediaWorker } from './media-worker.ts';
import type { PushNotice, PushSpec } from '../push/push-spec.ts';
import type { StreamSpec, WindowBatch } from './messages.ts';

/** Functions that the assignment of streams needs from the owner of their windows. */
export interface StreamHomesPort {
  /** Creates the window for the events of a new run. */
  window(id: number): RunWindow;
  /** Called when the thread of a stream died. The run has ended; the stream may be opened again at the resume point. */
  streamLost(id: number, end: ResumePoint, detail: string): void;
  /** Called with an event of a push of a stream. */
  pushNotice(id: number, notice: PushNotice): void;
}

/** Called when a run is assigned to a thread. */
export type HomeOpened = (home: { readonly stream: StreamSpec; readonly worker: MediaWorker }) => void;

/** A stream on its thread. */
interface Home {
  stream: StreamSpec;
  readonly worker: MediaWorker;
  readonly run: RunWindow;
  /** True if the stream was sent to the thread. */
  isSent: boolean;
  /** Index of the input that was selected while the thread was not running; null for the best one. */
  selected?: number | null;
  isClosing: boolean;
}

/** Assigns streams to media threads. Runs on the server thread. */
export class StreamHomes {
  readonly #port: StreamHomesPort;
  readonly #copies: Copies;
  readonly #homes = new Map<number, Home>();
  readonly #opened: HomeOpened;

  constructor(port: StreamHomesPort, copies: Copies, opened: HomeOpened) {
    this.#opened = opened;
    this.#port = port;
    this.#copies = copies;
  }

  /** Thread of a stream; undefined without one. */
  workerOf(id: number): MediaWorker | undefined {
    return this.#homes.get(id)?.worker;
  }

  /** Thread and specification of the open run of a stream. */
  homeOf(name: string): { readonly stream: StreamSpec; readonly worker: MediaWorker } | undefined {
    for (const home of this.#homes.values()) if (home.stream.name === name && !home.isClosing) return home;
    return undefined;
  }

  /** Opens a stream that is not published. */
  open(stream: StreamSpec, worker: MediaWorker): void {
    const home = this.#settle(stream, worker);
    home.isSent = worker.channel.emit('open', home.stream);
  }

  /**
   * Assigns a stream to the thread of its publisher; returns the specification with which the stream is opened there.
   */
  arrive(stream: StreamSpec, worker: MediaWorker): StreamSpec {
    const isKnown = this.workerOf(stream.id) === worker;
    const home = this.#settle(stream, worker);
    home.isSent = true;
    return isKnown ? stream : home.stream;
  }

  /** Closes a stream; resolves with its resume point. */
  async close(id: number): Promise<ResumePoint> {
    const home = this.#homes.get(id);
    if (!home) return { endMs: 0, resume: { nextMsn: 0, nextInitId: 0, isContinuation: false } };
    const { worker, run, isSent } = home;
    home.isClosing = true;
    const closing = isSent ? worker.channel.call('close-stream', id) : Promise.resolve(0);
    let endMs = 0;
    // If the thread was not launched yet, the thread closes the stream when it starts. The caller does not wait for
    // that.
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

  /** Puts an input of a stream on air, by its index in the configuration; null for the best one. */
  select(id: number, index: number | null): void {
    const home = this.#homes.get(id);
    if (home && !home.worker.channel.emit('select-input', { id, index })) home.selected = index;
  }

  /** Sends a stream to these servers, and to no others. */
  push(id: number, pushes: readonly PushSpec[]): void {
    const home = this.#homes.get(id);
    if (!home) return;
    home.stream = { ...home.stream, pushes };
    if (home.isSent) home.worker.channel.emit('pushes', { id, pushes });
  }

  /** Inserts a splice point into a stream; returns false if its thread does not run. */
  splice(id: number, section: Uint8Array, atMs: number): boolean {
    return this.#homes.get(id)?.worker.channel.emit('splice', { id, atMs, section }) ?? false;
  }

  /**
   * Requests the open parts of a stream in chunks, in addition to its complete parts.
   * @param untilMs epoch milliseconds
   */
  wantChunks(id: number, untilMs: number): void {
    this.#homes.get(id)?.worker.channel.emit('want-chunks', { id, untilMs });
  }

  /** Applies the window events of a thread. */
  windows(batches: readonly WindowBatch[]): void {
    for (const { id, events } of batches) {
      const run = this.#homes.get(id)?.run;
      if (run) run.apply(events);
      else releaseEvents(events);
    }
  }

  /** Sends the streams and selections that waited for a thread. */
  launched(worker: MediaWorker): void {
    for (const [id, home] of this.#homes) {
      if (home.worker !== worker) continue;
      if (!home.isSent) home.isSent = worker.channel.emit('open', home.stream);
      if (home.selected !== undefined) worker.channel.emit('select-input', { id, index: home.selected });
    }
  }

  /** Ends the windows of the streams of a dead thread, one in each turn of the event loop. */
  async lose(worker: MediaWorker, reason: string): Promise<void> {
    await runInTurns(this.#loseAll(worker, reason));
  }

  *#loseAll(worker: MediaWorker, reason: string): Generator<void, void> {
    for (const [id, { worker: home, run, isClosing }] of this.#homes) {
      // A stream that is closing has a caller of `close`, which handles the end.
      if (home !== worker || isClosing) continue;
      run.interrupt();
      this.#forget(id);
      this.#port.streamLost(id, run.resumePoint, reason);
      yield;
    }
  }

  /** Assigns a run to a thread. A run whose thread died continues after the output of the dead thread. */
  #settle(stream: StreamSpec, worker: MediaWorker): Home {
    const { id, name } = stream;
    const existing = this.#homes.get(id);
    if (existing?.worker === worker) return existing;
    const run = existing?.run ?? this.#port.window(id);
    if (existing) run.interrupt();
    else this.#copies.opened(name, run);
    const home = { stream: { ...stream, ...run.resumePoint }, worker, run, isSent: false, isClosing: false };
    this.#homes.set(id, home);
    worker.streams++;
    this.#opened(home);
    return home;
  }

  /** Removes the assignment of a stream. */
  #forget(id: number): void {
    const home = this.#homes.get(id);
    if (home) home.worker.streams--;
    this.#homes.delete(id);
  }
}
