import { Worker } from 'node:worker_threads';
import type { TestPictureLoop, TestPictureOptions } from '../ingest/fake/test-picture-source.ts';
import type { ForeignReading, ForeignSpec } from '../ingest/foreign/foreign-reader-port.ts';
import type { FailoverNotice } from '../ingest/failover-notice.ts';
import type { PublishRequest } from '../ingest/input.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { SegmenterResume } from '../segment/segmenter.ts';
import type { WindowEvent } from '../segment/window-event.ts';
import { Copies } from './copies.ts';
import { MediaThread } from './media-thread.ts';
import { localPipes } from './message-pipe.ts';
import type { FromMediaThread, MediaThreadOptions, MessagePipe, PublishAnswer, StreamSpec, StreamStatus, ThreadStatus, ToMediaThread } from './messages.ts';

/** What the engine needs from the house. */
export interface EnginePort {
  /** Something happened to the window of a stream. */
  window(id: number, events: readonly WindowEvent[]): void;
  /** Measurements of the streams of one thread, about once a second. */
  status(thread: ThreadStatus, streams: readonly StreamStatus[]): void;
  /** Decides about a publisher; on acceptance the stream opens on the thread that asks. */
  decidePublish(request: PublishRequest, threadIndex: number): Promise<PublishAnswer>;
  /** The publisher of a stream is gone. */
  publishEnded(id: number): void;
  /** Something happened to the inputs of a stream. */
  notice(id: number, notice: FailoverNotice): void;
  /** Makes a test picture, or finds it made. */
  testPicture(options: TestPictureOptions): Promise<TestPictureLoop>;
  /** Starts a codec process that reads an address. */
  readForeign(spec: ForeignSpec): ForeignReading;
}

/** How the engine runs. */
export interface EngineOptions {
  /** Media threads; 0 runs everything in the calling thread, for tests. */
  readonly threads: number;
  /** Entry of a media thread: `media-thread.js` or `.ts`. */
  readonly threadEntry: URL;
  readonly rtmp?: { readonly host: string | null; readonly port: number };
  readonly fileRoot: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** Where a closed stream may go on. */
export interface StreamEnd {
  readonly endMs: number;
  readonly resume: SegmenterResume;
}

interface Thread {
  readonly index: number;
  readonly pipe: MessagePipe<ToMediaThread, FromMediaThread>;
  readonly ready: Promise<number | null>;
  readonly closed: Promise<void>;
  streams: number;
  /** What codec processes read for it, by number of the request. */
  readonly foreign: Map<number, ForeignReading>;
}

/** The media threads as the server thread sees them. */
export class Engine {
  /** Port that encoders publish to by RTMP; null for none. Known after `start`. */
  rtmpPort: number | null = null;
  readonly #options: EngineOptions;
  readonly #port: EnginePort;
  readonly #threads: Thread[] = [];
  readonly #homes = new Map<number, Thread>();
  readonly #copies = new Copies();
  readonly #closing = new Map<number, (end: StreamEnd) => void>();
  readonly #httpClosed = new Map<number, (code: string, detail: string) => void>();
  #nextHttpRequest = 1;

  constructor(options: EngineOptions, port: EnginePort) {
    this.#options = options;
    this.#port = port;
  }

  /** Starts the threads. Rejects with the words of a listener that could not be opened. */
  async start(): Promise<void> {
    const count = Math.max(1, this.#options.threads);
    for (let index = 0; index < count; index++) {
      const thread = this.#startThread(index, this.rtmpPort);
      this.#threads.push(thread);
      // The first thread finds the port; the others share it.
      const port = await thread.ready;
      this.rtmpPort ??= port;
    }
  }

  /** Closes all streams and threads. */
  async close(): Promise<void> {
    for (const thread of this.#threads) thread.pipe.post({ kind: 'close' });
    await Promise.all(this.#threads.map((thread) => thread.closed));
  }

  /** Opens a stream that has an input of its own, on the thread that has the fewest. */
  open(stream: StreamSpec): void {
    const thread = this.#leastLoaded();
    this.#settle(stream, thread);
    thread.pipe.post({ kind: 'open', stream });
  }

  /** Closes a stream; resolves with where it ended. */
  closeStream(id: number): Promise<StreamEnd> {
    const thread = this.#homes.get(id);
    if (!thread) return Promise.resolve({ endMs: 0, resume: { nextMsn: 0, nextInitId: 0, isContinuation: false } });
    return new Promise((resolve) => {
      this.#closing.set(id, resolve);
      thread.pipe.post({ kind: 'close-stream', id });
    });
  }

  /** Puts an input of a stream on air, by its place in the configuration; null for the best one again. */
  selectInput(id: number, index: number | null): void {
    this.#homes.get(id)?.pipe.post({ kind: 'select-input', id, index });
  }

  /** Index of the thread that a stream lives on. */
  homeOf(id: number): number | undefined {
    return this.#homes.get(id)?.index;
  }

  /** Index of the thread that the next stream should live on. */
  get leastLoadedThread(): number {
    return this.#leastLoaded().index;
  }

  /** Starts to take MPEG-TS that comes in as the body of an HTTP request. */
  publishByHttp(
    request: PublishRequest,
    answer: PublishAnswer & { accepted: true },
    threadIndex: number,
    closed: (code: string, detail: string) => void,
  ): { push(bytes: Uint8Array): void; end(detail: string): void } {
    const requestId = this.#nextHttpRequest++;
    const thread = this.#threads[threadIndex] ?? this.#leastLoaded();
    this.#settle(answer.stream, thread);
    this.#httpClosed.set(requestId, closed);
    thread.pipe.post({ kind: 'http-publish', requestId, request, answer });
    return {
      push(bytes) {
        thread.pipe.post({ kind: 'http-bytes', requestId, bytes });
      },
      end(detail) {
        thread.pipe.post({ kind: 'http-end', requestId, detail });
      },
    };
  }

  #startThread(index: number, knownPort: number | null): Thread {
    const { rtmp, fileRoot, threads } = this.#options;
    const options: MediaThreadOptions = {
      index,
      fileRoot,
      ...(rtmp && (index === 0 || process.platform === 'linux')
        ? { rtmp: { ...(rtmp.host === null ? {} : { host: rtmp.host }), port: knownPort ?? rtmp.port, reusePort: threads > 1 } }
        : {}),
    };
    const settled = Promise.withResolvers<number | null>();
    const closed = Promise.withResolvers<undefined>();
    const pipe = this.#options.threads === 0 ? this.#startLocally(options) : this.#startWorker(options, settled, closed);
    const thread: Thread = { index, pipe, ready: settled.promise, closed: closed.promise, streams: 0, foreign: new Map() };
    pipe.onMessage((message) => {
      if (message.kind === 'ready') settled.resolve(message.rtmpPort);
      else if (message.kind === 'failed') settled.reject(new Error(message.detail));
      else if (message.kind === 'closed') closed.resolve(undefined);
      else void this.#take(thread, message);
    });
    return thread;
  }

  #startLocally(options: MediaThreadOptions): MessagePipe<ToMediaThread, FromMediaThread> {
    const { server, media } = localPipes<ToMediaThread, FromMediaThread>();
    void new MediaThread(options, media, this.#options.clock).start();
    return server;
  }

  #startWorker(
    options: MediaThreadOptions,
    settled: PromiseWithResolvers<number | null>,
    closed: PromiseWithResolvers<undefined>,
  ): MessagePipe<ToMediaThread, FromMediaThread> {
    const worker = new Worker(this.#options.threadEntry, { workerData: options, name: `media-${options.index}` });
    worker.on('error', (error: Error) => {
      this.#options.log.error('a media thread failed', { thread: options.index, error: error.stack ?? error.message });
      settled.reject(error);
    });
    worker.on('exit', () => {
      closed.resolve(undefined);
    });
    return {
      post(message) {
        worker.postMessage(message);
      },
      onMessage(listener) {
        worker.on('message', listener);
      },
      close() {
        void worker.terminate();
      },
    };
  }

  #leastLoaded(): Thread {
    return this.#threads.reduce((least, other) => (other.streams < least.streams ? other : least));
  }

  #settle({ id, name }: StreamSpec, thread: Thread): void {
    this.#copies.opened(name, id);
    if (this.#homes.get(id) === thread) return;
    this.#homes.set(id, thread);
    thread.streams++;
  }

  async #take(thread: Thread, message: Exclude<FromMediaThread, { kind: 'ready' | 'failed' | 'closed' }>): Promise<void> {
    switch (message.kind) {
      case 'windows':
        for (const { id, events } of message.batches) {
          this.#copies.events(id, events);
          this.#port.window(id, events);
        }
        return;
      case 'status':
        this.#port.status(message.thread, message.streams);
        return;
      case 'publish-request': {
        const answer = await this.#port.decidePublish(message.request, thread.index);
        if (answer.accepted) this.#settle(answer.stream, thread);
        thread.pipe.post({ kind: 'publish-answer', requestId: message.requestId, answer });
        return;
      }
      case 'fault':
        this.#options.log.error('a fault in a media thread; it goes on', { thread: thread.index, error: message.detail });
        return;
      case 'notice':
        this.#port.notice(message.id, message.notice);
        return;
      case 'publish-ended':
        this.#port.publishEnded(message.id);
        return;
      case 'http-closed':
        this.#httpClosed.get(message.requestId)?.(message.code, message.detail);
        this.#httpClosed.delete(message.requestId);
        return;
      case 'test-picture':
        await this.#testPicture(thread, message.requestId, message.options);
        return;
      case 'copy-open':
        this.#copies.open(`${thread.index}/${message.requestId}`, message.source, message.follower, (events) => {
          thread.pipe.post({ kind: 'copy-events', requestId: message.requestId, events });
        });
        return;
      case 'copy-close':
        this.#copies.close(`${thread.index}/${message.requestId}`);
        return;
      case 'foreign-open':
        this.#openForeign(thread, message.requestId, message.spec);
        return;
      case 'foreign-close':
        thread.foreign.get(message.requestId)?.close();
        return;
      case 'stream-closed':
        this.#homes.delete(message.id);
        this.#copies.closed(message.id);
        thread.streams--;
        this.#closing.get(message.id)?.({ endMs: message.endMs, resume: message.resume });
        this.#closing.delete(message.id);
        return;
      default:
        message satisfies never;
    }
  }

  #openForeign(thread: Thread, requestId: number, spec: ForeignSpec): void {
    const reading = this.#port.readForeign(spec);
    thread.foreign.set(requestId, reading);
    void reading.ended.then((words) => {
      thread.foreign.delete(requestId);
      thread.pipe.post({ kind: 'foreign-ended', requestId, ...(words === undefined ? {} : { words }) });
    });
  }

  async #testPicture(thread: Thread, requestId: number, options: TestPictureOptions): Promise<void> {
    try {
      const loop = await this.#port.testPicture(options);
      thread.pipe.post({ kind: 'test-picture', requestId, loop });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'internal';
      thread.pipe.post({ kind: 'test-picture', requestId, error: { code, message } });
    }
  }
}
