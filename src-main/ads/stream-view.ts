import type { ChangingWindow, Init, WindowTrack } from '../segment/segment-window.ts';

/** A plan of what one viewer is shown, which goes on with the stream. */
interface Plan {
  advance(stream: ChangingWindow): void;
}

/** What windows of one viewer have of their stream as it is for all: tracks, init segments, clock and changes. */
export abstract class StreamView<P extends Plan> {
  readonly mutability = 'live';
  /** The stream as all others see it. */
  protected readonly stream: ChangingWindow;
  readonly #plan: P;
  #advancedTo = -1;

  constructor(stream: ChangingWindow, plan: P) {
    this.stream = stream;
    this.#plan = plan;
  }

  get version(): number {
    return this.stream.version;
  }

  get isIdle(): boolean {
    return this.stream.isIdle;
  }

  get epochMs(): number | undefined {
    return this.stream.epochMs;
  }

  get segmentMs(): number {
    return this.stream.segmentMs;
  }

  get tracks(): readonly WindowTrack[] {
    return this.stream.tracks;
  }

  get listedTracks(): readonly WindowTrack[] {
    return this.stream.listedTracks ?? this.stream.tracks;
  }

  get inits(): readonly Init[] {
    return this.stream.inits;
  }

  get longestPartMs(): number {
    return this.stream.longestPartMs;
  }

  onChange(listener: () => void): () => void {
    return this.stream.onChange(listener);
  }

  /** The plan with all that has come of the stream. */
  protected advanced(): P {
    if (this.#advancedTo !== this.stream.version) {
      this.#plan.advance(this.stream);
      this.#advancedTo = this.stream.version;
    }
    return this.#plan;
  }
}
