import type { SegmentWindow, TimeRange, WindowSegment, WindowSplice } from '../segment/segment-window.ts';
import { intervalOf, type AdDecision } from './ad-decision.ts';
import { ClipChoice } from './clip-choice.ts';
import { ClipLoop, type StepKey } from './clip-loop.ts';
import { inBandDifferences } from './clip-fit.ts';
import {
  breakIdOf,
  type Clip,
  type ClipSource,
  type Delivered,
  type Placement,
  type Showing,
  type Skip,
} from './clip.ts';
import { DeliveredSegments } from './delivered-segments.ts';
import { prerollBegin } from './preroll-begin.ts';
import { beforeSplice, CUT_TOLERANCE_MS, spliceBreakAt, spliceBreakEnd } from './splice-breaks.ts';

/** What a segment of the stream shows instead of its own media. */
export interface ClipSlot {
  readonly loop: ClipLoop;
  /** Step of the loop that it begins with. */
  readonly step: number;
  /** The same for all viewers who are shown the same. */
  readonly key: StepKey;
}

/** Where clips begin, or the stream after them. */
export interface SlotBoundary {
  readonly msn: number;
  readonly startMs: number;
}

/** A segment of the stream: with clips in it, the first one after clips, or as it is for all. */
export type Slot = ClipSlot | 'resumed' | undefined;

interface SlotShowing extends Showing {
  /** The break, and which clip of it: counted in all rounds. */
  readonly loop: ClipLoop;
  readonly showing: number;
  count: number;
}

/** A break that plays. */
interface OpenBreak {
  readonly id: string;
  readonly loop: ClipLoop;
  readonly placement: Placement;
  /** Step after the last one; infinite where a splice point ends it. */
  endStep: number;
  splice: WindowSplice | undefined;
  /** Step that the newest segment begins with, and when that is. */
  step: number;
  startMs: number;
}

/** What a plan may have besides. */
export interface SlotPlanOptions {
  /** Hears of what is left out. */
  readonly skipped?: ((skip: Skip) => void) | undefined;
  /** What went of a showing before it was planned; nothing by default. */
  readonly deliveredOf?: (breakId: string, startMs: number) => DeliveredSegments;
  /** Clips that were shown of which the newest ones are kept; default 100. */
  readonly mostShowings?: number;
}

const MOST_SHOWINGS = 100;

/**
 * What one viewer is shown where clips take the place of the media inside the segments of the stream: for each segment, which clips. Decided when
 * a segment is first seen, and never taken back. A break begins and ends with a segment; what is left of its last one is filled with the clips
 * from the first one on.
 */
export class SlotPlan {
  #decision: AdDecision;
  readonly #options: SlotPlanOptions;
  readonly #choice: ClipChoice;
  readonly #slots = new Map<number, ClipSlot | 'resumed'>();
  readonly #showings: SlotShowing[] = [];
  /** The one before the window, and those in it. */
  readonly #boundaries: SlotBoundary[] = [];
  #nextMsn = -1;
  #firstMsn = 0;
  #break: OpenBreak | undefined;
  #nextBreakMs: number;
  /** Splice points up to this time are done with. */
  #splicedMs = -Infinity;

  constructor(decision: AdDecision, clips: ClipSource, options: SlotPlanOptions = {}) {
    this.#decision = decision;
    this.#options = options;
    this.#choice = new ClipChoice(clips, inBandDifferences, options.skipped);
    this.#nextBreakMs = intervalOf(decision);
  }

  /** Media sequence number of the first segment that the viewer is shown. */
  get firstMsn(): number {
    return this.#firstMsn;
  }

  /** What was left out, the oldest first. */
  get skips(): readonly Skip[] {
    return this.#choice.skips;
  }

  /** Clips that are shown, the oldest first. */
  get showings(): readonly Showing[] {
    return this.#showings;
  }

  /** Where breaks begin and end, in order: those in the window, and the one before it. */
  get boundaries(): readonly SlotBoundary[] {
    return this.#boundaries;
  }

  /**
   * Whether a segment may be sent: not before it is decided what it shows. That is when the leading track has it, whose segment may begin later than
   * those of the others; what has ended without it is shown as it is.
   */
  shows({ msn, segment }: WindowSegment): boolean {
    return msn >= this.#firstMsn && (msn < this.#nextMsn || segment.isComplete);
  }

  /** What a segment shows. */
  slot(msn: number): Slot {
    return this.#slots.get(msn);
  }

  /**
   * What of the clips ends in a part of a segment.
   *
   * @param durationMs length of the segment; undefined while it is open
   * @param part from when to when, in milliseconds from the start of the segment
   */
  deliveredIn(slot: ClipSlot, durationMs: number | undefined, part: TimeRange): readonly Delivered[] {
    const { loop, step } = slot;
    const end = durationMs === undefined ? Infinity : loop.after(step, durationMs);
    const open = this.#break;
    const all: Delivered[] = [];
    for (let number = step, passedMs = 0; number < end && passedMs <= part.toMs; number++) {
      const { showing, index, durationMs: ownMs } = loop.step(number);
      passedMs = number === end - 1 && durationMs !== undefined ? durationMs : passedMs + ownMs;
      if (passedMs <= part.fromMs + 1 || passedMs > part.toMs + 1) continue;
      // Of the newest segment only its first step is noted until the next one is decided about.
      if (open?.loop === loop && open.step === step) this.#show(open, number + 1);
      const known = this.#showings.findLast((one) => one.loop === loop && one.showing === showing);
      if (known) all.push({ showing: known, index });
    }
    return all;
  }

  /** Another decision from here on: what was begun is shown to its end. */
  renew(decision: AdDecision): void {
    const isOther = decision.insertBy !== this.#decision.insertBy || decision.intervalMs !== this.#decision.intervalMs;
    this.#decision = decision;
    if (isOther) this.#nextBreakMs = this.#lastMs + intervalOf(decision);
  }

  #lastMs = 0;

  /**
   * Shows the stream from a segment on: clips in it cannot be read. Their break is over.
   *
   * @returns whether it had clips in it
   */
  giveUp(msn: number): boolean {
    const slot = this.#slots.get(msn);
    if (!slot || slot === 'resumed') return false;
    const { loop } = slot;
    for (const [number, other] of this.#slots)
      if (number >= msn && other !== 'resumed' && other.loop === loop) this.#slots.set(number, 'resumed');
    const { placement, breakId } = this.#showings.findLast((one) => one.loop === loop) ?? {};
    if (placement !== undefined && breakId !== undefined)
      for (const clip of loop.clips) this.#choice.keeps(clip, { placement, breakId, atMs: this.#lastMs });
    if (this.#break?.loop === loop) {
      this.#break = undefined;
      this.#nextBreakMs = this.#lastMs + intervalOf(this.#decision);
    }
    return true;
  }

  /** Decides about the segments of the stream that have come since. */
  advance(stream: SegmentWindow): void {
    const leader = stream.tracks[0];
    if (!leader) return;
    const segments = stream.segments(leader.track.id);
    const [first] = segments;
    if (!first) return;
    if (this.#nextMsn < 0) this.#begin(stream, segments, first);
    else if (first.msn > this.#nextMsn) this.#jump(first);
    for (const entry of segments) {
      if (entry.msn < this.#nextMsn) continue;
      this.#take(stream, entry);
      this.#nextMsn = entry.msn + 1;
      this.#lastMs = entry.startMs;
    }
    if (this.#slots.size > 0) this.#forget(first.msn);
    while ((this.#boundaries[1]?.msn ?? Infinity) <= first.msn) this.#boundaries.shift();
  }

  #forget(firstMsn: number): void {
    for (const msn of this.#slots.keys()) {
      if (msn >= firstMsn) break;
      this.#slots.delete(msn);
    }
  }

  #begin(stream: SegmentWindow, segments: readonly WindowSegment[], first: WindowSegment): void {
    const start = prerollBegin(stream, segments) ?? first;
    const id = breakIdOf('preroll', start.startMs);
    const clips = this.#choice.fitting(stream, this.#decision.prerolls, {
      ...{ placement: 'preroll', breakId: id, atMs: start.startMs },
    });
    this.#nextBreakMs += start.startMs;
    const begin = clips.length === 0 ? first : start;
    this.#nextMsn = begin.msn;
    this.#firstMsn = begin.msn;
    if (clips.length > 0) this.#open(stream, clips, { id, placement: 'preroll', splice: undefined }, start);
  }

  /** The viewer was away for longer than the window lasts: a break that plays is over for them, but for one by a splice point that is still on. */
  #jump({ startMs: atMs }: WindowSegment): void {
    if (!this.#break) return;
    const { placement, id: breakId, splice } = this.#break;
    this.#choice.skip({ placement, breakId, reason: 'viewer_absent', path: null, detail: '', atMs });
    this.#break = undefined;
    if (splice) this.#splicedMs = beforeSplice(splice);
    this.#nextBreakMs = atMs + intervalOf(this.#decision);
  }

  #take(stream: SegmentWindow, entry: WindowSegment): void {
    if (this.#break) this.#goOn(stream, entry, this.#break);
    if (!this.#break) this.#openBreak(stream, entry);
    if (!this.#break) return;
    const { loop, step } = this.#break;
    this.#slots.set(entry.msn, { loop, step, key: loop.stepKey(step) });
  }

  /** Moves a break to the segment that comes next, or ends it. */
  #goOn(stream: SegmentWindow, entry: WindowSegment, open: OpenBreak): void {
    const { loop, splice, startMs } = open;
    if (startMs !== entry.startMs) {
      const next = loop.after(open.step, entry.startMs - startMs);
      this.#show(open, next);
      open.step = next;
      open.startMs = entry.startMs;
    }
    if (splice) this.#endSplice(open, splice, spliceBreakEnd(stream, splice), entry);
    const place = { placement: open.placement, breakId: open.id, atMs: entry.startMs };
    if (open.step < open.endStep && this.#choice.keeps(loop.step(open.step).clip, place)) {
      this.#show(open, open.step + 1);
      return;
    }
    this.#break = undefined;
    this.#slots.set(entry.msn, 'resumed');
    this.#noteBoundary(entry);
    this.#nextBreakMs = entry.startMs + intervalOf(this.#decision);
  }

  /** Ends a break where its splice point says so, or with the clip that plays. */
  #endSplice(open: OpenBreak, splice: WindowSplice, endMs: number, { startMs }: WindowSegment): void {
    if (startMs < endMs - CUT_TOLERANCE_MS) return;
    const { loop, step, endStep } = open;
    const isCompleted = this.#decision.rules.overrun === 'complete' && endMs > splice.atMs && !loop.step(step).isSlate;
    open.endStep = Math.min(endStep, isCompleted ? loop.clipEnd(step) : step);
    open.splice = undefined;
  }

  #openBreak(stream: SegmentWindow, entry: WindowSegment): void {
    const { insertBy, midrolls } = this.#decision;
    if (midrolls.length === 0) return;
    const splice = insertBy === 'splicing' ? spliceBreakAt(stream, entry, this.#splicedMs) : undefined;
    if (splice) this.#splicedMs = splice.atMs;
    else if (insertBy === 'splicing' || entry.startMs < this.#nextBreakMs) return;
    const id = splice ? breakIdOf('splice', splice.atMs) : breakIdOf('interval', entry.startMs);
    const place = { placement: 'midroll', breakId: id, atMs: entry.startMs } as const;
    const clips = this.#choice.fitting(stream, midrolls, place);
    if (clips.length > 0) this.#open(stream, clips, { id, placement: 'midroll', splice }, entry);
    else if (!splice) this.#nextBreakMs = entry.startMs + intervalOf(this.#decision);
  }

  #open(
    stream: SegmentWindow,
    clips: readonly Clip[],
    begun: Pick<OpenBreak, 'id' | 'placement' | 'splice'>,
    { msn, startMs }: WindowSegment,
  ): void {
    this.#noteBoundary({ msn, startMs });
    const { id: breakId, placement, splice } = begun;
    const fill = this.#choice.fillFor(stream, this.#decision.rules, clips, { placement, breakId, atMs: startMs });
    const loop = new ClipLoop(clips, fill?.isSlate ? fill.clips[0] : undefined);
    this.#break = { ...begun, loop, endStep: splice && fill ? Infinity : loop.length, step: 0, startMs };
    this.#show(this.#break, 1);
  }

  #noteBoundary({ msn, startMs }: SlotBoundary): void {
    // Where one break follows another the first one ends there.
    if (this.#boundaries.at(-1)?.msn !== msn) this.#boundaries.push({ msn, startMs });
  }

  /** Notes the clips up to a step of a break. */
  #show({ id, loop, placement, startMs, step }: OpenBreak, end: number): void {
    let atMs = startMs;
    for (let number = step; number < end; number++) {
      const { showing, clip, index, durationMs, isSlate } = loop.step(number);
      const known = this.#showings.findLast((one) => one.loop === loop && one.showing === showing);
      if (known) known.count = Math.max(known.count, index + 1);
      else
        this.#showings.push({
          ...{ loop, showing, clip, isSlate, placement, breakId: id, startMs: atMs, count: index + 1 },
          delivered: this.#options.deliveredOf?.(id, atMs) ?? new DeliveredSegments(),
        });
      atMs += durationMs;
    }
    if (this.#showings.length > (this.#options.mostShowings ?? MOST_SHOWINGS)) this.#showings.shift();
  }
}
