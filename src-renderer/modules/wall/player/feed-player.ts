import type { FeedFrame, FeedState } from '../../../../src-preload/contract/index.ts';
import type { FeedHandle, FeedLink } from '../../../lib/feed-link.ts';
import { FeedPace } from './feed-pace.ts';
import { FeedSource } from './feed-source.ts';
import { picturesOf, PlayerHealth } from './player-health.ts';
import type { PlayerPhase } from './tile-player.ts';

const WATCH_MS = 250;
/** Time without a message after which another player is used. */
const START_TIMEOUT_MS = 8_000;
/** Number of faults in `FAULT_SPAN_MS` after which another player is used. */
const MAX_FAULTS = 3;
const FAULT_SPAN_MS = 60_000;
/** Distance of the start position from the newest media, in seconds. */
const START_LEAD_S = 0.35;

/** Options of a feed player. */
export interface FeedPlayerOptions {
  readonly feeds: FeedLink;
  readonly name: string;
  readonly onPhase: (phase: PlayerPhase) => void;
  /** Called when the feed cannot be played here; the caller must use another player. */
  readonly onFallback: () => void;
}

/** Plays the pushed feed of a stream in a video element, close to the live edge, across losses of the connection. */
export class FeedPlayer {
  /** Always null, because a feed is played completely or not at all. */
  readonly missing = null;
  readonly #video: HTMLVideoElement;
  readonly #options: FeedPlayerOptions;
  #feed: FeedHandle | undefined;
  #source: FeedSource | undefined;
  #pace = new FeedPace();
  #health = new PlayerHealth(0);
  #watch: ReturnType<typeof setInterval> | undefined;
  #startTimer: ReturnType<typeof setTimeout> | undefined;
  #phase: PlayerPhase = 'idle';
  #isPlaced = false;
  /** End of the media from before the pause, in seconds of the element. */
  #pausedAtS = 0;
  #faults: number[] = [];
  #sizes: ResizeObserver | undefined;

  constructor(video: HTMLVideoElement, options: FeedPlayerOptions) {
    this.#video = video;
    this.#options = options;
  }

  /** Distance between the picture and the newest media in milliseconds; null while unknown. */
  get edgeDistanceMs(): number | null {
    const leadMs = this.#leadMs();
    return leadMs === null ? null : Math.max(0, leadMs);
  }

  /** UTC of the current picture, in epoch milliseconds; null while unknown. */
  get playingAtMs(): number | null {
    const originMs = this.#source?.originMs;
    return originMs === undefined ? null : originMs + this.#video.currentTime * 1000;
  }

  /** Starts at once, or resumes after a pause. The first frames follow with the key frame. */
  start(): void {
    this.#watch = setInterval(() => this.#check(), WATCH_MS);
    this.#setPhase('loading');
    this.#health = new PlayerHealth(performance.now());
    this.#video.addEventListener('waiting', this.#onWaiting);
    this.#startTimer = setTimeout(() => this.#fallBack(), START_TIMEOUT_MS);
    this.#open();
    this.#sizes = new ResizeObserver(() => this.#feed?.resize(...this.#size()));
    this.#sizes.observe(this.#video.parentElement ?? this.#video);
  }

  /** Pauses the feed and playback until the next start; buffers are kept. */
  pause(): void {
    clearInterval(this.#watch);
    clearTimeout(this.#startTimer);
    this.#sizes?.disconnect();
    this.#video.removeEventListener('waiting', this.#onWaiting);
    this.#feed?.close();
    this.#feed = undefined;
    this.#video.pause();
    this.#isPlaced = false;
    this.#pausedAtS = this.#endS() ?? 0;
    this.#pace = new FeedPace();
    this.#setPhase('idle');
  }

  /** Ends playback and frees all buffers. */
  close(): void {
    this.pause();
    this.#tearDown();
  }

  readonly #onWaiting = (): void => {
    if (this.#isPlaced) this.#pace.stalled();
  };

  #open(): void {
    this.#feed?.close();
    const [width, height] = this.#size();
    this.#feed = this.#options.feeds.open(
      { name: this.#options.name, width, height },
      {
        state: (state) => this.#take(state),
        frame: (frame, taken) => this.#add(frame, taken),
      },
    );
  }

  /** Tile size in screen pixels: a video without a picture has no size of its own. */
  #size(): [width: number, height: number] {
    const { clientWidth, clientHeight } = this.#video.parentElement ?? this.#video;
    const inPixels = (length: number): number =>
      Math.min(16_384, Math.max(1, Math.round(length * (globalThis.devicePixelRatio || 1))));
    return [inPixels(clientWidth), inPixels(clientHeight)];
  }

  #take(state: FeedState): void {
    clearTimeout(this.#startTimer);
    if (state.state === 'refused' || !state.tracks.every((type) => MediaSource.isTypeSupported(type))) {
      this.#fallBack();
      return;
    }
    if (this.#source?.fits(state.tracks)) return;
    this.#tearDown();
    this.#health = new PlayerHealth(performance.now());
    this.#source = new FeedSource(this.#video, state.tracks, {
      added: () => this.#added(),
      failed: () => this.#failed(),
    });
  }

  #add(frame: FeedFrame, taken: () => void): void {
    if (!this.#source) {
      taken();
      return;
    }
    if (frame.kind === 'part' && frame.track === 0 && this.#isPlaced) this.#keepPace();
    this.#source.add(frame, taken);
  }

  #keepPace(): void {
    const leadMs = this.#leadMs();
    if (leadMs === null) return;
    const video = this.#video;
    const { rate, jumpMs } = this.#pace.arrived(leadMs, performance.now());
    if (video.playbackRate !== rate) video.playbackRate = rate;
    if (jumpMs > 0) this.#jump(video.currentTime + jumpMs / 1000);
  }

  /** Whether the feed is closed; buffers may still receive earlier frames. */
  get #isPaused(): boolean {
    return this.#feed === undefined;
  }

  #added(): void {
    const video = this.#video;
    const { buffered } = video;
    if (buffered.length === 0) return;
    if (this.#isPaused) {
      this.#pausedAtS = this.#endS() ?? 0;
      return;
    }
    const start = buffered.start(buffered.length - 1);
    const end = buffered.end(buffered.length - 1);
    if (!this.#isPlaced) {
      // The first media arrives at once: playback starts near its end.
      if (!this.#source?.isSettled || end <= this.#pausedAtS) return;
      this.#isPlaced = true;
      this.#jump(Math.max(start, end - START_LEAD_S));
      this.#awaitPicture();
    } else if (video.currentTime < start) this.#jump(start);
    if (video.paused) this.#play();
  }

  /** Reports the first picture at once; the watchdog would notice it a quarter of a second later. */
  #awaitPicture(): void {
    // Not every browser has this function.
    const video: Partial<Pick<HTMLVideoElement, 'requestVideoFrameCallback'>> = this.#video;
    video.requestVideoFrameCallback?.call(this.#video, () => {
      if (!this.#isPlaced) return;
      this.#health.shows(performance.now());
      this.#setPhase('playing');
    });
  }

  #leadMs(): number | null {
    const endS = this.#endS();
    return endS === null ? null : (endS - this.#video.currentTime) * 1000;
  }

  /** End of the newest media, in seconds of the element; null without media. */
  #endS(): number | null {
    const { buffered } = this.#video;
    return buffered.length === 0 ? null : buffered.end(buffered.length - 1);
  }

  #jump(position: number): void {
    this.#video.currentTime = position;
    this.#health.jumped(this.#video.currentTime);
  }

  #check(): void {
    if (!this.#source || document.hidden) return;
    const nowMs = performance.now();
    const video = this.#video;
    const advice = this.#health.check({
      nowMs,
      position: video.currentTime,
      pictures: picturesOf(video),
      latency: (this.#leadMs() ?? 0) / 1000,
      isPaused: video.paused && video.readyState >= 2,
    });
    if (!this.#health.isFrozen(nowMs) && video.readyState >= 2) this.#setPhase('playing');
    else if (this.#phase === 'playing') this.#setPhase('stalled');
    if (advice === 'play') this.#play();
    else if (advice === 'rebuild') this.#rebuild();
  }

  #failed(): void {
    if (this.#isPaused) {
      this.#tearDown();
      return;
    }
    const nowMs = performance.now();
    this.#faults = [...this.#faults.filter((atMs) => nowMs - atMs < FAULT_SPAN_MS), nowMs];
    if (this.#faults.length >= MAX_FAULTS) this.#fallBack();
    else this.#rebuild();
  }

  #rebuild(): void {
    this.#setPhase('stalled');
    this.#tearDown();
    this.#open();
  }

  #fallBack(): void {
    this.close();
    this.#options.onFallback();
  }

  #tearDown(): void {
    if (!this.#source) return;
    this.#source.close();
    this.#source = undefined;
    this.#isPlaced = false;
    this.#pausedAtS = 0;
    this.#pace = new FeedPace();
    this.#video.playbackRate = 1;
    // Without this the element keeps the last decoded pictures and its decoder.
    this.#video.removeAttribute('src');
    this.#video.load();
  }

  #play(): void {
    // Rejected before the first gesture if unmuted; the watchdog tries again.
    this.#video.play().catch(() => undefined);
  }

  #setPhase(phase: PlayerPhase): void {
    if (phase === this.#phase) return;
    this.#phase = phase;
    this.#options.onPhase(phase);
  }
}
