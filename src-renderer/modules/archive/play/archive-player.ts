import Hls from 'hls.js';
import { nextRecorded, rangeAt } from '../ranges.ts';
import { frameRateOf, type FrameRate } from '../time-code.ts';
import { LoadProgress } from './load-progress.ts';
import { endsBeforeGap, MissingSound } from './missing-sound.ts';
import { openSource } from './open-source.ts';
import { FrameRequests } from './frame-requests.ts';
import {
  endMsOf,
  firstSeekPosition,
  frameOf,
  isLoaded,
  loadedPosition,
  momentOf,
  positionOf,
  windowOf,
  type TimedSegment,
  type PlayWindow,
} from './play-window.ts';
import type { ArchivePlayerOptions, PlayerState } from './player-options.ts';
import { ShownFrame } from './shown-frame.ts';

/** A recording that starts within this time before now is not opened yet, in milliseconds. */
const TOO_RECENT_MS = 300;
/** Delay before a failed player is rebuilt, in milliseconds; a player that had shown a picture is rebuilt at once. */
const RETRY_MS = 3000;
/** Time without progress after which a player is rebuilt, in milliseconds; doubled with each failed attempt, up to a limit. */
const QUIET_MS = 6000;
const MAX_DOUBLED = 2;
/** Time that loaded pictures wait for their sound before they are shown without it, in milliseconds. */
const SOUND_MS = 2000;
/** Maximum number of seeks to one picture; then the nearest picture is accepted. */
const MAX_SEEKS = 4;
/** Maximum distance that playback may have advanced when the browser reports the end of a seek, in seconds. */
const PLAYED_SECONDS = 1;

/**
 * Plays one stream at any moment of its archive. A source stays open while it contains the requested moment. A request stays
 * pending until its picture is shown: after a failure or without progress, its source is opened again.
 */
export class ArchivePlayer {
  readonly #options: ArchivePlayerOptions;
  readonly #shown: ShownFrame;
  #hls: Hls | undefined;
  #window: PlayWindow | undefined;
  /** Moment for which the source was opened. */
  #openedMs: number | undefined;
  /** Whether the open source has sound. */
  #hasSound = false;
  /** Requested moment; undefined once its picture is shown. */
  #targetMs: number | undefined;
  /** Moment that will appear later in a live playlist; until then, the last picture before it is shown. */
  #awaited: number | undefined;
  #state: PlayerState = 'idle';
  #rate: FrameRate = frameRateOf(undefined);
  readonly #requests = new FrameRequests();
  /** Whether the player was playing before the source ended. */
  #isPlaying = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether the player has shown a picture since the last failure. */
  #hasShown = false;
  #retries = 0;
  readonly #progress = new LoadProgress();
  readonly #sound = new MissingSound();
  #seeks = 0;
  #isClosed = false;
  readonly #listeners = new AbortController();

  constructor(options: ArchivePlayerOptions) {
    this.#options = options;
    const { video } = options;
    const on = (name: string, run: () => void): void =>
      video.addEventListener(name, run, { signal: this.#listeners.signal });
    for (const name of ['seeked', 'loadeddata', 'canplay', 'playing']) on(name, () => this.#arrived());
    on('play', () => ([this.#isPlaying, this.#awaited] = [true, undefined]));
    // A source that ends fires pause as well.
    on('pause', () => (this.#isPlaying &&= video.ended));
    on('ended', () => this.#playNext());
    on('timeupdate', () => !video.paused && this.#sound.isDue(this.atMs ?? 0) && this.loadSound());
    on('error', () => video.error && this.#fail());
    this.#shown = new ShownFrame(video, () => this.#rate.frameMs / 1000);
  }

  get state(): PlayerState {
    return this.#state;
  }

  get frameRate(): FrameRate {
    return this.#rate;
  }

  /** Whether the player plays the live edge. */
  get isLive(): boolean {
    return this.#window?.isLive === true;
  }

  /** Current or requested moment; undefined before the first. */
  get atMs(): number | undefined {
    return this.#targetMs ?? momentOf(this.#segments(), this.#options.video.currentTime);
  }

  /** Start of the current or requested picture, as far as the playlist is known; `frame` waits for the playlist. */
  get frameAtMs(): number | undefined {
    const { seconds } = this.#shown;
    const shown = seconds === undefined ? undefined : momentOf(this.#segments(), seconds);
    const at = this.atMs;
    // During playback, a busy browser reports shown pictures late.
    const isReported = this.#options.video.paused || Math.abs((at ?? 0) - (shown ?? 0)) <= 2 * this.#rate.frameMs;
    if (shown !== undefined && isReported) return shown;
    return at === undefined ? undefined : (frameOf(this.#segments(), at, this.#rate.frameMs) ?? at);
  }

  /** Start of the picture at the current moment. Waits for the playlist, not for the picture; undefined without a moment. */
  async frame(): Promise<number | undefined> {
    const targetMs = this.#targetMs;
    if (targetMs === undefined || this.#segments().length > 0) return this.frameAtMs;
    return this.#requests.request(targetMs);
  }

  /** Shows the picture at a moment; skips gaps. */
  seek(ms: number): void {
    if (this.#isClosed) return;
    this.#setTarget(ms);
    const isSoundBack = this.#sound.seekTo(ms);
    const place = !isSoundBack && this.#isInWindow(ms) ? positionOf(this.#segments(), ms) : undefined;
    if (place !== undefined) this.#goTo(place);
    // A source that is being opened is not opened again: it seeks to the moment as soon as it is ready.
    else if (isSoundBack || !this.#isOpening(ms)) this.#open(ms);
  }

  /** Loads the sound of the current moment if the source was opened without sound. */
  loadSound(): void {
    if (this.#hls === undefined || this.#hasSound) return;
    const { isLive, atMs } = this;
    if (atMs === undefined) return;
    if (!isLive) this.#setTarget(atMs);
    this.#open(isLive ? this.#options.now() : atMs);
  }

  /** Shows the newest picture, and continues from there. */
  goLive(): void {
    const { now, video } = this.#options;
    this.#setTarget(undefined);
    this.#sound.seekTo(Infinity);
    const edge = this.isLive ? this.#hls?.liveSyncPosition : undefined;
    if (edge === null || edge === undefined) this.#open(now());
    else {
      this.#set('loading');
      video.currentTime = edge;
      this.#startWatchdog();
    }
    void video.play().catch(() => undefined);
  }

  /** Steps by a number of pictures; negative steps back. */
  step(frames: number): void {
    const { frameMs } = this.#rate;
    const at = this.frameAtMs;
    if (at === undefined) return;
    // The middle of a picture is certainly inside it. Before the playlist is loaded, no start of a picture is known.
    const isKnown = this.#targetMs === undefined || this.#segments().length > 0;
    this.seek(at + (isKnown ? frames + 0.5 : frames) * frameMs);
  }

  close(): void {
    this.#isClosed = true;
    this.#listeners.abort();
    this.#shown.close();
    this.#tearDown();
    this.#answerRequests(() => true);
  }

  #setTarget(ms: number | undefined): void {
    [this.#targetMs, this.#awaited] = [ms, undefined];
    [this.#seeks, this.#retries] = [0, 0];
    this.#progress.reset();
    this.#shown.forget();
  }

  #goTo(place: number): void {
    const loaded = this.#loadedPosition(place);
    this.#seeks++;
    if (loaded === undefined) this.#set('loading');
    this.#options.video.currentTime = loaded ?? firstSeekPosition(this.#segments(), place);
    this.#startWatchdog();
  }

  #loadedPosition(seconds: number): number | undefined {
    const types = this.#hls?.audioTracks.length === 0 ? ['main'] : ['main', 'audio'];
    const isComplete = this.#progress.isLoadedAt(types, seconds);
    return loadedPosition(this.#options.video.buffered, this.#segments(), seconds, isComplete);
  }

  #isInWindow(ms: number): boolean {
    const window = this.#window;
    const first = this.#segments()[0];
    // The first segment may start after the start of the window.
    if (first && ms < (first.programDateTime ?? 0) - this.#rate.frameMs) return false;
    return (
      window !== undefined &&
      this.#hls !== undefined &&
      ms >= window.from &&
      ms < Math.min(window.to, endMsOf(this.#segments()))
    );
  }

  #isOpening(ms: number): boolean {
    const window = this.#window;
    if (window === undefined || this.#hls === undefined || this.#state !== 'loading') return false;
    return this.#segments().length === 0 && !window.isLive && ms >= window.from && ms < window.to;
  }

  #segments(): readonly TimedSegment[] {
    return this.#hls?.latestLevelDetails?.fragments ?? [];
  }

  #open(ms: number): void {
    const { now, isOnAir, recorded, isAudible, addressOf, video } = this.#options;
    if (!Hls.isSupported()) return this.#set('unsupported');
    const window = windowOf(ms, { nowMs: now(), isOnAir: isOnAir(), recorded: recorded() });
    const isLiveEdge = window.isLive && ms >= now() - 3000;
    if (isLiveEdge) this.#targetMs = undefined;
    this.#tearDown();
    // Callers that wait for a picture of the new window continue to wait.
    this.#answerRequests((requestedMs) => requestedMs < window.from || requestedMs >= window.to);
    [this.#window, this.#openedMs, this.#hasSound] = [window, ms, isAudible() && !this.#sound.isMissing];
    this.#set('loading');
    this.#hls = openSource({
      video,
      isLive: window.isLive,
      hasSound: this.#hasSound,
      ms: isLiveEdge ? undefined : ms,
      address: () => addressOf(window.file),
      listed: (rate) => {
        if (rate !== undefined && rate > 0) this.#rate = frameRateOf(rate);
        this.#answerRequests(() => true);
        this.#seekAwaited();
      },
      pending: (type, bytes) => {
        this.#progress.notePending(type, bytes);
        if (!bytes && this.#isWithoutSound()) this.#startWatchdog();
      },
      loaded: (type, place) => {
        this.#progress.noteLoaded(type, place);
        this.#progressed();
      },
      failed: (state) => (state === 'failed' ? this.#fail() : this.#end(state)),
    });
    this.#startWatchdog();
  }

  /** Answers waiting callers with the start of their pictures; without a playlist, with the requested moments. */
  #answerRequests(isInWindow: (ms: number) => boolean): void {
    this.#requests.answer(isInWindow, (ms) => frameOf(this.#segments(), ms, this.#rate.frameMs) ?? ms);
  }

  #tearDown(): void {
    clearTimeout(this.#timer);
    this.#hls?.destroy();
    [this.#hls, this.#window] = [undefined, undefined];
    this.#progress.forget();
    this.#shown.forget();
  }

  #set(state: PlayerState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#options.changed(state);
  }

  /** Handles a shown picture. If it is not the requested one, the player seeks again. */
  #arrived(): void {
    const { video } = this.#options;
    const targetMs = this.#targetMs;
    if (this.#hls === undefined) return;
    if (targetMs !== undefined) {
      const target = positionOf(this.#segments(), targetMs);
      if (target !== undefined && !video.seeking && !this.#isAt(target)) return this.#goTo(target);
      if (video.seeking || video.readyState < 2) return;
      // A source opened for another moment does not contain this one.
      if (target === undefined && this.#openedMs !== targetMs) return this.#open(targetMs);
      if (target === undefined && this.isLive && !this.#isPlaying) this.#awaited = targetMs;
      this.#targetMs = undefined;
    }
    clearTimeout(this.#timer);
    this.#hasShown = true;
    this.#set('ready');
  }

  #isAt(place: number): boolean {
    const { video } = this.#options;
    const off = video.currentTime - (this.#loadedPosition(place) ?? firstSeekPosition(this.#segments(), place));
    if (Math.abs(off) <= 0.001 || this.#seeks >= MAX_SEEKS) return true;
    return this.#seeks > 0 && !video.paused && off > 0 && off < PLAYED_SECONDS;
  }

  /** Seeks to the awaited moment if a new playlist contains it. */
  #seekAwaited(): void {
    const awaited = this.#awaited;
    if (awaited !== undefined && positionOf(this.#segments(), awaited) !== undefined) this.seek(awaited);
  }

  /** Handles progress of loading. The loaded part of an incomplete segment is shown. */
  #progressed(): void {
    const { video } = this.#options;
    if (!this.#isPending()) return;
    if (this.#progress.countEvent()) this.#startWatchdog();
    if (this.#hasSound && video.seeking && video.readyState < 2 && endsBeforeGap(video.buffered, video.currentTime))
      return this.#openWithoutSound();
    const target = this.#targetMs === undefined ? undefined : positionOf(this.#segments(), this.#targetMs);
    if (target === undefined || !video.seeking) return;
    const loaded = this.#loadedPosition(target);
    if (loaded !== undefined && !isLoaded(video.buffered, video.currentTime)) this.#goTo(target);
  }

  #isPending(): boolean {
    return this.#state === 'loading' || (this.#state === 'ready' && this.#targetMs !== undefined);
  }

  /** Starts the watchdog, which opens the source again if nothing is loaded in time. */
  #startWatchdog(): void {
    clearTimeout(this.#timer);
    if (!this.#isPending()) return;
    this.#timer = setTimeout(
      () => {
        if (!this.#isPending()) return;
        if (this.#isWithoutSound()) return this.#openWithoutSound();
        // On a slow connection a segment takes longer.
        if (this.#progress.hasNewBytes()) return this.#startWatchdog();
        this.#retries++;
        this.#seeks = 0;
        this.#openAgain();
      },
      this.#isWithoutSound() ? SOUND_MS : QUIET_MS * 2 ** Math.min(MAX_DOUBLED, this.#retries),
    );
  }

  /** True if pictures are loaded and wait for sound that does not arrive. */
  #isWithoutSound(): boolean {
    return this.#hasSound && this.#options.video.readyState < 2 && this.#progress.hasLoadedPictures;
  }

  /** Opens the source without sound. */
  #openWithoutSound(): void {
    this.#sound.note(this.atMs ?? this.#options.now());
    this.#openAgain();
  }

  #openAgain(): void {
    if (this.#isClosed) return;
    const { now } = this.#options;
    const ms = this.atMs ?? (this.isLive ? now() : this.#openedMs);
    if (ms === undefined) return;
    if (!this.isLive || this.atMs !== undefined) this.#targetMs = ms;
    this.#open(ms);
  }

  /** Continues with the next recording after the end of the source. */
  #playNext(): void {
    const { recorded, now, isOnAir, video } = this.#options;
    if (!this.#isPlaying) return;
    const at = Math.max(this.atMs ?? 0, endMsOf(this.#segments()));
    const next = nextRecorded(recorded(), at + 1);
    if (next !== undefined && next < now() - TOO_RECENT_MS) {
      this.seek(next);
      void video.play().catch(() => undefined);
    } else if (isOnAir()) {
      // A recording in progress appears in the list with a delay.
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => video.ended && this.#playNext(), RETRY_MS);
    } else this.#isPlaying = false;
  }

  #fail(): void {
    if (this.#isClosed || this.#state === 'failed') return;
    const wasShown = this.#hasShown;
    this.#hasShown = false;
    if (wasShown) this.#openAgain();
    else this.#end('failed');
  }

  /** Closes the source, and tries again later. */
  #end(state: 'failed' | 'empty' | 'unsupported'): void {
    const { isOnAir, recorded, now } = this.#options;
    const { atMs, isLive } = this;
    const targetMs = atMs ?? (isLive ? undefined : this.#openedMs);
    this.#tearDown();
    this.#targetMs = targetMs;
    this.#set(state);
    const retry = (): void => {
      this.#timer = setTimeout(() => {
        const canOpen = state === 'failed' || (targetMs === undefined ? isOnAir() : rangeAt(recorded(), targetMs));
        if (canOpen) this.#open(targetMs ?? now());
        else retry();
      }, RETRY_MS);
    };
    if (state !== 'unsupported') retry();
  }
}
