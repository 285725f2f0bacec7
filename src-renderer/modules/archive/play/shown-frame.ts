/** Time after which a picture earlier than requested is considered final. */
const STAYS_MS = 300;
/** Further seeks to one place. More would not help: it has no picture of its own, such as a place before a gap. */
const MAX_AGAIN = 3;

/** Picture that a video shows, as reported by the browser: late, and perhaps one from before the last seek. */
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

  /** Another picture was requested, so the drawn one is out of date. */
  forget(): void {
    this.#seconds = undefined;
    this.#againLeft = MAX_AGAIN;
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
      const behind = video.currentTime - mediaTime;
      const isNear = behind > -0.001 && behind < 1.25 * this.#frameSeconds();
      if (presentationTime >= this.#soughtMs && (!video.seeking || isNear)) this.#seconds = mediaTime;
      clearTimeout(this.#timer);
      if (isNear) this.#againLeft = 0;
      if (this.#againLeft > 0) this.#timer = setTimeout(() => this.#seekAgain(), STAYS_MS);
      this.#watch();
    });
  }

  /**
   * A busy browser may draw a picture earlier than requested, and keep it. Another seek to the same place shows the right
   * picture.
   */
  #seekAgain(): void {
    const video = this.#video;
    if (!video.paused || video.seeking) return;
    this.#againLeft--;
    video.currentTime = Number(video.currentTime);
  }
}
