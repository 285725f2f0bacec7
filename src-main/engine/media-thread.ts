import type { Clock } from '../lib/clock.ts';
import { DelayedWork, every } from '../lib/timers.ts';
import { probeInput } from './input-probe.ts';
import { Channel, type MessagePipe } from '../lib/channel/channel.ts';
import type { FromMediaThread, MediaThreadOptions, ToMediaThread } from './messages.ts';
import { Players } from './players.ts';
import { Publishers } from './publishers.ts';
import { ConnectionCount } from '../ingest/rtmp/connection-count.ts';
import { RtmpPorts } from './rtmp-ports.ts';
import { ThreadInputs } from './thread-inputs.ts';
import { ThreadLoad } from './thread-load.ts';
import { ThreadStreams } from './thread-streams.ts';
import { WorkMark } from './work-mark.ts';

const STATUS_MS = 1000;
/** Delay of the measurement after an event of the inputs, in milliseconds. One measurement covers all events until then. */
const PROMPT_MS = 20;

/** A media thread: its streams, and its servers for publishers. */
export class MediaThread {
  readonly #index: number;
  readonly #pipe: MessagePipe;
  readonly #clock: Clock;
  readonly #channel: Channel<FromMediaThread, ToMediaThread>;
  readonly #inputs: ThreadInputs;
  readonly #streams: ThreadStreams;
  readonly #publishers: Publishers;
  readonly #players: Players;
  readonly #rtmp: RtmpPorts;
  #stopStatus: (() => void) | undefined;
  readonly #load: ThreadLoad;
  /** Ids of runs whose inputs had events since the last prompt measurement. */
  readonly #changedRuns = new Set<number>();
  readonly #promptStatus: DelayedWork;

  constructor(options: MediaThreadOptions, pipe: MessagePipe, clock: Clock) {
    this.#index = options.index;
    this.#pipe = pipe;
    this.#clock = clock;
    this.#load = new ThreadLoad(clock.now());
    const channel = this.#makeChannel();
    this.#promptStatus = new DelayedWork(clock, PROMPT_MS, () => {
      const streams = this.#streams.measure(clock.now(), this.#changedRuns);
      this.#changedRuns.clear();
      channel.emit('status', { thread: null, streams });
    });
    const mark = new WorkMark(options.workMark);
    this.#channel = channel;
    this.#inputs = new ThreadInputs(options, channel, clock);
    const { make: makeInput, budget, hosts, playlists, ticks } = this.#inputs;
    this.#players = new Players(clock, channel);
    this.#streams = new ThreadStreams({
      clock,
      players: this.#players,
      makeInput,
      mark,
      hosts,
      playlistOf: (name) => playlists.of(name),
      windows: (batches) => channel.emit('windows', batches),
      notice: (id, notice) => {
        channel.emit('notice', { id, notice });
        this.#changedRuns.add(id);
        this.#promptStatus.schedule();
      },
      pushNotice: (id, notice) => {
        channel.emit('push-notice', { id, notice });
        this.#changedRuns.add(id);
        this.#promptStatus.schedule();
      },
      publishEnded: (id, publication) => channel.emit('publish-ended', { id, publication }),
    });
    this.#publishers = new Publishers({
      clock,
      channel,
      mark,
      budget,
      publish: (stream, label, publisher) => this.#streams.publish(stream, label, publisher),
    });
    this.#rtmp = new RtmpPorts(
      this.#publishers,
      this.#players,
      clock,
      budget,
      new ConnectionCount(options.rtmpConnections, options.index),
      ticks,
    );
  }

  /** Starts the measurements and reports to the server thread that this thread is ready. */
  start(): void {
    this.#channel.attach(this.#pipe);
    this.#stopStatus = every(this.#clock, STATUS_MS, () => {
      this.#emitStatus();
    });
    this.#channel.emit('ready', undefined);
  }

  /** Reports an error after which the thread continues. */
  fault(error: Error): void {
    this.#channel.emit('fault', error.stack ?? error.message);
  }

  /** Connects the messages of the server thread to their handlers. */
  #makeChannel(): Channel<FromMediaThread, ToMediaThread> {
    return new Channel<FromMediaThread, ToMediaThread>(this.#clock, {
      calls: {
        'close-stream': async (id, call) => {
          call.answer(await this.#streams.close(id));
        },
        'rtmp-listen': (listener, call) => this.#rtmp.listen(listener, call),
        'rtmp-close': async (listener, call) => {
          call.answer(await this.#rtmp.close(listener));
        },
        'take-relay': (accepted, call) => {
          this.#publishers.takeRelayed(accepted);
          call.answer(undefined);
        },
        'send-played': ({ name, relay }, call) => {
          this.#players.sendTo(name, relay);
          call.answer(undefined);
        },
        'take-played': ({ name, prepush, relay }, call) => {
          this.#players.takeFrom(name, prepush, relay);
          call.answer(undefined);
        },
        probe: async (request, call) => {
          const { make: makeInput } = this.#inputs;
          call.answer(await probeInput(request, { clock: this.#clock, makeInput, signal: call.signal }));
        },
        close: async (_, call) => {
          await this.#close();
          call.answer(undefined);
          this.#pipe.close();
        },
      },
      feeds: { 'http-publish': (accepted, feed) => this.#publishers.takeHttp(accepted, feed) },
      subscriptions: {},
      events: {
        open: (stream) => {
          this.#streams.open(stream);
        },
        'close-player': ({ player, end }) => {
          this.#players.close(player, end);
        },
        'select-input': ({ id, index }) => {
          this.#streams.select(id, index);
        },
        splice: ({ id, atMs, section }) => {
          this.#streams.splice(id, section, atMs);
        },
        pushes: ({ id, pushes }) => {
          this.#streams.push(id, pushes);
        },
        'want-chunks': ({ id, untilMs }) => {
          this.#streams.wantChunks(id, untilMs);
        },
        'rtmp-certificate': ({ listener, tls }) => {
          this.#rtmp.renew(listener, tls);
        },
        'readable-folders': (paths) => {
          this.#inputs.allow(paths);
        },
      },
    });
  }

  #emitStatus(): void {
    const now = this.#clock.now();
    this.#players.report();
    this.#channel.emit('status', {
      thread: {
        index: this.#index,
        load: this.#load.measure(now),
        publishers: this.#streams.publishers,
        evictedInputs: this.#inputs.budget.counters.evicted,
        refusedConnections: this.#rtmp.refused,
      },
      streams: this.#streams.measure(now),
    });
  }

  async #close(): Promise<void> {
    this.#stopStatus?.();
    this.#promptStatus.cancel();
    await this.#rtmp.closeAll();
    await this.#streams.closeAll();
    await this.#inputs.close();
  }
}
