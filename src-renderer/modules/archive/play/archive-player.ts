import Hls from 'hls.js';
import { nextRecorded, rangeAt } from '../time/ranges.ts';
import { frameRateOf, type FrameRate } from '../time/time-code.ts';
import { LoadProgress } from './load-progress.ts';
import { endsBeforeHole, MissingSound } from './missing-sound.ts';
import { openSource } from './open-source.ts';
import { FrameRequests } from './frame-requests.ts';
import {
  endMsOf,
  firstPlace,
  frameOf,
  isLoaded,
  loadedPlace,
  momentOf,
  placeOf,
  windowOf,
  type PlacedSegment,
  type PlayWindow,
} from './play-window.ts';
import type { ArchivePlayerOptions, PlayerState } from './player-options.ts';
import { ShownFrame } from './shown-frame.ts';

/** Within this distance of the present, nothing follows the open source; in milliseconds. */
const END_MS = 300;
/** Delay before a failed player is rebuilt, in milliseconds; a player that had shown a picture is rebuilt at once. */
const RETRY_MS = 3000;
/** Time without progress after which a player is rebuilt, in milliseconds; doubled with each failed attempt, up to a limit. */
const QUIET_MS = 6000;
const MAX_DOUBLED = 2;
/** Time that loaded pictures wait for their sound before they are shown without it, in milliseconds. */
const SOUND_MS = 2000;
/** Maximum number of seeks to one picture; after that the player is as near as it gets. */
const MAX_ASKS = 4;
/** Distance that playback may have advanced when the player reports its arrival, in seconds. */
const PLAYED_SECONDS = 1;

/**
 * Plays one stream at any moment of its archive. The open source stays as long as it contains the requested moment. A requested
 * moment stays pending until its picture is shown: after a failure or without progress, its source is opened again.
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
  /** Requested moment, until its picture is shown. */
  #targetMs: number | undefined;
  /** Moment that will appear later in a live playlist; the last picture before it is shown meanwhile. */
  #awaited: number | undefined;
  #state: PlayerState = 'idle';
  #rate: FrameRate = frameRateOf(undefined);
  readonly #requests = new FrameRequests();
  /** Whether it was playing before the source ended. */
  #isPlaying = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether it has shown a picture since the last failure. */
  #hasShown = false;
  #retries = 0;
  readonly #signs = new LoadProgress();
  readonly #sound = new MissingSound();
  #asks = 0;
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
    on('ended', () => this.#goOn());
    on('timeupdate', () => !video.paused && this.#sound.isDue(this.atMs ?? 0) && this.hear());
    on('error', () => video.error && this.#fail());
    this.#shown = new ShownFrame(video, () => this.#rate.frameMs / 1000);
  }

  get state(): PlayerState {
    return this.#state;
  }

  get frameRate(): FrameRate {
    return this.#rate;
  }

  /** Whether it plays the live edge. */
  get isLive(): boolean {
    return this.#window?.isLive === true;
  }

  /** Current or requested moment; undefined before the first. */
  get atMs(): number | undefined {
    return this.#targetMs ?? momentOf(this.#segments(), this.#options.video.currentTime);
  }

  /** Start of the current or requested picture, as exact as known at present; see `frame`. */
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
    return this.#requests.ask(targetMs);
  }

  /** Shows the picture at a moment; skips gaps. */
  seek(ms: number): void {
    if (this.#isClosed) return;
    this.#want(ms);
    const isSoundBack = this.#sound.leave(ms);
    const place = !isSoundBack && this.#isInWindow(ms) ? placeOf(this.#segments(), ms) : undefined;
    if (place !== undefined) this.#goTo(place);
    // A source that is opening is not opened again: it seeks to the moment as soon as it is ready.
    else if (isSoundBack || !this.#isOpening(ms)) this.#open(ms);
  }

  /** Loads the sound of the current moment if the source was opened without. */
  hear(): void {
    if (this.#hls === undefined || this.#hasSound) return;
    const { isLive, atMs } = this;
    if (atMs === undefined) return;
    if (!isLive) this.#want(atMs);
    this.#open(isLive ? this.#options.now() : atMs);
  }

  /** Shows the newest picture, and continues from there. */
  goLive(): void {
    const { now, video } = this.#options;
    this.#want(undefined);
    this.#sound.leave(Infinity);
    const edge = this.isLive ? this.#hls?.liveSyncPosition : undefined;
    if (edge === null || edge === undefined) this.#open(now());
    else {
      this.#set('loading');
      video.currentTime = edge;
      this.#expect();
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
    this.#answer(() => true);
  }

  #want(ms: number | undefined): void {
    [this.#targetMs, this.#awaited] = [ms, undefined];
    [this.#asks, this.#retries] = [0, 0];
    this.#signs.reset();
    this.#shown.forget();
  }

  #goTo(place: number): void {
    const loaded = this.#loadedPlace(place);
    this.#asks++;
    if (loaded === undefined) this.#set('loading');
    this.#options.video.currentTime = loaded ?? firstPlace(this.#segments(), place);
    this.#expect();
  }

  #loadedPlace(seconds: number): number | undefined {
    const types = this.#hls?.audioTracks.length === 0 ? ['main'] : ['main', 'audio'];
    const isWhole = this.#signs.isWhole(types, seconds);
    return loadedPlace(this.#options.video.buffered, this.#segments(), seconds, isWhole);
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

  #segments(): readonly PlacedSegment[] {
    return this.#hls?.latestLevelDetails?.fragments ?? [];
  }

  #open(ms: number): void {
    const { now, isOnAir, recorded, isAudible, addressOf, video } = this.#options;
    if (!Hls.isSupported()) return this.#set('unsupported');
    const window = windowOf(ms, { nowMs: now(), isOnAir: isOnAir(), recorded: recorded() });
    const isLiveEdge = window.isLive && ms >= now() - 3000;
    if (isLiveEdge) this.#targetMs = undefined;
    this.#tearDown();
    // Callers that ask for a picture of the new window keep waiting.
    this.#answer((requestedMs) => requestedMs < window.from || requestedMs >= window.to);
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
        this.#answer(() => true);
        this.#look();
      },
      coming: (type, bytes) => {
        this.#signs.note(type, bytes);
        if (!bytes && this.#isWithoutSound()) this.#expect();
      },
      loaded: (type, place) => {
        this.#signs.noteLoaded(type, place);
        this.#sign();
      },
      failed: (state) => (state === 'failed' ? this.#fail() : this.#end(state)),
    });
    this.#expect();
  }

  /** Tells waiting callers the start of their pictures; without a playlist, the moments themselves. */
  #answer(isInWindow: (ms: number) => boolean): void {
    this.#requests.answer(isInWindow, (ms) => frameOf(this.#segments(), ms, this.#rate.frameMs) ?? ms);
  }

  #tearDown(): void {
    clearTimeout(this.#timer);
    this.#hls?.destroy();
    [this.#hls, this.#window] = [undefined, undefined];
    this.#signs.forget();
    this.#shown.forget();
  }

  #set(state: PlayerState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#options.changed(state);
  }

  /** A picture was shown: the requested one, or the player seeks to it. */
  #arrived(): void {
    const { video } = this.#options;
    const targetMs = this.#targetMs;
    if (this.#hls === undefined) return;
    if (targetMs !== undefined) {
      const target = placeOf(this.#segments(), targetMs);
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
    const off = video.currentTime - (this.#loadedPlace(place) ?? firstPlace(this.#segments(), place));
    if (Math.abs(off) <= 0.001 || this.#asks >= MAX_ASKS) return true;
    return this.#asks > 0 && !video.paused && off > 0 && off < PLAYED_SECONDS;
  }

  /** A new playlist may contain the awaited moment. */
  #look(): void {
    const awaited = this.#awaited;
    if (awaited !== undefined && placeOf(this.#segments(), awaited) !== undefined) this.seek(awaited);
  }

  /** Progress of loading. A segment that stays incomplete is shown as far as it goes. */
  #sign(): void {
    const { video } = this.#options;
    if (!this.#isOnItsWay()) return;
    if (this.#signs.take()) this.#expect();
    if (this.#hasSound && video.seeking && video.readyState < 2 && endsBeforeHole(video.buffered, video.currentTime))
      return this.#openSilent();
    const target = this.#targetMs === undefined ? undefined : placeOf(this.#segments(), this.#targetMs);
    if (target === undefined || !video.seeking) return;
    const loaded = this.#loadedPlace(target);
    if (loaded !== undefined && !isLoaded(video.buffered, video.currentTime)) this.#goTo(target);
  }

  #isOnItsWay(): boolean {
    return this.#state === 'loading' || (this.#state === 'ready' && this.#targetMs !== undefined);
  }

  /** Waits for progress; without any, the source is opened again. */
  #expect(): void {
    clearTimeout(this.#timer);
    if (!this.#isOnItsWay()) return;
    this.#timer = setTimeout(
      () => {
        if (!this.#isOnItsWay()) return;
        if (this.#isWithoutSound()) return this.#openSilent();
        // On a slow line a segment takes longer.
        if (this.#signs.isComing()) return this.#expect();
        this.#retries++;
        this.#asks = 0;
        this.#openAgain();
      },
      this.#isWithoutSound() ? SOUND_MS : QUIET_MS * 2 ** Math.min(MAX_DOUBLED, this.#retries),
    );
  }

  /** True if pictures are loaded and wait for sound that does not arrive. */
  #isWithoutSound(): boolean {
    return this.#hasSound && this.#options.video.readyState < 2 && this.#signs.haveCome;
  }

  /** Opens the source without sound. */
  #openSilent(): void {
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

  /** The source has ended: continues with the next recording. */
  #goOn(): void {
    const { recorded, now, isOnAir, video } = this.#options;
    if (!this.#isPlaying) return;
    const at = Math.max(this.atMs ?? 0, endMsOf(this.#segments()));
    const next = nextRecorded(recorded(), at + 1);
    if (next !== undefined && next < now() - END_MS) {
      this.seek(next);
      void video.play().catch(() => undefined);
    } else if (isOnAir()) {
      // A recording in progress is listed a little later.
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => video.ended && this.#goOn(), RETRY_MS);
    } else this.#isPlaying = false;
  }

  #fail(): void {
    if (this.#isClosed || this.#state === 'failed') return;
    const hadShown = this.#hasShown;
    this.#hasShown = false;
    if (hadShown) this.#openAgain();
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
    const again = (): void => {
      this.#timer = setTimeout(() => {
        const isThere = state === 'failed' || (targetMs === undefined ? isOnAir() : rangeAt(recorded(), targetMs));
        if (isThere) this.#open(targetMs ?? now());
        else again();
      }, RETRY_MS);
    };
    if (state !== 'unsupported') again();
  }
}
