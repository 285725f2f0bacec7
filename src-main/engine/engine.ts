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
import { PlayRoutes, type DecidePlay } from './play-routes.ts';
import { RtmpListeners, type OpenRtmpPort, type RtmpAddress } from './rtmp-listeners.ts';
import { StreamHomes, type StreamHomesPort } from './stream-homes.ts';

/** Functions that the engine needs from the server. */
export interface EnginePort extends StreamHomesPort, Pick<MediaWorkersPort, 'inputAtFault'> {
  /**
   * Called with measurements: of one thread and all its streams about once a second; of single streams, with null for
   * the thread, shortly after an event of their inputs.
   */
  status(thread: ThreadStatus | null, streams: readonly StreamMeasurements[]): void;
  /**
   * Decides whether to accept a publisher. If so, calls `openRun` with the stream, which opens a closed stream on the
   * thread of the connection.
   */
  decidePublish(request: PublishRequest, openRun: (stream: StreamSpec) => void): Promise<PublishAnswer>;
  /** Decides whether a player is accepted, and opens its session. */
  decidePlay: DecidePlay;
  /** Called when a publisher has left. @param publication number of the publisher, which another one may have replaced */
  publishEnded(id: number, publication: number | undefined): void;
  /** Called with an event of the inputs of a stream. */
  notice(id: number, notice: FailoverNotice): void;
  /** Returns a test picture, from the cache if possible. */
  testPicture(spec: TestPictureSpec): Promise<TestPictureLoop>;
  /** Starts a codec process that reads an address. */
  readExternal(spec: ExternalSpec): ExternalReading;
}

/** Settings of RTMP connections: the maximum number in total and per address. */
interface RtmpConnectionSettings {
  readonly rtmpConnections: number;
  readonly rtmpConnectionsOfAddress: number;
  /** Ports without and with TLS. */
  readonly rtmp: readonly unknown[];
  readonly rtmps: readonly unknown[];
}

/** Controls the media threads from the server thread: opens streams on them and passes on their events. */
export class Engine {
  /** Number of publishers since the start whose connection and stream were on different threads. */
  relayedPublishers = 0;
  readonly #port: EnginePort;
  readonly #workers: MediaWorkers;
  readonly #copies = new Copies();
  readonly #homes: StreamHomes;
  readonly #plays: PlayRoutes;
  readonly #rtmp: RtmpListeners;
  #folders: MediaThreadOptions['readableFolders'] = { folders: [], named: new Map() };

  constructor(options: EngineOptions, port: EnginePort) {
    this.#port = port;
    this.#homes = new StreamHomes(port, this.#copies, (home) => {
      this.#plays.opened(home);
    });
    this.#plays = new PlayRoutes(port.decidePlay, (name) => this.#homes.homeOf(name));
    // Only Linux distributes the connections of one port to the listeners of several threads.
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
      died: (worker, reason) => {
        this.#plays.lose(worker);
        return this.#homes.lose(worker, reason);
      },
    });
    this.#rtmp = new RtmpListeners(
      () => (isShared ? this.#workers.all : this.#workers.all.slice(0, 1)),
      isShared && options.threads > 1,
    );
  }

  /** RTMP connections of encoders, on all ports and threads. */
  get rtmpConnections(): Pick<MediaWorkers['rtmpConnections'], 'total' | 'limit' | 'isFull' | 'allow'> {
    return this.#workers.rtmpConnections;
  }

  /** Number of relays of streams to RTMP players on other threads since the start. */
  get playRelays(): number {
    return this.#plays.relays;
  }

  /** Sets the limits of RTMP connections; open connections stay. */
  limitRtmp({ rtmpConnections, rtmpConnectionsOfAddress, rtmp, rtmps }: RtmpConnectionSettings): void {
    this.#workers.rtmpConnections.apply({
      maxConnections: rtmpConnections,
      maxPerAddress: rtmpConnectionsOfAddress,
      hasBothKinds: rtmp.length > 0 && rtmps.length > 0,
    });
  }

  /** Opens an RTMP port for encoders; rejects with the reason if it cannot be opened. */
  listenRtmp(address: RtmpAddress): Promise<OpenRtmpPort> {
    return this.#rtmp.open(address);
  }

  /** Sets the folders with readable files besides the data folder, for files opened from now on. */
  allowFolders(folders: MediaThreadOptions['readableFolders']): void {
    this.#folders = folders;
    for (const { channel } of this.#workers.all) channel.emit('readable-folders', folders);
  }

  /** Starts the threads. Rejects with the reason if one could not be started. */
  start(): Promise<void> {
    return this.#workers.start();
  }

  /** Closes all streams and threads; resolves in bounded time. Throws with the threads that did not end. */
  close(): Promise<void> {
    return this.#workers.close();
  }

  /** Opens a stream that is not published, on the thread with the fewest streams. */
  open(stream: StreamSpec): void {
    this.#homes.open(stream, this.#workers.leastLoaded);
  }

  /** Closes a stream; resolves with its resume point. */
  closeStream(id: number): Promise<ResumePoint> {
    return this.#homes.close(id);
  }

  /** Puts an input of a stream on air, by its index in the configuration; null for the best one. */
  selectInput(id: number, index: number | null): void {
    this.#homes.select(id, index);
  }

  /**
   * Inserts a splice point into a stream; returns false if the stream does not run.
   * @param atMs splice time, in epoch milliseconds
   */
  splice(id: number, section: Uint8Array, atMs: number): boolean {
    return this.#homes.splice(id, section, atMs);
  }

  /** Sends a stream to these servers, and to no others. */
  push(...request: Parameters<StreamHomes['push']>): void {
    this.#homes.push(...request);
  }

  /**
   * Requests the open parts of a stream in chunks, in addition to its complete parts.
   * @param untilMs epoch milliseconds
   */
  wantChunks(id: number, untilMs: number): void {
    this.#homes.wantChunks(id, untilMs);
  }

  /** Reports whether another stream copies the stream of this name, or waits for it to open. */
  isCopied(name: string): boolean {
    return this.#copies.isFollowed(name);
  }

  /** Index of the thread of a stream. */
  homeOf(id: number): number | undefined {
    return this.#homes.workerOf(id)?.index;
  }

  /** Starts to receive a publisher that sends MPEG-TS as the body of an HTTP request. */
  publishByHttp(
    request: PublishRequest,
    { stream }: PublishAnswer & { accepted: true },
    port: HttpPublisherPort,
  ): HttpPublisherFeed {
    const home = this.#homes.workerOf(stream.id);
    const worker = home && !home.isDead ? home : this.#workers.leastLoaded;
    return publishByHttp(worker.channel, { request, stream: this.#homes.arrive(stream, worker) }, port);
  }

  /** Opens an address for a short time, on a thread without streams (`ProbeWorker.probe`). */
  probe(...request: Parameters<MediaWorkers['probes']['probe']>): ReturnType<MediaWorkers['probes']['probe']> {
    return this.#workers.probes.probe(...request);
  }

  /** Connects the messages of a media thread to their handlers. */
  #handlers(worker: MediaWorker, log: EngineOptions['log']): ReturnType<MediaWorkersPort['handlers']> {
    const port = this.#port;
    return {
      calls: {
        publish: async (request, call) => {
          const answer = await port.decidePublish(request, (stream) => {
            call.answer(...this.#openRun(worker, { request, stream }));
          });
          if (!answer.accepted) call.answer(answer);
        },
        play: (request, call) => this.#plays.play(worker, request, call),
        'test-picture': async (spec, call) => {
          call.answer(await port.testPicture(spec));
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
      subscriptions: { copy: (request, feed) => this.#copies.open(request, feed, worker.flight) },
      events: {
        ready: () => {
          worker.markReady();
        },
        fault: (error) => {
          log.error('error in a media thread, which continues', { thread: worker.index, error });
        },
        windows: (batches) => {
          this.#homes.windows(batches);
        },
        status: ({ thread, streams }) => {
          // The thread for probes has no streams.
          if (!this.#workers.all.includes(worker)) return;
          if (thread) this.#workers.refused(worker, thread.refusedConnections);
          port.status(thread, streams);
        },
        'publish-ended': ({ id, publication }) => {
          port.publishEnded(id, publication);
        },
        'played-bytes': (counts) => {
          this.#plays.sent(worker, counts);
        },
        'player-left': (player) => {
          this.#plays.left(worker, player);
        },
        'need-played': ({ name, isNeeded }) => {
          this.#plays.need(worker, name, isNeeded);
        },
        notice: ({ id, notice }) => {
          port.notice(id, notice);
        },
        'push-notice': ({ id, notice }) => {
          port.pushNotice(id, notice);
        },
      },
    };
  }

  /** Assigns an accepted encoder to its stream. If the stream runs on another thread than the connection, creates a relay. */
  #openRun(worker: MediaWorker, accepted: AcceptedPublisher): [PublishDecided, MessagePort[]] {
    const { stream } = accepted;
    const home = this.#homes.workerOf(stream.id);
    if (worker.isDead) {
      // The encoder's connection ended with the thread.
      if (home) this.#port.publishEnded(stream.id, stream.publication);
      else this.#port.streamLost(stream.id, stream, 'it died while an encoder was connecting');
      return [{ accepted: true, stream }, []];
    }
    if (!home || home === worker || home.isDead)
      return [{ accepted: true, stream: this.#homes.arrive(stream, worker) }, []];
    this.relayedPublishers++;
    const { port1, port2 } = new MessageChannel();
    home.channel.call('take-relay', { ...accepted, relay: port1 }, { transfer: [port1] }).catch(() => {
      // The thread died. Closing the port ends the relay on the thread of the connection.
      port1.close();
    });
    return [{ accepted: true, stream, relay: port2 }, [port2]];
  }
}
