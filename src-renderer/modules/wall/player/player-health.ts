/** What the watch over a player sees, some times a second. */
export interface HealthSample {
  readonly nowMs: number;
  /** Position of the media element, in seconds. */
  readonly position: number;
  /** Pictures that it has shown; undefined where that is not known. */
  readonly pictures?: number | undefined;
  /** Distance to the live edge of the playlist in seconds; 0 while unknown. */
  readonly latency: number;
  readonly isPaused: boolean;
}

/** What the watch advises. */
export type HealthAdvice = 'fine' | 'play' | 'seek-live' | 'rebuild';

/** Farther behind the live edge than this many seconds, the player jumps to it. */
const MAX_BEHIND_S = 6;
const STUCK_SEEK_MS = 3_000;
const STUCK_REBUILD_MS = 8_000;
/** A start may take longer: sixteen tiles start together, and a seek would only throw away what is on its way. */
const START_REBUILD_MS = 15_000;
const MIN_BETWEEN_SEEKS_MS = 4_000;

/** A picture that stands for so long is said to stand, in milliseconds: before 1.5 s have passed. */
const STANDS_MS = 900;
/** So often in a row there are new pictures within so long, or the stream has few a second; in milliseconds. */
const OFTEN = 3;
const SOON_MS = 600;

/** How many pictures a video element has shown; undefined where there are none. */
export function picturesOf(video: HTMLVideoElement): number | undefined {
  if (video.videoWidth === 0) return undefined;
  // Documents of tests have no video.
  const quality = (video as Partial<HTMLVideoElement>).getVideoPlaybackQuality?.call(video);
  return quality && quality.totalVideoFrames - quality.droppedVideoFrames;
}

/** Watches whether a player really plays, and how far behind. Players stall in more ways than they report. */
export class PlayerHealth {
  #position = -1;
  #hasPlayed = false;
  #movedAtMs: number;
  #seekAtMs = Number.NEGATIVE_INFINITY;
  #pictures: number | undefined;
  #pictureAtMs = 0;
  /** How often in a row new pictures came soon. */
  #soon = 0;

  constructor(nowMs: number) {
    this.#movedAtMs = nowMs;
  }

  /** Whether the picture stands, or never moved. The position alone goes on where there is sound. */
  isStanding(nowMs: number): boolean {
    if (!this.#hasPlayed || this.#pictures === 0) return true;
    const isPictureOld = this.#soon >= OFTEN && nowMs - this.#pictureAtMs >= STANDS_MS;
    return isPictureOld || this.stuckMs(nowMs) >= STANDS_MS;
  }

  /** How long the position has been standing still. */
  stuckMs(nowMs: number): number {
    return nowMs - this.#movedAtMs;
  }

  /** Takes note that the player was put elsewhere (seconds): that is no movement of the picture. */
  jumped(position: number): void {
    this.#position = position;
  }

  /** Takes note that a picture is shown where the player was put. */
  shows(nowMs: number): void {
    this.#hasPlayed = true;
    this.#movedAtMs = nowMs;
    if (this.#pictures === 0) this.#pictures = undefined;
  }

  check(sample: HealthSample): HealthAdvice {
    if (sample.position !== this.#position) {
      // The first position is where the player was put, not where it went.
      this.#hasPlayed ||= this.#position > 0;
      this.#position = sample.position;
      this.#movedAtMs = sample.nowMs;
    }
    this.#see(sample);
    const stuckMs = this.stuckMs(sample.nowMs);
    if (stuckMs >= (this.#hasPlayed ? STUCK_REBUILD_MS : START_REBUILD_MS)) return 'rebuild';
    if (sample.isPaused) return 'play';
    if (!this.#hasPlayed) return 'fine';
    const wantsSeek = sample.latency > MAX_BEHIND_S || stuckMs >= STUCK_SEEK_MS;
    if (!wantsSeek || sample.nowMs - this.#seekAtMs < MIN_BETWEEN_SEEKS_MS) return 'fine';
    this.#seekAtMs = sample.nowMs;
    return 'seek-live';
  }

  #see({ pictures, nowMs }: HealthSample): void {
    if (pictures === this.#pictures) return;
    // A player that began anew counts from zero.
    if (pictures === undefined || pictures < (this.#pictures ?? 0)) this.#soon = 0;
    else if (this.#soon < OFTEN) this.#soon = nowMs - this.#pictureAtMs <= SOON_MS ? this.#soon + 1 : 0;
    this.#pictures = pictures;
    this.#pictureAtMs = nowMs;
  }
}
