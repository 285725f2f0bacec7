/** Sample for the watchdog of a player, taken several times a second. */
export interface HealthSample {
  readonly nowMs: number;
  /** Position of the media element, in seconds. */
  readonly position: number;
  /** Number of shown pictures; undefined if unknown. */
  readonly pictures?: number | undefined;
  /** Distance to the live edge of the playlist in seconds; 0 while unknown. */
  readonly latency: number;
  readonly isPaused: boolean;
}

/** Advice of the watchdog. */
export type HealthAdvice = 'fine' | 'play' | 'seek-live' | 'rebuild';

/** Maximum distance to the live edge in seconds; above it the player jumps. */
const MAX_LATENCY_S = 6;
const STUCK_SEEK_MS = 3_000;
const STUCK_REBUILD_MS = 8_000;
/**
 * Time in milliseconds after which a player that has not started is rebuilt. It is long, because sixteen tiles start together,
 * and a seek would discard media that is loading.
 */
const START_REBUILD_MS = 15_000;
const MIN_BETWEEN_SEEKS_MS = 4_000;

/** Time after which an unchanged picture counts as frozen, in milliseconds: it must be reported within 1.5 s. */
const FROZEN_MS = 900;
/**
 * Number of quick successive pictures after which a stream counts as moving, and the maximum time between them in milliseconds;
 * other streams have few pictures per second.
 */
const MIN_QUICK_PICTURES = 3;
const SOON_MS = 600;

/** Number of pictures that a video element has shown; undefined if it has shown none. */
export function picturesOf(video: HTMLVideoElement): number | undefined {
  if (video.videoWidth === 0) return undefined;
  // Test documents have no video.
  const quality = (video as Partial<HTMLVideoElement>).getVideoPlaybackQuality?.call(video);
  return quality && quality.totalVideoFrames - quality.droppedVideoFrames;
}

/** Watchdog of a player: detects frozen playback and lag. Players stall in more ways than they report. */
export class PlayerHealth {
  #position = -1;
  #hasPlayed = false;
  #movedAtMs: number;
  #seekAtMs = Number.NEGATIVE_INFINITY;
  #pictures: number | undefined;
  #pictureAtMs = 0;
  /** Number of quick successive pictures. */
  #quickCount = 0;

  constructor(nowMs: number) {
    this.#movedAtMs = nowMs;
  }

  /** True if the picture is frozen or never moved. The position alone continues if there is sound. */
  isFrozen(nowMs: number): boolean {
    if (!this.#hasPlayed || this.#pictures === 0) return true;
    const isPictureOld = this.#quickCount >= MIN_QUICK_PICTURES && nowMs - this.#pictureAtMs >= FROZEN_MS;
    return isPictureOld || this.stuckMs(nowMs) >= FROZEN_MS;
  }

  /** Time since the position last moved. */
  stuckMs(nowMs: number): number {
    return nowMs - this.#movedAtMs;
  }

  /** Records a seek to a position in seconds. A seek does not count as movement of the picture. */
  jumped(position: number): void {
    this.#position = position;
  }

  /** Records that the picture at the new position is on screen. */
  shows(nowMs: number): void {
    this.#hasPlayed = true;
    this.#movedAtMs = nowMs;
    if (this.#pictures === 0) this.#pictures = undefined;
  }

  check(sample: HealthSample): HealthAdvice {
    if (sample.position !== this.#position) {
      // The first position was set by a seek, not by playback.
      this.#hasPlayed ||= this.#position > 0;
      this.#position = sample.position;
      this.#movedAtMs = sample.nowMs;
    }
    this.#countPictures(sample);
    const stuckMs = this.stuckMs(sample.nowMs);
    if (stuckMs >= (this.#hasPlayed ? STUCK_REBUILD_MS : START_REBUILD_MS)) return 'rebuild';
    if (sample.isPaused) return 'play';
    if (!this.#hasPlayed) return 'fine';
    const wantsSeek = sample.latency > MAX_LATENCY_S || stuckMs >= STUCK_SEEK_MS;
    if (!wantsSeek || sample.nowMs - this.#seekAtMs < MIN_BETWEEN_SEEKS_MS) return 'fine';
    this.#seekAtMs = sample.nowMs;
    return 'seek-live';
  }

  #countPictures({ pictures, nowMs }: HealthSample): void {
    if (pictures === this.#pictures) return;
    // A restarted player counts from zero.
    if (pictures === undefined || pictures < (this.#pictures ?? 0)) this.#quickCount = 0;
    else if (this.#quickCount < MIN_QUICK_PICTURES)
      this.#quickCount = nowMs - this.#pictureAtMs <= SOON_MS ? this.#quickCount + 1 : 0;
    this.#pictures = pictures;
    this.#pictureAtMs = nowMs;
  }
}
