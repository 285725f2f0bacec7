import { ticksToMsUp } from '../../media/timing/ticks.ts';
import type { SegmentWindow, WindowSegment, WindowSplice } from '../../segment/segment-window.ts';
import { intervalOf, type AdDecision } from '../ad-decision.ts';
import { discontinuitiesAfter, type ClipStretch, type Stretch } from './ad-stretch.ts';
import { ClipChoice } from '../clip-choice.ts';
import { beginNext, type Cycle } from '../clip-cycle.ts';
import { differences } from '../clip-fit.ts';
import {
  breakIdOf,
  clipMs,
  segmentsOf,
  type Clip,
  type ClipSource,
  type Placement,
  type Showing,
  type Skip,
} from '../clip.ts';
import { DeliveredSegments } from '../delivered-segments.ts';
import { endOfListed, prerollBegin } from '../preroll-begin.ts';
import { beforeSplice, CUT_TOLERANCE_MS, spliceBreakAt, spliceBreakEnd } from '../splice-breaks.ts';

/** A break that plays. */
interface OpenBreak {
  readonly id: string;
  readonly placement: Placement;
  /** How far the viewer was behind the stream when it began, in milliseconds. */
  readonly behindMs: number;
  /** Clips of it that are gone, each noted once. */
  readonly gone: Set<Clip>;
  /** Where it is one by a splice point. */
  readonly splice?: WindowSplice;
  /** Clips that follow each other until the end of a splice; undefined where the break ends with its last clip. */
  cycle?: Cycle;
}

/** How a plan is made for one player. */
export interface AdPlanOptions {
  /** Hears of what is left out. */
  readonly skipped?: ((skip: Skip) => void) | undefined;
  /** Whether the player loads segments whole, also where there are parts, and keeps further behind the stream for that; default false. */
  readonly loadsWhole?: boolean;
}

/**
 * What one viewer is shown: stretches of the stream and of clips, one after the other. It goes on with the segments of the stream as they
 * come, and never takes back what was decided. What the stream shows during a break is replaced; after it the viewer is less than a
 * segment behind.
 */
export class AdPlan {
  #decision: AdDecision;
  readonly #choice: ClipChoice;
  readonly #loadsWhole: boolean;
  readonly #stretches: Stretch[] = [];
  /** Number of the segment of the stream that is decided about next. */
  #nextMsn = 0;
  #break: OpenBreak | undefined;
  #nextBreakMs: number;
  /** Splice points up to this time are done with. */
  #splicedMs = -Infinity;
  /** Up to here segments of clips may have been listed, in milliseconds on the timeline of the viewer. */
  #listedMs = -Infinity;

  constructor(decision: AdDecision, clips: ClipSource, { skipped, loadsWhole = false }: AdPlanOptions = {}) {
    this.#decision = decision;
    this.#loadsWhole = loadsWhole;
    this.#choice = new ClipChoice(clips, differences, skipped);
    this.#nextBreakMs = intervalOf(decision);
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
    return endOfListed(stream) + (cycle ? 0 : behindMs) + 1;
  }

  /** Another decision from here on: what was begun is shown to its end. */
  renew(decision: AdDecision): void {
    const isOther = decision.insertBy !== this.#decision.insertBy || decision.intervalMs !== this.#decision.intervalMs;
    this.#decision = decision;
    if (!isOther) return;
    const sinceMs = this.#stretches.length === 0 ? 0 : this.#endMs();
    this.#nextBreakMs = sinceMs + intervalOf(decision);
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
    this.#dropGone(first);
    for (const entry of segments) {
      if (entry.msn < this.#nextMsn) continue;
      if (!this.#take(stream, entry, leader.track.timescale)) break;
      this.#nextMsn = entry.msn + 1;
    }
    this.#forget(first);
    this.#listedMs = this.limitMs(stream);
  }

  /** Ends clips whose files are gone with what was listed of them; what comes after them comes earlier. */
  #dropGone(entry: WindowSegment): void {
    if (!this.#break || this.#stretches.every((one) => one.kind === 'programme' || this.#isKept(one.clip))) return;
    const later: ClipStretch[] = [];
    for (let last = this.#stretches.at(-1); last?.kind === 'clip'; last = this.#stretches.at(-1)) {
      const { clip, startMs, count } = last;
      let listed = count;
      while (listed > 0 && startMs + clipMs(clip, listed) > this.#listedMs) listed--;
      if (listed > 0) {
        if (!this.#isKept(clip)) last.count = listed;
        break;
      }
      this.#stretches.pop();
      later.unshift(last);
    }
    for (const { clip, placement, count, isSlate } of later)
      if (this.#isKept(clip)) this.#addClip(clip, placement, entry, { count, isSlate });
  }

  readonly #isKept = (clip: Clip): boolean => {
    const open = this.#break;
    if (!open || open.gone.has(clip)) return open === undefined;
    const { id: breakId, placement } = open;
    if (this.#choice.keeps(clip, { placement, breakId, atMs: Math.round(this.#endMs()) })) return true;
    open.gone.add(clip);
    return false;
  };

  #begin(stream: SegmentWindow, segments: readonly WindowSegment[]): void {
    const [first] = segments;
    if (!first) return;
    const start = prerollBegin(stream, segments, this.#loadsWhole) ?? first;
    const id = breakIdOf('preroll', start.startMs);
    const clips = this.#choice.fitting(stream, this.#decision.prerolls, {
      ...{ placement: 'preroll', breakId: id, atMs: start.startMs },
    });
    this.#nextBreakMs += start.startMs;
    if (clips.length === 0) {
      this.#addProgramme(first, first.startMs, first.msn);
      this.#nextMsn = first.msn;
      return;
    }
    this.#nextMsn = start.msn;
    this.#break = { id, placement: 'preroll', behindMs: 0, gone: new Set() };
    for (const clip of clips) this.#addClip(clip, 'preroll', start);
  }

  /** The viewer was away for longer than the window lasts: a break that plays is over for them, but for one by a splice point that is still on. */
  #jump(first: WindowSegment): void {
    const atMsn = this.#endMsn() + first.msn - this.#nextMsn;
    if (this.#break) {
      const { placement, id: breakId, splice } = this.#break;
      this.#choice.skip({ placement, breakId, reason: 'viewer_absent', path: null, detail: '', atMs: first.startMs });
      if (splice) this.#splicedMs = beforeSplice(splice);
      this.#nextBreakMs = first.startMs + intervalOf(this.#decision);
    }
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
      this.#nextBreakMs = atMs + intervalOf(this.#decision);
      if (clips.length === 0) return;
      this.#leaveProgramme(entry);
      this.#break = { id, placement: 'midroll', behindMs, gone: new Set() };
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
    const cycle = { splice, clips, fill, begun: 0 };
    this.#break = { id, placement: 'midroll', behindMs, gone: new Set(), splice, cycle };
  }

  /** Adds segments of clips until a time of the stream; false where there are no more of them. */
  #fillCycle(cycle: Cycle, entry: WindowSegment, untilMs: number): boolean {
    while (this.#endMs() < untilMs) {
      const last = this.#stretches.at(-1);
      const isBegun = last?.kind === 'clip' && cycle.begun > 0 && last.count < segmentsOf(last.clip).length;
      if (isBegun && this.#isKept(last.clip)) {
        last.count++;
        continue;
      }
      const next = beginNext(cycle, this.#isKept);
      if (!next) return false;
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
    if (last.count === length || !this.#isKept(last.clip)) return false;
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
    const atMs = Math.max(this.#endMs(entry), entry.startMs);
    this.#addProgramme(entry, atMs, this.#endMsn());
    this.#nextBreakMs = atMs + intervalOf(this.#decision);
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
