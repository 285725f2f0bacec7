import { INPUT_TIMESCALE } from '../../access-unit.ts';
import type { AudioSplitter } from '../../codecs/assembler.ts';
import { frameSamples } from '../../timing/frame-samples.ts';
import type { AudioTrack } from '../../track.ts';
import type { ElementarySink, ElementaryStream } from './elementary-stream.ts';
import type { Unroller } from '../../timing/unroll.ts';
import type { ReadPesHeader } from './pes-header.ts';

/**
 * Converts the PES packets of an audio stream to frames. The time of a packet belongs to the first frame that starts in it; later
 * ones are timed by their samples.
 */
export class AudioStream implements ElementaryStream {
  readonly trackId: string;
  readonly #splitter: AudioSplitter;
  readonly #clock: Unroller;
  readonly #sink: ElementarySink;
  #track: AudioTrack | undefined;
  /** Time of the current packet until its first frame starts; undefined after that. */
  #pending: number | undefined;
  /** Time of an earlier packet, for a frame that started in it and is not complete yet. */
  #earlier: number | undefined;
  /** Time of a frame, from which the following frames are timed by their samples. */
  #base: number | undefined;
  /** Samples since `#base`. */
  #samples = 0;

  constructor(trackId: string, splitter: AudioSplitter, clock: Unroller, sink: ElementarySink) {
    this.trackId = trackId;
    this.#splitter = splitter;
    this.#clock = clock;
    this.#sink = sink;
  }

  get track(): AudioTrack | undefined {
    return this.#track;
  }

  pes(header: ReadPesHeader, bytes: Buffer, end: number): void {
    this.#earlier = this.#pending ?? this.#earlier;
    this.#pending = header.ptsTicks === undefined ? undefined : this.#clock.unroll(header.ptsTicks);
    this.#splitter.split(bytes.subarray(header.payloadStart, end), this.#frame);
  }

  interrupt(): void {
    this.#splitter.reset();
    this.#pending = undefined;
    this.#earlier = undefined;
  }

  readonly #frame = (data: Uint8Array, startsInThisCall: boolean): void => {
    const track = this.#splitter.track;
    if (track === undefined) return;
    if (track !== this.#track) {
      this.#rebase();
      this.#track = track;
      this.#sink.format(this);
    }
    if (startsInThisCall) {
      if (this.#pending !== undefined) this.#restartAt(this.#pending);
      this.#pending = undefined;
    } else if (this.#earlier !== undefined) {
      this.#restartAt(this.#earlier);
    }
    this.#earlier = undefined;
    if (this.#base === undefined) return;
    const ticks = this.#base + this.#elapsedTicks(track);
    this.#samples += frameSamples(track, data);
    this.#sink.unit(this, { trackId: this.trackId, dtsTicks: ticks, ptsTicks: ticks, isRandomAccess: true, data });
  };

  #restartAt(ticks: number): void {
    this.#base = ticks;
    this.#samples = 0;
  }

  #elapsedTicks(track: AudioTrack): number {
    return this.#samples === 0 ? 0 : Math.round((this.#samples * INPUT_TIMESCALE) / track.sampleRate);
  }

  /** Ends the sample count of the old format: the next frame starts at its end. */
  #rebase(): void {
    if (this.#base !== undefined && this.#track !== undefined) this.#base += this.#elapsedTicks(this.#track);
    this.#samples = 0;
  }
}
