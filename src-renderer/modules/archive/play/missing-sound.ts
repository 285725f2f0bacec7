/**
 * A browser shows no picture before it has so much sound from its place on, in seconds. Where an input ended its sound is up to a quarter of a second
 * shorter than its pictures, and behind that is a hole: the last pictures before a switch would never be shown.
 */
const NEEDED_SECONDS = 0.25;
/** So far behind the end of sound a picture may be, in seconds. */
const MAX_HOLE_SECONDS = 2;
/** So far behind the place where it was missing sound is tried again, in milliseconds, and so often. */
const AGAIN_MS = 1000;
const MAX_TRIES = 2;

/** Whether what is loaded ends at a place, or shortly behind it, and goes on behind a hole. */
export function endsBeforeHole(buffered: TimeRanges, seconds: number): boolean {
  let [end, goesOn] = [-Infinity, false];
  for (let at = 0; at < buffered.length; at++) {
    if (buffered.start(at) <= seconds) end = buffered.end(at);
    else goesOn = true;
  }
  return goesOn && end - seconds < NEEDED_SECONDS && seconds - end < MAX_HOLE_SECONDS;
}

/** Where pictures are shown without their sound because a player waits for it in vain. */
export class MissingSound {
  #fromMs: number | undefined;
  #tries = 0;

  /** Whether it is opened without. */
  get isMissing(): boolean {
    return this.#fromMs !== undefined;
  }

  /** It does not come for a moment. */
  note(ms: number): void {
    this.#fromMs = ms;
    this.#tries++;
  }

  /** Whether it is worth to be tried again at a moment that is played; then it is not missing any more. */
  isDue(ms: number): boolean {
    return this.#tries <= MAX_TRIES && this.#isAway(ms) && this.#end();
  }

  /** The operator goes to another moment. @returns whether it was missing where they were, and may be there */
  leave(ms: number): boolean {
    if (this.#fromMs === undefined || this.#isAway(ms)) this.#tries = 0;
    return this.#isAway(ms) && this.#end();
  }

  #isAway(ms: number): boolean {
    return this.#fromMs !== undefined && Math.abs(ms - this.#fromMs) >= AGAIN_MS;
  }

  #end(): true {
    this.#fromMs = undefined;
    return true;
  }
}
