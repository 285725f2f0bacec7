/** What the watch over a player sees once a second. */
export interface HealthSample {
  readonly nowMs: number;
  /** Position of the media element, in seconds. */
  readonly position: number;
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

/** Watches whether a player really plays, and how far behind. Players stall in more ways than they report. */
export class PlayerHealth {
  #position = -1;
  #hasPlayed = false;
  #movedAtMs: number;
  #seekAtMs = Number.NEGATIVE_INFINITY;

  constructor(nowMs: number) {
    this.#movedAtMs = nowMs;
  }

  /** How long the picture has been standing still. */
  stuckMs(nowMs: number): number {
    return nowMs - this.#movedAtMs;
  }

  /** Takes note that the player was put elsewhere (seconds): that is no movement of the picture. */
  jumped(position: number): void {
    this.#position = position;
  }

  check(sample: HealthSample): HealthAdvice {
    if (sample.position !== this.#position) {
      // The first position is where the player was put, not where it went.
      this.#hasPlayed ||= this.#position > 0;
      this.#position = sample.position;
      this.#movedAtMs = sample.nowMs;
    }
    const stuckMs = this.stuckMs(sample.nowMs);
    if (stuckMs >= (this.#hasPlayed ? STUCK_REBUILD_MS : START_REBUILD_MS)) return 'rebuild';
    if (sample.isPaused) return 'play';
    if (!this.#hasPlayed) return 'fine';
    const wantsSeek = sample.latency > MAX_BEHIND_S || stuckMs >= STUCK_SEEK_MS;
    if (!wantsSeek || sample.nowMs - this.#seekAtMs < MIN_BETWEEN_SEEKS_MS) return 'fine';
    this.#seekAtMs = sample.nowMs;
    return 'seek-live';
  }
}
