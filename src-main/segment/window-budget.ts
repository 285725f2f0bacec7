import type { SegmenterOptions } from './segmenter-options.ts';

/** Tracks the number of segments and bytes of a window, and decides which segments leave it. */
export class WindowBudget {
  readonly #options: Pick<SegmenterOptions, 'segmentCount' | 'maxWindowBytes'>;
  /** Bytes of the segments in the window, by media sequence number. */
  readonly #segmentBytes = new Map<number, number>();
  #bytes = 0;
  #firstMsn: number;

  /** @param firstMsn media sequence number of the first segment that the window may hold */
  constructor(options: Pick<SegmenterOptions, 'segmentCount' | 'maxWindowBytes'>, firstMsn: number) {
    this.#options = options;
    this.#firstMsn = firstMsn;
  }

  /** First media sequence number in the window. */
  get firstMsn(): number {
    return this.#firstMsn;
  }

  /** Bytes of all parts in the window. */
  get bytes(): number {
    return this.#bytes;
  }

  get isExceeded(): boolean {
    return this.#bytes > this.#options.maxWindowBytes;
  }

  /** Adds a part, unless its segment has left the window. */
  add(msn: number, bytes: number): void {
    if (msn < this.#firstMsn) return;
    this.#segmentBytes.set(msn, (this.#segmentBytes.get(msn) ?? 0) + bytes);
    this.#bytes += bytes;
  }

  /**
   * Removes segments beyond the maximum number when segment `openMsn` opens.
   *
   * @param keptMsn segment that stays even beyond the maximum number
   */
  trimByCount(openMsn: number, keptMsn: number): void {
    const first = Math.min(keptMsn, openMsn - this.#options.segmentCount);
    while (this.#firstMsn < first) this.#forgetFirst();
  }

  /** Removes segments beyond the maximum size, up to the segment before `openMsn`. */
  trimByBytes(openMsn: number): void {
    while (this.isExceeded && this.#firstMsn < openMsn - 1) this.#forgetFirst();
  }

  /** Removes all segments before `nextMsn`. */
  trimAll(nextMsn: number): void {
    while (this.#firstMsn < nextMsn) this.#forgetFirst();
  }

  #forgetFirst(): void {
    this.#bytes -= this.#segmentBytes.get(this.#firstMsn) ?? 0;
    this.#segmentBytes.delete(this.#firstMsn);
    this.#firstMsn++;
  }
}
