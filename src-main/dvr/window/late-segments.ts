import { retainMedia } from '../../segment/media-bytes.ts';
import type { ChangingWindow, Init, WindowPeriod, WindowSegment } from '../../segment/segment-window.ts';

/** Segment of one track in memory, with a function that releases the memory. */
interface RetainedSegment {
  readonly entry: WindowSegment;
  readonly init: Init | undefined;
  readonly release: () => void;
}

/**
 * Maximum time from the start of a segment to the start of the live window, in milliseconds. An older segment that is
 * not recorded counts as lost, because recorders drop such media.
 */
const MAX_LATE_MS = 12_000;

/**
 * Segments of a live window that cannot be read from the archive yet: their memory is retained after they leave the
 * live window, until they are recorded.
 */
export class LateSegments {
  /** By number in order, then by track. */
  readonly #retained = new Map<number, Map<string, RetainedSegment>>();
  /** Number of the newest segment ever retained, by track. */
  readonly #newest = new Map<string, number>();
  /** Numbers of the first and the last segment ever retained. */
  #fromMsn = Infinity;
  #toMsn = -1;
  /** Number of discontinuities of the live window before the segment `#fromMsn`. */
  #fromSequence = 0;
  /** Numbers of the segments that are discontinuities. */
  readonly #cuts = new Set<number>();
  /** Starts of segments that are lost, by number. */
  readonly #lost = new Map<number, number>();
  /** Periods of the retained segments, by the number of their first segment. */
  readonly #periods = new Map<number, WindowPeriod>();

  /**
   * Whether a segment is a discontinuity; undefined for segments that were never retained, and for the first one unless
   * it is marked as a discontinuity, because its predecessor is unknown.
   */
  isCut(msn: number): boolean | undefined {
    if (msn < this.#fromMsn || msn > this.#toMsn) return undefined;
    return this.#cuts.has(msn) || (msn === this.#fromMsn ? undefined : false);
  }

  /** Number of discontinuities of the live window before a segment; undefined before the first segment ever retained. */
  sequenceOf(msn: number): number | undefined {
    if (msn < this.#fromMsn) return undefined;
    let count = this.#fromSequence;
    for (const cut of this.#cuts) if (cut < msn) count++;
    return count;
  }

  /** Start of a retained or lost segment, in epoch milliseconds. */
  startOf(msn: number): number | undefined {
    const [retained] = this.#retained.get(msn)?.values() ?? [];
    return retained?.entry.startMs ?? this.#lost.get(msn);
  }

  /** Number of the first retained segment; undefined if none is retained. */
  get firstMsn(): number | undefined {
    for (const msn of this.#retained.keys()) return msn;
    return undefined;
  }

  /** Retains the complete segments that are new in the live window. */
  take(live: ChangingWindow): void {
    for (const { track } of live.listedTracks ?? live.tracks) {
      const segments = live.segments(track.id);
      const newest = this.#newest.get(track.id) ?? -1;
      let from = segments.length;
      while ((segments[from - 1]?.msn ?? -1) > newest) from--;
      for (const entry of segments.slice(from)) {
        if (!entry.segment.isComplete) break;
        this.#retain(entry, live.init(track.id, entry.segment.initId));
      }
    }
    for (const period of live.periods()) this.#periods.set(period.firstMsn, period);
  }

  /**
   * Releases segments that have left the live window, from the first up to a segment that may still be recorded.
   *
   * @param fromMs segments before this time are not needed
   */
  settle(live: ChangingWindow, fromMs: number, isRecorded: (entry: WindowSegment) => boolean): void {
    const lateFromMs = Math.max(fromMs, (live.bounds()?.fromMs ?? Infinity) - MAX_LATE_MS);
    for (const [msn, tracks] of this.#retained) {
      const isDone = [...tracks.values()].every(({ entry }) => entry.startMs < lateFromMs || isRecorded(entry));
      // Segments in the live window stay. Their block may still fail, and the live window retains their memory
      // anyway.
      const isLive = [...tracks.keys()].some((id) => live.segmentByMsn(id, msn));
      if (!isDone || isLive) break;
      const entries = [...tracks.values()].map(({ entry }) => entry);
      if (entries[0] && !entries.some(isRecorded)) this.#lost.set(msn, entries[0].startMs);
      for (const { release } of tracks.values()) release();
      this.#retained.delete(msn);
    }
    for (const [msn, startMs] of this.#lost) if (startMs < fromMs) this.#lost.delete(msn);
  }

  /** Periods of retained segments that start before a number. */
  periods(endMsn: number): WindowPeriod[] {
    const first = this.firstMsn;
    if (first === undefined) return [];
    const all = [...this.#periods.values()];
    for (const [index, { firstMsn }] of all.entries())
      if ((all[index + 1]?.firstMsn ?? Infinity) <= first) this.#periods.delete(firstMsn);
    return [...this.#periods.values()].filter(({ firstMsn }) => firstMsn < endMsn);
  }

  init(trackId: string, initId: number): Init | undefined {
    for (const tracks of this.#retained.values()) {
      const retained = tracks.get(trackId);
      if (retained?.entry.segment.initId === initId) return retained.init;
    }
    return undefined;
  }

  segment(trackId: string, msn: number): WindowSegment | undefined {
    return this.#retained.get(msn)?.get(trackId)?.entry;
  }

  segmentByAddress(trackId: string, address: string): WindowSegment | undefined {
    return this.segments(trackId, Infinity).find((entry) => entry.address === address);
  }

  /** Retained segments of a track before a number. */
  segments(trackId: string, endMsn: number): WindowSegment[] {
    const found: WindowSegment[] = [];
    for (const [msn, tracks] of this.#retained) {
      const entry = msn < endMsn ? tracks.get(trackId)?.entry : undefined;
      if (entry) found.push(entry);
    }
    return found;
  }

  close(): void {
    for (const tracks of this.#retained.values()) for (const { release } of tracks.values()) release();
    this.#retained.clear();
    this.#periods.clear();
  }

  /** Retains a copy of a segment with its parts: a live segment loses its parts when it leaves the window. */
  #retain(
    { segment, msn, startMs, isDiscontinuity, discontinuitySequence, address }: WindowSegment,
    init: Init | undefined,
  ): void {
    const parts = [...segment.parts];
    const entry = {
      msn,
      startMs,
      isDiscontinuity,
      discontinuitySequence,
      address,
      segment: { ...segment, parts },
    };
    const tracks = this.#retained.get(msn) ?? new Map<string, RetainedSegment>();
    tracks.set(segment.trackId, { entry, init, release: retainMedia(parts) });
    this.#retained.set(msn, tracks);
    this.#newest.set(segment.trackId, msn);
    if (msn < this.#fromMsn) [this.#fromMsn, this.#fromSequence] = [msn, discontinuitySequence];
    this.#toMsn = Math.max(this.#toMsn, msn);
    if (isDiscontinuity) this.#cuts.add(msn);
  }
}
