import { ticksToMs } from '../../media/timing/ticks.ts';
import type { Track } from '../../media/track.ts';
import { inRange } from '../../segment/segment-list.ts';
import { targetDurationOf } from '../../segment/segmenter-options.ts';
import type {
  ChangingWindow,
  Segment,
  SegmentWindow,
  TimeRange,
  WindowSegment,
  WindowTrack,
} from '../../segment/segment-window.ts';
import { WrappedWindow } from '../../segment/wrapped-window.ts';

/** Maximum excess of a piece over the announced target duration at which its duration still rounds to it, in milliseconds. */
const ROUNDING_MS = 475;
/** Minimum duration of a gap at the end of a segment, in milliseconds; a shorter one is left out. */
const MIN_GAP_MS = 100;

/** Windows whose target duration was announced before their first segment was complete. */
const announced = new WeakMap<ChangingWindow, AnnouncedWindow>();

/**
 * Window for the playlists with parts of a live window. The first of them announces a target duration, which must not change
 * (RFC 8216, 6.2.1). If it is sent before the first segment is complete, and that segment becomes longer because the GOP is
 * longer, this window divides all longer segments.
 */
export function announcedWindow(window: ChangingWindow): SegmentWindow {
  const existing = announced.get(window);
  if (existing) return existing.isNeeded ? existing : window;
  const { mutability, partMs, segmentMs, longestSegmentMs, canRewind, interstitials } = window;
  const isOpen = mutability === 'live' && longestSegmentMs === 0 && canRewind !== true && !interstitials;
  // A piece has several parts.
  if (!isOpen || partMs <= 0 || segmentMs < 2 * partMs || !window.bounds()) return window;
  const created = new AnnouncedWindow(window);
  announced.set(window, created);
  return created;
}

/** Piece of a segment; it lasts until the next piece, or until the segment ends. */
interface Piece {
  readonly startTicks: number;
  /** Index of its first part. */
  readonly from: number;
  /** Whether it has no media. */
  readonly isGap: boolean;
}

/** Pieces of a segment. */
interface Pieces {
  /** Media sequence number of the first piece. */
  readonly msn: number;
  readonly list: Piece[];
  /** Number of parts that are in the pieces. */
  partCount: number;
  /** Whether playlists may have listed pieces. */
  isDivided: boolean;
  /** End of the last piece if it was listed before the segment was complete. */
  endTicks?: number;
}

/** Segments of one track, and the numbers of their pieces. */
interface TrackPieces {
  readonly bySegment: Map<number, Pieces>;
  /** Newest known segment. */
  lastMsn: number;
}

/**
 * Live window in which segments longer than the announced target duration are pieces: runs of parts. A piece is numbered like a
 * segment, so the numbers are higher than those of the live window once a segment was divided, and differ between tracks.
 */
class AnnouncedWindow extends WrappedWindow<ChangingWindow> {
  readonly #targetMs: number;
  readonly #tracks = new Map<string, TrackPieces>();
  #version = -1;
  #hasPieces = false;

  constructor(inner: ChangingWindow) {
    super(inner);
    this.#targetMs = targetDurationOf(inner.segmentMs, 0) * 1000;
    // Numbers continue even if no playlist is requested for some time.
    inner.onChange(() => {
      this.#update();
    });
  }

  /** Whether a segment was divided, or may still be because the target duration of the live window is not settled. */
  get isNeeded(): boolean {
    this.#update();
    return this.#hasPieces || this.inner.longestSegmentMs === 0;
  }

  override get longestSegmentMs(): number {
    return Math.min(this.inner.longestSegmentMs, this.#targetMs);
  }

  get listedTracks(): readonly WindowTrack[] {
    return this.inner.listedTracks ?? this.inner.tracks;
  }

  override segments(trackId: string, range?: TimeRange): readonly WindowSegment[] {
    const all = this.inner.segments(trackId, range).flatMap((entry) => this.#piecesOf(entry));
    return range ? inRange(all, range) : all;
  }

  override lastSegment(trackId: string): WindowSegment | undefined {
    const last = this.inner.lastSegment(trackId);
    return last && this.#piecesOf(last).at(-1);
  }

  override segmentByMsn(trackId: string, msn: number): WindowSegment | undefined {
    this.#update();
    for (const [own, { msn: first, list }] of this.#tracks.get(trackId)?.bySegment ?? []) {
      if (msn < first || msn >= first + list.length) continue;
      const entry = this.inner.segmentByMsn(trackId, own);
      return entry && this.#piecesOf(entry)[msn - first];
    }
    return undefined;
  }

  /** Pieces of a segment; the segment itself under its number here if it has one piece. */
  #piecesOf(entry: WindowSegment): readonly WindowSegment[] {
    this.#update();
    const { segment, isDiscontinuity, discontinuitySequence } = entry;
    const pieces = this.#tracks.get(segment.trackId)?.bySegment.get(entry.msn);
    if (!pieces) return [entry];
    const { msn, list } = pieces;
    if (!pieces.isDivided) return [{ ...entry, msn }];
    // The last gap is listed when its end is known.
    const listed = segment.isComplete ? list : list.slice(0, list.findLastIndex(({ isGap }) => !isGap) + 1);
    return listed.map(({ from, isGap }, index) => {
      const piece = pieceOf(segment, pieces, index, trackOf(this.inner, segment)?.timescale ?? 1);
      return {
        ...entry,
        segment: piece,
        msn: msn + index,
        startMs: entry.startMs + piece.startMs - segment.startMs,
        isDiscontinuity: isDiscontinuity && index === 0,
        discontinuitySequence: discontinuitySequence + (isDiscontinuity && index > 0 ? 1 : 0),
        // No media has the address of a gap, which must differ from others.
        partRange: isGap ? `${index}-0` : `${from}-${from + piece.parts.length - 1}`,
      };
    });
  }

  #update(): void {
    if (this.#version === this.inner.version) return;
    this.#version = this.inner.version;
    for (const { track } of this.listedTracks) this.#updateTrack(track.id);
  }

  #updateTrack(trackId: string): void {
    const segments = this.inner.segments(trackId);
    const [first] = segments;
    if (!first) return;
    let track = this.#tracks.get(trackId);
    if (!track) {
      track = { bySegment: new Map(), lastMsn: first.msn };
      this.#tracks.set(trackId, track);
    }
    const { bySegment } = track;
    for (const entry of segments.slice(segments.findLastIndex(({ msn }) => msn <= track.lastMsn))) {
      const before = bySegment.get(track.lastMsn);
      let pieces = bySegment.get(entry.msn);
      if (!pieces) {
        const msn = before ? before.msn + before.list.length + entry.msn - track.lastMsn - 1 : entry.msn;
        const { startTicks, isGap } = entry.segment;
        pieces = { msn, list: [{ startTicks, from: 0, isGap }], partCount: 0, isDivided: false };
        bySegment.set(entry.msn, pieces);
      }
      this.#divide(entry.segment, pieces);
      track.lastMsn = entry.msn;
    }
    for (const msn of bySegment.keys()) {
      if (msn >= first.msn) break;
      bySegment.delete(msn);
    }
  }

  /** Adds new parts of a segment to its pieces, and the end of a complete segment. */
  #divide(segment: Segment, pieces: Pieces): void {
    const { list } = pieces;
    const { parts, isComplete, isGap } = segment;
    const { timescale = 1, content } = trackOf(this.inner, segment) ?? {};
    const maxTicks = Math.floor(((this.#targetMs + ROUNDING_MS) * timescale) / 1000);
    const partTicks = (Math.max(this.partMs, this.longestPartMs) * timescale) / 1000;
    for (let from = pieces.partCount; from < parts.length; from++) {
      const part = parts[from];
      const last = list.at(-1);
      if (!part || !last) break;
      const { startTicks, durationTicks, isIndependent } = part;
      const endTicks = startTicks + durationTicks;
      // Once segments are divided, pieces of video start with key frames where they can.
      const isGoodStart =
        this.#hasPieces && content === 'video' && isIndependent && startTicks - last.startTicks > maxTicks / 2;
      const isFull = endTicks - last.startTicks > maxTicks;
      if (last.isGap || (last.from < from && (isFull || isGoodStart))) list.push({ startTicks, from, isGap: false });
      this.#fill(list, endTicks, maxTicks, from + 1);
      // Without room for another part the piece ends now, so that the hint for the next part belongs to the next piece. Shaka
      // Player loads a hinted part for the piece before, and again if it is in the next one.
      const current = list.at(-1);
      if (current && !current.isGap && endTicks + partTicks - current.startTicks > maxTicks)
        list.push({ startTicks: endTicks, from: from + 1, isGap: false });
      pieces.partCount = from + 1;
    }
    if (isComplete) {
      const endTicks = segment.startTicks + segment.durationTicks;
      if (isGap) list[0] = { startTicks: segment.startTicks, from: 0, isGap };
      // Parts may be withdrawn when an input ends.
      while (list.length > 1 && (list.at(-1)?.startTicks ?? 0) >= endTicks) list.pop();
      const last = list.at(-1);
      if (last && list.length > 1 && !last.isGap && last.from >= parts.length) {
        // No part came after the piece before, which is listed with its length.
        list.pop();
        if (pieces.isDivided && endTicks - last.startTicks > (MIN_GAP_MS * timescale) / 1000)
          list.push({ ...last, isGap: true });
        else if (pieces.isDivided) pieces.endTicks = last.startTicks;
      }
      if (pieces.endTicks === undefined) this.#fill(list, endTicks, maxTicks, parts.length);
    }
    if (list.length > 1) {
      pieces.isDivided = true;
      this.#hasPieces = true;
    }
  }

  /** Adds gaps up to a time that is too far from the start of the last piece, because a single picture lasts so long. */
  #fill(list: Piece[], endTicks: number, maxTicks: number, from: number): void {
    for (let last = list.at(-1); last && endTicks - last.startTicks > maxTicks; last = list.at(-1))
      list.push({ startTicks: last.startTicks + maxTicks, from, isGap: true });
  }
}

function pieceOf(segment: Segment, { list, endTicks: lastTicks }: Pieces, index: number, timescale: number): Segment {
  const { startTicks = segment.startTicks, from = 0, isGap = false } = list[index] ?? {};
  const next = list[index + 1];
  const endTicks = next?.startTicks ?? lastTicks ?? segment.startTicks + segment.durationTicks;
  const parts = isGap ? [] : segment.parts.slice(from, next?.from);
  const last = parts.at(-1);
  if (last && next?.isGap === true) parts[parts.length - 1] = { ...last, durationTicks: endTicks - last.startTicks };
  return {
    ...segment,
    parts,
    startTicks,
    startMs: ticksToMs(startTicks, timescale),
    durationTicks: endTicks - startTicks,
    sizeBytes: parts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    isComplete: next !== undefined || segment.isComplete,
    isGap,
  };
}

function trackOf({ tracks, listedTracks = tracks }: SegmentWindow, { trackId }: Segment): Track | undefined {
  return listedTracks.find(({ track }) => track.id === trackId)?.track;
}
