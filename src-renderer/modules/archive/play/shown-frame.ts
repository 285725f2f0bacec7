/** Which picture a video shows, as its browser says it: late, and perhaps of before the last seek. */
export class ShownFrame {
  readonly #video: HTMLVideoElement;
  readonly #frameSeconds: () => number;
  #seconds: number | undefined;
  #askedMs = -Infinity;
  #isClosed = false;

  /** @param frameSeconds how long a picture is shown */
  constructor(video: HTMLVideoElement, frameSeconds: () => number) {
    this.#video = video;
    this.#frameSeconds = frameSeconds;
    if ('requestVideoFrameCallback' in video) this.#watch();
  }

  /** Place of the picture, in seconds; undefined as long as nothing was said of the present place. */
  get seconds(): number | undefined {
    return this.#seconds;
  }

  /** Another picture was asked for: what was drawn before is not it. */
  forget(): void {
    this.#seconds = undefined;
    this.#askedMs = performance.now();
  }

  close(): void {
    this.#isClosed = true;
  }

  #watch(): void {
    const video = this.#video;
    video.requestVideoFrameCallback((_, { mediaTime, presentationTime }) => {
      if (this.#isClosed) return;
      // While it seeks, one that was on its way to the screen still comes.
      const behind = video.currentTime - mediaTime;
      const isNear = behind > -0.001 && behind < 1.25 * this.#frameSeconds();
      if (presentationTime >= this.#askedMs && (!video.seeking || isNear)) this.#seconds = mediaTime;
      this.#watch();
    });
  }
}
