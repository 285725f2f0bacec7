import type { BlockNumbers } from './block/block-index.ts';

/** Where the archive of a stream ends: the numbers behind its last segment, and the time, in epoch milliseconds. */
export interface ArchiveEnd extends BlockNumbers {
  readonly endMs: number;
  /** Whether the recording was ended there: nothing was live that was not recorded. Otherwise it broke off. */
  readonly isWhole: boolean;
}

/** Segments are no shorter than that, but for a few, in milliseconds. */
const SHORTEST_MS = 500;
/** What was live for so long, in milliseconds, may not have been recorded where a server was killed: its numbers are left out. */
const MAX_LOST_MS = 12_000;

/** How many segments there may have been in a time at most. */
export function mostSegments(ms: number): number {
  return Math.ceil(Math.max(0, ms) / SHORTEST_MS);
}

/**
 * The numbers of the segments of one stream in its archive. They are the live ones until the server is started again: what is live then counts from the
 * clock, and leaps ahead by far more numbers than there were segments. In the archive they go on where it ends, so that who goes back from live finds
 * each segment under the number that it had.
 */
export class ArchiveNumbers {
  /** How much higher they are than the live ones; undefined until a run was settled. */
  shift: number | undefined;
  /** Discontinuities that were recorded since the server was started. */
  cuts = 0;
  /** Those before. */
  #cutsBefore = 0;
  #cutMsn = -1;
  /** Where the run begins that is recorded: its live number, and the time in epoch milliseconds. */
  #first = { msn: 0, ms: 0 };
  /** Where the archive ended then, as far as the server recorded it. */
  #end: ArchiveEnd | undefined;
  /** The newest segment that is recorded: its live number and when it began, in epoch milliseconds. */
  #newest: { readonly msn: number; readonly ms: number } | undefined;

  /** A run is recorded from a live number on. */
  attach(msn: number, nowMs: number): void {
    this.#first = { msn, ms: nowMs };
    if (!this.#newest) return;
    const { msn: newestMsn, ms } = this.#newest;
    this.#end = { msn: newestMsn + 1 + (this.shift ?? 0), endMs: ms, discontinuitySequence: this.cuts, isWhole: false };
  }

  /** The run has its numbers from now on. @param found where the archive ends on the disks, where it was looked at */
  settle(found: ArchiveEnd | undefined): void {
    const isFirst = this.#end === undefined;
    const end = this.#end && (!found || found.msn <= this.#end.msn) ? this.#end : found;
    this.shift ??= 0;
    if (!end) return;
    if (isFirst) this.#cutsBefore = end.discontinuitySequence;
    const sinceMs = this.#first.ms - end.endMs;
    const left = this.#first.msn + this.shift - end.msn;
    if (left >= 0 && left <= mostSegments(sinceMs) + 1 && !isFirst) return;
    this.shift = end.msn + (end.isWhole ? 0 : mostSegments(Math.min(sinceMs, MAX_LOST_MS))) - this.#first.msn;
  }

  /** A segment of the run begins. */
  began(msn: number, startMs: number, isDiscontinuity: boolean): void {
    if (msn > (this.#newest?.msn ?? -1)) this.#newest = { msn, ms: startMs };
    if (!isDiscontinuity || msn <= this.#cutMsn) return;
    this.#cutMsn = msn;
    this.cuts++;
  }

  /** The numbers of a block that begins with a segment of the run. @param cuts those before it */
  of(msn: number, cuts: number): BlockNumbers | undefined {
    if (this.shift === undefined) return undefined;
    return { msn: msn + this.shift, discontinuitySequence: this.#cutsBefore + cuts };
  }
}
