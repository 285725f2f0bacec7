/** A place of a fake video that is loaded, in seconds. */
type Range = readonly [number, number];

/** A video as far as a player needs it: it goes where it is sent once that is loaded, and says so when a test lets it. */
export class FakeVideo extends EventTarget {
  #seconds = 0;
  ranges: Range[] = [];
  seeking = false;
  paused = true;
  ended = false;
  error: object | null = null;
  /** How late it says that it is there while it plays, in seconds. */
  lateSeconds = 0;
  readonly frames: ((now: number, data: { mediaTime: number; presentationTime: number }) => void)[] = [];

  get currentTime(): number {
    return this.#seconds;
  }

  set currentTime(seconds: number) {
    this.#seconds = seconds;
    this.seeking = this.ranges.length > 0;
  }

  get readyState(): number {
    return this.isLoaded ? 4 : this.ranges.length > 0 ? 1 : 0;
  }

  get buffered(): TimeRanges {
    const { ranges } = this;
    return {
      length: ranges.length,
      start: (at: number) => ranges[at]?.[0] ?? NaN,
      end: (at: number) => ranges[at]?.[1] ?? NaN,
    };
  }

  get isLoaded(): boolean {
    return this.ranges.some(([start, end]) => start <= this.#seconds && this.#seconds < end);
  }

  requestVideoFrameCallback(run: (now: number, data: { mediaTime: number; presentationTime: number }) => void): number {
    return this.frames.push(run);
  }

  async play(): Promise<void> {
    this.paused = false;
    this.dispatchEvent(new Event('play'));
  }

  /** It has come to where it was sent, if that is loaded. */
  settle(): void {
    if (!this.seeking || !this.isLoaded) return;
    this.seeking = false;
    if (!this.paused) this.#seconds += this.lateSeconds;
    this.dispatchEvent(new Event('seeked'));
  }

  /** Another source: nothing is loaded. */
  empty(): void {
    [this.ranges, this.seeking, this.#seconds, this.ended, this.error] = [[], false, 0, false, null];
  }
}

interface Segment {
  readonly start: number;
  readonly duration: number;
  readonly programDateTime: number;
  readonly cc: number;
}

/** hls.js as far as the archive plays with it: it loads what a fake archive has, when a test lets it. */
export class FakeHls {
  static readonly Events = {
    LEVEL_UPDATED: 'updated',
    FRAG_LOADING: 'loading',
    FRAG_LOADED: 'loaded',
    FRAG_BUFFERED: 'buffered',
    ERROR: 'error',
  };
  static readonly ErrorTypes = { MEDIA_ERROR: 'media' };
  static readonly ErrorDetails = { MANIFEST_INCOMPATIBLE_CODECS_ERROR: 'codecs', BUFFER_ADD_CODEC_ERROR: 'add' };
  static readonly DefaultConfig = { loader: class {}, capLevelController: class {} };
  static readonly opened: FakeHls[] = [];
  /** What an address has. */
  static listOf: (file: string) => Segment[] = () => [];
  /** So much at the begin and the end of each segment has only sound, in seconds. */
  static holeSeconds = 0;
  static isSupported(): boolean {
    return true;
  }

  latestLevelDetails: { readonly fragments: Segment[] } | null = null;
  liveSyncPosition: number | null = null;
  readonly levels = [{ frameRate: 25 }];
  readonly audioTracks = [{}];
  isDestroyed = false;
  /** It says nothing any more, as one that waits for what never comes. */
  isStuck = false;
  #file = '';
  #video: FakeVideo | undefined;
  readonly #run = new Map<string, (name: string, data: object) => void>();

  /** Where it begins, in epoch milliseconds; a test puts that in the place of the loader that writes it into playlists. */
  readonly #startMs: number;

  constructor({ pLoader }: { readonly pLoader: number }) {
    this.#startMs = pLoader;
    FakeHls.opened.push(this);
  }

  on(name: string, run: (name: string, data: object) => void): void {
    this.#run.set(name, run);
  }

  attachMedia(video: FakeVideo): void {
    this.#video = video;
    video.empty();
  }

  loadSource(file: string): void {
    this.#file = file;
  }

  recoverMediaError(): void {
    this.#video?.empty();
  }

  destroy(): void {
    this.isDestroyed = true;
    this.#video?.empty();
  }

  happen(name: string, data: object = {}): void {
    if (!this.isDestroyed) this.#run.get(name)?.(name, data);
  }

  /** The playlist comes. */
  list(): void {
    if (this.isDestroyed || this.isStuck) return;
    const fragments = FakeHls.listOf(this.#file);
    if (fragments.length === 0) {
      this.isStuck = true;
      return this.happen('error', { fatal: true, type: 'network', response: { code: 404 } });
    }
    this.latestLevelDetails = { fragments };
    this.happen('updated', { level: 0 });
  }

  /** The segment comes that the video is at. */
  load(): void {
    const [video, details] = [this.#video, this.latestLevelDetails];
    if (this.isDestroyed || this.isStuck || !video || !details) return;
    if (video.ranges.length === 0 && video.currentTime === 0) {
      const first = details.fragments.find((one) => this.#startMs < one.programDateTime + one.duration * 1000);
      if (first) video.currentTime = first.start + Math.max(0, this.#startMs - first.programDateTime) / 1000;
    }
    const found = details.fragments.findLast(({ start }) => start <= video.currentTime + 0.0005);
    if (!found) return;
    const isFirst = video.ranges.length === 0;
    const end = found.start + found.duration;
    video.ranges = [...video.ranges, [found.start + FakeHls.holeSeconds, end - FakeHls.holeSeconds]];
    if (isFirst && !video.isLoaded) video.seeking = true;
    for (const type of ['main', 'audio']) this.happen('buffered', { frag: { type, start: found.start, end } });
    if (isFirst && video.isLoaded) video.dispatchEvent(new Event('loadeddata'));
  }

  /** It fails for good. */
  fail(type: 'media' | 'network' = 'network'): void {
    this.isStuck = true;
    this.happen('error', { fatal: true, type, details: '' });
  }
}
