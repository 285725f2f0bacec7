import { ticksToMsUp } from '../media/timing/ticks.ts';
import type { SegmentWindow, WindowSegment, WindowSplice } from '../segment/segment-window.ts';
import type { AdDecision } from './ad-decision.ts';
import { ClipChoice, type Fill } from './clip-choice.ts';
import { differences } from './clip-fit.ts';
import {
  breakIdOf,
  clipMs,
  segmentsOf,
  type Clip,
  type ClipSource,
  type Placement,
  type Showing,
  type Skip,
} from './clip.ts';
import { DeliveredSegments } from './delivered-segments.ts';
import { CUT_TOLERANCE_MS, spliceBreakAt, spliceBreakEnd } from './splice-breaks.ts';

interface StretchBase {
  /** Media sequence number of its first segment, for this viewer. */
  readonly firstMsn: number;
  /** Its start on the timeline of the viewer, in milliseconds: UTC, and less than a segment behind it after a break. */
  readonly startMs: number;
  /** Time of the stream at which it begins, in milliseconds: what is behind it there is behind it for the viewer. */
  readonly streamMs: number;
  /** Media sequence number of the same segment in its source. */
  readonly sourceMsn: number;
  /** Start of the same segment on the timeline of its source, in milliseconds. */
  readonly sourceStartMs: number;
  readonly isDiscontinuity: boolean;
  /** Discontinuities before it. */
  readonly discontinuitySequence: number;
}

/** Segments of the stream, one after the other. */
export interface ProgrammeStretch extends StretchBase {
  readonly kind: 'programme';
  /** Discontinuities of the source up to its first segment, that one's included. */
  readonly sourceDiscontinuities: number;
  /** Number in the source of the first segment that is not part of it; infinite while it goes on. */
  endMsn: number;
}

/** One showing of a clip. */
export interface ClipStretch extends StretchBase, Showing {
  readonly kind: 'clip';
  readonly startMs: number;
  count: number;
}

/** What a viewer is shown without a break in between. */
type Stretch = ProgrammeStretch | ClipStretch;

/** A break that plays. */
interface OpenBreak {
  readonly id: string;
  /** How far the viewer was behind the stream when it began, in milliseconds. */
  readonly behindMs: number;
  /** Clips that follow each other until the end of a splice; undefined where the break ends with its last clip. */
  cycle?: Cycle;
}

interface Cycle {
  readonly splice: WindowSplice;
  readonly clips: readonly Clip[];
  /** What follows them; without it the break ends with the last one. */
  readonly fill: Fill | undefined;
  /** Clips that were begun. */
  begun: number;
}

/** Segments before the end of the stream that a viewer begins with. */
const BEGIN_SEGMENTS = 3;
/**
 * What one viewer is shown: stretches of the stream and of clips, one after the other. It goes on with the segments of the stream as they
 * come, and never takes back what was decided. What the stream shows during a break is replaced; after it the viewer is less than a
 * segment behind.
 */
export class AdPlan {
  #decision: AdDecision;
  readonly #choice: ClipChoice;
  readonly #stretches: Stretch[] = [];
  /** Number of the segment of the stream that is decided about next. */
  #nextMsn = 0;
  #break: OpenBreak | undefined;
  #nextBreakMs: number;
  /** Splice points up to this time are done with. */
  #splicedMs = -Infinity;

  constructor(decision: AdDecision, clips: ClipSource) {
    this.#decision = decision;
    this.#choice = new ClipChoice(clips, differences);
    this.#nextBreakMs = decision.insertBy === 'interval' ? (decision.intervalMs ?? Infinity) : Infinity;
  }

  /** In order; those that have left the window of the stream are gone. */
  get stretches(): readonly Stretch[] {
    return this.#stretches;
  }

  /** What was left out, the oldest first. */
  get skips(): readonly Skip[] {
    return this.#choice.skips;
  }

  /** Clips among the stretches. */
  get showings(): readonly Showing[] {
    return this.#stretches.filter((stretch) => stretch.kind === 'clip');
  }

  /** When a time of the stream is for the viewer, in milliseconds: inside a break as far from its begin, and before what follows it. */
  viewerMs(streamMs: number): number {
    const index = Math.max(
      0,
      this.#stretches.findLastIndex((stretch) => stretch.streamMs <= streamMs),
    );
    const stretch = this.#stretches[index];
    if (!stretch) return streamMs;
    const next = this.#stretches.slice(index + 1).find(({ kind }) => kind === 'programme');
    return Math.min(stretch.startMs + streamMs - stretch.streamMs, next?.startMs ?? Infinity);
  }

  /** Until when segments of clips are to be listed, in milliseconds on the timeline of the viewer; infinite outside a break. */
  limitMs(stream: SegmentWindow): number {
    if (!this.#break) return Infinity;
    const { cycle, behindMs } = this.#break;
    // The end of a break by splice points is not known: no clip goes past it.
    return endOfComplete(stream) + (cycle ? 0 : behindMs) + 1;
  }

  /** Another decision from here on: what was begun is shown to its end. */
  renew(decision: AdDecision): void {
    const isOther = decision.insertBy !== this.#decision.insertBy || decision.intervalMs !== this.#decision.intervalMs;
    this.#decision = decision;
    if (!isOther) return;
    const sinceMs = this.#stretches.length === 0 ? 0 : this.#endMs();
    this.#nextBreakMs = decision.insertBy === 'interval' ? sinceMs + (decision.intervalMs ?? Infinity) : Infinity;
  }

  /** Decides about the segments of the stream that have come since. */
  advance(stream: SegmentWindow): void {
    const leader = stream.tracks[0];
    if (!leader) return;
    const segments = stream.segments(leader.track.id);
    const [first] = segments;
    if (!first) return;
    if (this.#stretches.length === 0) this.#begin(stream, segments);
    else if (first.msn > this.#nextMsn) this.#jump(first);
    for (const entry of segments) {
      if (entry.msn < this.#nextMsn) continue;
      if (!this.#take(stream, entry, leader.track.timescale)) break;
      this.#nextMsn = entry.msn + 1;
    }
    this.#forget(first);
  }

  #begin(stream: SegmentWindow, segments: readonly WindowSegment[]): void {
    const [first] = segments;
    const complete = segments.filter(({ segment }) => segment.isComplete);
    const start = complete[Math.max(0, complete.length - BEGIN_SEGMENTS)] ?? first;
    if (!first || !start) return;
    const id = breakIdOf('preroll', start.startMs);
    const clips = this.#choice.fitting(stream, this.#decision.prerolls, {
      ...{ placement: 'preroll', breakId: id, atMs: start.startMs },
    });
    if (this.#nextBreakMs < Infinity) this.#nextBreakMs += start.startMs;
    if (clips.length === 0) {
      this.#addProgramme(first, first.startMs, first.msn);
      this.#nextMsn = first.msn;
      return;
    }
    this.#nextMsn = start.msn;
    this.#break = { id, behindMs: 0 };
    for (const clip of clips) this.#addClip(clip, 'preroll', start);
  }

  /** The viewer was away for longer than the window lasts. */
  #jump(first: WindowSegment): void {
    const atMsn = this.#endMsn() + first.msn - this.#nextMsn;
    if (this.#break)
      this.#choice.skip({
        ...{ placement: 'midroll', breakId: this.#break.id, reason: 'viewer_absent', path: null, detail: '' },
        atMs: first.startMs,
      });
    this.#break = undefined;
    this.#stretches.length = 0;
    this.#addProgramme(first, first.startMs, atMsn);
    this.#nextMsn = first.msn;
  }

  /** Decides about one segment of the stream; false where that has to wait for more of it. */
  #take(stream: SegmentWindow, entry: WindowSegment, timescale: number): boolean {
    if (!this.#break) {
      this.#openBreak(stream, entry);
      if (!this.#break) return true;
    }
    const { segment, startMs } = entry;
    const endMs = startMs + ticksToMsUp(segment.durationTicks, timescale);
    if (this.#break.cycle) {
      const { cycle } = this.#break;
      const spliceEndMs = spliceBreakEnd(stream, cycle.splice);
      const isOver = startMs >= spliceEndMs - CUT_TOLERANCE_MS;
      const hasMore = this.#fillCycle(cycle, entry, isOver ? startMs : endMs);
      if (isOver && !this.#completes(cycle, spliceEndMs)) {
        return this.#end(stream, entry, timescale);
      }
      // What follows in an open segment may need more of the clips.
      if (!isOver && hasMore) return segment.isComplete;
      delete this.#break.cycle;
    }
    const breakEndMs = this.#endMs();
    if (endMs > breakEndMs + 1 || startMs >= breakEndMs - 1) return this.#end(stream, entry, timescale);
    return segment.isComplete;
  }

  /** Goes on with the stream, or with the next break where that has begun. */
  #end(stream: SegmentWindow, entry: WindowSegment, timescale: number): boolean {
    this.#break = undefined;
    if (this.#decision.insertBy === 'splicing') this.#openBreak(stream, entry);
    if (this.#break) return this.#take(stream, entry, timescale);
    this.#resume(entry);
    return true;
  }

  #openBreak(stream: SegmentWindow, entry: WindowSegment): void {
    const { insertBy, midrolls } = this.#decision;
    const behindMs = this.#behindMs(entry);
    const atMs = entry.startMs + behindMs;
    if (insertBy === 'interval') {
      if (atMs < this.#nextBreakMs || midrolls.length === 0) return;
      const id = breakIdOf('interval', atMs);
      const clips = this.#choice.fitting(stream, midrolls, { placement: 'midroll', breakId: id, atMs });
      this.#nextBreakMs = atMs + (this.#decision.intervalMs ?? Infinity);
      if (clips.length === 0) return;
      this.#leaveProgramme(entry);
      this.#break = { id, behindMs };
      for (const clip of clips) this.#addClip(clip, 'midroll', entry);
      return;
    }
    const splice = spliceBreakAt(stream, entry, this.#splicedMs);
    if (!splice || midrolls.length === 0) return;
    this.#splicedMs = splice.atMs;
    const id = breakIdOf('splice', splice.atMs);
    const place = { placement: 'midroll', breakId: id, atMs } as const;
    const clips = this.#choice.fitting(stream, midrolls, place);
    if (clips.length === 0) return;
    this.#leaveProgramme(entry);
    const fill = this.#choice.fillFor(stream, this.#decision.rules, clips, place);
    this.#break = { id, behindMs, cycle: { splice, clips, fill, begun: 0 } };
  }

  /** Adds segments of clips until a time of the stream; false where there are no more of them. */
  #fillCycle(cycle: Cycle, entry: WindowSegment, untilMs: number): boolean {
    while (this.#endMs() < untilMs) {
      const last = this.#stretches.at(-1);
      if (last?.kind === 'clip' && cycle.begun > 0 && last.count < segmentsOf(last.clip).length) {
        last.count++;
        continue;
      }
      const next = clipAfter(cycle);
      if (!next) return false;
      cycle.begun++;
      this.#addClip(next.clip, 'midroll', entry, { count: 1, isSlate: next.isSlate });
    }
    return true;
  }

  /** Whether the clip that plays goes on to its end though its break is over; then it is planned so. */
  #completes({ splice }: Cycle, endMs: number): boolean {
    const last = this.#stretches.at(-1);
    if (this.#decision.rules.overrun === 'cut' || endMs <= splice.atMs || last?.kind !== 'clip' || last.isSlate)
      return false;
    const { length } = segmentsOf(last.clip);
    if (last.count === length) return false;
    last.count = length;
    return true;
  }

  /** How far the viewer is behind the stream where a segment of it is to come, in milliseconds. */
  #behindMs({ startMs }: WindowSegment): number {
    const last = this.#stretches.at(-1);
    if (last?.kind === 'programme') return last.startMs - last.sourceStartMs;
    return last ? Math.max(0, this.#endMs() - startMs) : 0;
  }

  #resume(entry: WindowSegment): void {
    const atMs = Math.max(this.#endMs(), entry.startMs);
    this.#addProgramme(entry, atMs, this.#endMsn());
    if (this.#decision.insertBy === 'interval') this.#nextBreakMs = atMs + (this.#decision.intervalMs ?? Infinity);
  }

  #leaveProgramme(entry: WindowSegment): void {
    const last = this.#stretches.at(-1);
    if (last?.kind === 'programme') last.endMsn = entry.msn;
  }

  #addProgramme(entry: WindowSegment, startMs: number, firstMsn: number): void {
    const before = this.#stretches.at(-1);
    this.#stretches.push({
      kind: 'programme',
      firstMsn,
      startMs,
      sourceMsn: entry.msn,
      sourceStartMs: entry.startMs,
      streamMs: entry.startMs,
      isDiscontinuity: before ? true : entry.isDiscontinuity,
      discontinuitySequence: before ? discontinuitiesAfter(before, entry) : entry.discontinuitySequence,
      sourceDiscontinuities: entry.discontinuitySequence + (entry.isDiscontinuity ? 1 : 0),
      endMsn: Infinity,
    });
  }

  /** @param entry the segment of the stream that the break begins with */
  #addClip(
    clip: Clip,
    placement: Placement,
    entry: WindowSegment,
    { count = segmentsOf(clip).length, isSlate = false }: { readonly count?: number; readonly isSlate?: boolean } = {},
  ): void {
    const before = this.#stretches.at(-1);
    const first = segmentsOf(clip)[0] as WindowSegment;
    const startMs = before ? this.#endMs(entry) : entry.startMs;
    this.#stretches.push({
      kind: 'clip',
      clip,
      placement,
      firstMsn: before ? this.#endMsn() : entry.msn,
      startMs,
      streamMs: startMs - (this.#break?.behindMs ?? 0),
      sourceMsn: first.msn,
      sourceStartMs: first.startMs,
      isDiscontinuity: before !== undefined,
      discontinuitySequence: before ? discontinuitiesAfter(before, entry) : entry.discontinuitySequence,
      count,
      isSlate,
      breakId: this.#break?.id ?? '',
      delivered: new DeliveredSegments(),
    });
  }

  /** Number after that of the last segment that was decided about. */
  #endMsn(): number {
    const last = this.#stretches.at(-1);
    if (!last) return 0;
    const count = last.kind === 'clip' ? last.count : Math.min(last.endMsn, this.#nextMsn) - last.sourceMsn;
    return last.firstMsn + count;
  }

  /** End of the last stretch. @param entry of the stream that comes after it, where it is one of the stream */
  #endMs(entry?: WindowSegment): number {
    const last = this.#stretches.at(-1);
    if (!last) return 0;
    if (last.kind === 'programme') return last.startMs + (entry?.startMs ?? last.sourceStartMs) - last.sourceStartMs;
    return last.startMs + clipMs(last.clip, last.count);
  }

  /** Drops stretches of which nothing is in the window any more. */
  #forget({ msn, startMs }: WindowSegment): void {
    const isGone = (stretch: Stretch | undefined): boolean =>
      stretch !== undefined &&
      (stretch.kind === 'programme'
        ? stretch.endMsn <= msn
        : stretch.startMs + clipMs(stretch.clip, stretch.count) <= startMs);
    while (this.#stretches.length > 1 && isGone(this.#stretches[0])) this.#stretches.shift();
  }
}

/** The clip that comes next in a break. */
function clipAfter({ clips, fill, begun }: Cycle): { readonly clip: Clip; readonly isSlate: boolean } | undefined {
  const own = clips[begun];
  if (own) return { clip: own, isSlate: false };
  const clip = fill?.clips[(begun - clips.length) % fill.clips.length];
  return clip && { clip, isSlate: fill?.isSlate === true };
}

/** End of the last complete segment of the stream, in milliseconds. */
function endOfComplete(stream: SegmentWindow): number {
  const leader = stream.tracks[0];
  const last = leader && stream.segments(leader.track.id).findLast(({ segment }) => segment.isComplete);
  return last ? last.startMs + ticksToMsUp(last.segment.durationTicks, leader.track.timescale) : 0;
}

/** Discontinuities of a stretch and all before it. @param entry of the stream that comes after it */
function discontinuitiesAfter(stretch: Stretch, entry: WindowSegment): number {
  const own = stretch.discontinuitySequence + (stretch.isDiscontinuity ? 1 : 0);
  return stretch.kind === 'clip' ? own : own + entry.discontinuitySequence - stretch.sourceDiscontinuities;
}
