import { convertTicks } from '../media/timing/ticks.ts';
import type { Track } from '../media/track.ts';
import type { Part, SegmentWindow, TimeRange, WindowSegment } from '../segment/segment-window.ts';
import { prefixOf } from './address.ts';
import { hasMedia } from './playable-tracks.ts';
import { tracksOfTs } from './programme.ts';

/** Selection of a window. */
export interface PartFeedOptions {
  /** Ids of the tracks; default: the picture in the first of its qualities, and all sound. */
  readonly trackIds?: readonly string[] | undefined;
  /**
   * Range in complete segments, from the segment that contains its start to the segment that contains its end. Default:
   * the complete window; for a live window, from the newest segment on.
   */
  readonly range?: TimeRange | undefined;
}

/** Next part of a window, in the order of time over all tracks. */
export interface FedPart {
  readonly trackId: string;
  /** Track with the format of the part. */
  readonly track: Track;
  readonly entry: WindowSegment;
  readonly part: Part;
  /** Offset from the time of the media to the timeline of the window, in milliseconds. */
  readonly shiftMs: number;
  /**
   * Whether the part does not continue the last part of its track: a discontinuity of the window, or the media in
   * between has left the window.
   */
  readonly isDiscontinuity: boolean;
}

/** Maximum delay of a track if parts come one by one, in milliseconds. */
const MAX_SKEW_MS = 1500;

/** Reading position in a track. */
interface Cursor {
  msn: number;
  partIndex: number;
  /** Whether the next part does not continue the last part of the track. */
  isDiscontinuity: boolean;
  /** End of the parts read from the track, on the timeline of the window in milliseconds. */
  endMs: number;
}

/** Next part of one track, or the reason why there is none. */
type Next = { readonly fed: FedPart; readonly startMs: number } | 'wait' | 'over';

/** State of the tracks of a window at one version. */
interface Tracks {
  readonly version: number;
  readonly ids: readonly string[];
  readonly leaderId: string | undefined;
  readonly newest: ReadonlyMap<string, Track>;
}

/**
 * Reads each part of a window once, in the order of time over all tracks. It finds segments by number, so that a long
 * window costs no more than a short one.
 */
export class PartFeed {
  readonly #window: SegmentWindow;
  readonly #options: PartFeedOptions;
  readonly #cursors = new Map<string, Cursor>();
  #cachedTracks: Tracks | undefined;
  /** Numbers of the first and the last segment of the selection, once known. */
  #firstMsn: number | undefined;
  #lastMsn = Infinity;

  constructor(window: SegmentWindow, options: PartFeedOptions = {}) {
    this.#window = window;
    this.#options = options;
  }

  /** Number of the first segment of the selection; undefined while there is none. */
  get firstMsn(): number | undefined {
    return (this.#firstMsn ??= this.#findFirst());
  }

  /** Ids of the selected tracks. */
  get trackIds(): readonly string[] {
    return this.#tracks.ids;
  }

  /** Delay after which a late track is skipped, in milliseconds: longer by a segment if segments arrive complete. */
  get skewMs(): number {
    const { partMs, segmentMs, longestPartMs } = this.#window;
    return partMs > 0 ? MAX_SKEW_MS : MAX_SKEW_MS + Math.max(segmentMs, longestPartMs);
  }

  /** Format of a track in the segment with a number; without such a segment, its newest format. */
  trackAt(trackId: string, msn: number): Track | undefined {
    return this.trackOf(trackId, this.#window.segmentByMsn(trackId, msn));
  }

  /** Format of a track in one of its segments; without the segment, its newest format. */
  trackOf(trackId: string, entry?: WindowSegment): Track | undefined {
    const init = entry && this.#window.init(trackId, entry.segment.initId, prefixOf(entry));
    return init?.track ?? this.#tracks.newest.get(trackId);
  }

  /** Next part; `wait` if it has not arrived yet, `end` after the last part. */
  next(): FedPart | 'wait' | 'end' {
    const { firstMsn } = this;
    if (firstMsn === undefined) return this.#isFinal || this.#isPast ? 'end' : 'wait';
    this.#followTracks(firstMsn);
    let best: Exclude<Next, string> | undefined;
    let takenMs = -Infinity;
    const waiting: Cursor[] = [];
    for (const [trackId, cursor] of this.#cursors) {
      const next = this.#peek(trackId, cursor);
      if (next === 'wait') waiting.push(cursor);
      else if (next === 'over') takenMs = Math.max(takenMs, cursor.endMs);
      else if (!best || next.startMs < best.startMs) best = next;
    }
    const untilMs = best?.startMs ?? takenMs;
    // The range has ended, and missing parts of a track will not arrive any more.
    if (!best && takenMs > -Infinity && this.#window.isIdle) return 'end';
    // A track that is not late may still get an earlier part.
    if (waiting.some(({ endMs }) => endMs <= untilMs && untilMs - endMs < this.skewMs)) return 'wait';
    if (best) return this.#take(best);
    return takenMs > -Infinity || this.#isFinal ? 'end' : 'wait';
  }

  get #isFinal(): boolean {
    return this.#window.mutability === 'static';
  }

  /** Reports whether the window has reached the end of the range. */
  get #isPast(): boolean {
    return (this.#window.bounds()?.toMs ?? -Infinity) >= (this.#options.range?.toMs ?? Infinity);
  }

  get #tracks(): Tracks {
    const { version } = this.#window;
    if (this.#cachedTracks?.version === version) return this.#cachedTracks;
    const { trackIds } = this.#options;
    const { tracks } = this.#window;
    const chosen = trackIds ? tracks.filter(({ track }) => trackIds.includes(track.id)) : tracksOfTs(this.#window);
    return (this.#cachedTracks = {
      version,
      ids: chosen.map(({ track }) => track.id),
      leaderId: tracksOfTs(this.#window)[0]?.track.id,
      newest: new Map(tracks.map(({ track }) => [track.id, track])),
    });
  }

  #take({ fed, startMs }: Exclude<Next, string>): FedPart {
    const cursor = this.#cursors.get(fed.trackId);
    if (cursor) {
      cursor.partIndex++;
      cursor.isDiscontinuity = false;
      cursor.endMs = startMs + (fed.part.durationTicks * 1000) / fed.track.timescale;
    }
    return fed;
  }

  /** Adds new tracks at the position of the existing ones. */
  #followTracks(firstMsn: number): void {
    const { ids } = this.#tracks;
    for (const id of this.#cursors.keys()) if (!ids.includes(id)) this.#cursors.delete(id);
    const msn = Math.max(firstMsn, ...[...this.#cursors.values()].map((cursor) => cursor.msn));
    for (const id of ids)
      if (!this.#cursors.has(id))
        this.#cursors.set(id, { msn, partIndex: 0, isDiscontinuity: false, endMs: -Infinity });
  }

  #peek(trackId: string, cursor: Cursor): Next {
    for (;;) {
      if (this.#isAfterEnd(trackId, cursor.msn)) return 'over';
      const entry = this.#window.segmentByMsn(trackId, cursor.msn);
      if (!entry) {
        if (this.#skipMissing(trackId, cursor)) continue;
        return this.#isFinal ? 'over' : 'wait';
      }
      const part = entry.segment.parts[cursor.partIndex];
      if (part) return this.#fed(trackId, cursor, entry, part);
      cursor.endMs = Math.max(cursor.endMs, entry.startMs);
      if (!entry.segment.isComplete && !this.#isFinal) return 'wait';
      cursor.endMs = Math.max(cursor.endMs, this.#endOf(trackId, entry));
      cursor.msn++;
      cursor.partIndex = 0;
    }
  }

  #fed(trackId: string, cursor: Cursor, entry: WindowSegment, part: Part): Next {
    const { segment, startMs } = entry;
    const track = this.trackOf(trackId, entry);
    if (!track) return 'wait';
    const shiftMs = startMs - segment.startMs;
    const isDiscontinuity = cursor.isDiscontinuity || (entry.isDiscontinuity && cursor.partIndex === 0);
    return {
      fed: { trackId, track, entry, part, shiftMs, isDiscontinuity },
      startMs: startMs + ((part.startTicks - segment.startTicks) * 1000) / track.timescale,
    };
  }

  /** Skips a number that a track does not have. Returns false if the track may get it later. */
  #skipMissing(trackId: string, cursor: Cursor): boolean {
    const last = this.#window.lastSegment(trackId);
    if (!last) return false;
    if (last.msn < cursor.msn) {
      cursor.endMs = Math.max(cursor.endMs, this.#endOf(trackId, last));
      return false;
    }
    const { ids, leaderId = trackId } = this.#tracks;
    if (ids.some((id) => this.#window.segmentByMsn(id, cursor.msn))) {
      // The track started later, or has no media with this number.
      cursor.msn++;
      return true;
    }
    // The segment has left the window: all tracks continue with the newest segment.
    const msn = Math.min(last.msn, this.#window.lastSegment(leaderId)?.msn ?? last.msn);
    const isBefore = cursor.msn < msn;
    for (const other of this.#cursors.values())
      if (other.msn < msn) Object.assign(other, { msn, partIndex: 0, isDiscontinuity: true });
    return isBefore;
  }

  /** Whether a number is after the selected range. The leading track decides, because its segments determine the cut points. */
  #isAfterEnd(trackId: string, msn: number): boolean {
    const { range } = this.#options;
    if (range && this.#lastMsn === Infinity) {
      const { leaderId = trackId } = this.#tracks;
      const id = this.#window.segmentByMsn(leaderId, msn - 1) ? leaderId : trackId;
      const [before, entry] = [this.#window.segmentByMsn(id, msn - 1), this.#window.segmentByMsn(id, msn)];
      const hasTaken = before !== undefined && msn > (this.#firstMsn ?? msn);
      if ((entry && entry.startMs >= range.toMs) || (hasTaken && this.#endOf(id, before) >= range.toMs))
        this.#lastMsn = msn - 1;
    }
    return msn > this.#lastMsn;
  }

  /** End of a complete segment, or start of an open segment, on the timeline of the window in milliseconds. */
  #endOf(trackId: string, entry: WindowSegment): number {
    const { segment, startMs } = entry;
    const track = this.trackOf(trackId, entry);
    return track && segment.isComplete ? startMs + convertTicks(segment.durationTicks, track.timescale, 1000) : startMs;
  }

  #findFirst(): number | undefined {
    const { range } = this.#options;
    const leader = this.#tracks.leaderId;
    if (leader === undefined) return undefined;
    if (!range && this.#window.mutability === 'live') {
      // Starts at a key frame near the live edge, so that video is visible at once with a small delay.
      for (let entry = this.#window.lastSegment(leader); entry;) {
        if (hasMedia(entry)) return entry.msn;
        entry = this.#window.segmentByMsn(leader, entry.msn - 1);
      }
      return undefined;
    }
    const bounds = this.#window.bounds();
    if (!bounds) return undefined;
    const fromMs = Math.max(bounds.fromMs, range?.fromMs ?? bounds.fromMs);
    const toMs = Math.min(bounds.toMs, range?.toMs ?? Infinity);
    if (fromMs >= toMs) return undefined;
    // Searches growing ranges: usually the first contains the segment, but gaps may be long.
    for (let span = this.#window.segmentMs; ; span *= 2) {
      const found = this.#window.segments(leader, { fromMs, toMs: Math.min(toMs, fromMs + span) }).find(hasMedia);
      if (found) return found.msn;
      if (fromMs + span >= toMs) return undefined;
    }
  }
}
