/** What a player loads, ahead too, is a sign that it works, but not for ever: so often. */
const MAX_SIGNS = 20;

/** Signs that a player is on its way to a picture: what it has loaded, and what comes of a segment on a slow line, where waiting anew for it would never end. */
export class LoadSigns {
  /** How much there is of the segments that are on their way, in bytes, by their type. */
  readonly #coming = new Map<string, () => number>();
  /** How much of all of them there was when it was asked last. */
  #cameBytes = 0;
  #count = 0;
  /** What has come. */
  readonly #came = new Set<string>();
  /** What was loaded last, of pictures (`main`) and of sound (`audio`), in seconds of the player. */
  readonly #loaded = new Map<string, { readonly start: number; readonly end: number }>();

  /** One that is loaded can be played. */
  noteLoaded(type: string, place: { readonly start: number; readonly end: number }): void {
    this.#loaded.set(type, place);
  }

  /** Whether all that belongs to a place was loaded. */
  isWhole(types: readonly string[], seconds: number): boolean {
    return types.every((type) => {
      const { start, end } = this.#loaded.get(type) ?? { start: Infinity, end: -Infinity };
      return start <= seconds && seconds <= end;
    });
  }

  /** Whether pictures have come, and nothing is on its way. */
  get haveCome(): boolean {
    return this.#coming.size === 0 && this.#came.has('main');
  }

  /** Whether one more counts. */
  take(): boolean {
    return this.#count++ < MAX_SIGNS;
  }

  /** Whether more of a segment came since this was asked, which is a sign. */
  isComing(): boolean {
    const before = this.#cameBytes;
    this.#cameBytes = [...this.#coming.values()].reduce((sum, bytes) => sum + bytes(), 0);
    return this.#cameBytes > before && this.take();
  }

  /** A segment is on its way; undefined: it is not any more. */
  note(type: string, bytes: (() => number) | undefined): void {
    this.#cameBytes = 0;
    if (bytes) this.#coming.set(type, bytes);
    else {
      this.#coming.delete(type);
      this.#came.add(type);
    }
  }

  /** All count again. */
  beginAnew(): void {
    this.#count = 0;
  }

  /** Something else is opened: nothing is on its way. */
  forget(): void {
    this.#coming.clear();
    this.#loaded.clear();
    this.#came.clear();
    this.beginAnew();
  }
}
