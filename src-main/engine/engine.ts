import { MessageChannel } from 'node:worker_threads';
import type { TestPictureLoop, TestPictureOptions } from '../ingest/fake/test-picture-source.ts';
import type { ExternalReading, ExternalSpec } from '../ingest/external/external-reader-port.ts';
import type { FailoverNotice } from '../ingest/failover-notice.ts';
import type { PublishRequest } from '../ingest/input.ts';
import { BackOff } from '../lib/back-off.ts';
import type { Clock } from '../lib/clock.ts';
import { fileShare, releaseFileTurns } from '../lib/file-turns.ts';
import type { Log } from '../lib/log.ts';
import { runInTurns } from '../lib/turns.ts';
import { releaseEvents } from '../segment/live-window.ts';
import type { ResumePoint, RunWindow } from '../segment/run-window.ts';
import { Copies } from './copies.ts';
import { HttpRequests, type HttpPublisherFeed, type HttpPublisherPort } from './http-requests.ts';
import type { FromMediaThread, PublishAnswer, StreamSpec, StreamStatus, ThreadStatus } from './messages.ts';
import { RtmpListeners, type OpenRtmpPort, type RtmpAddress } from './rtmp-listeners.ts';
import { MediaWorker } from './media-worker.ts';
import type { WorkedInput } from './work-mark.ts';

/** What the engine needs from the server. */
export interface EnginePort {
  /** The window of a run that opens: it takes all events of the run. */
  window(id: number): RunWindow;
  /** Measurements of the streams of one thread, about once a second. */
  status(thread: ThreadStatus, streams: readonly StreamStatus[]): void;
  /**
   * Decides about a publisher. `place` is called at the moment it is accepted: the stream opens where it is not open yet, on
   * the thread that holds the connection.
   */
  decidePublish(request: PublishRequest, place: (stream: StreamSpec) => void): Promise<PublishAnswer>;
  /** A publisher of a stream is gone. @param publication its number; another one may have taken its place */
  publishEnded(id: number, publication: number | undefined): void;
  /** Something happened to the inputs of a stream. */
  notice(id: number, notice: FailoverNotice): void;
  /** An input ended its thread, by stall or by exhausted memory; reported before its streams are lost. */
  inputAtFault(input: WorkedInput, detail: string): void;
  /** The thread of a stream died: its run is over, and it may be opened again from there. */
  streamLost(id: number, end: ResumePoint, detail: string): void;
  /** Makes a test picture, or finds it made. */
  testPicture(options: TestPictureOptions): Promise<TestPictureLoop>;
  /** Starts a codec process that reads an address. */
  readExternal(spec: ExternalSpec): ExternalReading;
}

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

/** A thread that died waits so long before it is started again, longer each time, in milliseconds. */
const FIRST_PAUSE_MS = 250;
/** A thread that lived so long begins with the first pause again, in milliseconds. */
const STEADY_MS = 60_000;
/** A thread that has not closed its streams after this long is ended, in milliseconds. */
const CLOSE_MS = 3000;
/** How often it is looked whether threads respond, in milliseconds. */
const WATCH_MS = 1000;
const THREAD_HEAP_MB = 1024;

/** The media threads as the server thread sees them. */
export class Engine {
  /** Encoders so far whose connection lay on another thread than their stream. */
  relayedPublishers = 0;
  readonly #options: EngineOptions;
  readonly #port: EnginePort;
  readonly #threads: MediaWorker[] = [];
  readonly #backOffs: BackOff[] = [];
  readonly #homes = new Map<number, { readonly worker: MediaWorker; readonly run: RunWindow }>();
  readonly #copies = new Copies();
  readonly #rtmp: RtmpListeners;
  readonly #closing = new Map<number, (end: ResumePoint) => void>();
  readonly #httpRequests = new HttpRequests();
  readonly #fileTurns: SharedArrayBuffer;
  #allowedPaths: readonly string[] = [];
  #nextWorker = 1;
  #hasStarted = false;
  #isClosed = false;
  #cancelWatch: (() => void) | undefined;

  constructor(options: EngineOptions, port: EnginePort) {
    this.#options = options;
    this.#port = port;
    this.#fileTurns = new SharedArrayBuffer(4 * (1 + Math.max(1, options.threads)));
    // Only Linux shares the connections of a port out to several listeners.
    const isShared = process.platform === 'linux';
    this.#rtmp = new RtmpListeners(
      () => (isShared ? this.#threads : this.#threads.slice(0, 1)),
      isShared && options.threads > 1,
    );
  }

  /** Takes encoders by RTMP; rejects with why the port cannot be had. */
  listenRtmp(address: RtmpAddress): Promise<OpenRtmpPort> {
    return this.#rtmp.open(address);
  }

  /** Says which folders files may be read from, beside the data folder; holds for what is opened from now on. */
  allowPaths(paths: readonly string[]): void {
    this.#allowedPaths = paths;
    for (const worker of this.#threads) worker.post({ kind: 'allowed-paths', paths });
  }

  /** Starts the threads. Rejects with why one could not be started. */
  async start(): Promise<void> {
    const count = Math.max(1, this.#options.threads);
    for (let index = 0; index < count; index++) {
      const worker = this.#newWorker(index);
      this.#threads.push(worker);
      this.#backOffs.push(new BackOff({ firstMs: FIRST_PAUSE_MS }));
      this.#launch(worker);
      await worker.ready;
    }
    this.#hasStarted = true;
    this.#watch();
  }

  /** Closes all streams and threads; resolves in bounded time. Raises which threads did not end. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelWatch?.();
    for (const worker of this.#threads) {
      if (worker.isLaunched) worker.post({ kind: 'close' });
      else worker.kill('the server closes');
    }
    const cancel = this.#options.clock.after(CLOSE_MS, () => {
      for (const worker of this.#threads) worker.kill('it did not close');
    });
    await Promise.all(this.#threads.map((worker) => worker.gone));
    cancel();
    const stuck = this.#threads.filter(({ isStuck }) => isStuck).map(({ index }) => index);
    if (stuck.length > 0) throw new Error(`the media threads ${stuck.join(', ')} do not end`);
  }

  /** Opens a stream that has an input of its own, on the thread that has the fewest. */
  open(stream: StreamSpec): void {
    const worker = this.#leastLoaded();
    worker.post({ kind: 'open', stream: this.#settle(stream, worker) });
  }

  /** Closes a stream; resolves with where it ended. */
  closeStream(id: number): Promise<ResumePoint> {
    const worker = this.#homes.get(id)?.worker;
    if (!worker) return Promise.resolve({ endMs: 0, resume: { nextMsn: 0, nextInitId: 0, isContinuation: false } });
    const { promise, resolve } = Promise.withResolvers<ResumePoint>();
    this.#closing.set(id, resolve);
    if (worker.isDead || worker.isLaunched) worker.post({ kind: 'close-stream', id });
    else {
      worker.forget(id);
      this.#closed(id);
    }
    return promise;
  }

  /** Puts an input of a stream on air, by its place in the configuration; null for the best one again. */
  selectInput(id: number, index: number | null): void {
    this.#homes.get(id)?.worker.post({ kind: 'select-input', id, index });
  }

  /** Whether another stream copies one of this name, or waits to. */
  isCopied(name: string): boolean {
    return this.#copies.isFollowed(name);
  }

  /** Index of the thread that a stream lives on. */
  homeOf(id: number): number | undefined {
    return this.#homes.get(id)?.worker.index;
  }

  /** Starts to take MPEG-TS that comes in as the body of an HTTP request. */
  publishByHttp(
    request: PublishRequest,
    answer: PublishAnswer & { accepted: true },
    port: HttpPublisherPort,
  ): HttpPublisherFeed {
    const home = this.#homes.get(answer.stream.id)?.worker;
    const worker = home && !home.isDead ? home : this.#leastLoaded();
    const stream = this.#settle(answer.stream, worker);
    return this.#httpRequests.open(worker, request, { ...answer, stream }, port);
  }

  /** A media worker that is not launched yet. */
  #newWorker(index: number): MediaWorker {
    const { threads, threadEntry, threadHeapMb, clock } = this.#options;
    const worker = new MediaWorker({
      index,
      number: this.#nextWorker++,
      entry: threads === 0 ? undefined : threadEntry,
      clock,
      heapMb: threadHeapMb ?? THREAD_HEAP_MB,
      handlers: {
        calls: {
          'test-picture': async (wanted, call) => {
            call.answer(await this.#port.testPicture(wanted));
          },
          'read-external': async (spec, call) => {
            const reading = this.#port.readExternal(spec);
            call.signal.addEventListener('abort', () => {
              reading.close();
            });
            call.answer(await reading.ended);
          },
        },
        feeds: {},
        subscriptions: {},
        events: {},
      },
      said: (said, message) => {
        void this.#take(said, message);
      },
    });
    void worker.gone.then((reason) => this.#died(worker, reason));
    worker.post({ kind: 'allowed-paths', paths: this.#allowedPaths });
    return worker;
  }

  #launch(worker: MediaWorker): void {
    const { fileRoot, ownPorts } = this.#options;
    worker.launch({ fileRoot, ownPorts, fileTurns: this.#fileTurns, fileLimit: fileShare() });
    if (this.#threads.includes(worker) && this.#hasStarted && (process.platform === 'linux' || worker.index === 0))
      this.#rtmp.launched(worker);
  }

  /** A thread is gone, and with it all that it held: its streams go on elsewhere, and after a pause it is started again. */
  async #died(worker: MediaWorker, reason: string): Promise<void> {
    if (this.#isClosed || !this.#hasStarted) return;
    const { clock, log } = this.#options;
    const next = this.#newWorker(worker.index);
    this.#threads[worker.index] = next;
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
    if (!worker.isStuck) releaseFileTurns(this.#fileTurns, worker.index);
    worker.flight.releaseAll();
    this.#copies.closeAll(`${worker.number}/`);
    this.#httpRequests.lost(worker, reason);
    await runInTurns(this.#loseStreams(worker, reason));
  }

  *#loseStreams(worker: MediaWorker, reason: string): Generator<void, void> {
    for (const [id, { worker: home, run }] of this.#homes) {
      if (home !== worker) continue;
      run.interrupt();
      if (!this.#closed(id)) this.#port.streamLost(id, run.resumePoint, reason);
      yield;
    }
  }

  /** A stream lives nowhere any more: tells who closes it where it ended, and returns whether somebody does. @param endMs where its thread says that the timeline ends */
  #closed(id: number, endMs = 0): boolean {
    const home = this.#homes.get(id);
    const closing = this.#closing.get(id);
    if (!home) return false;
    home.worker.streams--;
    this.#homes.delete(id);
    this.#closing.delete(id);
    const { resumePoint } = home.run;
    closing?.({ ...resumePoint, endMs: Math.max(endMs, resumePoint.endMs) });
    return closing !== undefined;
  }

  #watch(): void {
    this.#cancelWatch = this.#options.clock.after(WATCH_MS, () => {
      for (const worker of this.#threads) worker.tick();
      this.#watch();
    });
  }

  #leastLoaded(): MediaWorker {
    return this.#threads.reduce((least, other) => {
      if (least.isReady !== other.isReady) return least.isReady ? least : other;
      return other.streams < least.streams ? other : least;
    });
  }

  /** Gives a run a thread to live on. Returns what it is opened with there: behind what it showed on a thread that died. */
  #settle(stream: StreamSpec, worker: MediaWorker): StreamSpec {
    const { id, name } = stream;
    const home = this.#homes.get(id);
    if (home?.worker === worker) return stream;
    const run = home?.run ?? this.#port.window(id);
    if (home) run.interrupt();
    else this.#copies.opened(name, run);
    this.#homes.set(id, { worker, run });
    worker.streams++;
    return { ...stream, ...run.resumePoint };
  }

  async #take(worker: MediaWorker, message: FromMediaThread): Promise<void> {
    switch (message.kind) {
      case 'windows':
        for (const { id, events } of message.batches) {
          const run = this.#homes.get(id)?.run;
          if (run) run.apply(events);
          else releaseEvents(events);
        }
        return;
      case 'status':
        this.#port.status(message.thread, message.streams);
        return;
      case 'publish-request': {
        const answer = await this.#port.decidePublish(message.request, (stream) => {
          this.#placePublisher(worker, message, stream);
        });
        if (!answer.accepted) worker.post({ kind: 'publish-answer', requestId: message.requestId, answer });
        return;
      }
      case 'fault':
        this.#options.log.error('an error in a media thread; it continues', {
          thread: worker.index,
          error: message.detail,
        });
        return;
      case 'notice':
        this.#port.notice(message.id, message.notice);
        return;
      case 'publish-ended':
        this.#port.publishEnded(message.id, message.publication);
        return;
      case 'http-closed':
        this.#httpRequests.closed(message.requestId, message.code, message.detail);
        return;
      case 'http-taken':
        this.#httpRequests.taken(message.requestId, message.bytes);
        return;
      case 'copy-open':
        this.#copies.open(`${worker.number}/${message.requestId}`, message.source, message.follower, (events) => {
          worker.flight.sent(events);
          worker.post({ kind: 'copy-events', requestId: message.requestId, events });
        });
        return;
      case 'copy-close':
        this.#copies.close(`${worker.number}/${message.requestId}`);
        return;
      case 'stream-closed':
        this.#closed(message.id, message.endMs);
        return;
      case 'rtmp-listening':
      case 'rtmp-failed':
      case 'rtmp-closed':
        this.#rtmp.take(worker, message);
        return;
      case 'ready':
      case 'closed':
        return;
      default:
        message satisfies never;
    }
  }

  /** Lets an encoder into the stream where that runs: a stream cannot move to the thread of the connection. */
  #placePublisher(worker: MediaWorker, asked: FromMediaThread & { kind: 'publish-request' }, stream: StreamSpec): void {
    const home = this.#homes.get(stream.id)?.worker;
    if (worker.isDead) {
      // The encoder's connection died with it.
      if (home) this.#port.publishEnded(stream.id, stream.publication);
      else this.#port.streamLost(stream.id, stream, 'it died while an encoder came');
      return;
    }
    const isHere = !home || home === worker || home.isDead;
    const answer = { accepted: true, stream: isHere ? this.#settle(stream, worker) : stream } as const;
    const taken = { kind: 'publish-answer', requestId: asked.requestId, answer } as const;
    if (isHere) worker.post(taken);
    else {
      this.relayedPublishers++;
      const { port1, port2 } = new MessageChannel();
      const underWay = new SharedArrayBuffer(4);
      home.post({ kind: 'relay-publish', request: asked.request, stream, relay: { port: port1, underWay } }, [port1]);
      worker.post({ ...taken, relay: { port: port2, underWay } }, [port2]);
    }
  }
}
