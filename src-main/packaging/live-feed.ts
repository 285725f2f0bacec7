import { convertTicks } from '../media/timing/ticks.ts';
import type { ChangingWindow, Init, Part, WindowSegment, WindowTrack } from '../segment/segment-window.ts';
import type { ChunkEvent } from '../segment/window-event.ts';

/** Displayed size of a picture, in pixels. */
export interface ShownSize {
  readonly width: number;
  readonly height: number;
}

/** Next item of a live window. */
export type LiveItem =
  /** Start of the media, or change of tracks: media types of the following tracks. */
  | { readonly kind: 'begin'; readonly mediaTypes: readonly string[] }
  | { readonly kind: 'init'; readonly track: number; readonly init: Init; readonly mediaType: string }
  | {
      readonly kind: 'part';
      readonly track: number;
      /** A part, or a chunk of an incomplete part. */
      readonly part: Pick<Part, 'isIndependent' | 'sizeBytes' | 'pieces'>;
      /** Start on the timeline of the window, in milliseconds. */
      readonly startMs: number;
      /** True if earlier media was skipped. */
      readonly isGap: boolean;
    };

/** Window whose open parts may arrive in chunks. */
type LiveFeedWindow = Omit<ChangingWindow, 'onChange'>;

/** Maximum delay of a viewer before a jump to the newest key frame, in milliseconds. */
const LATE_MS = 1000;
/** Number of segments searched for the newest key frame. */
const SEARCH_SEGMENTS = 3;

interface Cursor {
  readonly trackId: string;
  msn: number;
  partIndex: number;
  /** Number of chunks already read from the current part. */
  chunkIndex: number;
  /** Id of the last init segment that was read. */
  initId: number | undefined;
  isGap: boolean;
}

/**
 * Reads video and audio of a live window as they arrive, from the newest key frame on, and open parts chunk by chunk if possible.
 * It buffers nothing: a late reader gets missed media from the window, or continues with the newest key frame after more than a
 * second.
 */
export class LiveFeed {
  readonly #window: LiveFeedWindow;
  #size: ShownSize;
  #cursors: Cursor[] = [];
  #version = -1;

  constructor(window: LiveFeedWindow, size: ShownSize) {
    this.#window = window;
    this.#size = size;
  }

  /** Displayed size of the picture. */
  get size(): ShownSize {
    return this.#size;
  }

  /** Changes the displayed size of the picture; if another rendition fits better, it replaces the current one. */
  resize(size: ShownSize): void {
    this.#size = size;
    this.#version = -1;
  }

  /** Next item; undefined if there is none yet. */
  next(): LiveItem | undefined {
    const start = this.#followTracks();
    if (start) return start;
    this.#skipLateMedia();
    let best: { readonly track: number; readonly cursor: Cursor; readonly found: FoundPart } | undefined;
    for (const [track, cursor] of this.#cursors.entries()) {
      const found = this.#peek(cursor);
      if (found && (!best || found.startMs < best.found.startMs)) best = { track, cursor, found };
    }
    if (!best) return undefined;
    const { track, cursor, found } = best;
    const { initId } = found.entry.segment;
    if (cursor.initId !== initId) {
      const init = this.#window.init(cursor.trackId, initId);
      if (!init) return undefined;
      cursor.initId = initId;
      return { kind: 'init', track, init, mediaType: mediaTypeOf(init.track) };
    }
    const { isGap } = cursor;
    if (found.isLast) Object.assign(cursor, { partIndex: cursor.partIndex + 1, chunkIndex: 0 });
    else cursor.chunkIndex++;
    cursor.isGap = false;
    return { kind: 'part', track, part: found.part, startMs: found.startMs, isGap };
  }

  #followTracks(): LiveItem | undefined {
    const { version, tracks } = this.#window;
    if (version === this.#version) return undefined;
    this.#version = version;
    const chosen = this.#choose(tracks);
    const ids = chosen.map(({ track }) => track.id);
    if (ids.length === 0 || ids.join() === this.#cursors.map(({ trackId }) => trackId).join()) return undefined;
    const [leader = ''] = ids;
    const start = this.#newestKeyFrame(leader);
    if (!start) return undefined;
    this.#cursors = ids.map((trackId) => ({
      trackId,
      msn: 0,
      partIndex: 0,
      chunkIndex: 0,
      initId: undefined,
      isGap: false,
    }));
    this.#moveTo(start);
    return { kind: 'begin', mediaTypes: chosen.map(({ track }) => mediaTypeOf(track)) };
  }

  /** Chooses the smallest rendition that fills the tile, and the first audio track, among tracks with media. */
  #choose(tracks: readonly WindowTrack[]): WindowTrack[] {
    const available = tracks.filter(({ track: { id } }) => this.#has(id) || this.#hasMedia(id));
    const pictures = available
      .filter(({ track }) => track.content === 'video')
      .toSorted((a, b) => pixelsOf(a) - pixelsOf(b));
    const picture = pictures.find((one) => this.#fills(one)) ?? pictures.at(-1);
    const sound = available.find(({ track }) => track.content === 'audio');
    return [picture, sound].filter((one) => one !== undefined);
  }

  /** Reports whether a track has media. A segment that has just started has none yet. */
  #hasMedia(trackId: string): boolean {
    const last = this.#window.lastSegment(trackId);
    const before = last?.segment.parts.length === 0 ? this.#window.segmentByMsn(trackId, last.msn - 1) : last;
    return (before?.segment.parts.length ?? 0) > 0;
  }

  #has(trackId: string): boolean {
    return this.#cursors.some((cursor) => cursor.trackId === trackId);
  }

  #fills({ track }: WindowTrack): boolean {
    if (track.content !== 'video') return false;
    // The picture keeps its aspect ratio and fills one side of the tile.
    const width = (track.width * track.sarWidth) / Math.max(1, track.sarHeight);
    return width >= this.#size.width || track.height >= this.#size.height;
  }

  /** Position of the newest key frame of a track. */
  #newestKeyFrame(trackId: string): { readonly entry: WindowSegment; readonly partIndex: number } | undefined {
    const last = this.#window.lastSegment(trackId);
    for (let entry = last; entry && last && last.msn - entry.msn < SEARCH_SEGMENTS;) {
      const partIndex = entry.segment.parts.findLastIndex(({ isIndependent }) => isIndependent);
      if (partIndex >= 0) return { entry, partIndex };
      entry = this.#window.segmentByMsn(trackId, entry.msn - 1);
    }
    return undefined;
  }

  /** Positions all tracks at a part of the first one. */
  #moveTo({ entry, partIndex }: { readonly entry: WindowSegment; readonly partIndex: number }): void {
    const [leader, ...others] = this.#cursors;
    if (!leader) return;
    Object.assign(leader, { msn: entry.msn, partIndex, chunkIndex: 0 });
    const startMs = this.#startOf(entry, entry.segment.parts[partIndex]);
    for (const cursor of others) {
      const parts = this.#window.segmentByMsn(cursor.trackId, entry.msn)?.segment.parts ?? [];
      const entrySegment = this.#window.segmentByMsn(cursor.trackId, entry.msn);
      const first = entrySegment ? parts.findIndex((part) => this.#startOf(entrySegment, part) >= startMs) : 0;
      Object.assign(cursor, { msn: entry.msn, partIndex: first < 0 ? parts.length : first, chunkIndex: 0 });
    }
  }

  #skipLateMedia(): void {
    const [leader] = this.#cursors;
    const entry = leader && this.#window.segmentByMsn(leader.trackId, leader.msn);
    const last = leader && this.#window.lastSegment(leader.trackId);
    if (!leader || !last) return;
    const isGone = !entry && last.msn > leader.msn;
    if (!isGone && entry) {
      const atMs = this.#startOf(entry, entry.segment.parts[leader.partIndex]);
      const endMs = last.startMs + this.#ms(last.segment.durationTicks, last);
      if (endMs - atMs < LATE_MS) return;
    }
    const start = this.#newestKeyFrame(leader.trackId);
    if (!start) return;
    const isNewer =
      start.entry.msn > leader.msn || (start.entry.msn === leader.msn && start.partIndex > leader.partIndex);
    if (!isNewer) return;
    const before = this.#cursors.map(({ msn, partIndex }) => ({ msn, partIndex }));
    this.#moveTo(start);
    for (const [index, cursor] of this.#cursors.entries()) {
      const old = before[index];
      if (cursor.msn !== old?.msn || cursor.partIndex !== old.partIndex) cursor.isGap = true;
    }
  }

  #peek(cursor: Cursor): FoundPart | undefined {
    for (;;) {
      const entry = this.#window.segmentByMsn(cursor.trackId, cursor.msn);
      if (!entry) {
        const last = this.#window.lastSegment(cursor.trackId);
        const [first] = this.#window.segments(cursor.trackId);
        if (!last || !first || cursor.msn > last.msn) return undefined;
        // The track was silent, or its segment has left the window.
        Object.assign(cursor, { msn: Math.max(first.msn, cursor.msn + 1), partIndex: 0, chunkIndex: 0, isGap: true });
        continue;
      }
      const part = entry.segment.parts[cursor.partIndex];
      if (part && cursor.chunkIndex === 0) return { entry, part, startMs: this.#startOf(entry, part), isLast: true };
      const { trackId, msn, partIndex, chunkIndex: index } = cursor;
      const chunk = this.#window.chunks?.find({ trackId, msn, partIndex, index });
      if (chunk) return this.#foundChunk(entry, chunk);
      // If a chunk was dropped, video waits for the next key frame; audio, in which every frame is independent, continues with
      // the complete part.
      if (part && cursor !== this.#cursors[0])
        return { entry, part, startMs: this.#startOf(entry, part), isLast: true };
      if (part || !entry.segment.isComplete) return undefined;
      Object.assign(cursor, { msn: msn + 1, partIndex: 0, chunkIndex: 0 });
    }
  }

  #foundChunk(entry: WindowSegment, chunk: ChunkEvent): FoundPart {
    const { bytes, isIndependent, isLast } = chunk;
    const part = { isIndependent, sizeBytes: bytes.length, pieces: [{ bytes }] };
    return { entry, part, startMs: this.#startOf(entry, chunk), isLast };
  }

  #startOf(entry: WindowSegment, part: Pick<Part, 'startTicks'> | undefined): number {
    return (
      entry.startMs + this.#ms(part ? part.startTicks - entry.segment.startTicks : entry.segment.durationTicks, entry)
    );
  }

  #ms(ticks: number, { segment }: WindowSegment): number {
    const timescale = this.#window.init(segment.trackId, segment.initId)?.track.timescale ?? 1000;
    return convertTicks(ticks, timescale, 1000);
  }
}

interface FoundPart {
  readonly entry: WindowSegment;
  readonly part: Extract<LiveItem, { kind: 'part' }>['part'];
  readonly startMs: number;
  /** Whether this is the last chunk of its part. */
  readonly isLast: boolean;
}

function pixelsOf({ track }: WindowTrack): number {
  return track.content === 'video' ? track.width * track.height : 0;
}

function mediaTypeOf({ content, codecString }: WindowTrack['track']): string {
  return `${content}/mp4; codecs="${codecString}"`;
}
