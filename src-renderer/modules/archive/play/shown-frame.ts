/** Time in milliseconds after which the browser is not expected to replace a picture before the requested one. */
const FINAL_MS = 300;
/**
 * Maximum number of repeated seeks to one position. More would not help: the position has no picture of its own, for example
 * before a gap.
 */
const MAX_REPEATED_SEEKS = 3;

/**
 * Picture that a video shows, as reported by the browser: the report is late, and may be about a picture from before the last
 * seek.
 */
export class ShownFrame {
  readonly #video: HTMLVideoElement;
  readonly #frameSeconds: () => number;
  #seconds: number | undefined;
  #soughtMs = -Infinity;
  #isClosed = false;
  #againLeft = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param frameSeconds duration of a picture */
  constructor(video: HTMLVideoElement, frameSeconds: () => number) {
    this.#video = video;
    this.#frameSeconds = frameSeconds;
    if ('requestVideoFrameCallback' in video) this.#watch();
  }

  /** Position of the picture in seconds; undefined until the browser has reported one for the present position. */
  get seconds(): number | undefined {
    return this.#seconds;
  }

  /** Records that another picture was requested, so that the drawn one is out of date. */
  forget(): void {
    this.#seconds = undefined;
    this.#againLeft = MAX_REPEATED_SEEKS;
    this.#soughtMs = performance.now();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #watch(): void {
    const video = this.#video;
    video.requestVideoFrameCallback((_, { mediaTime, presentationTime }) => {
      if (this.#isClosed) return;
      // During a seek, a picture that was already on its way to the screen is still reported.
      const lag = video.currentTime - mediaTime;
      const isNear = lag > -0.001 && lag < 1.25 * this.#frameSeconds();
      if (presentationTime >= this.#soughtMs && (!video.seeking || isNear)) this.#seconds = mediaTime;
      clearTimeout(this.#timer);
      if (isNear) this.#againLeft = 0;
      if (this.#againLeft > 0) this.#timer = setTimeout(() => this.#seekAgain(), FINAL_MS);
      this.#watch();
    });
  }

  /**
   * A busy browser may draw a picture before the requested one, and stay there. Another seek to the same position shows the right
   * picture.
   */
  #seekAgain(): void {
    const video = this.#video;
    if (!video.paused || video.seeking) return;
    this.#againLeft--;
    video.currentTime = Number(video.currentTime);
  }
}
