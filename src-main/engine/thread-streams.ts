import type { FailoverNotice } from '../ingest/failover-notice.ts';
import type { InputEnd, InputSink } from '../ingest/input.ts';
import type { PlaylistPosition } from '../ingest/playlist/playlist-input.ts';
import type { Clock } from '../lib/clock.ts';
import { DatagramPacer } from '../push/mpegts/datagram-pacer.ts';
import { HeapPool } from '../segment/heap-pool.ts';
import type { MakeInput } from './inputs/make-input.ts';
import type { Players } from './players.ts';
import type { StreamMeasurements, StreamSpec, WindowBatch } from './messages.ts';
import { StreamPipeline, type StreamPipelineOptions } from './stream-pipeline.ts';
import { WindowOutbox } from './window-outbox.ts';
import type { WorkMark } from './work-mark.ts';

/** Functions that the streams need from their media thread. */
export interface ThreadStreamsOptions {
  readonly clock: Clock;
  readonly makeInput: MakeInput;
  /** RTMP players of the streams. */
  readonly players: Pick<Players, 'runStarted' | 'runEnded'>;
  readonly mark: WorkMark;
  /** Rules of outgoing connections of pushes. */
  readonly hosts: StreamPipelineOptions['hosts'];
  /** Position of the playlist of a stream. */
  playlistOf(streamName: string): PlaylistPosition | undefined;
  /** Called with window events. */
  windows(batches: readonly WindowBatch[]): void;
  /** Called with events of the inputs of a run. */
  notice(id: number, notice: FailoverNotice): void;
  /** Called with events of the pushes of a run. */
  pushNotice(id: number, ...notice: Parameters<StreamPipelineOptions['pushNotice']>): void;
  /** Called when a publisher of a run has left. @param publication number of the publisher */
  publishEnded(id: number, publication: number | undefined): void;
}

/** Streams of a media thread. */
export class ThreadStreams {
  readonly #options: ThreadStreamsOptions;
  readonly #pipelines = new Map<number, StreamPipeline>();
  readonly #pool = new HeapPool();
  readonly #pacer: DatagramPacer;
  readonly #outbox: WindowOutbox;

  constructor(options: ThreadStreamsOptions) {
    this.#options = options;
    this.#pacer = new DatagramPacer(options.clock);
    this.#outbox = new WindowOutbox(options.clock, {
      streamCount: () => this.#pipelines.size,
      post: (batches) => {
        options.windows(batches);
      },
    });
  }

  /** Number of streams with a publisher. */
  get publishers(): number {
    return [...this.#pipelines.values()].filter(({ hasPublisher }) => hasPublisher).length;
  }

  /** Opens a stream, unless it is open. */
  open(spec: StreamSpec): void {
    if (!this.#pipelines.has(spec.id)) this.#make(spec).start();
  }

  /** Puts an input of a stream on air, by its index in the configuration; null for the best one. */
  select(id: number, index: number | null): void {
    this.#pipelines.get(id)?.select(index);
  }

  /**
   * Inserts a splice point into a stream.
   * @param atMs splice time, in epoch milliseconds of the output
   */
  splice(id: number, section: Uint8Array, atMs: number): void {
    this.#pipelines.get(id)?.splice(section, atMs);
  }

  /** Sends a stream to these servers, and to no others. */
  push(id: number, pushes: Parameters<StreamPipeline['push']>[0]): void {
    this.#pipelines.get(id)?.push(pushes);
  }

  /**
   * Requests the open parts of a stream in chunks, in addition to its complete parts.
   * @param untilMs epoch milliseconds
   */
  wantChunks(id: number, untilMs: number): void {
    this.#pipelines.get(id)?.wantChunks(untilMs);
  }

  /** Adds a publisher to its stream, which is opened if necessary. The frames of the publisher go to the returned sink. */
  publish(spec: StreamSpec, label: string, publisher: { close(reason: InputEnd): void }): InputSink {
    const existing = this.#pipelines.get(spec.id);
    const pipeline = existing ?? this.#make(spec);
    const sink = pipeline.publish({ label, close: (reason) => publisher.close(reason) }, () => {
      this.#options.publishEnded(spec.id, spec.publication);
    });
    // Started after the publisher is added, so that inputs of lower priority are not opened.
    if (!existing) pipeline.start();
    return sink;
  }

  /** Closes a stream; resolves after its last events with the end of its timeline, in epoch milliseconds. */
  async close(id: number): Promise<number> {
    const pipeline = this.#pipelines.get(id);
    this.#pipelines.delete(id);
    await pipeline?.close();
    if (pipeline) this.#options.players.runEnded(pipeline.spec.name);
    this.#outbox.flush();
    return pipeline?.endMs ?? 0;
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#pipelines.keys()].map((id) => this.close(id)));
  }

  /** Measures the streams with the given ids; by default all. */
  measure(nowMs: number, ids: Iterable<number> = this.#pipelines.keys()): StreamMeasurements[] {
    return [...ids].flatMap((id) => {
      const pipeline = this.#pipelines.get(id);
      if (!pipeline) return [];
      const playlist = this.#options.playlistOf(pipeline.spec.name);
      return playlist ? { ...pipeline.status(nowMs), playlist } : pipeline.status(nowMs);
    });
  }

  #make(spec: StreamSpec): StreamPipeline {
    const { clock, hosts, makeInput, mark, notice, players, pushNotice } = this.#options;
    const pipeline = new StreamPipeline(spec, {
      clock,
      makeInput,
      mark,
      player: players.runStarted(spec.name, spec.prepush),
      hosts,
      pool: this.#pool,
      pacer: this.#pacer,
      emit: (event) => {
        this.#outbox.add(spec.id, event);
      },
      notice: (event) => {
        notice(spec.id, event);
      },
      pushNotice: (event) => {
        pushNotice(spec.id, event);
      },
    });
    this.#pipelines.set(spec.id, pipeline);
    return pipeline;
  }
}
