/** Maximum number of progress events without a picture: loading ahead counts as progress, but not forever. */
const MAX_PROGRESS = 20;

/**
 * Progress of a player towards a picture: loaded segments, and bytes of a segment on a slow connection, which would
 * never complete if it were requested again.
 */
export class LoadProgress {
  /** Loaded bytes of the pending segments, by type. */
  readonly #pending = new Map<string, () => number>();
  /** Total of pending bytes at the last check. */
  #pendingBytes = 0;
  #count = 0;
  /** Types with a loaded segment. */
  readonly #loadedTypes = new Set<string>();
  /** Last loaded range of pictures (`main`) and sound (`audio`), in player seconds. */
  readonly #loadedRanges = new Map<string, { readonly start: number; readonly end: number }>();

  /** Records a loaded segment that can be played. */
  noteLoaded(type: string, range: { readonly start: number; readonly end: number }): void {
    this.#loadedRanges.set(type, range);
  }

  /** True if all types are loaded at a position. */
  isLoadedAt(types: readonly string[], seconds: number): boolean {
    return types.every((type) => {
      const { start, end } = this.#loadedRanges.get(type) ?? { start: Infinity, end: -Infinity };
      return start <= seconds && seconds <= end;
    });
  }

  /** Whether pictures are loaded and no segment is pending. */
  get hasLoadedPictures(): boolean {
    return this.#pending.size === 0 && this.#loadedTypes.has('main');
  }

  /** Counts a progress event; false after the maximum number. */
  countEvent(): boolean {
    return this.#count++ < MAX_PROGRESS;
  }

  /** True if bytes of a segment arrived since the last call. They count as a progress event. */
  hasNewBytes(): boolean {
    const before = this.#pendingBytes;
    this.#pendingBytes = [...this.#pending.values()].reduce((sum, bytes) => sum + bytes(), 0);
    return this.#pendingBytes > before && this.countEvent();
  }

  /** Records a pending segment; undefined removes it. */
  notePending(type: string, bytes: (() => number) | undefined): void {
    this.#pendingBytes = 0;
    if (bytes) this.#pending.set(type, bytes);
    else {
      this.#pending.delete(type);
      this.#loadedTypes.add(type);
    }
  }

  /** Resets the number of progress events. */
  reset(): void {
    this.#count = 0;
  }

  /** Forgets pending segments, because another source is opened. */
  forget(): void {
    this.#pending.clear();
    this.#loadedRanges.clear();
    this.#loadedTypes.clear();
    this.reset();
  }
}
