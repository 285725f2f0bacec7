/** Called before a frame is drawn, with a steadily growing time in milliseconds. */
export type FrameListener = (nowMs: number) => void;

/** One animation-frame loop for all meters and clocks; it runs only while it has listeners, and at a bounded rate. */
export class FrameTicker {
  readonly #listeners = new Set<FrameListener>();
  readonly #minIntervalMs: number;
  #request = 0;
  #lastMs = Number.NEGATIVE_INFINITY;

  constructor(maxPerSecond = 30) {
    // Two milliseconds of slack: a screen's frame never falls exactly on the grid.
    this.#minIntervalMs = 1000 / maxPerSecond - 2;
  }

  /** Adds a listener; returns the function that removes it. */
  add(listener: FrameListener): () => void {
    this.#listeners.add(listener);
    if (this.#request === 0) this.#request = requestAnimationFrame(this.#tick);
    return () => this.#listeners.delete(listener);
  }

  readonly #tick = (nowMs: number): void => {
    if (this.#listeners.size === 0) {
      this.#request = 0;
      return;
    }
    this.#request = requestAnimationFrame(this.#tick);
    if (nowMs - this.#lastMs < this.#minIntervalMs) return;
    this.#lastMs = nowMs;
    for (const listener of this.#listeners) listener(nowMs);
  };
}
