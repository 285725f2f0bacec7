import { runAtOnce } from '../lib/turns.ts';
import { programmeOf } from '../segment/track-facts.ts';
import { segmentSteps, withNewest, type RenderStep } from './segment-steps.ts';
import type { SegmentWindow, TimeRange, WindowPeriod, WindowSegment, WindowTrack } from '../segment/segment-window.ts';

/** Current tracks of the TS rendition, the leading track first. The rendition has the segments of the leading track. */
export function tracksOfTs(window: SegmentWindow): readonly WindowTrack[] {
  return programmeOf(window.tracks);
}

/**
 * TS rendition of a window: one segment for each number, with all tracks of the programme. Includes tracks that ended
 * but still have segments. Valid until the window changes.
 */
export class Programme {
  readonly #window: SegmentWindow;
  readonly #listed: ReadonlyMap<string, WindowTrack>;
  readonly #periods: readonly WindowPeriod[];
  readonly #current: readonly WindowTrack[];
  /** First segment numbers of the periods, if the periods do not list their tracks. The tracks may change at each. */
  readonly #starts: ReadonlySet<number>;

  constructor(window: SegmentWindow) {
    this.#window = window;
    this.#listed = new Map((window.listedTracks ?? window.tracks).map((one) => [one.track.id, one]));
    this.#current = tracksOfTs(window);
    const periods = window.periods();
    // If a period does not list its tracks, they follow from the segments of the window.
    this.#periods = periods.every(({ programme }) => programme) ? periods : [];
    this.#starts = new Set(this.#periods.length > 0 ? [] : periods.map(({ firstMsn }) => firstMsn));
  }

  /** Segments of the rendition, oldest first: at each number the segment of the leading track. */
  segments(range?: TimeRange): readonly WindowSegment[] {
    return runAtOnce(this.segmentSteps(range));
  }

  /** Like `segments`, in short steps. */
  *segmentSteps(range?: TimeRange): Generator<RenderStep, readonly WindowSegment[]> {
    const leaders = new Set(this.#periods.map(({ programme }) => programme?.trackIds[0]));
    if (leaders.size === 0) leaders.add(this.#current[0]?.track.id);
    const [first = ''] = leaders;
    if (leaders.size === 1) return yield* segmentSteps(this.#window, first, range);
    const firstMsn = this.#firstCompleteMsn();
    const all: WindowSegment[] = [];
    const lists = new Map<string, readonly WindowSegment[]>();
    const { version } = this.#window;
    for (const id of leaders) lists.set(id ?? '', yield* segmentSteps(this.#window, id ?? '', range));
    const hasChanged = this.#window.version !== version;
    for (const [id, list] of lists)
      for (const entry of hasChanged ? withNewest(this.#window, id, list, range) : list)
        if (entry.msn >= firstMsn && this.#leads(entry.segment.trackId, entry.msn)) all.push(entry);
    all.sort((a, b) => a.msn - b.msn);
    // A leading track that returned has lost its earlier segments. Only the newest uninterrupted run of numbers counts.
    const runStart = all.findLastIndex(({ msn }, index) => index > 0 && msn !== (all[index - 1]?.msn ?? 0) + 1);
    return all.slice(Math.max(0, runStart));
  }

  /**
   * First number from which on no segment is missing. Earlier segments are missing if the leading track of a period
   * left and returned.
   */
  #firstCompleteMsn(): number {
    const gone = this.#periods.map(({ firstMsn, programme }, index) => {
      const firstListed = this.#listed.get(programme?.trackIds[0] ?? '')?.firstMsn ?? 0;
      return firstListed > firstMsn ? Math.min(firstListed, this.#periods[index + 1]?.firstMsn ?? Infinity) : 0;
    });
    return Math.max(0, ...gone);
  }

  /** Segment of the rendition with this address. */
  byAddress(address: string): WindowSegment | undefined {
    for (const id of this.#listed.keys()) {
      const entry = this.#window.segmentByAddress(id, address);
      if (entry && this.#leads(id, entry.msn)) return entry;
    }
    return undefined;
  }

  /** Tracks of a segment, the leading track first. Constant in a period, even if a track has no media for some time. */
  tracksAt(msn: number): readonly WindowTrack[] {
    const ids = this.#periodAt(msn)?.programme?.trackIds;
    if (!ids) return this.#current.filter(({ track }) => this.#window.segmentByMsn(track.id, msn));
    const tracks = ids.map((id) => this.#listed.get(id));
    return tracks[0] ? tracks.filter((track) => track !== undefined) : [];
  }

  /** Whether the segment with this number is complete in all tracks; other tracks may be later than the leading track. */
  isReady(msn: number): boolean {
    const tracks = this.#periodAt(msn)?.programme ? this.tracksAt(msn) : this.#current;
    return tracks.every(({ track, firstMsn = 0 }) => {
      const trackEntry = this.#window.segmentByMsn(track.id, msn);
      if (trackEntry) return trackEntry.segment.isComplete;
      const last = this.#window.lastSegment(track.id);
      // Tracks that start after this segment, or ended before it, have no media in it.
      return !this.#current.some((one) => one.track.id === track.id) || (last ? last.msn > msn : msn < firstMsn);
    });
  }

  /**
   * Whether a discontinuity precedes the segment, because the tracks change (RFC 8216, 4.3.2.3) or the media does not
   * continue, and the number of earlier discontinuities since the start of the window.
   */
  discontinuityAt(entry: WindowSegment): { isDiscontinuity: boolean; earlierCount: number } {
    const { msn, discontinuitySequence } = entry;
    const period = this.#periodAt(msn);
    const { programme } = period ?? {};
    // A live window whose periods do not list their tracks counts no discontinuities of the programme.
    if (!programme)
      return {
        isDiscontinuity: entry.isDiscontinuity || (this.#window.mutability !== 'live' && this.#hasOtherTracks(entry)),
        earlierCount: discontinuitySequence,
      };
    const isDiscontinuity = msn === period?.firstMsn && programme.isChange;
    return { isDiscontinuity, earlierCount: programme.changes - (isDiscontinuity ? 1 : 0) };
  }

  /** Whether the previous segment has other tracks. */
  #hasOtherTracks({ msn, segment: { trackId } }: WindowSegment): boolean {
    if (!this.#starts.has(msn) || !this.#window.segmentByMsn(trackId, msn - 1)) return false;
    return this.#current.some(
      ({ track: { id } }) => !this.#window.segmentByMsn(id, msn - 1) !== !this.#window.segmentByMsn(id, msn),
    );
  }

  #leads(trackId: string, msn: number): boolean {
    return this.tracksAt(msn)[0]?.track.id === trackId;
  }

  #periodAt(msn: number): WindowPeriod | undefined {
    return this.#periods.findLast(({ firstMsn }) => firstMsn <= msn) ?? this.#periods[0];
  }
}
