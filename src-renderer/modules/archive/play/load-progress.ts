/** Maximum number of progress events without a picture: loading ahead counts as progress, but not forever. */
const MAX_PROGRESS = 20;

/**
 * Progress of a player towards a picture: loaded segments, and bytes of a segment on a slow line, which would never complete if
 * it were requested again.
 */
export class LoadProgress {
  /** Loaded bytes of the pending segments, by type. */
  readonly #coming = new Map<string, () => number>();
  /** Total of pending bytes at the last check. */
  #cameBytes = 0;
  #count = 0;
  /** Types with a loaded segment. */
  readonly #came = new Set<string>();
  /** Last loaded range of pictures (`main`) and sound (`audio`), in player seconds. */
  readonly #loaded = new Map<string, { readonly start: number; readonly end: number }>();

  /** Records a loaded segment that can be played. */
  noteLoaded(type: string, place: { readonly start: number; readonly end: number }): void {
    this.#loaded.set(type, place);
  }

  /** True if all types are loaded at a position. */
  isWhole(types: readonly string[], seconds: number): boolean {
    return types.every((type) => {
      const { start, end } = this.#loaded.get(type) ?? { start: Infinity, end: -Infinity };
      return start <= seconds && seconds <= end;
    });
  }

  /** Whether pictures are loaded and nothing is pending. */
  get haveCome(): boolean {
    return this.#coming.size === 0 && this.#came.has('main');
  }

  /** True if one more progress event counts. */
  take(): boolean {
    return this.#count++ < MAX_PROGRESS;
  }

  /** True if bytes of a segment arrived since the last call, which is progress. */
  isComing(): boolean {
    const before = this.#cameBytes;
    this.#cameBytes = [...this.#coming.values()].reduce((sum, bytes) => sum + bytes(), 0);
    return this.#cameBytes > before && this.take();
  }

  /** Records a pending segment; undefined removes it. */
  note(type: string, bytes: (() => number) | undefined): void {
    this.#cameBytes = 0;
    if (bytes) this.#coming.set(type, bytes);
    else {
      this.#coming.delete(type);
      this.#came.add(type);
    }
  }

  /** Lets progress events count again. */
  reset(): void {
    this.#count = 0;
  }

  /** Forgets pending segments, because another source is opened. */
  forget(): void {
    this.#coming.clear();
    this.#loaded.clear();
    this.#came.clear();
    this.reset();
  }
}
