import Hls from 'hls.js';
import { nextRecorded, rangeAt } from '../time/ranges.ts';
import { frameRateOf, type FrameRate } from '../time/time-code.ts';
import { LoadSigns } from './load-signs.ts';
import { endsBeforeHole, MissingSound } from './missing-sound.ts';
import { openSource } from './open-source.ts';
import { FrameAskers } from './frame-askers.ts';
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

/** So near to the present nothing is behind what is open, in milliseconds. */
const END_MS = 300;
/** A player that fails is built anew at once if it had shown something, else after so long, in milliseconds. */
const RETRY_MS = 3000;
/** One from which nothing comes for so long is built anew too, in milliseconds; twice as long for each time that this did not help, up to a limit. */
const QUIET_MS = 6000;
const MAX_DOUBLED = 2;
/** Pictures that have come wait so long for their sound, in milliseconds, before they are shown without. */
const SOUND_MS = 2000;
/** A picture that was asked for so often is as near as it comes. */
const MAX_ASKS = 4;
/** One that plays is farther by so much when it says that it is there, in seconds. */
const PLAYED_SECONDS = 1;

/**
 * Plays one stream at any moment of its archive. Keeps what is open as long as a moment is in it. A moment that is wanted stays so until its picture is there:
 * whatever fails or says nothing is opened anew for it.
 */
export class ArchivePlayer {
  readonly #options: ArchivePlayerOptions;
  readonly #shown: ShownFrame;
  #hls: Hls | undefined;
  #window: PlayWindow | undefined;
  /** The moment that it was opened for. */
  #openedMs: number | undefined;
  /** Whether what is open has its sound. */
  #hasSound = false;
  /** The moment that is wanted, until its picture is shown. */
  #wanted: number | undefined;
  /** A moment that comes in a live playlist later, while the last picture before it stands. */
  #awaited: number | undefined;
  #state: PlayerState = 'idle';
  #rate: FrameRate = frameRateOf(undefined);
  readonly #askers = new FrameAskers();
  /** Whether it played before it came to an end. */
  #isPlaying = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether it showed something since it failed last. */
  #hasShown = false;
  #triesAnew = 0;
  readonly #signs = new LoadSigns();
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
    // What comes to its end stands, too.
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
    const { seconds } = this.#shown;
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
    return this.#askers.ask(wanted);
  }

  /** Shows the picture of a moment; a gap is jumped over. */
  seek(ms: number): void {
    if (this.#isClosed) return;
    this.#want(ms);
    const isSoundBack = this.#sound.leave(ms);
    const place = !isSoundBack && this.#isInWindow(ms) ? placeOf(this.#segments(), ms) : undefined;
    if (place !== undefined) this.#goTo(place);
    // What is being opened is not opened anew: it goes where it is wanted as soon as it is there.
    else if (isSoundBack || !this.#isOpening(ms)) this.#open(ms);
  }

  /** Fetches the sound of what it shows, where it was opened without. */
  hear(): void {
    if (this.#hls === undefined || this.#hasSound) return;
    const { isLive, atMs } = this;
    if (atMs === undefined) return;
    if (!isLive) this.#want(atMs);
    this.#open(isLive ? this.#options.now() : atMs);
  }

  /** Shows the newest picture, and goes on with it. */
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
    this.#shown.close();
    this.#tearDown();
    this.#answer(() => true);
  }

  #want(ms: number | undefined): void {
    [this.#wanted, this.#awaited] = [ms, undefined];
    [this.#asks, this.#triesAnew] = [0, 0];
    this.#signs.beginAnew();
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
    // The first segment may begin behind the begin of the window.
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
    const { now, isOnAir, recorded, isHeard, addressOf, video } = this.#options;
    if (!Hls.isSupported()) return this.#set('unsupported');
    const window = windowOf(ms, { nowMs: now(), isOnAir: isOnAir(), recorded: recorded() });
    const isLiveEdge = window.isLive && ms >= now() - 3000;
    if (isLiveEdge) this.#wanted = undefined;
    this.#tearDown();
    // Who waits for a picture of it goes on waiting.
    this.#answer((asked) => asked < window.from || asked >= window.to);
    [this.#window, this.#openedMs, this.#hasSound] = [window, ms, isHeard() && !this.#sound.isMissing];
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

  /** Says to those who wait when their pictures begin; without a playlist the moments themselves. */
  #answer(isMeant: (ms: number) => boolean): void {
    this.#askers.answer(isMeant, (ms) => frameOf(this.#segments(), ms, this.#rate.frameMs) ?? ms);
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

  /** A picture is there: the one that is wanted, or it is gone to. */
  #arrived(): void {
    const { video } = this.#options;
    const wanted = this.#wanted;
    if (this.#hls === undefined) return;
    if (wanted !== undefined) {
      const meant = placeOf(this.#segments(), wanted);
      if (meant !== undefined && !video.seeking && !this.#isAt(meant)) return this.#goTo(meant);
      if (video.seeking || video.readyState < 2) return;
      // What was opened for another moment does not have this one.
      if (meant === undefined && this.#openedMs !== wanted) return this.#open(wanted);
      if (meant === undefined && this.isLive && !this.#isPlaying) this.#awaited = wanted;
      this.#wanted = undefined;
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

  /** Another playlist: perhaps it has what is waited for. */
  #look(): void {
    const awaited = this.#awaited;
    if (awaited !== undefined && placeOf(this.#segments(), awaited) !== undefined) this.seek(awaited);
  }

  /** Something was loaded. What is not whole in spite of that is shown as far as it goes. */
  #sign(): void {
    const { video } = this.#options;
    if (!this.#isOnItsWay()) return;
    if (this.#signs.take()) this.#expect();
    if (this.#hasSound && video.seeking && video.readyState < 2 && endsBeforeHole(video.buffered, video.currentTime))
      return this.#openSilent();
    const meant = this.#wanted === undefined ? undefined : placeOf(this.#segments(), this.#wanted);
    if (meant === undefined || !video.seeking) return;
    const loaded = this.#loadedPlace(meant);
    if (loaded !== undefined && !isLoaded(video.buffered, video.currentTime)) this.#goTo(meant);
  }

  #isOnItsWay(): boolean {
    return this.#state === 'loading' || (this.#state === 'ready' && this.#wanted !== undefined);
  }

  /** Waits for a sign of what is on its way; where none comes it is opened anew. */
  #expect(): void {
    clearTimeout(this.#timer);
    if (!this.#isOnItsWay()) return;
    this.#timer = setTimeout(
      () => {
        if (!this.#isOnItsWay()) return;
        if (this.#isWithoutSound()) return this.#openSilent();
        // On a slow line a segment takes longer.
        if (this.#signs.isComing()) return this.#expect();
        this.#triesAnew++;
        this.#asks = 0;
        this.#openAgain();
      },
      this.#isWithoutSound() ? SOUND_MS : QUIET_MS * 2 ** Math.min(MAX_DOUBLED, this.#triesAnew),
    );
  }

  /** Whether pictures have come, and wait for a sound that does not. */
  #isWithoutSound(): boolean {
    return this.#hasSound && this.#options.video.readyState < 2 && this.#signs.haveCome;
  }

  /** Shows the pictures alone. */
  #openSilent(): void {
    this.#sound.note(this.atMs ?? this.#options.now());
    this.#openAgain();
  }

  #openAgain(): void {
    if (this.#isClosed) return;
    const { now } = this.#options;
    const ms = this.atMs ?? (this.isLive ? now() : this.#openedMs);
    if (ms === undefined) return;
    if (!this.isLive || this.atMs !== undefined) this.#wanted = ms;
    this.#open(ms);
  }

  /** What was opened is played to its end: on with what is recorded behind it. */
  #goOn(): void {
    const { recorded, now, isOnAir, video } = this.#options;
    if (!this.#isPlaying) return;
    const at = Math.max(this.atMs ?? 0, endMsOf(this.#segments()));
    const next = nextRecorded(recorded(), at + 1);
    if (next !== undefined && next < now() - END_MS) {
      this.seek(next);
      void video.play().catch(() => undefined);
    } else if (isOnAir()) {
      // What is recorded just now is said later.
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

  /** Ends what is open, and looks for it later. */
  #end(state: 'failed' | 'empty' | 'unsupported'): void {
    const { isOnAir, recorded, now } = this.#options;
    const { atMs, isLive } = this;
    const wanted = atMs ?? (isLive ? undefined : this.#openedMs);
    this.#tearDown();
    this.#wanted = wanted;
    this.#set(state);
    const again = (): void => {
      this.#timer = setTimeout(() => {
        const isThere = state === 'failed' || (wanted === undefined ? isOnAir() : rangeAt(recorded(), wanted));
        if (isThere) this.#open(wanted ?? now());
        else again();
      }, RETRY_MS);
    };
    if (state !== 'unsupported') again();
  }
}
