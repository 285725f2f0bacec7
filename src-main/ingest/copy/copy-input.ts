import { because } from '../../../src-preload/contract/explanations/explanations.ts';
import type { Clock } from '../../lib/clock.ts';
import { INPUT_TIMESCALE } from '../../media/access-unit.ts';
import { forEachSample } from '../../media/containers/isobmff/chunk-reader.ts';
import { convertTicks } from '../../media/timing/ticks.ts';
import type { Track } from '../../media/track.ts';
import type { Input, InputEnd, InputSink } from '../input.ts';
import type { CopyListener, CopySourcePort } from './copy-source-port.ts';

export interface CopyInputOptions {
  /** Name of the copied stream. */
  readonly source: string;
  /** Name of the stream that receives the copy. */
  readonly follower: string;
  readonly port: CopySourcePort;
  readonly clock: Clock;
}

/** Time without an input after which a stream counts as ended, in milliseconds. Switching inputs takes less time. */
const IDLE_MS = 2000;
const TICKS_PER_MS = INPUT_TIMESCALE / 1000;

/**
 * Another stream of this server as an input. It emits the access units of each part when the part is cut. Ends with
 * `input_ended` when the other stream ends, and with `bad_input_url` if a stream would copy itself.
 */
export class CopyInput implements Input, CopyListener {
  readonly #options: CopyInputOptions;
  readonly #sink: InputSink;
  #subscription: { close(): void } | undefined;
  #tracks = new Map<string, Track>();
  #cancelIdle: (() => void) | undefined;
  #isOver = false;

  constructor(options: CopyInputOptions, sink: InputSink) {
    this.#options = options;
    this.#sink = sink;
  }

  start(): void {
    const { port, source, follower } = this.#options;
    this.#subscription ??= port.open(source, follower, this);
  }

  close(): Promise<void> {
    this.#isOver = true;
    this.#cancelIdle?.();
    this.#subscription?.close();
    return Promise.resolve();
  }

  tracks(tracks: readonly Track[]): void {
    if (this.#isOver) return;
    this.#tracks = new Map(tracks.map((track) => [track.id, track]));
    this.#sink.tracks(tracks);
  }

  chunk(trackId: string, bytes: Uint8Array): void {
    const track = this.#tracks.get(trackId);
    if (!track || this.#isOver) return;
    this.#cancelIdle?.();
    this.#cancelIdle = undefined;
    this.#sink.received(bytes.length);
    const { timescale } = track;
    const sink = this.#sink;
    for (let at = 0; at >= 0 && at < bytes.length && !this.#isOver;) {
      at = forEachSample(
        bytes,
        (start, sizeBytes, dts, pts, _duration, isSync) => {
          sink.accessUnit({
            trackId,
            dtsTicks: convertTicks(dts, timescale, INPUT_TIMESCALE),
            ptsTicks: convertTicks(pts, timescale, INPUT_TIMESCALE),
            isRandomAccess: isSync,
            data: bytes.subarray(start, start + sizeBytes),
          });
        },
        at,
      );
    }
  }

  splice(section: Uint8Array, atMs: number): void {
    if (!this.#isOver) this.#sink.splice({ sourceId: 0, section, atTicks: atMs * TICKS_PER_MS });
  }

  idle(): void {
    if (this.#isOver) return;
    const { clock, source } = this.#options;
    this.#cancelIdle?.();
    this.#cancelIdle = clock.after(IDLE_MS, () => {
      this.ended({ code: 'input_ended', ...because('copy_without_input', { source }) });
    });
  }

  ended(end: InputEnd): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#cancelIdle?.();
    this.#subscription?.close();
    this.#sink.ended(end);
  }
}
