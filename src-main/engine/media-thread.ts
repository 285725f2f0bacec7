import { ByteBudget } from '../ingest/byte-budget.ts';
import { FakeInputs } from '../ingest/fake/fake-inputs.ts';
import { messageOf } from '../lib/error-message.ts';
import { FeedServer } from '../lib/feed-server.ts';
import type { InputEnd, InputSink, PublishDecision, PublisherPort, PublishRequest } from '../ingest/input.ts';
import { AllowedPaths } from '../lib/allowed-paths.ts';
import type { Clock } from '../lib/clock.ts';
import { FileTurns } from '../lib/file-turns.ts';
import { HeapPool } from '../segment/heap-pool.ts';
import type { WindowEvent } from '../segment/window-event.ts';
import { CopyRequests } from './copy-requests.ts';
import type { ExternalReaderPort } from '../ingest/external/external-reader-port.ts';
import { Channel, type MessagePipe } from './channel/channel.ts';
import { HttpPublishers } from './http-publishers.ts';
import { OutgoingHosts } from '../lib/outgoing-hosts.ts';
import { OwnPorts } from '../lib/own-ports.ts';
import { inputMaker, type MakeInput } from './make-input.ts';
import type {
  FromMedia,
  FromMediaThread,
  MediaThreadOptions,
  PublishAnswer,
  StreamSpec,
  ToMedia,
  ToMediaThread,
} from './messages.ts';
import { relaySink, takeRelay, type PublisherRelay } from './publisher-relay.ts';
import { PlaylistStates } from './playlist-states.ts';
import { RtmpPorts } from './rtmp-ports.ts';
import { markedSink, publishPlace } from './marked-input.ts';
import { StreamPipeline } from './stream-pipeline.ts';
import { WorkMark } from './work-mark.ts';

const STATUS_MS = 1000;

/** What the server thread says about a publisher. */
interface PublishReply {
  readonly answer: PublishAnswer;
  readonly relay?: PublisherRelay;
}

/** What a media thread is: the streams it is home of, and the servers that take publishers. */
export class MediaThread {
  readonly #options: MediaThreadOptions;
  readonly #pipe: MessagePipe;
  readonly #channel: Channel<FromMedia, ToMedia>;
  readonly #clock: Clock;
  readonly #homes = new Map<number, StreamPipeline>();
  readonly #outbox = new Map<number, WindowEvent[]>();
  readonly #waiting = new Map<number, (reply: PublishReply) => void>();
  readonly #copies: CopyRequests;
  readonly #feeds: FeedServer;
  readonly #httpPublishers: HttpPublishers;
  readonly #makeInput: MakeInput;
  readonly #playlists = new PlaylistStates();
  readonly #allowed: AllowedPaths;
  readonly #pool = new HeapPool();
  readonly #mark: WorkMark;
  readonly #rtmp: RtmpPorts;
  readonly #budget = new ByteBudget();
  #nextRequest = 1;
  #isFlushing = false;
  #cancelStatus: (() => void) | undefined;
  #lastCpu = process.threadCpuUsage();
  #lastStatusMs = 0;

  constructor(options: MediaThreadOptions, pipe: MessagePipe, clock: Clock) {
    this.#options = options;
    this.#pipe = pipe;
    this.#clock = clock;
    this.#mark = new WorkMark(options.workMark);
    this.#allowed = new AllowedPaths(options.fileRoot);
    const channel = new Channel<FromMedia, ToMedia>(clock, { calls: {}, feeds: {}, subscriptions: {}, events: {} });
    this.#channel = channel;
    const post = (message: FromMediaThread): void => {
      pipe.post(message);
    };
    this.#copies = new CopyRequests(post, options.handledCopies);
    this.#feeds = new FeedServer(clock);
    const budget = this.#budget;
    this.#makeInput = inputMaker({
      clock,
      fileRoot: options.fileRoot,
      allowed: this.#allowed,
      turns: new FileTurns({ clock, limit: options.fileLimit, memory: options.fileTurns, place: options.index }),
      fakes: new FakeInputs({ clock, source: { load: (wanted) => channel.ask('test-picture', wanted) } }),
      foreign: { port: externalReader(channel), feeds: this.#feeds },
      copies: this.#copies,
      playlists: this.#playlists,
      budget,
      hosts: new OutgoingHosts({ ownPorts: new OwnPorts(options.ownPorts) }),
    });
    this.#rtmp = new RtmpPorts(this.#gate(), clock, budget, (message) => {
      pipe.post(message);
    });
    this.#httpPublishers = new HttpPublishers(budget, (requestId, end) => {
      pipe.post({ kind: 'http-closed', requestId, code: end.code, detail: end.detail });
    });
  }

  /** Begins to measure, and reports to the server thread that it is ready. */
  start(): void {
    this.#pipe.onMessage((message) => {
      // The messages that are not in the tables of the channel yet.
      if (!Array.isArray(message)) void this.#take(message as ToMediaThread);
    });
    this.#channel.attach(this.#pipe);
    this.#lastStatusMs = this.#clock.now();
    this.#scheduleStatus();
    this.#pipe.post({ kind: 'ready' });
  }

  async #take(message: ToMediaThread): Promise<void> {
    switch (message.kind) {
      case 'open':
        this.#open(message.stream).start();
        return;
      case 'close-stream':
        await this.#closeStream(message.id);
        return;
      case 'select-input':
        this.#homes.get(message.id)?.select(message.index);
        return;
      case 'publish-answer':
        this.#waiting.get(message.requestId)?.(message);
        this.#waiting.delete(message.requestId);
        return;
      case 'relay-publish': {
        const { port } = message.relay;
        takeRelay(
          message.relay,
          this.#takePublisher(message.stream, message.request, {
            close: (reason) => {
              port.postMessage(reason);
            },
          }),
        );
        return;
      }
      case 'http-publish':
        this.#takeHttpPublisher(message.requestId, message.request, message.answer);
        return;
      case 'http-bytes':
        this.#httpPublishers.push(message.requestId, message.bytes);
        this.#pipe.post({ kind: 'http-taken', requestId: message.requestId, bytes: message.bytes.length });
        return;
      case 'http-end':
        this.#httpPublishers.end(message.requestId, message.detail);
        return;
      case 'copy-events':
        this.#copies.events(message.requestId, message.events);
        return;
      case 'rtmp-listen':
        await this.#rtmp.listen(message);
        return;
      case 'rtmp-certificate':
        this.#rtmp.renew(message.listener, message.tls);
        return;
      case 'rtmp-close':
        await this.#rtmp.close(message.listener);
        return;
      case 'allowed-paths':
        this.#allowed.set(message.paths);
        return;
      case 'close':
        await this.#close();
        return;
      default:
        message satisfies never;
    }
  }

  #open(spec: StreamSpec): StreamPipeline {
    const home = new StreamPipeline(spec, {
      clock: this.#clock,
      makeInput: this.#makeInput,
      pool: this.#pool,
      mark: this.#mark,
      emit: (event) => {
        this.#emit(spec.id, event);
      },
      notice: (notice) => {
        this.#pipe.post({ kind: 'notice', id: spec.id, notice });
      },
    });
    this.#homes.set(spec.id, home);
    return home;
  }

  async #closeStream(id: number): Promise<void> {
    const home = this.#homes.get(id);
    this.#homes.delete(id);
    await home?.close();
    this.#flush();
    this.#pipe.post({ kind: 'stream-closed', id, endMs: home?.endMs ?? 0 });
  }

  #gate(): PublisherPort {
    return {
      open: async (request, publisher): Promise<PublishDecision> => {
        const requestId = this.#nextRequest++;
        const { answer, relay } = await new Promise<PublishReply>((resolve) => {
          this.#waiting.set(requestId, resolve);
          this.#pipe.post({ kind: 'publish-request', requestId, request });
        });
        if (!answer.accepted) return answer;
        return {
          accepted: true,
          sink: relay
            ? markedSink(relaySink(relay, publisher), this.#mark, publishPlace(answer.stream))
            : this.#takePublisher(answer.stream, request, publisher),
        };
      },
    };
  }

  #takePublisher(spec: StreamSpec, request: PublishRequest, publisher: { close(reason: InputEnd): void }): InputSink {
    const known = this.#homes.get(spec.id);
    const home = known ?? this.#open(spec);
    const label = request.agent === undefined ? request.peer : `${request.peer} ${request.agent}`;
    const sink = home.publish({ label, close: (reason) => publisher.close(reason) }, () => {
      this.#pipe.post({ kind: 'publish-ended', id: spec.id, publication: spec.publication });
    });
    // After it has its publisher: inputs that come behind it need not be opened.
    if (!known) home.start();
    return sink;
  }

  #takeHttpPublisher(requestId: number, request: PublishRequest, answer: PublishAnswer): void {
    if (!answer.accepted) return;
    const close = (reason: InputEnd): void => {
      this.#httpPublishers.kick(requestId, reason);
    };
    this.#httpPublishers.open(requestId, this.#takePublisher(answer.stream, request, { close }));
  }

  /** Events of one turn of the event loop travel in one message. */
  #emit(id: number, event: WindowEvent): void {
    const events = this.#outbox.get(id);
    if (events) events.push(event);
    else this.#outbox.set(id, [event]);
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    queueMicrotask(() => {
      this.#flush();
    });
  }

  #flush(): void {
    this.#isFlushing = false;
    if (this.#outbox.size === 0) return;
    this.#pipe.post({ kind: 'windows', batches: [...this.#outbox].map(([id, events]) => ({ id, events })) });
    this.#outbox.clear();
  }

  #scheduleStatus(): void {
    this.#cancelStatus = this.#clock.after(STATUS_MS, () => {
      this.#postStatus();
      this.#scheduleStatus();
    });
  }

  #postStatus(): void {
    const now = this.#clock.now();
    const cpu = process.threadCpuUsage(this.#lastCpu);
    this.#lastCpu = process.threadCpuUsage();
    const load = (cpu.user + cpu.system) / 1000 / Math.max(1, now - this.#lastStatusMs);
    this.#lastStatusMs = now;
    const homes = [...this.#homes.values()];
    this.#pipe.post({
      kind: 'status',
      thread: {
        index: this.#options.index,
        load,
        publishers: homes.filter((home) => home.hasPublisher).length,
        evictedInputs: this.#budget.counters.evicted,
        refusedConnections: this.#rtmp.refused,
      },
      streams: homes.map((home) => {
        const playlist = this.#playlists.of(home.spec.name);
        return playlist ? { ...home.status(now), playlist } : home.status(now);
      }),
    });
  }

  async #close(): Promise<void> {
    this.#cancelStatus?.();
    await this.#rtmp.closeAll();
    await Promise.all([...this.#homes.keys()].map((id) => this.#closeStream(id)));
    await this.#feeds.close();
    this.#pipe.post({ kind: 'closed' });
    this.#pipe.close();
  }
}

/** Who reads what only codec processes can: the server thread has them. */
function externalReader(channel: Channel<FromMedia, ToMedia>): ExternalReaderPort {
  return {
    open: (spec) => {
      const abort = new AbortController();
      return {
        ended: channel.ask('read-external', spec, { signal: abort.signal, isEndAwaited: true }).catch(messageOf),
        close: () => {
          abort.abort();
        },
      };
    },
  };
}
