import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { ExternalReading, ExternalSpec } from '../ingest/external/external-reader-port.ts';
import type { FailoverNotice } from '../ingest/failover-notice.ts';
import type { TestPictureLoop, TestPictureSpec } from '../ingest/fake/test-picture-source.ts';
import type { PublishRequest } from '../ingest/input.ts';
import type { ResumePoint } from '../segment/run-window.ts';
import { Copies } from './copies.ts';
import { publishByHttp, type HttpPublisherFeed, type HttpPublisherPort } from './http-publish.ts';
import type { MediaWorker } from './media-worker.ts';
import { MediaWorkers, type EngineOptions, type MediaWorkersPort } from './media-workers.ts';
import type {
  MediaThreadOptions,
  AcceptedPublisher,
  PublishAnswer,
  PublishDecided,
  StreamMeasurements,
  StreamSpec,
  ThreadStatus,
} from './messages.ts';
import { RtmpListeners, type OpenRtmpPort, type RtmpAddress } from './rtmp-listeners.ts';
import { StreamHomes, type StreamHomesPort } from './stream-homes.ts';

/** What the engine needs from the server. */
export interface EnginePort extends StreamHomesPort, Pick<MediaWorkersPort, 'inputAtFault'> {
  /** Measurements of the streams of one thread, about once a second; of single ones at once when something happened to their inputs, without the thread. */
  status(thread: ThreadStatus | null, streams: readonly StreamMeasurements[]): void;
  /**
   * Decides about a publisher. `place` is called at the moment it is accepted: the stream opens where it is not open yet, on
   * the thread that holds the connection.
   */
  decidePublish(request: PublishRequest, place: (stream: StreamSpec) => void): Promise<PublishAnswer>;
  /** A publisher of a stream is gone. @param publication its number; another one may have taken its place */
  publishEnded(id: number, publication: number | undefined): void;
  /** Something happened to the inputs of a stream. */
  notice(id: number, notice: FailoverNotice): void;
  /** Makes a test picture, or finds it made. */
  testPicture(wanted: TestPictureSpec): Promise<TestPictureLoop>;
  /** Starts a codec process that reads an address. */
  readExternal(spec: ExternalSpec): ExternalReading;
}

/** How many connections there may be by RTMP: in all, and of one address. */
interface RtmpConnectionSettings {
  readonly rtmpConnections: number;
  readonly rtmpConnectionsOfAddress: number;
  /** Ports without TLS, and with it. */
  readonly rtmp: readonly unknown[];
  readonly rtmps: readonly unknown[];
}

/** The media threads as the server thread sees them. */
export class Engine {
  /** Encoders so far whose connection lay on another thread than their stream. */
  relayedPublishers = 0;
  readonly #port: EnginePort;
  readonly #workers: MediaWorkers;
  readonly #copies = new Copies();
  readonly #homes: StreamHomes;
  readonly #rtmp: RtmpListeners;
  #folders: MediaThreadOptions['readableFolders'] = { folders: [], named: new Map() };

  constructor(options: EngineOptions, port: EnginePort) {
    this.#port = port;
    this.#homes = new StreamHomes(port, this.#copies);
    // Only Linux shares the connections of a port out to several listeners.
    const isShared = process.platform === 'linux';
    this.#workers = new MediaWorkers(options, {
      handlers: (worker) => this.#handlers(worker, options.log),
      readableFolders: () => this.#folders,
      launched: (worker, isAgain) => {
        this.#homes.launched(worker);
        if (isAgain && (isShared || worker.index === 0)) this.#rtmp.launched(worker);
      },
      inputAtFault: (input, detail) => {
        port.inputAtFault(input, detail);
      },
      died: (worker, reason) => this.#homes.lose(worker, reason),
    });
    this.#rtmp = new RtmpListeners(
      () => (isShared ? this.#workers.all : this.#workers.all.slice(0, 1)),
      isShared && options.threads > 1,
    );
  }

  /** The connections of encoders by RTMP, of all ports and threads. */
  get rtmpConnections(): Pick<MediaWorkers['rtmpConnections'], 'total' | 'limit' | 'isFull' | 'allow'> {
    return this.#workers.rtmpConnections;
  }

  /** Limits those; connections that are open stay. */
  limitRtmp({ rtmpConnections, rtmpConnectionsOfAddress, rtmp, rtmps }: RtmpConnectionSettings): void {
    this.#workers.rtmpConnections.apply({
      maxConnections: rtmpConnections,
      maxPerAddress: rtmpConnectionsOfAddress,
      hasBothKinds: rtmp.length > 0 && rtmps.length > 0,
    });
  }

  /** Takes encoders by RTMP; rejects with why the port cannot be had. */
  listenRtmp(address: RtmpAddress): Promise<OpenRtmpPort> {
    return this.#rtmp.open(address);
  }

  /** Says which folders files may be read from, beside the data folder; holds for what is opened from now on. */
  allowFolders(folders: MediaThreadOptions['readableFolders']): void {
    this.#folders = folders;
    for (const { channel } of this.#workers.all) channel.emit('readable-folders', folders);
  }

  /** Starts the threads. Rejects with why one could not be started. */
  start(): Promise<void> {
    return this.#workers.start();
  }

  /** Closes all streams and threads; resolves in bounded time. Raises which threads did not end. */
  close(): Promise<void> {
    return this.#workers.close();
  }

  /** Opens a stream that has an input of its own, on the thread that has the fewest. */
  open(stream: StreamSpec): void {
    this.#homes.open(stream, this.#workers.leastLoaded);
  }

  /** Closes a stream; resolves with where it ended. */
  closeStream(id: number): Promise<ResumePoint> {
    return this.#homes.close(id);
  }

  /** Puts an input of a stream on air, by its place in the configuration; null for the best one again. */
  selectInput(id: number, index: number | null): void {
    this.#homes.select(id, index);
  }

  /** Marks a splice point in a stream. Returns whether the stream runs. @param atMs when it takes effect, in epoch milliseconds */
  splice(id: number, section: Uint8Array, atMs: number): boolean {
    return this.#homes.splice(id, section, atMs);
  }

  /** The open parts of a stream are wanted in chunks, too. @param untilMs epoch milliseconds */
  wantChunks(id: number, untilMs: number): void {
    this.#homes.wantChunks(id, untilMs);
  }

  /** Whether another stream copies one of this name, or waits to. */
  isCopied(name: string): boolean {
    return this.#copies.isFollowed(name);
  }

  /** Index of the thread that a stream lives on. */
  homeOf(id: number): number | undefined {
    return this.#homes.workerOf(id)?.index;
  }

  /** Starts to take MPEG-TS that comes in as the body of an HTTP request. */
  publishByHttp(
    request: PublishRequest,
    { stream }: PublishAnswer & { accepted: true },
    port: HttpPublisherPort,
  ): HttpPublisherFeed {
    const home = this.#homes.workerOf(stream.id);
    const worker = home && !home.isDead ? home : this.#workers.leastLoaded;
    return publishByHttp(worker.channel, { request, stream: this.#homes.arrive(stream, worker) }, port);
  }

  /** Joins what a media thread says with who hears it. */
  #handlers(worker: MediaWorker, log: EngineOptions['log']): ReturnType<MediaWorkersPort['handlers']> {
    const port = this.#port;
    return {
      calls: {
        publish: async (request, call) => {
          const answer = await port.decidePublish(request, (stream) => {
            call.answer(...this.#place(worker, { request, stream }));
          });
          if (!answer.accepted) call.answer(answer);
        },
        'test-picture': async (wanted, call) => {
          call.answer(await port.testPicture(wanted));
        },
        'read-external': async (spec, call) => {
          const reading = port.readExternal(spec);
          call.signal.addEventListener('abort', () => {
            reading.close();
          });
          call.answer(await reading.ended);
        },
      },
      feeds: {},
      subscriptions: { copy: (wanted, feed) => this.#copies.open(wanted, feed, worker.flight) },
      events: {
        ready: () => {
          worker.begin();
        },
        fault: (error) => {
          log.error('an error in a media thread; it continues', { thread: worker.index, error });
        },
        windows: (batches) => {
          this.#homes.windows(batches);
        },
        status: ({ thread, streams }) => {
          if (thread) this.#workers.refused(worker, thread.refusedConnections);
          port.status(thread, streams);
        },
        'publish-ended': ({ id, publication }) => {
          port.publishEnded(id, publication);
        },
        notice: ({ id, notice }) => {
          port.notice(id, notice);
        },
      },
    };
  }

  /** Lets an encoder into the stream where that runs: a stream cannot move to the thread of the connection. */
  #place(worker: MediaWorker, accepted: AcceptedPublisher): [PublishDecided, MessagePort[]] {
    const { stream } = accepted;
    const home = this.#homes.workerOf(stream.id);
    if (worker.isDead) {
      // The encoder's connection died with it.
      if (home) this.#port.publishEnded(stream.id, stream.publication);
      else this.#port.streamLost(stream.id, stream, 'it died while an encoder came');
      return [{ accepted: true, stream }, []];
    }
    if (!home || home === worker || home.isDead)
      return [{ accepted: true, stream: this.#homes.arrive(stream, worker) }, []];
    this.relayedPublishers++;
    const { port1, port2 } = new MessageChannel();
    home.channel.ask('take-relay', { ...accepted, relay: port1 }, { transfer: [port1] }).catch(() => {
      // It died: the other end learns that its thread is gone.
      port1.close();
    });
    return [{ accepted: true, stream, relay: port2 }, [port2]];
  }
}
