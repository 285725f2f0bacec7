/** Called before a frame is drawn, with a monotonic time in milliseconds. */
export type FrameListener = (nowMs: number) => void;

/** Maximum delay of a timer in an idle browser. */
const TIMER_LATE_MS = 3;

/** One animation-frame loop for all meters and clocks. It runs only while it has listeners, and at a limited rate. */
export class FrameTicker {
  readonly #listeners = new Set<FrameListener>();
  readonly #minIntervalMs: number;
  #isRunning = false;
  #lastMs = Number.NEGATIVE_INFINITY;

  constructor(maxPerSecond = 30) {
    // Two milliseconds less than the interval, because screen frames do not come exactly at the interval.
    this.#minIntervalMs = 1000 / maxPerSecond - 2;
  }

  /** Adds a listener. @returns function that removes it */
  add(listener: FrameListener): () => void {
    this.#listeners.add(listener);
    if (!this.#isRunning) this.#requestFrame();
    return () => this.#listeners.delete(listener);
  }

  readonly #tick = (nowMs: number): void => {
    this.#isRunning = this.#listeners.size > 0;
    if (!this.#isRunning) return;
    if (nowMs - this.#lastMs < this.#minIntervalMs) {
      this.#requestFrame();
      return;
    }
    this.#lastMs = nowMs;
    // Each request makes the browser lay out and paint the page, so skipped frames are not requested.
    setTimeout(this.#requestFrame, this.#minIntervalMs - TIMER_LATE_MS);
    for (const listener of this.#listeners) listener(nowMs);
  };

  readonly #requestFrame = (): void => {
    this.#isRunning = true;
    requestAnimationFrame(this.#tick);
  };
}
