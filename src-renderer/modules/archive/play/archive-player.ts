import Hls from 'hls.js';
import type { HlsConfig } from 'hls.js';
import { stretchAt } from '../time/stretches.ts';
import type { Stretch } from '../time/time-scale.ts';
import { frameRateOf, type FrameRate } from '../time/time-code.ts';
import {
  ANEW_SECONDS,
  firstPlace,
  frameOf,
  momentOf,
  placeOf,
  windowOf,
  type PlacedSegment,
  type PlayWindow,
} from './play-window.ts';
import { startLoader } from './start-loader.ts';

/** What a player shows. `empty`: nothing is recorded at the moment that is wanted. */
export type PlayerState = 'idle' | 'loading' | 'ready' | 'empty' | 'failed' | 'unsupported';

/** What a player asks for. */
export interface ArchivePlayerOptions {
  readonly video: HTMLVideoElement;
  /** Address of a file below the stream. */
  readonly addressOf: (file: string) => string;
  readonly now: () => number;
  readonly isOnAir: () => boolean;
  readonly recorded: () => readonly Stretch[];
  /** Whether it is heard. */
  readonly isHeard: () => boolean;
  readonly changed: (state: PlayerState) => void;
}

const CONFIG: Partial<HlsConfig> = {
  // CMAF needs no remuxing.
  enableWorker: false,
  maxBufferLength: 12,
  maxMaxBufferLength: 30,
  backBufferLength: 30,
  startFragPrefetch: true,
  liveSyncOnStallIncrease: 0,
  liveDurationInfinity: false,
  maxFragLookUpTolerance: 0.05,
  // A picture that is small is played from a small rendition: of several in step each is decoded.
  capLevelToPlayerSize: true,
};
/** So near to the end of a window the next one is opened, in seconds. */
const END_SECONDS = 0.3;
/** A player that fails is built anew at most so often, in milliseconds. */
const RETRY_MS = 3000;

/** Plays one stream at any moment of its archive. Keeps what is open as long as a moment is in it. */
export class ArchivePlayer {
  readonly #options: ArchivePlayerOptions;
  #hls: Hls | undefined;
  #window: PlayWindow | undefined;
  /** Whether what is open has its sound. */
  #hasSound = false;
  /** The moment that is wanted, until its picture is shown. */
  #wanted: number | undefined;
  #state: PlayerState = 'idle';
  #rate: FrameRate = frameRateOf(undefined);
  /** Which picture the browser said to show last; undefined as long as it said nothing of the present place. */
  #shownSeconds: number | undefined;
  /** Who waits for a playlist to know when the picture of a moment begins. */
  #askers: { readonly ms: number; readonly answer: (ms: number) => void }[] = [];
  #retry: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;
  readonly #listeners = new AbortController();

  constructor(options: ArchivePlayerOptions) {
    this.#options = options;
    const { video } = options;
    const on = (name: string, run: () => void): void =>
      video.addEventListener(name, run, { signal: this.#listeners.signal });
    on('seeked', () => this.#arrived());
    on('loadeddata', () => this.#arrived());
    on('playing', () => this.#arrived());
    on('ended', () => this.#goOn());
    on('error', () => this.#failLater());
    this.#watchFrames();
  }

  get state(): PlayerState {
    return this.#state;
  }

  get frameRate(): FrameRate {
    return this.#rate;
  }

  /** Whether it plays what is live, at its newest. */
  get isLive(): boolean {
    return this.#window?.isLive === true;
  }

  /** The moment that is shown, or is about to be; undefined before the first. */
  get atMs(): number | undefined {
    return this.#wanted ?? momentOf(this.#segments(), this.#options.video.currentTime);
  }

  /** When the picture that is shown, or is about to be, begins. As exact as it is known now; see `frame`. */
  get frameAtMs(): number | undefined {
    const seconds = this.#shownSeconds;
    const shown = seconds === undefined ? undefined : momentOf(this.#segments(), seconds);
    const at = this.atMs;
    // While it plays a browser that has no time to say what it shows is behind.
    const isSaid = this.#options.video.paused || Math.abs((at ?? 0) - (shown ?? 0)) <= 2 * this.#rate.frameMs;
    if (shown !== undefined && isSaid) return shown;
    return at === undefined ? undefined : (frameOf(this.#segments(), at, this.#rate.frameMs) ?? at);
  }

  /** When the picture of the present moment begins. Waits for the playlist, not for the picture; undefined where there is no moment. */
  async frame(): Promise<number | undefined> {
    const wanted = this.#wanted;
    if (wanted === undefined || this.#segments().length > 0) return this.frameAtMs;
    return new Promise((answer) => {
      this.#askers.push({ ms: wanted, answer });
    });
  }

  /** Shows the picture of a moment; a gap is jumped over. */
  seek(ms: number): void {
    if (this.#isClosed) return;
    this.#wanted = ms;
    this.#shownSeconds = undefined;
    const place = this.#isInWindow(ms) ? placeOf(this.#segments(), ms) : undefined;
    // What is being opened is not opened anew: it goes where it is wanted as soon as it is there.
    if (place === undefined && this.#isOpening(ms)) return;
    if (place === undefined) this.#open(ms);
    else this.#options.video.currentTime = this.#loadedPlace(place) ?? firstPlace(this.#segments(), place);
  }

  /** Fetches the sound of what it shows, where it was opened without. */
  hear(): void {
    if (this.#hls === undefined || this.#hasSound) return;
    const { isLive, atMs } = this;
    if (atMs === undefined) return;
    if (!isLive) this.#wanted = atMs;
    this.#open(isLive ? this.#options.now() : atMs);
  }

  /** Shows the newest picture, and goes on with it. */
  goLive(): void {
    const { now, video } = this.#options;
    [this.#wanted, this.#shownSeconds] = [undefined, undefined];
    const edge = this.isLive ? this.#hls?.liveSyncPosition : undefined;
    if (edge === null || edge === undefined) this.#open(now());
    else video.currentTime = edge;
    void video.play().catch(() => undefined);
  }

  /** Goes to the picture before or behind the one that is shown. */
  step(frames: number): void {
    const { frameMs } = this.#rate;
    const at = this.frameAtMs;
    if (at === undefined) return;
    // The middle of a picture is surely in it. Before the playlist is there no begin of a picture is known.
    const isKnown = this.#wanted === undefined || this.#segments().length > 0;
    this.seek(at + (isKnown ? frames + 0.5 : frames) * frameMs);
  }

  close(): void {
    this.#isClosed = true;
    this.#listeners.abort();
    clearTimeout(this.#retry);
    this.#tearDown();
  }

  /** A place that is loaded: this one, or for the begin of what begins anew where both sound and picture have begun; before that nothing is ever shown. */
  #loadedPlace(seconds: number): number | undefined {
    const { buffered } = this.#options.video;
    const isAnew = firstPlace(this.#segments(), seconds) > seconds;
    for (let at = 0; at < buffered.length; at++) {
      const [start, end] = [buffered.start(at), buffered.end(at)];
      if (start <= seconds && seconds < end) return seconds;
      if (isAnew && start > seconds && start - seconds < ANEW_SECONDS) return start + 0.001;
    }
    return undefined;
  }

  #isInWindow(ms: number): boolean {
    const window = this.#window;
    const [first, last] = [this.#segments()[0], this.#segments().at(-1)];
    // The first segment may begin behind the begin of the window.
    if (first && ms < (first.programDateTime ?? 0) - this.#rate.frameMs) return false;
    const endMs = last ? (last.programDateTime ?? 0) + last.duration * 1000 : 0;
    return window !== undefined && this.#hls !== undefined && ms >= window.from && ms < Math.min(window.to, endMs);
  }

  #isOpening(ms: number): boolean {
    const window = this.#window;
    if (window === undefined || this.#hls === undefined || this.#state !== 'loading') return false;
    return this.#segments().length === 0 && !window.isLive && ms >= window.from && ms < window.to;
  }

  #segments(): readonly PlacedSegment[] {
    return this.#hls?.latestLevelDetails?.fragments ?? [];
  }

  #open(ms: number): void {
    clearTimeout(this.#retry);
    const { now, isOnAir, recorded, isHeard, addressOf, video } = this.#options;
    if (!Hls.isSupported()) return this.#set('unsupported');
    const wanted = windowOf(ms, { nowMs: now(), isOnAir: isOnAir(), recorded: recorded() });
    const isLiveEdge = wanted.isLive && ms >= now() - 3000;
    if (isLiveEdge) this.#wanted = undefined;
    this.#tearDown();
    this.#window = wanted;
    this.#hasSound = isHeard();
    this.#set('loading');
    const hls = new Hls({
      ...CONFIG,
      lowLatencyMode: wanted.isLive,
      // Only the playlist knows where the moment is in it.
      pLoader: startLoader(isLiveEdge ? undefined : ms, this.#hasSound),
    });
    this.#hls = hls;
    hls.on(Hls.Events.LEVEL_UPDATED, (_, { level }) => {
      const rate = hls.levels[level]?.frameRate;
      if (rate !== undefined && rate > 0) this.#rate = frameRateOf(rate);
      this.#answer();
    });
    hls.on(Hls.Events.ERROR, (_, data) => {
      if (!data.fatal) return;
      const isGone = data.response?.code === 404;
      if (isGone) this.#set('empty');
      else if (data.type === Hls.ErrorTypes.MEDIA_ERROR && data.details !== Hls.ErrorDetails.BUFFER_ADD_CODEC_ERROR)
        hls.recoverMediaError();
      else if (
        data.details === Hls.ErrorDetails.MANIFEST_INCOMPATIBLE_CODECS_ERROR ||
        data.details === Hls.ErrorDetails.BUFFER_ADD_CODEC_ERROR
      )
        this.#set('unsupported');
      else this.#failLater();
    });
    hls.attachMedia(video);
    hls.loadSource(addressOf(wanted.file));
  }

  /** Says to those who wait when their pictures begin; without a playlist the moments themselves. */
  #answer(): void {
    const askers = this.#askers;
    this.#askers = [];
    for (const { ms, answer } of askers) answer(frameOf(this.#segments(), ms, this.#rate.frameMs) ?? ms);
  }

  #tearDown(): void {
    this.#answer();
    this.#hls?.destroy();
    this.#hls = undefined;
    this.#window = undefined;
    this.#shownSeconds = undefined;
  }

  #set(state: PlayerState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#options.changed(state);
  }

  /** A picture is there: the one that is wanted, or it is gone to. */
  #arrived(): void {
    const { video } = this.#options;
    const wanted = this.#wanted;
    if (wanted !== undefined) {
      const meant = placeOf(this.#segments(), wanted);
      const place = meant === undefined ? undefined : (this.#loadedPlace(meant) ?? meant);
      if (place !== undefined && Math.abs(place - video.currentTime) > 0.001 && !video.seeking) {
        video.currentTime = place;
        return;
      }
      if (video.seeking || video.readyState < 2) return;
      this.#wanted = undefined;
    }
    this.#set('ready');
  }

  /** What was opened is played to its end: on with what is recorded behind it. */
  #goOn(): void {
    const { recorded, now } = this.#options;
    const { to } = this.#window ?? { to: 0 };
    const at = this.atMs ?? to;
    const isWithin = stretchAt(recorded(), Math.max(at, to) + 1) !== undefined;
    const next = isWithin ? Math.max(at, to) : recorded().find(({ from }) => from > at + 1)?.from;
    if (next !== undefined && next < now() - END_SECONDS * 1000) {
      this.seek(next);
      void this.#options.video.play().catch(() => undefined);
    }
  }

  #failLater(): void {
    if (this.#isClosed || this.#state === 'failed') return;
    const at = this.atMs;
    this.#set('failed');
    this.#tearDown();
    this.#retry = setTimeout(() => {
      if (at !== undefined) this.seek(at);
    }, RETRY_MS);
  }

  /** Notes which picture is shown: its own time, not the place between two. */
  #watchFrames(): void {
    const { video } = this.#options;
    if (!('requestVideoFrameCallback' in video)) return;
    const watch = (): void => {
      video.requestVideoFrameCallback((_, { mediaTime }) => {
        if (this.#isClosed) return;
        // A picture that was drawn before a seek is not the one that it asked for.
        const behind = video.currentTime - mediaTime;
        if (!video.seeking || (behind > -0.001 && behind * 1000 < 1.25 * this.#rate.frameMs))
          this.#shownSeconds = mediaTime;
        watch();
      });
    };
    watch();
  }
}
