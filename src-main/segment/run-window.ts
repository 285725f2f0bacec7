import type { Track } from '../media/track.ts';
import { releaseEvents, type LiveWindow } from './live-window.ts';
import type { Segment } from './segment-window.ts';
import type { SegmenterResume } from './segmenter-options.ts';
import type { WindowEvent } from './window-event.ts';

/** Point at which a run starts, or at which the next run continues. */
export interface ResumePoint {
  /** End of the used timeline of the stream, epoch milliseconds; 0 for none. */
  readonly endMs: number;
  readonly resume: SegmenterResume;
}

/** Assumed length of a segment whose end is unknown, in milliseconds. */
const EMPTY_MS = 100;

/**
 * One run of a stream, and the only writer of its window. Other code reads the window, or subscribes to the events of
 * the run.
 */
export class RunWindow {
  /** Window of the stream; it outlives the run. */
  readonly window: LiveWindow;
  readonly start: ResumePoint;
  readonly #readers = new Set<(events: readonly WindowEvent[]) => void>();
  readonly #onEnd = new Set<() => void>();
  #isOver = false;
  /** Whether the time of the run was set back, so that earlier runs may end after it. */
  #isRewound = false;

  constructor(window: LiveWindow, start: ResumePoint) {
    this.window = window;
    this.start = start;
  }

  /** Whether the window has an init segment of this run. */
  get hasTracks(): boolean {
    return this.#nextInitId > this.start.resume.nextInitId;
  }

  /** Tracks of the run; none before its first init segment. */
  get tracks(): readonly Track[] {
    return this.hasTracks ? this.window.inits.map(({ track }) => track) : [];
  }

  /** Start of the next run if this one ends here. */
  get resumePoint(): ResumePoint {
    const { endMs, resume } = this.start;
    return {
      endMs: this.#isRewound ? this.window.endMs : Math.max(endMs, this.window.endMs),
      resume: {
        nextMsn: Math.max(resume.nextMsn, this.window.nextMsn),
        nextInitId: this.#nextInitId,
        isContinuation: resume.isContinuation || this.window.nextMsn > resume.nextMsn,
        ...(this.window.longestSegmentMs > 0 ? { longestSegmentMs: this.window.longestSegmentMs } : {}),
      },
    };
  }

  /** Whether nothing is subscribed to the events or the end of the run. */
  get isUnread(): boolean {
    return this.#readers.size === 0 && this.#onEnd.size === 0;
  }

  /** Applies events in order. Readers get them first, while the memory is still retained. */
  apply(events: readonly WindowEvent[]): void {
    if (this.#isOver) {
      releaseEvents(events);
      return;
    }
    this.#isRewound ||= events.some(({ type }) => type === 'rewind');
    for (const read of this.#readers) read(events);
    this.window.apply(events);
  }

  /**
   * Calls `read` with later events, before they are applied to the window. A reader that stores a part must retain it.
   * Returns a function that unsubscribes.
   */
  onEvents(read: (events: readonly WindowEvent[]) => void): () => void {
    this.#readers.add(read);
    return () => {
      this.#readers.delete(read);
    };
  }

  /** Calls back once at the end of the run. */
  onEnd(callback: () => void): void {
    this.#onEnd.add(callback);
  }

  /** Ends the open segments after the media thread died, all tracks with the same segment. */
  interrupt(): void {
    this.apply([...endOfOpen(this.window), { type: 'idle' }]);
  }

  /** Ends the run; later events are released. */
  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#readers.clear();
    for (const callback of this.#onEnd) callback();
    this.#onEnd.clear();
  }

  get #nextInitId(): number {
    return Math.max(this.start.resume.nextInitId, this.window.nextInitId);
  }
}

/** Start of a segment, whichever its track. */
interface SegmentStart {
  /** Epoch milliseconds, with fractions. */
  readonly ms: number;
  readonly isDiscontinuity: boolean;
}

/** Events that end the newest segment in all tracks. */
function endOfOpen(window: LiveWindow): WindowEvent[] {
  const newestMsn = window.nextMsn - 1;
  const starts = startsOf(window);
  const newest = starts.get(newestMsn);
  if (!newest) return [];
  const endMs = Math.max(window.endMs, newest.ms + EMPTY_MS);
  const commonEndMs = Math.min(endMs, ...newestEnds(window, newestMsn));
  const events: WindowEvent[] = [];
  for (const { track, initId } of window.inits) {
    const { id: trackId, timescale } = track;
    const ticksUntilNext = (msn: number, startTicks: number): number =>
      Math.max(1, Math.round(((starts.get(msn + 1)?.ms ?? commonEndMs) * timescale) / 1000) - startTicks);
    const last = window.lastSegment(trackId);
    if (last && !last.segment.isComplete) {
      const { msn, segment } = last;
      const isGap = segment.parts.length === 0;
      const untilNext = ticksUntilNext(msn, segment.startTicks);
      // The last part may end after the start of the next segment.
      const durationTicks = isGap
        ? untilNext
        : msn < newestMsn
          ? Math.max(untilNext, durationUntil(segment, segment.startTicks + untilNext))
          : durationUntil(segment, (commonEndMs * timescale) / 1000);
      events.push({ type: 'segment-end', trackId, msn, durationTicks, isGap });
    }
    const firstMsn = Math.max(window.firstMsnOf(trackId), Math.min(...starts.keys()));
    for (let msn = last ? last.msn + 1 : firstMsn; msn <= newestMsn; msn++) {
      const start = starts.get(msn);
      if (!start) continue;
      const startTicks = Math.round((start.ms * timescale) / 1000);
      const durationTicks = ticksUntilNext(msn, startTicks);
      events.push({ type: 'segment-start', trackId, msn, startTicks, initId, isDiscontinuity: start.isDiscontinuity });
      events.push({ type: 'segment-end', trackId, msn, durationTicks, isGap: true });
    }
  }
  return events;
}

/** End of the media of a segment in each track that has some, in milliseconds. */
function newestEnds(window: LiveWindow, msn: number): number[] {
  return window.inits.flatMap(({ track }) => {
    const segment = window.segmentByMsn(track.id, msn)?.segment;
    if (!segment || segment.parts.length === 0) return [];
    return [((segment.startTicks + segment.durationTicks) * 1000) / track.timescale];
  });
}

/** Total length of the parts of a segment that are more than half before a time; at least one part. */
function durationUntil({ parts, startTicks }: Segment, endTicks: number): number {
  const kept = parts.findLast((part) => part.startTicks + part.durationTicks / 2 <= endTicks) ?? parts[0];
  return kept ? kept.startTicks + kept.durationTicks - startTicks : 0;
}

/**
 * Segments by media sequence number, each with the start of its earliest track: segments of the current init segments,
 * and those that a current track still lacks because it lags behind a track that has changed its format or ended.
 */
function startsOf(window: LiveWindow): Map<number, SegmentStart> {
  const starts = new Map<number, SegmentStart>();
  const current = new Set(window.inits.map(({ initId }) => initId));
  const lasts = window.inits.flatMap(({ track }) => {
    const last = window.lastSegment(track.id);
    return last && current.has(last.segment.initId) ? [last.msn] : [];
  });
  const lacksFrom = Math.min(...lasts) + 1;
  for (const { track } of window.listedTracks)
    for (const { segment, msn, isDiscontinuity } of window.segments(track.id)) {
      const ms = (segment.startTicks * 1000) / track.timescale;
      if ((current.has(segment.initId) || msn >= lacksFrom) && ms < (starts.get(msn)?.ms ?? Infinity))
        starts.set(msn, { ms, isDiscontinuity });
    }
  return starts;
}
