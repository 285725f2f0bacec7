import { crc32 } from 'node:zlib';
import { readChunk } from '../../src-main/media/containers/isobmff/chunk-reader.ts';
import { isSameFormat, type Track } from '../../src-main/media/track.ts';
import { viewShared } from '../../src-main/segment/shared-bytes.ts';
import { bytesInMemory, type MediaBytes } from '../../src-main/segment/media-bytes.ts';
import type { SegmentWindow, WindowSegment } from '../../src-main/segment/segment-window.ts';
import type { PartEvent, SegmentStartEvent, WindowEvent } from '../../src-main/segment/window-event.ts';

interface SeenSegment {
  readonly msn: number;
  readonly trackId: string;
  readonly initId: number;
  readonly isDiscontinuity: boolean;
  readonly startTicks: number;
  readonly timescale: number;
  readonly parts: PartEvent[];
  /** Decoding times of the first sample and of the end of the last sample. */
  decodeStart: number;
  decodeEnd: number;
  durationTicks: number;
  isGap: boolean;
  isComplete: boolean;
}

/** Segments by their events. */
interface SeenStream {
  readonly segments: readonly SeenSegment[];
  /** Every segment of a track, oldest first. */
  of(trackId: string): readonly SeenSegment[];
  /** Number of samples of a track in all segments. */
  samples(trackId: string): number;
}

/**
 * Reads events strictly and collects violations: times that do not increase, wrong sums, gaps in the numbers, misplaced
 * parts. Bytes are read immediately, because their memory is reused later.
 */
export class EventChecker implements SeenStream {
  readonly faults: string[] = [];
  readonly segments: SeenSegment[] = [];
  readonly #tracks = new Map<string, { readonly track: Track; readonly initId: number }>();
  /** The highest number of an init segment so far, by track. */
  readonly #initIds = new Map<string, number>();
  readonly #open = new Map<string, SeenSegment>();
  readonly #last = new Map<string, SeenSegment>();
  readonly #samples = new Map<string, number>();
  #firstMsn = 0;

  of(trackId: string): SeenSegment[] {
    return this.segments.filter((segment) => segment.trackId === trackId);
  }

  samples(trackId: string): number {
    return this.#samples.get(trackId) ?? 0;
  }

  take(events: readonly WindowEvent[]): void {
    // After a crash of the media thread some media is missing.
    const isInterrupted = events.at(-1)?.type === 'idle';
    for (const event of events) {
      switch (event.type) {
        case 'init':
          this.#init(event.tracks);
          break;
        case 'segment-start':
          this.#start(event);
          break;
        case 'part':
          this.#part(event);
          break;
        case 'segment-end': {
          const segment = this.#open.get(event.trackId);
          this.#open.delete(event.trackId);
          if (!segment || segment.msn !== event.msn) {
            this.faults.push(`end of ${event.trackId} ${event.msn}, which is not open`);
            break;
          }
          segment.isComplete = true;
          segment.isGap = event.isGap;
          segment.durationTicks = event.durationTicks;
          this.#expect(
            event.isGap === (segment.parts.length === 0),
            `${name(segment)} has ${segment.parts.length} parts and is ${event.isGap ? '' : 'not '}a gap`,
          );
          this.#expect(event.durationTicks > 0, `${name(segment)} lasts ${event.durationTicks} ticks`);
          while ((segment.parts.at(-1)?.startTicks ?? -Infinity) >= segment.startTicks + event.durationTicks)
            segment.parts.pop();
          const sum = segment.parts.reduce((total, part) => total + part.durationTicks, 0);
          this.#expect(
            event.isGap || sum === event.durationTicks || (isInterrupted && sum < event.durationTicks),
            `${name(segment)} lasts ${event.durationTicks} ticks, its parts ${sum}`,
          );
          break;
        }
        case 'trim':
          this.#expect(event.firstMsn > this.#firstMsn, `trim to ${event.firstMsn} after ${this.#firstMsn}`);
          this.#firstMsn = event.firstMsn;
          for (const segment of this.#open.values())
            this.#expect(segment.msn >= event.firstMsn, `${name(segment)} is open and trimmed`);
          break;
        default:
          break;
      }
    }
  }

  #init(tracks: readonly { readonly track: Track; readonly initId: number }[]): void {
    const earlier = new Map(this.#tracks);
    this.#tracks.clear();
    for (const { track, initId } of tracks) {
      const { id, timescale } = track;
      this.#tracks.set(id, { track, initId });
      const before = earlier.get(id);
      if (before?.initId === initId) {
        this.#expect(isSameFormat(before.track, track), `init ${initId} of ${id} has two formats`);
        continue;
      }
      const usedId = this.#initIds.get(id) ?? -1;
      this.#expect(initId > usedId, `${id} has init ${initId} after ${usedId}`);
      this.#expect(!this.#open.has(id), `init ${initId} of ${id} while it has a segment open`);
      this.#initIds.set(id, initId);
      if (before?.track.timescale !== timescale) this.#last.delete(id);
    }
    for (const id of this.#open.keys()) this.#expect(this.#tracks.has(id), `${id} goes while it has a segment open`);
    for (const id of this.#last.keys()) if (!this.#tracks.has(id)) this.#last.delete(id);
  }

  #start(event: SegmentStartEvent): void {
    const { track, initId } = this.#tracks.get(event.trackId) ?? {};
    const last = this.#last.get(event.trackId);
    const segment: SeenSegment = {
      ...event,
      timescale: track?.timescale ?? 1,
      parts: [],
      decodeStart: NaN,
      decodeEnd: NaN,
      durationTicks: 0,
      isGap: false,
      isComplete: false,
    };
    this.#expect(track !== undefined, `${name(segment)} of an unknown track`);
    this.#expect(initId === event.initId, `${name(segment)} uses init ${event.initId}, not ${initId}`);
    this.#expect(!this.#open.has(event.trackId), `${name(segment)} starts while another one is open`);
    this.#expect(!last || event.msn === last.msn + 1, `${name(segment)} comes after ${last?.msn}`);
    this.#expect(
      !last || event.startTicks > last.startTicks,
      `${name(segment)} starts at ${event.startTicks}, not after ${last?.startTicks}`,
    );
    this.segments.push(segment);
    this.#open.set(event.trackId, segment);
    this.#last.set(event.trackId, segment);
  }

  #part(event: PartEvent): void {
    const segment = this.#open.get(event.trackId);
    if (!segment || segment.msn !== event.msn) {
      this.faults.push(`part of ${event.trackId} ${event.msn}, which is not open`);
      return;
    }
    const where = `part ${event.index} of ${name(segment)}`;
    this.#expect(event.index === segment.parts.length, `${where} comes as number ${segment.parts.length}`);
    const before = segment.parts.reduce((total, part) => total + part.durationTicks, segment.startTicks);
    this.#expect(event.startTicks === before, `${where} starts at ${event.startTicks}, not ${before}`);
    segment.parts.push(event);
    const chunk = readChunk(viewShared(event.bytes));
    if (!chunk) {
      this.faults.push(`${where} cannot be read`);
      return;
    }
    const { count, durations, isSync, sizes } = chunk.samples;
    this.#samples.set(event.trackId, this.samples(event.trackId) + count);
    let ticks = 0;
    let bytes = 0;
    for (let index = 0; index < count; index++) {
      this.#expect((durations[index] ?? 0) > 0, `sample ${index} of ${where} lasts nothing`);
      ticks += durations[index] ?? 0;
      bytes += sizes[index] ?? 0;
    }
    this.#expect(chunk.dataStart + bytes === event.bytes.length, `${where} has other bytes than its samples`);
    this.#expect(ticks === event.durationTicks, `${where} lasts ${event.durationTicks} ticks, its samples ${ticks}`);
    this.#expect(event.isIndependent === (isSync[0] === 1), `${where} says independent ${event.isIndependent}`);
    this.#checkDecodeTime(segment, where, chunk.baseDecodeTicks);
    if (Number.isNaN(segment.decodeStart)) segment.decodeStart = chunk.baseDecodeTicks;
    segment.decodeEnd = chunk.baseDecodeTicks + ticks;
  }

  /** Checks that there is no gap within a segment. Between segments there may be a gap, but never an overlap. */
  #checkDecodeTime(segment: SeenSegment, where: string, base: number): void {
    if (!Number.isNaN(segment.decodeEnd)) {
      this.#expect(
        base === segment.decodeEnd,
        `${where} is decoded at ${base}, the part before it ends at ${segment.decodeEnd}`,
      );
      return;
    }
    const before = this.of(segment.trackId).findLast(
      (other) => other !== segment && other.timescale === segment.timescale && !Number.isNaN(other.decodeEnd),
    );
    if (!before) return;
    // A track without units was ended at the cut point of another track, and joined the next segment late.
    const endSeconds = (before.startTicks + before.durationTicks) / before.timescale;
    const others = this.segments
      .filter(({ msn, trackId }) => msn === segment.msn && trackId !== segment.trackId)
      .map(({ startTicks, timescale }) => startTicks / timescale);
    // Pictures that reference missing pictures are left out when a track joins; an audio frame lasts up to 0.128 s.
    const latestSeconds = segment.trackId.startsWith('v') ? 0.06 : 0.13;
    const isLate = others.some(
      (seconds) =>
        Math.abs(seconds - endSeconds) < 0.0002 || segment.startTicks / segment.timescale - seconds > latestSeconds,
    );
    // A segment is not extended over missing frames if its duration would then round to more than the target duration.
    const secondsTo = (ticks: number): number => Math.round((ticks - before.decodeStart) / before.timescale);
    const isFull = secondsTo(base) > secondsTo(before.decodeEnd);
    const isNext =
      !isFull &&
      before.msn + 1 === segment.msn &&
      !segment.isDiscontinuity &&
      before.initId === segment.initId &&
      !isLate;
    if (isNext)
      this.#expect(
        base === before.decodeEnd,
        `${where} is decoded at ${base}, ${name(before)} ends at ${before.decodeEnd}`,
      );
    else
      this.#expect(
        base >= before.decodeEnd,
        `${where} is decoded at ${base}, before the end ${before.decodeEnd} of ${name(before)}`,
      );
  }

  #expect(isMet: boolean, fault: string): void {
    if (!isMet) this.faults.push(fault);
  }
}

/** Whether decoding can start with a complete segment after `firstMsn`. The newest one may have become complete after the last trim. */
function hasLaterStart(window: SegmentWindow, firstMsn: number): boolean {
  const [leader] = window.tracks;
  const segments = leader ? window.segments(leader.track.id).slice(0, -1) : [];
  return segments.some(({ msn, segment: { parts } }) => msn > firstMsn && parts[0]?.isIndependent === true);
}

/** Faults of a window that events do not show. */
export function windowFaults(window: SegmentWindow, segmentCount: number): string[] {
  const faults: string[] = [];
  for (const { track } of window.tracks) {
    const segments = window.segments(track.id);
    // The window has the complete segments and the open segment, which becomes complete when the stream ends. Older segments
    // stay only while they are needed for a segment with which decoding can start.
    if (segments.length > segmentCount + 1 && hasLaterStart(window, segments[0]?.msn ?? 0))
      faults.push(`${track.id} has ${segments.length} segments`);
    for (const [index, entry] of segments.entries()) {
      const { segment, msn, address } = entry;
      if (!window.init(track.id, segment.initId)) faults.push(`init ${segment.initId} of ${track.id} ${msn} is gone`);
      if (!segment.isComplete && index < segments.length - 1)
        faults.push(`${track.id} ${msn} is open and not the last`);
      if (!isSame(window.segmentByMsn(track.id, msn), entry))
        faults.push(`${track.id} ${msn} is not found by its number`);
      if (!segment.isGap && !isSame(window.segmentByAddress(track.id, address), entry))
        faults.push(`${track.id} ${msn} is not found by its address`);
      const sizes = segment.parts.map(({ sizeBytes }) => sizeBytes);
      if (segment.sizeBytes !== sizes.reduce((sum, size) => sum + size, 0))
        faults.push(`${track.id} ${msn} has another size`);
      const next = segments[index + 1];
      if (next && next.msn !== msn + 1) faults.push(`${track.id} goes from ${msn} to ${next.msn}`);
      if (next && next.startMs <= entry.startMs)
        faults.push(`${track.id} ${next.msn} has the address of ${msn}, or an earlier one`);
    }
    const [first] = segments;
    const inPeriod = first && window.periods().findLast((period) => period.firstMsn <= first.msn);
    if (first && !inPeriod) faults.push(`${track.id} ${first.msn} is in no period`);
  }
  for (const init of window.inits)
    if (window.init(init.track.id, init.initId) !== init)
      faults.push(`init ${init.initId} of ${init.track.id} cannot be found`);
  return faults;
}

/** Whether both are the same segment at the same position: a long window creates its segments at each request. */
function isSame(a: WindowSegment | undefined, b: WindowSegment): boolean {
  return a?.msn === b.msn && a.address === b.address && a.segment.startTicks === b.segment.startTicks;
}

/** Content of a window as plain values, to compare it with a window that had the same events. */
export function windowValue(window: SegmentWindow): unknown {
  const { tracks, inits, longestPartMs, longestSegmentMs } = window;
  return {
    tracks: tracks.map(({ track, group, rate, hasCaptions }) => ({
      id: track.id,
      group,
      rate,
      hasCaptions,
      segments: window.segments(track.id).map(({ segment: { parts, ...segment }, ...entry }) => ({
        ...entry,
        ...segment,
        parts: parts.map(({ pieces: _, ...part }, index) => ({ ...part, sum: sumOf(parts[index]) })),
      })),
    })),
    inits: inits.map((init) => ({ initId: init.initId, sum: sumOf(init) })),
    splices: window.splices(),
    periods: window.periods(),
    longestPartMs,
    longestSegmentMs,
  };
}

function sumOf(media: MediaBytes | undefined): number {
  const bytes = media && bytesInMemory(media);
  return bytes ? crc32(bytes) : 0;
}

function name({ trackId, msn }: { trackId: string; msn: number }): string {
  return `${trackId} ${msn}`;
}
