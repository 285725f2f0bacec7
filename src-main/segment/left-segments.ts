import { releaseParts, type LiveSegment } from './live-track.ts';

/** Tolerance for the ends of tracks, which differ by a few frames, in milliseconds. */
const TOLERANCE_MS = 100;
/** Maximum size of the segments, in bytes. Above it, the oldest segments are released early. */
const MAX_BYTES = 64 * 1024 * 1024;

interface LeftSegment {
  readonly entry: LiveSegment;
  /** End of the window when the segment left the lists, epoch milliseconds. */
  readonly leftMs: number;
}

/**
 * Segments that have left the lists of a live window and are still answered, oldest first, because players request them from the
 * playlist or MPD that they loaded last.
 *
 * They stay for two target durations: a player loads the playlist again after one at the latest (RFC 8216bis, 6.3.4), and the
 * availability of a DASH segment ends two segments after its start has left `timeShiftBufferDepth` (ISO/IEC 23009-1). RFC 8216bis
 * (6.2.2) asks for the duration of the complete playlist, which would double the memory of a stream.
 */
export class LeftSegments {
  #list: LeftSegment[] = [];
  #bytes = 0;

  get entries(): readonly LiveSegment[] {
    return this.#list.map(({ entry }) => entry);
  }

  /** Media sequence number of the oldest segment; Infinity without segments. */
  get firstMsn(): number {
    return Math.min(Infinity, ...this.#list.map(({ entry }) => entry.msn));
  }

  /** Stores segments that left the lists. Segments that are still open are released: they get no more media. */
  add(segments: readonly LiveSegment[], nowMs: number): void {
    for (const entry of segments) {
      if (!entry.segment.isComplete) releaseParts([entry]);
      else {
        this.#list.push({ entry, leftMs: nowMs });
        this.#bytes += entry.segment.sizeBytes;
      }
    }
  }

  /** Releases segments that left two target durations ago, and the oldest ones if there are too many bytes. */
  expire(nowMs: number, targetMs: number): void {
    const isOver = ({ leftMs }: LeftSegment): boolean => nowMs - leftMs >= 2 * targetMs - TOLERANCE_MS;
    const kept = this.#list.findIndex((left) => !isOver(left));
    this.#release(kept < 0 ? this.#list.length : kept);
    while (this.#bytes > MAX_BYTES) this.#release(1);
  }

  byAddress(trackId: string, address: string): LiveSegment | undefined {
    return this.#find(trackId, (entry) => entry.address === address);
  }

  byMsn(trackId: string, msn: number): LiveSegment | undefined {
    return this.#find(trackId, (entry) => entry.msn === msn);
  }

  clear(): void {
    this.#release(this.#list.length);
  }

  #find(trackId: string, matches: (entry: LiveSegment) => boolean): LiveSegment | undefined {
    return this.#list.find(({ entry }) => entry.segment.trackId === trackId && matches(entry))?.entry;
  }

  #release(count: number): void {
    const released = this.#list.splice(0, count).map(({ entry }) => entry);
    for (const { segment } of released) this.#bytes -= segment.sizeBytes;
    releaseParts(released);
  }
}
