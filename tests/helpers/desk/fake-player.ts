/** Loaded range of a fake video in seconds. */
type Range = readonly [number, number];

/**
 * Video element for tests of players: a seek ends when its position is loaded and the test calls `settle`.
 */
export class FakeVideo extends EventTarget {
  #seconds = 0;
  ranges: Range[] = [];
  seeking = false;
  paused = true;
  ended = false;
  error: object | null = null;
  /** Time in seconds that playback continues before the end of a seek is reported. */
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

  /** Completes a seek if its position is loaded. */
  settle(): void {
    if (!this.seeking || !this.isLoaded) return;
    this.seeking = false;
    if (!this.paused) this.#seconds += this.lateSeconds;
    this.dispatchEvent(new Event('seeked'));
  }

  /** Simulates another source: nothing is loaded. */
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

/** hls.js with the behaviour that the archive needs: it loads a simulated archive when a test allows that. */
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
  /** Segments of a playlist, by the address of the playlist; undefined for 404. */
  static listOf: (file: string) => Segment[] = () => [];
  /** Duration without video at the start and at the end of each segment, in seconds. */
  static gapSeconds = 0;
  static isSupported(): boolean {
    return true;
  }

  latestLevelDetails: { readonly fragments: Segment[] } | null = null;
  liveSyncPosition: number | null = null;
  readonly levels = [{ frameRate: 25 }];
  readonly audioTracks = [{}];
  isDestroyed = false;
  /** Whether nothing is loaded, as without a connection. */
  isStuck = false;
  #file = '';
  #video: FakeVideo | undefined;
  readonly #run = new Map<string, (name: string, data: object) => void>();

  /** Start in epoch milliseconds. In tests the loader is this number; the real loader writes it into playlists. */
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

  emit(name: string, data: object = {}): void {
    if (!this.isDestroyed) this.#run.get(name)?.(name, data);
  }

  /** Delivers the playlist. */
  list(): void {
    if (this.isDestroyed || this.isStuck) return;
    const fragments = FakeHls.listOf(this.#file);
    if (fragments.length === 0) {
      this.isStuck = true;
      return this.emit('error', { fatal: true, type: 'network', response: { code: 404 } });
    }
    this.latestLevelDetails = { fragments };
    this.emit('updated', { level: 0 });
  }

  /** Delivers the segment at the position of the video. */
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
    video.ranges = [...video.ranges, [found.start + FakeHls.gapSeconds, end - FakeHls.gapSeconds]];
    if (isFirst && !video.isLoaded) video.seeking = true;
    for (const type of ['main', 'audio']) this.emit('buffered', { frag: { type, start: found.start, end } });
    if (isFirst && video.isLoaded) video.dispatchEvent(new Event('loadeddata'));
  }

  /** Fails permanently. */
  fail(type: 'media' | 'network' = 'network'): void {
    this.isStuck = true;
    this.emit('error', { fatal: true, type, details: '' });
  }
}
