const WIDTH = 480;
const MAX_KEPT = 48;

/** The last picture of each tile, small, kept when its player ends: a lost tile shows it greyed, a tile that comes back shows it while it loads. */
export class LastFrames {
  readonly #frames = new Map<string, HTMLCanvasElement>();

  /** Keeps the picture that a video shows now; nothing happens if it shows none. */
  keep(name: string, video: HTMLVideoElement): void {
    if (video.videoWidth === 0 || video.readyState < 2) return;
    const canvas = this.#frames.get(name) ?? document.createElement('canvas');
    canvas.width = WIDTH;
    canvas.height = Math.round((WIDTH * video.videoHeight) / video.videoWidth);
    canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height);
    this.#frames.delete(name);
    this.#frames.set(name, canvas);
    const oldest = this.#frames.keys().next();
    if (this.#frames.size > MAX_KEPT && !oldest.done) this.#frames.delete(oldest.value);
  }

  /** Draws the kept picture; false if there is none. */
  draw(name: string, target: HTMLCanvasElement): boolean {
    const frame = this.#frames.get(name);
    if (!frame) return false;
    target.width = frame.width;
    target.height = frame.height;
    target.getContext('2d')?.drawImage(frame, 0, 0);
    return true;
  }
}
