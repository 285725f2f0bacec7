const WIDTH = 480;
const MAX_FRAMES = 48;

/**
 * Last picture of each tile at reduced size, stored when its player ends: shown in grey on a lost tile, and on a returning tile
 * while it loads.
 */
export class LastFrames {
  readonly #frames = new Map<string, HTMLCanvasElement>();

  /** Stores the current picture of a video; does nothing if it has none. */
  store(name: string, video: HTMLVideoElement): void {
    if (video.videoWidth === 0 || video.readyState < 2) return;
    const canvas = this.#frames.get(name) ?? document.createElement('canvas');
    canvas.width = WIDTH;
    canvas.height = Math.round((WIDTH * video.videoHeight) / video.videoWidth);
    canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height);
    this.#frames.delete(name);
    this.#frames.set(name, canvas);
    const oldest = this.#frames.keys().next();
    if (this.#frames.size > MAX_FRAMES && !oldest.done) this.#frames.delete(oldest.value);
  }

  /** Draws the stored picture; false if there is none. */
  draw(name: string, target: HTMLCanvasElement): boolean {
    const frame = this.#frames.get(name);
    if (!frame) return false;
    target.width = frame.width;
    target.height = frame.height;
    target.getContext('2d')?.drawImage(frame, 0, 0);
    return true;
  }
}
