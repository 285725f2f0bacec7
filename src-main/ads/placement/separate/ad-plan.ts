import { ticksToMsUp } from '../../../media/timing/ticks.ts';
import type { SegmentWindow, WindowSegment } from '../../../segment/segment-window.ts';
import type { AdDecision } from '../../decision/ad-decision.ts';
import { discontinuitiesUpTo, type ClipRange, type PlannedRange } from './planned-range.ts';
import { startNext, type Cycle } from '../../schedule/clip-cycle.ts';
import { differences } from '../../clips/clip-fit.ts';
import { clipMs, segmentsOf, type Clip, type ClipSource, type Placement, type Skip } from '../../clips/clip.ts';
import { endOfListed, prerollStart } from '../preroll-start.ts';
import { BreakSchedule, type ScheduledBreak } from '../../schedule/break-schedule.ts';
import { type Showing, DeliveredSegments } from '../../proof/showing.ts';

/** Maximum correction of the clock of a stream, as a share of time, with a margin for rounding. */
const MAX_SLEW = 0.0015;

/** A break that is playing. Its start is on the viewer's timeline. */
interface OpenBreak extends ScheduledBreak {
  /** Delay of the viewer against the stream at the start of the break, in milliseconds. */
  readonly lagMs: number;
  /** Clips of the break whose files were deleted, so that each is reported once. */
  readonly deleted: Set<Clip>;
  /** End of the clip segments listed so far, in milliseconds on the viewer's timeline. */
  limitMs: number;
  /** Clips that repeat until the break ends at its splice point; undefined if the break ends with its last clip. */
  cycle?: Cycle;
}

export interface AdPlanOptions {
  /** Called when a clip or a break is left out. */
  readonly skipped?: ((skip: Skip) => void) | undefined;
  /**
   * True if the player loads complete segments even when there are parts, and therefore stays further from the live
   * edge; default false.
   */
  readonly loadsFullSegments?: boolean;
}

/**
 * Playout plan of one viewer: ranges of the stream and of clips, in order. The plan grows with the segments of the
 * stream, and its decisions are final. A break replaces the stream; after it the viewer's delay is less than a segment.
 */
export class AdPlan {
  readonly #schedule: BreakSchedule;
  readonly #loadsFullSegments: boolean;
  readonly #ranges: PlannedRange[] = [];
  /** Media sequence number of the next segment of the stream to plan. */
  #nextMsn = 0;
  #break: OpenBreak | undefined;
  /** Segments of clips may have been listed up to this time, in milliseconds on the viewer's timeline. */
  #listedMs = -Infinity;

  constructor(decision: AdDecision, clips: ClipSource, { skipped, loadsFullSegments = false }: AdPlanOptions = {}) {
    this.#loadsFullSegments = loadsFullSegments;
    this.#schedule = new BreakSchedule(decision, clips, differences, skipped);
  }

  /** Planned ranges in order; `#forget` drops old ones. */
  get ranges(): readonly PlannedRange[] {
    return this.#ranges;
  }

  /** Skipped clips and breaks, oldest first. */
  get skips(): readonly Skip[] {
    return this.#schedule.skips;
  }

  /** Ranges that show a clip. */
  get showings(): readonly Showing[] {
    return this.#ranges.filter((planned) => planned.kind === 'clip');
  }

  /**
   * Converts a time of the stream to the viewer's timeline, in milliseconds. A time inside a break keeps its distance
   * from the start of the break, but is at most the end of the break.
   */
  viewerMs(streamMs: number): number {
    const index = Math.max(
      0,
      this.#ranges.findLastIndex((planned) => planned.streamMs <= streamMs),
    );
    const planned = this.#ranges[index];
    if (!planned) return streamMs;
    const next = this.#ranges.slice(index + 1).find(({ kind }) => kind === 'programme');
    return Math.min(planned.startMs + streamMs - planned.streamMs, next?.startMs ?? Infinity);
  }

  /** End of the clip segments to list, in milliseconds on the viewer's timeline; infinite outside a break. */
  limitMs(stream: SegmentWindow): number {
    if (!this.#break) return Infinity;
    const { cycle, lagMs } = this.#break;
    // The end of a break by splice points is unknown, so clips must not run ahead of the stream.
    const limitMs = endOfListed(stream) + (cycle ? 0 : lagMs) + 1;
    // Rounding (ends up, starts down) may lower the limit by a millisecond, but a listed segment stays listed.
    this.#break.limitMs = Math.max(this.#break.limitMs, limitMs);
    return this.#break.limitMs;
  }

  /** Uses another decision from now on. Clips that have started play to their end. */
  renew(decision: AdDecision): void {
    this.#schedule.renew(decision, this.#ranges.length === 0 ? 0 : this.#endMs());
  }

  /** Plans the new segments of the stream. */
  advance(stream: SegmentWindow): void {
    const leader = stream.tracks[0];
    if (!leader) return;
    const segments = stream.segments(leader.track.id);
    const [first] = segments;
    if (!first) return;
    if (this.#ranges.length === 0) this.#start(stream, segments);
    else if (first.msn > this.#nextMsn) this.#jump(first);
    this.#dropDeleted(first);
    for (const entry of segments) {
      if (entry.msn < this.#nextMsn) continue;
      if (!this.#take(stream, entry, leader.track.timescale)) break;
      this.#nextMsn = entry.msn + 1;
    }
    this.#forget(stream, first);
    this.#listedMs = this.limitMs(stream);
  }

  /** If the file of a clip was deleted, ends the clip after its last listed segment; the next clips start earlier. */
  #dropDeleted(entry: WindowSegment): void {
    if (!this.#break || this.#ranges.every((one) => one.kind === 'programme' || this.#isAvailable(one.clip))) return;
    const later: ClipRange[] = [];
    for (let last = this.#ranges.at(-1); last?.kind === 'clip'; last = this.#ranges.at(-1)) {
      const { clip, startMs, count } = last;
      let listed = count;
      while (listed > 0 && startMs + clipMs(clip, listed) > this.#listedMs) listed--;
      if (listed > 0) {
        if (!this.#isAvailable(clip)) last.count = listed;
        break;
      }
      this.#ranges.pop();
      later.unshift(last);
    }
    for (const { clip, placement, count, isSlate } of later)
      if (this.#isAvailable(clip)) this.#addClip(clip, placement, entry, { count, isSlate });
  }

  readonly #isAvailable = (clip: Clip): boolean => {
    const open = this.#break;
    if (!open || open.deleted.has(clip)) return open === undefined;
    if (this.#schedule.keeps(clip, open, Math.round(this.#endMs()))) return true;
    open.deleted.add(clip);
    return false;
  };

  #start(stream: SegmentWindow, segments: readonly WindowSegment[]): void {
    const [first] = segments;
    if (!first) return;
    const start = prerollStart(stream, segments, this.#loadsFullSegments) ?? first;
    const scheduled = this.#schedule.preroll(stream, start);
    if (!scheduled) {
      this.#addProgramme(first, first.startMs, first.msn);
      this.#nextMsn = first.msn;
      return;
    }
    this.#nextMsn = start.msn;
    this.#open(scheduled, 0);
    for (const clip of scheduled.clips) this.#addClip(clip, 'preroll', start);
  }

  /**
   * Restarts the plan when the viewer made no request for longer than the window lasts. A running break ends; a break by a splice
   * point that has not ended starts again.
   */
  #jump(first: WindowSegment): void {
    const atMsn = this.#endMsn() + first.msn - this.#nextMsn;
    if (this.#break) this.#schedule.interrupted(this.#break, first.startMs);
    this.#break = undefined;
    this.#ranges.length = 0;
    this.#addProgramme(first, first.startMs, atMsn);
    this.#nextMsn = first.msn;
  }

  /** Plans one segment of the stream; false if the decision has to wait for more of the segment. */
  #take(stream: SegmentWindow, entry: WindowSegment, timescale: number): boolean {
    if (!this.#break) {
      this.#openBreak(stream, entry);
      if (!this.#break) return true;
    }
    const { segment, startMs } = entry;
    const endMs = startMs + ticksToMsUp(segment.durationTicks, timescale);
    if (this.#break.cycle) {
      const { cycle } = this.#break;
      const isOver = this.#schedule.isOver(stream, cycle.splice, startMs);
      const hasMore = this.#fillCycle(cycle, entry, isOver ? startMs : endMs);
      if (isOver && !this.#completes(stream, cycle)) return this.#end(stream, entry, timescale);
      // The remaining part of an open segment may need more clips.
      if (!isOver && hasMore) return segment.isComplete;
      delete this.#break.cycle;
    }
    const breakEndMs = this.#endMs();
    // While the clock of the stream is corrected, its segments are up to a thousandth longer or shorter than those of clips.
    const toleranceMs = 1 + (breakEndMs - this.#break.startMs) * MAX_SLEW;
    if (endMs > breakEndMs + toleranceMs || startMs >= breakEndMs - toleranceMs)
      return this.#end(stream, entry, timescale);
    return segment.isComplete;
  }

  /** Continues with the next break if one starts, otherwise with the stream. */
  #end(stream: SegmentWindow, entry: WindowSegment, timescale: number): boolean {
    this.#break = undefined;
    this.#schedule.resumed(Math.max(this.#endMs(entry), entry.startMs));
    this.#openBreak(stream, entry);
    if (this.#break) return this.#take(stream, entry, timescale);
    this.#addProgramme(entry, Math.max(this.#endMs(entry), entry.startMs), this.#endMsn());
    return true;
  }

  #openBreak(stream: SegmentWindow, entry: WindowSegment): void {
    const lagMs = this.#lagMs(entry);
    const scheduled = this.#schedule.midroll(stream, entry, entry.startMs + lagMs);
    if (!scheduled) return;
    const { clips, splice } = scheduled;
    this.#leaveProgramme(entry);
    const opened = this.#open(scheduled, lagMs);
    if (splice) opened.cycle = { splice, clips, fill: this.#schedule.fillOf(stream, scheduled), started: 0 };
    else for (const clip of clips) this.#addClip(clip, 'midroll', entry);
  }

  #open(scheduled: ScheduledBreak, lagMs: number): OpenBreak {
    return (this.#break = { ...scheduled, lagMs, deleted: new Set(), limitMs: -Infinity });
  }

  /** Adds segments of clips until a time of the stream; false if there are no more. */
  #fillCycle(cycle: Cycle, entry: WindowSegment, untilMs: number): boolean {
    while (this.#endMs() < untilMs) {
      const last = this.#ranges.at(-1);
      const hasStarted = last?.kind === 'clip' && cycle.started > 0 && last.count < segmentsOf(last.clip).length;
      if (hasStarted && this.#isAvailable(last.clip)) {
        last.count++;
        continue;
      }
      const next = startNext(cycle, this.#isAvailable);
      if (!next) return false;
      this.#addClip(next.clip, 'midroll', entry, { count: 1, isSlate: next.isSlate });
    }
    return true;
  }

  /**
   * Plans the remaining segments of the playing clip after its break has ended, if the rules require it. Returns whether it did.
   */
  #completes(stream: SegmentWindow, { splice }: Cycle): boolean {
    const last = this.#ranges.at(-1);
    if (last?.kind !== 'clip' || !this.#schedule.completesClip(stream, splice, last.isSlate)) return false;
    const { length } = segmentsOf(last.clip);
    if (last.count === length || !this.#isAvailable(last.clip)) return false;
    last.count = length;
    return true;
  }

  /** Delay of the viewer before a segment of the stream, in milliseconds. */
  #lagMs({ startMs }: WindowSegment): number {
    const last = this.#ranges.at(-1);
    if (last?.kind === 'programme') return last.startMs - last.sourceStartMs;
    return last ? Math.max(0, this.#endMs() - startMs) : 0;
  }

  #leaveProgramme(entry: WindowSegment): void {
    const last = this.#ranges.at(-1);
    if (last?.kind === 'programme') last.endMsn = entry.msn;
  }

  #addProgramme(entry: WindowSegment, startMs: number, firstMsn: number): void {
    const before = this.#ranges.at(-1);
    this.#ranges.push({
      kind: 'programme',
      firstMsn,
      startMs,
      sourceMsn: entry.msn,
      sourceStartMs: entry.startMs,
      streamMs: entry.startMs,
      isDiscontinuity: before ? true : entry.isDiscontinuity,
      discontinuitySequence: before ? discontinuitiesUpTo(before, entry) : entry.discontinuitySequence,
      sourceDiscontinuities: entry.discontinuitySequence + (entry.isDiscontinuity ? 1 : 0),
      endMsn: Infinity,
    });
  }

  /** @param entry segment of the stream at the start of the break */
  #addClip(
    clip: Clip,
    placement: Placement,
    entry: WindowSegment,
    { count = segmentsOf(clip).length, isSlate = false }: { readonly count?: number; readonly isSlate?: boolean } = {},
  ): void {
    const before = this.#ranges.at(-1);
    const first = segmentsOf(clip)[0] as WindowSegment;
    const startMs = before ? this.#endMs(entry) : entry.startMs;
    this.#ranges.push({
      kind: 'clip',
      clip,
      placement,
      firstMsn: before ? this.#endMsn() : entry.msn,
      startMs,
      streamMs: startMs - (this.#break?.lagMs ?? 0),
      sourceMsn: first.msn,
      sourceStartMs: first.startMs,
      isDiscontinuity: before !== undefined,
      discontinuitySequence: before ? discontinuitiesUpTo(before, entry) : entry.discontinuitySequence,
      count,
      isSlate,
      breakId: this.#break?.id ?? '',
      delivered: new DeliveredSegments(),
    });
  }

  /** Media sequence number after the last planned segment. */
  #endMsn(): number {
    const last = this.#ranges.at(-1);
    if (!last) return 0;
    const count = last.kind === 'clip' ? last.count : Math.min(last.endMsn, this.#nextMsn) - last.sourceMsn;
    return last.firstMsn + count;
  }

  /**
   * End of the last range.
   * @param entry next segment of the stream, needed if the last range is one of the stream
   */
  #endMs(entry?: WindowSegment): number {
    const last = this.#ranges.at(-1);
    if (!last) return 0;
    if (last.kind === 'programme') return last.startMs + (entry?.startMs ?? last.sourceStartMs) - last.sourceStartMs;
    return last.startMs + clipMs(last.clip, last.count);
  }

  /**
   * Drops ranges that left the window longer ago than the duration of the playlist plus one segment. Until then,
   * players may request segments that their playlist listed (RFC 8216bis, 6.2.2).
   */
  #forget(stream: SegmentWindow, { startMs }: WindowSegment): void {
    const keptMs = endOfListed(stream) - startMs + stream.longestSegmentMs;
    while ((this.#ranges[1]?.startMs ?? Infinity) <= startMs - keptMs) this.#ranges.shift();
  }
}
