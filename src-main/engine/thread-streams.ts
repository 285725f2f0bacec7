import type { FailoverNotice } from '../ingest/failover-notice.ts';
import type { InputEnd, InputSink } from '../ingest/input.ts';
import type { PlaylistPosition } from '../ingest/playlist/playlist-input.ts';
import type { Clock } from '../lib/clock.ts';
import { HeapPool } from '../segment/heap-pool.ts';
import type { MakeInput } from './inputs/make-input.ts';
import type { StreamMeasurements, StreamSpec, WindowBatch } from './messages.ts';
import { StreamPipeline } from './stream-pipeline.ts';
import { WindowOutbox } from './window-outbox.ts';
import type { WorkMark } from './work-mark.ts';

/** What the streams of a media thread need from it. */
export interface ThreadStreamsOptions {
  readonly clock: Clock;
  readonly makeInput: MakeInput;
  readonly mark: WorkMark;
  /** What the playlist of a stream plays. */
  playlistOf(streamName: string): PlaylistPosition | undefined;
  /** Hears what happened to the windows. */
  windows(batches: readonly WindowBatch[]): void;
  /** Hears what becomes of the inputs of a run. */
  notice(id: number, notice: FailoverNotice): void;
  /** Hears that a publisher of a run is gone. @param publication its number */
  publishEnded(id: number, publication: number | undefined): void;
}

/** The streams that live on a media thread. */
export class ThreadStreams {
  readonly #options: ThreadStreamsOptions;
  readonly #pipelines = new Map<number, StreamPipeline>();
  readonly #pool = new HeapPool();
  readonly #outbox: WindowOutbox;

  constructor(options: ThreadStreamsOptions) {
    this.#options = options;
    this.#outbox = new WindowOutbox(options.clock, {
      streamCount: () => this.#pipelines.size,
      post: (batches) => {
        options.windows(batches);
      },
    });
  }

  /** Streams that have a publisher. */
  get publishers(): number {
    return [...this.#pipelines.values()].filter(({ hasPublisher }) => hasPublisher).length;
  }

  /** Opens a stream that is not open yet. */
  open(spec: StreamSpec): void {
    if (!this.#pipelines.has(spec.id)) this.#make(spec).start();
  }

  /** Puts an input of a stream on air, by its place in the configuration; null for the best one again. */
  select(id: number, index: number | null): void {
    this.#pipelines.get(id)?.select(index);
  }

  /** Marks a splice point in a stream. @param atMs when it takes effect, in epoch milliseconds of the output */
  splice(id: number, section: Uint8Array, atMs: number): void {
    this.#pipelines.get(id)?.splice(section, atMs);
  }

  /** The open parts of a stream are wanted in chunks, too. @param untilMs epoch milliseconds */
  wantChunks(id: number, untilMs: number): void {
    this.#pipelines.get(id)?.wantChunks(untilMs);
  }

  /** Lets a publisher into its stream; the sink is where its frames go. */
  publish(spec: StreamSpec, label: string, publisher: { close(reason: InputEnd): void }): InputSink {
    const known = this.#pipelines.get(spec.id);
    const pipeline = known ?? this.#make(spec);
    const sink = pipeline.publish({ label, close: (reason) => publisher.close(reason) }, () => {
      this.#options.publishEnded(spec.id, spec.publication);
    });
    // After it has its publisher: inputs that come behind it need not be opened.
    if (!known) pipeline.start();
    return sink;
  }

  /** Closes a stream; resolves behind its last events with the epoch milliseconds to which its timeline has come. */
  async close(id: number): Promise<number> {
    const pipeline = this.#pipelines.get(id);
    this.#pipelines.delete(id);
    await pipeline?.close();
    this.#outbox.flush();
    return pipeline?.endMs ?? 0;
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#pipelines.keys()].map((id) => this.close(id)));
  }

  /** Measures streams: all of them about once a second, or some. */
  measure(nowMs: number, ids: Iterable<number> = this.#pipelines.keys()): StreamMeasurements[] {
    return [...ids].flatMap((id) => {
      const pipeline = this.#pipelines.get(id);
      if (!pipeline) return [];
      const playlist = this.#options.playlistOf(pipeline.spec.name);
      return playlist ? { ...pipeline.status(nowMs), playlist } : pipeline.status(nowMs);
    });
  }

  #make(spec: StreamSpec): StreamPipeline {
    const { clock, makeInput, mark, notice } = this.#options;
    const pipeline = new StreamPipeline(spec, {
      clock,
      makeInput,
      mark,
      pool: this.#pool,
      emit: (event) => {
        this.#outbox.add(spec.id, event);
      },
      notice: (what) => {
        notice(spec.id, what);
      },
    });
    this.#pipelines.set(spec.id, pipeline);
    return pipeline;
  }
}
