import type { SegmentWindow, TimeRange, WindowSegment, WindowSplice } from '../../../segment/segment-window.ts';
import type { AdDecision } from '../../decision/ad-decision.ts';
import { ClipLoop, type Replacement } from '../../clips/clip-loop.ts';
import { inBandDifferences } from '../../clips/clip-fit.ts';
import type { ClipSource, Placement, Skip } from '../../clips/clip.ts';
import { prerollStart } from '../preroll-start.ts';
import { BreakSchedule, type ScheduledBreak } from '../../schedule/break-schedule.ts';
import { type Delivered, type Showing, DeliveredSegments } from '../../proof/showing.ts';

/** Media sequence number and time at which clips start, or the stream continues after them. */
export interface BreakBoundary {
  readonly msn: number;
  readonly startMs: number;
}

/** State of a stream segment: with clips, the first segment after clips, or unchanged. */
export type SegmentState = Replacement | 'resumed' | undefined;

interface InPlaceShowing extends Showing {
  /** Loop of the break, and the number of the clip in the loop, counted over all rounds. */
  readonly loop: ClipLoop;
  readonly showing: number;
  count: number;
}

/** A break that is playing. */
interface OpenBreak {
  readonly id: string;
  readonly loop: ClipLoop;
  readonly placement: Placement;
  /** Step after the last step of the break; infinite if a splice point ends the break. */
  endStep: number;
  splice: WindowSplice | undefined;
  /** First step of the newest segment, and its start. */
  step: number;
  startMs: number;
}

export interface InPlacePlanOptions {
  /** Called when a clip or a break is left out. */
  readonly skipped?: ((skip: Skip) => void) | undefined;
  /** Segments of a showing delivered before it was planned; none by default. */
  readonly deliveredOf?: (breakId: string, startMs: number) => DeliveredSegments;
  /** Maximum number of remembered showings, the newest; default 100. */
  readonly maxShowings?: number;
}

const MAX_SHOWINGS = 100;

/**
 * Playout plan of one viewer with clips inside the segments of the stream. Each segment is decided at its first request, and
 * decisions are final. A break starts and ends at segment boundaries; its last segment is filled up with the clips, from the
 * first one on.
 */
export class InPlacePlan {
  readonly #options: InPlacePlanOptions;
  readonly #schedule: BreakSchedule;
  readonly #states = new Map<number, Replacement | 'resumed'>();
  readonly #showings: InPlaceShowing[] = [];
  /** Boundaries in the window, and the last one before it. */
  readonly #boundaries: BreakBoundary[] = [];
  #nextMsn = -1;
  #firstMsn = 0;
  #hasPreroll = false;
  #break: OpenBreak | undefined;

  constructor(decision: AdDecision, clips: ClipSource, options: InPlacePlanOptions = {}) {
    this.#options = options;
    this.#schedule = new BreakSchedule(decision, clips, inBandDifferences, options.skipped);
  }

  /** Media sequence number of the viewer's first segment. */
  get firstMsn(): number {
    return this.#firstMsn;
  }

  /** True if the viewer's first segment starts with a preroll. */
  get hasPreroll(): boolean {
    return this.#hasPreroll;
  }

  /** Skipped clips and breaks, oldest first. */
  get skips(): readonly Skip[] {
    return this.#schedule.skips;
  }

  /** Shown clips, oldest first. */
  get showings(): readonly Showing[] {
    return this.#showings;
  }

  /** Starts and ends of breaks in order: those in the window, and the last one before it. */
  get boundaries(): readonly BreakBoundary[] {
    return this.#boundaries;
  }

  /**
   * Reports whether a segment may be sent, that is, whether its content is decided. The segment of the leading track
   * brings the decision, and may start later than the segments of other tracks. A segment that is complete without a
   * decision is sent unchanged.
   */
  shows({ msn, segment }: WindowSegment): boolean {
    return msn >= this.#firstMsn && (msn < this.#nextMsn || segment.isComplete);
  }

  stateOf(msn: number): SegmentState {
    return this.#states.get(msn);
  }

  /**
   * Clip segments that end within a part of a segment.
   * @param durationMs length of the segment; undefined while it is open
   * @param part time range, in milliseconds from the start of the segment
   */
  deliveredIn(replacement: Replacement, durationMs: number | undefined, part: TimeRange): readonly Delivered[] {
    const { loop, step } = replacement;
    const end = durationMs === undefined ? Infinity : loop.after(step, durationMs);
    const open = this.#break;
    const all: Delivered[] = [];
    for (let number = step, passedMs = 0; number < end && passedMs <= part.toMs; number++) {
      const { showing, index, durationMs: ownMs } = loop.step(number);
      passedMs = number === end - 1 && durationMs !== undefined ? durationMs : passedMs + ownMs;
      if (passedMs <= part.fromMs + 1 || passedMs > part.toMs + 1) continue;
      // Only the first step of the newest segment is recorded until the next segment is decided.
      if (open?.loop === loop && open.step === step) this.#show(open, number + 1);
      const existing = this.#showings.findLast((one) => one.loop === loop && one.showing === showing);
      if (existing) all.push({ showing: existing, index });
    }
    return all;
  }

  /** Uses another decision from now on. Clips that have started play to their end. */
  renew(decision: AdDecision): void {
    this.#schedule.renew(decision, this.#lastMs);
  }

  /** Start of the newest planned segment, in milliseconds. */
  #lastMs = 0;

  /**
   * Shows the stream from a segment on, because its clips cannot be read; ends their break.
   * @returns true if the segment had clips
   */
  giveUp(msn: number): boolean {
    const state = this.#states.get(msn);
    if (!state || state === 'resumed') return false;
    const { loop } = state;
    for (const [number, other] of this.#states)
      if (number >= msn && other !== 'resumed' && other.loop === loop) this.#states.set(number, 'resumed');
    const { placement, breakId } = this.#showings.findLast((one) => one.loop === loop) ?? {};
    if (placement !== undefined && breakId !== undefined)
      for (const clip of loop.clips) this.#schedule.keeps(clip, { placement, id: breakId }, this.#lastMs);
    if (this.#break?.loop === loop) {
      this.#break = undefined;
      this.#schedule.resumed(this.#lastMs);
    }
    return true;
  }

  /** Plans the new segments of the stream. */
  advance(stream: SegmentWindow): void {
    const leader = stream.tracks[0];
    if (!leader) return;
    const segments = stream.segments(leader.track.id);
    const [first] = segments;
    if (!first) return;
    if (this.#nextMsn < 0) this.#start(stream, segments, first);
    else if (first.msn > this.#nextMsn) this.#jump(first);
    for (const entry of segments) {
      if (entry.msn < this.#nextMsn) continue;
      this.#take(stream, entry);
      this.#nextMsn = entry.msn + 1;
      this.#lastMs = entry.startMs;
    }
    this.#forget((msn) => msn >= first.msn || stream.segmentByMsn(leader.track.id, msn) !== undefined);
    while ((this.#boundaries[1]?.msn ?? Infinity) <= first.msn) this.#boundaries.shift();
  }

  /**
   * Forgets the states of segments that the stream no longer has. The stream still has some segments that it no
   * longer lists.
   * @param has reports whether the stream has a segment
   */
  #forget(has: (msn: number) => boolean): void {
    for (const msn of this.#states.keys()) {
      if (has(msn)) break;
      this.#states.delete(msn);
    }
  }

  #start(stream: SegmentWindow, segments: readonly WindowSegment[], first: WindowSegment): void {
    const start = prerollStart(stream, segments) ?? first;
    const scheduled = this.#schedule.preroll(stream, start);
    const firstShown = scheduled ? start : first;
    this.#nextMsn = firstShown.msn;
    this.#firstMsn = firstShown.msn;
    this.#hasPreroll = scheduled !== undefined;
    if (scheduled) this.#open(stream, scheduled, start);
  }

  /**
   * Ends a break when the viewer made no request for longer than the window lasts. A break by a splice point that has not ended
   * starts again.
   */
  #jump({ startMs }: WindowSegment): void {
    if (!this.#break) return;
    this.#schedule.interrupted(this.#break, startMs);
    this.#break = undefined;
  }

  #take(stream: SegmentWindow, entry: WindowSegment): void {
    if (this.#break) this.#continueBreak(stream, entry, this.#break);
    const scheduled = this.#break ? undefined : this.#schedule.midroll(stream, entry);
    if (scheduled) this.#open(stream, scheduled, entry);
    if (!this.#break) return;
    const { loop, step } = this.#break;
    this.#states.set(entry.msn, { loop, step, key: loop.stepKey(step) });
  }

  /** Continues a break with the next segment, or ends it. */
  #continueBreak(stream: SegmentWindow, entry: WindowSegment, open: OpenBreak): void {
    const { loop, splice, startMs } = open;
    if (startMs !== entry.startMs) {
      const next = loop.after(open.step, entry.startMs - startMs);
      this.#show(open, next);
      open.step = next;
      open.startMs = entry.startMs;
    }
    if (splice && this.#schedule.isOver(stream, splice, entry.startMs)) this.#endSplice(stream, open, splice);
    if (open.step < open.endStep && this.#schedule.keeps(loop.step(open.step).clip, open, entry.startMs)) {
      this.#show(open, open.step + 1);
      return;
    }
    this.#break = undefined;
    this.#states.set(entry.msn, 'resumed');
    this.#noteBoundary(entry);
    this.#schedule.resumed(entry.startMs);
  }

  /** Ends a break at its splice point, or with the playing clip. */
  #endSplice(stream: SegmentWindow, open: OpenBreak, splice: WindowSplice): void {
    const { loop, step, endStep } = open;
    const isCompleted = this.#schedule.completesClip(stream, splice, loop.step(step).isSlate);
    open.endStep = Math.min(endStep, isCompleted ? loop.clipEnd(step) : step);
    open.splice = undefined;
  }

  #open(stream: SegmentWindow, scheduled: ScheduledBreak, { msn, startMs }: WindowSegment): void {
    this.#noteBoundary({ msn, startMs });
    const { id, placement, clips, splice } = scheduled;
    const fill = this.#schedule.fillOf(stream, scheduled);
    const loop = new ClipLoop(clips, fill?.isSlate ? fill.clips[0] : undefined);
    const endStep = splice && fill ? Infinity : loop.length;
    this.#break = { id, placement, splice, loop, endStep, step: 0, startMs };
    this.#show(this.#break, 1);
  }

  #noteBoundary({ msn, startMs }: BreakBoundary): void {
    // If one break follows another, the first one ends at the same boundary.
    if (this.#boundaries.at(-1)?.msn !== msn) this.#boundaries.push({ msn, startMs });
  }

  /** Records the showings up to a step of a break. */
  #show({ id, loop, placement, startMs, step }: OpenBreak, end: number): void {
    let atMs = startMs;
    for (let number = step; number < end; number++) {
      const { showing, clip, index, durationMs, isSlate } = loop.step(number);
      const existing = this.#showings.findLast((one) => one.loop === loop && one.showing === showing);
      if (existing) existing.count = Math.max(existing.count, index + 1);
      else
        this.#showings.push({
          loop,
          showing,
          clip,
          isSlate,
          placement,
          breakId: id,
          startMs: atMs,
          count: index + 1,
          delivered: this.#options.deliveredOf?.(id, atMs) ?? new DeliveredSegments(),
        });
      atMs += durationMs;
    }
    if (this.#showings.length > (this.#options.maxShowings ?? MAX_SHOWINGS)) this.#showings.shift();
  }
}
