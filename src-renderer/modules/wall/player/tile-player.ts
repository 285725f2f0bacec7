import Hls from 'hls.js';
import type { ErrorData, HlsConfig } from 'hls.js';
import { ReconnectDelay } from '../../../lib/reconnect-delay.ts';
import { freshQueries } from '../../../lib/fresh-query.ts';
import { PacedPlaylistLoader } from './paced-playlist-loader.ts';
import { playablePart } from './playable-part.ts';
import { picturesOf, PlayerHealth } from './player-health.ts';
import { TEXTS } from '../texts.ts';

/**
 * State of a player. `stills`: this browser cannot decode the video, so stills replace it; `unsupported`: it cannot play the
 * stream at all, and another attempt would not help.
 */
export type PlayerPhase = 'idle' | 'loading' | 'playing' | 'stalled' | 'stills' | 'unsupported';

/** Settings of all players of the wall: small buffers, because there are many players and all are live. */
const PLAYER_CONFIG: Partial<HlsConfig> = {
  lowLatencyMode: true,
  // CMAF needs no remuxing, and sixteen workers cost more memory than they save time.
  enableWorker: false,
  maxBufferLength: 6,
  maxMaxBufferLength: 10,
  maxBufferSize: 12_000_000,
  backBufferLength: 0,
  frontBufferFlushThreshold: 12,
  maxLiveSyncPlaybackRate: 1.06,
  // After a stall a player must not stay farther behind than its neighbours.
  liveSyncOnStallIncrease: 0,
  capLevelToPlayerSize: true,
  // Breaks and captions are not shown.
  enableDateRangeMetadataCues: false,
  enableCEA708Captions: false,
  startFragPrefetch: true,
  pLoader: PacedPlaylistLoader,
};

const WATCH_MS = 250;

/** Plays a live stream in a video element from start to close, and recovers from every failure. */
export class TilePlayer {
  readonly #video: HTMLVideoElement;
  readonly #url: () => string;
  readonly #onPhase: (phase: PlayerPhase, detail: string) => void;
  readonly #delay = new ReconnectDelay({ firstMs: 500, maxMs: 10_000 });
  #hls: Hls | null = null;
  #health = new PlayerHealth(0);
  #watch: ReturnType<typeof setInterval> | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #mediaErrorAtMs = Number.NEGATIVE_INFINITY;
  /** Address of the video rendition alone, if the browser cannot decode the audio. */
  #partUrl: string | undefined;
  #missing: string | null = null;
  /** Incremented at each end of a player; results of earlier players are ignored. */
  #run = 0;
  #phase: PlayerPhase = 'idle';

  /** @param url address with the query current at the time of the call */
  constructor(video: HTMLVideoElement, url: () => string, onPhase: (phase: PlayerPhase, detail: string) => void) {
    this.#video = video;
    this.#url = url;
    this.#onPhase = onPhase;
  }

  /** Codec of the part that this browser cannot decode; null if everything is played. */
  get missing(): string | null {
    return this.#missing;
  }

  /** Distance between the picture and the live edge of the playlist in milliseconds; null while unknown. */
  get edgeDistanceMs(): number | null {
    const latency = this.#hls?.latency ?? 0;
    return latency > 0 ? latency * 1000 : null;
  }

  /** UTC of the current picture, in epoch milliseconds; null while unknown. */
  get playingAtMs(): number | null {
    return this.#hls?.playingDate?.getTime() ?? null;
  }

  /** Starts after a delay: players that start at the same time slow each other down. */
  start(delayMs: number): void {
    clearInterval(this.#watch);
    this.#watch = setInterval(() => this.#check(), WATCH_MS);
    this.#setPhase('loading');
    this.#retry = setTimeout(() => this.#build(), delayMs);
  }

  /** Ends playback and frees all buffers. */
  close(): void {
    clearInterval(this.#watch);
    clearTimeout(this.#retry);
    this.#tearDown();
    this.#setPhase('idle');
  }

  #build(): void {
    this.#tearDown();
    this.#health = new PlayerHealth(performance.now());
    if (!Hls.isSupported()) {
      this.#setPhase('unsupported', TEXTS.noMediaSource);
      return;
    }
    const hls = new Hls({ ...PLAYER_CONFIG, ...freshQueries(this.#url) });
    this.#hls = hls;
    hls.on(Hls.Events.ERROR, (_, data) => this.#fail(data));
    hls.on(Hls.Events.FRAG_BUFFERED, () => {
      if (this.#video.paused) this.#play();
    });
    hls.attachMedia(this.#video);
    hls.loadSource(this.#partUrl ?? this.#url());
  }

  #tearDown(): void {
    this.#run++;
    if (!this.#hls) return;
    this.#hls.destroy();
    this.#hls = null;
    // Without this the element keeps the last decoded pictures and its decoder.
    this.#video.removeAttribute('src');
    this.#video.load();
  }

  #fail(data: ErrorData): void {
    if (!data.fatal) return;
    if (
      data.details === Hls.ErrorDetails.MANIFEST_INCOMPATIBLE_CODECS_ERROR ||
      data.details === Hls.ErrorDetails.BUFFER_ADD_CODEC_ERROR
    ) {
      this.#tearDown();
      void this.#playPart();
      return;
    }
    const now = performance.now();
    if (data.type === Hls.ErrorTypes.MEDIA_ERROR && now - this.#mediaErrorAtMs > 5_000) {
      this.#mediaErrorAtMs = now;
      this.#hls?.recoverMediaError();
      return;
    }
    this.#rebuildLater();
  }

  /** Plays the part of the stream that this browser can decode. */
  async #playPart(): Promise<void> {
    const run = ++this.#run;
    const answer = await fetch(this.#url()).catch(() => undefined);
    const text = answer?.ok === true ? await answer.text().catch(() => undefined) : undefined;
    if (run !== this.#run) return;
    if (!answer || text === undefined) return this.#rebuildLater();
    const playable = playablePart(text, (type) => MediaSource.isTypeSupported(type));
    this.#missing = playable.kind === 'nothing' ? null : playable.missing;
    if (playable.kind === 'stills') return this.#setPhase('stills');
    if (playable.kind === 'nothing' || this.#partUrl !== undefined)
      return this.#setPhase('unsupported', TEXTS.notDecodable);
    this.#partUrl = new URL(playable.uri, answer.url).href;
    this.#build();
  }

  #rebuildLater(): void {
    // The stream may return with other codecs.
    this.#partUrl = undefined;
    this.#missing = null;
    this.#setPhase('stalled');
    this.#tearDown();
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#build(), this.#delay.next());
  }

  #check(): void {
    if (!this.#hls || document.hidden) return;
    const nowMs = performance.now();
    const video = this.#video;
    const advice = this.#health.check({
      nowMs,
      position: video.currentTime,
      pictures: picturesOf(video),
      latency: this.#hls.latency,
      isPaused: video.paused && video.readyState >= 2,
    });
    if (!this.#health.isFrozen(nowMs) && video.readyState >= 2) {
      this.#setPhase('playing');
      this.#delay.reset();
    } else if (this.#phase === 'playing') this.#setPhase('stalled');
    if (advice === 'play') this.#play();
    else if (advice === 'seek-live') this.#seekLive();
    else if (advice === 'rebuild') this.#rebuildLater();
  }

  #seekLive(): void {
    const position = this.#hls?.liveSyncPosition;
    if (position !== null && position !== undefined) {
      this.#video.currentTime = position;
      this.#health.jumped(this.#video.currentTime);
    }
    this.#hls?.startLoad(-1);
  }

  #play(): void {
    // Rejected before the first gesture if unmuted; the watchdog tries again.
    this.#video.play().catch(() => undefined);
  }

  #setPhase(phase: PlayerPhase, detail = ''): void {
    if (phase === this.#phase) return;
    this.#phase = phase;
    this.#onPhase(phase, detail);
  }
}
