/**
 * Sound that a browser needs after its position before it shows a picture, in seconds. At the end of an input, the sound is up to
 * a quarter of a second shorter than the pictures, and a gap follows: the last pictures before a switch would never be shown.
 */
const NEEDED_SECONDS = 0.25;
/** Maximum distance of a picture after the end of the sound, in seconds. */
const MAX_GAP_SECONDS = 2;
/** Distance after the gap at which sound is tried again, in milliseconds, and the maximum number of attempts. */
const RETRY_DISTANCE_MS = 1000;
const MAX_TRIES = 2;

/** True if the loaded data ends at or shortly after a position, and continues after a gap. */
export function endsBeforeGap(buffered: TimeRanges, seconds: number): boolean {
  let [end, continues] = [-Infinity, false];
  for (let at = 0; at < buffered.length; at++) {
    if (buffered.start(at) <= seconds) end = buffered.end(at);
    else continues = true;
  }
  return continues && end - seconds < NEEDED_SECONDS && seconds - end < MAX_GAP_SECONDS;
}

/** Positions at which pictures are shown without sound, because the player waits for the sound in vain. */
export class MissingSound {
  #fromMs: number | undefined;
  #tries = 0;

  /** Whether the source is opened without sound. */
  get isMissing(): boolean {
    return this.#fromMs !== undefined;
  }

  /** Records that the sound is missing at a moment. */
  note(ms: number): void {
    this.#fromMs = ms;
    this.#tries++;
  }

  /** True if sound should be tried again at a moment of playback; clears the record. */
  isDue(ms: number): boolean {
    return this.#tries <= MAX_TRIES && this.#isElsewhere(ms) && this.#end();
  }

  /** Records a seek of the operator. @returns whether sound was missing before and may exist at the new moment */
  seekTo(ms: number): boolean {
    if (this.#fromMs === undefined || this.#isElsewhere(ms)) this.#tries = 0;
    return this.#isElsewhere(ms) && this.#end();
  }

  #isElsewhere(ms: number): boolean {
    return this.#fromMs !== undefined && Math.abs(ms - this.#fromMs) >= RETRY_DISTANCE_MS;
  }

  #end(): true {
    this.#fromMs = undefined;
    return true;
  }
}
