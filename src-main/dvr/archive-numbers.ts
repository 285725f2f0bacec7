import type { BlockNumbers } from './block/block-index.ts';

/** End of an archive: the numbers after its last segment, and its time in epoch milliseconds. */
export interface ArchiveEnd extends BlockNumbers {
  readonly endMs: number;
  /** Whether the recording ended in order, with all media recorded; otherwise it was interrupted. */
  readonly isComplete: boolean;
}

/** Minimum duration of nearly all segments, in milliseconds. */
const SHORTEST_MS = 500;
/**
 * Maximum duration of media that was live but not recorded when a server crashed, in milliseconds. The archive skips
 * the numbers of this media.
 */
const MAX_LOST_MS = 12_000;

/** Maximum number of segments in a duration. */
export function maxSegments(ms: number): number {
  return Math.ceil(Math.max(0, ms) / SHORTEST_MS);
}

/**
 * Numbers of the segments of a stream in its archive. They equal the live numbers until the server restarts: live
 * numbers then start again from the clock, with a large gap. Archive numbers continue at the end of the archive, so
 * that viewers find each segment under its previous number.
 */
export class ArchiveNumbers {
  /** Archive number minus live number; undefined before `settle`. */
  shift: number | undefined;
  /** Number of discontinuities recorded since the start of the server. */
  cuts = 0;
  /** Number of discontinuities recorded before the start of the server. */
  #cutsBefore = 0;
  /** Live number of the newest segment that is a discontinuity. */
  #cutMsn = -1;
  /** Start of the recorded run: live number, and epoch milliseconds. */
  #first = { msn: 0, ms: 0 };
  /** End of the archive at the start of the run, if this server recorded it. */
  #end: ArchiveEnd | undefined;
  /** Newest recorded segment: live number, and start in epoch milliseconds. */
  #newest: { readonly msn: number; readonly ms: number } | undefined;

  /** Starts recording a run, from a live number on. */
  attach(msn: number, nowMs: number): void {
    this.#first = { msn, ms: nowMs };
    if (!this.#newest) return;
    const { msn: newestMsn, ms } = this.#newest;
    this.#end = {
      msn: newestMsn + 1 + (this.shift ?? 0),
      endMs: ms,
      discontinuitySequence: this.cuts,
      isComplete: false,
    };
  }

  /** Determines the numbers of the run. @param found end of the archive on the disks, if they were read */
  settle(found: ArchiveEnd | undefined): void {
    const isFirst = this.#end === undefined;
    const end = this.#end && (!found || found.msn <= this.#end.msn) ? this.#end : found;
    this.shift ??= 0;
    if (!end) return;
    if (isFirst) this.#cutsBefore = end.discontinuitySequence;
    const sinceMs = this.#first.ms - end.endMs;
    const skipped = this.#first.msn + this.shift - end.msn;
    if (skipped >= 0 && skipped <= maxSegments(sinceMs) + 1 && !isFirst) return;
    this.shift = end.msn + (end.isComplete ? 0 : maxSegments(Math.min(sinceMs, MAX_LOST_MS))) - this.#first.msn;
  }

  /** Records the start of a segment of the run. */
  segmentStarted(msn: number, startMs: number, isDiscontinuity: boolean): void {
    if (msn > (this.#newest?.msn ?? -1)) this.#newest = { msn, ms: startMs };
    if (!isDiscontinuity || msn <= this.#cutMsn) return;
    this.#cutMsn = msn;
    this.cuts++;
  }

  /**
   * Numbers of a block that starts with a segment of the run; undefined before `settle`.
   *
   * @param cuts `cuts` at the start of the block
   */
  of(msn: number, cuts: number): BlockNumbers | undefined {
    if (this.shift === undefined) return undefined;
    return { msn: msn + this.shift, discontinuitySequence: this.#cutsBefore + cuts };
  }
}
