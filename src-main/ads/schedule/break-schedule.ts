import type { SegmentWindow, WindowSegment, WindowSplice } from '../../segment/segment-window.ts';
import { intervalOf, type AdDecision } from '../decision/ad-decision.ts';
import { ClipChoice, type Comparison, type Fill } from './clip-choice.ts';
import { breakIdOf, type Clip, type ClipSource, type Placement, type Skip } from '../clips/clip.ts';
import { beforeSplice, CUT_TOLERANCE_MS, spliceBreakAt, spliceBreakEnd } from './splice-breaks.ts';

/** A break that starts with a segment of the stream. */
export interface ScheduledBreak {
  readonly id: string;
  readonly placement: Placement;
  /** Start for the viewer, in milliseconds. */
  readonly startMs: number;
  /** Clips in playing order, at least one. */
  readonly clips: readonly Clip[];
  /** Splice point that started the break; a break without one ends with its last clip. */
  readonly splice: WindowSplice | undefined;
}

type BreakKey = Pick<ScheduledBreak, 'id' | 'placement'>;

/**
 * Schedule of one viewer's breaks: when a break starts, with which clips, and when it ends. The placements (separate
 * segments, clips inside segments, interstitials) turn these breaks into windows.
 */
export class BreakSchedule {
  #decision: AdDecision;
  readonly #choice: ClipChoice;
  /** Earliest start of the next break by interval, in milliseconds; infinite before the viewer's first segment. */
  #nextBreakMs = Infinity;
  /** Time up to which splice points are handled, in milliseconds. */
  #splicedMs = -Infinity;

  /** @param skipped called when a clip or a break is left out */
  constructor(decision: AdDecision, clips: ClipSource, compare: Comparison, skipped?: (skip: Skip) => void) {
    this.#decision = decision;
    this.#choice = new ClipChoice(clips, compare, skipped);
  }

  /** Skipped clips and breaks, oldest first. */
  get skips(): readonly Skip[] {
    return this.#choice.skips;
  }

  /**
   * Uses another decision from now on. Breaks that have started keep their clips.
   * @param sinceMs time from which another interval counts, in milliseconds
   */
  renew(decision: AdDecision, sinceMs: number): void {
    const isOther = decision.insertBy !== this.#decision.insertBy || decision.intervalMs !== this.#decision.intervalMs;
    this.#decision = decision;
    if (isOther) this.resumed(sinceMs);
  }

  /** Preroll at the viewer's first segment; undefined without clips. */
  preroll(stream: SegmentWindow, { startMs }: WindowSegment): ScheduledBreak | undefined {
    this.resumed(startMs);
    return this.#open(stream, this.#decision.prerolls, {
      id: breakIdOf('preroll', startMs),
      placement: 'preroll',
      startMs,
      splice: undefined,
    });
  }

  /**
   * Break that starts with a segment of the stream, if any.
   * @param startMs time of the segment for the viewer, in milliseconds
   */
  midroll(stream: SegmentWindow, entry: WindowSegment, startMs = entry.startMs): ScheduledBreak | undefined {
    const { insertBy, midrolls } = this.#decision;
    if (midrolls.length === 0) return undefined;
    if (insertBy === 'interval') {
      if (startMs < this.#nextBreakMs) return undefined;
      this.resumed(startMs);
      const id = breakIdOf('interval', startMs);
      return this.#open(stream, midrolls, { id, placement: 'midroll', startMs, splice: undefined });
    }
    const splice = spliceBreakAt(stream, entry, this.#splicedMs);
    if (!splice) return undefined;
    this.#splicedMs = splice.atMs;
    return this.#open(stream, midrolls, {
      id: breakIdOf('splice', splice.atMs),
      placement: 'midroll',
      startMs,
      splice,
    });
  }

  /** Clips after the last clip of a break; undefined if the stream continues. */
  fillOf(stream: SegmentWindow, { id, placement, startMs, clips }: ScheduledBreak): Fill | undefined {
    return this.#choice.fillFor(stream, this.#decision.rules, clips, { placement, breakId: id, atMs: startMs });
  }

  /** Whether a clip of a running break can still be played; otherwise records the reason. */
  keeps(clip: Clip, { id, placement }: BreakKey, atMs: number): boolean {
    return this.#choice.keeps(clip, { placement, breakId: id, atMs });
  }

  /** End of a break by a splice point, in milliseconds; its start if it was cancelled. */
  endMs(stream: SegmentWindow, splice: WindowSplice): number {
    return spliceBreakEnd(stream, splice);
  }

  /** Whether a break by a splice point has ended at a time of the stream. */
  isOver(stream: SegmentWindow, splice: WindowSplice, atMs: number): boolean {
    return atMs >= this.endMs(stream, splice) - CUT_TOLERANCE_MS;
  }

  /** Reports whether the clip that plays at the end of a break plays to its end. */
  completesClip(stream: SegmentWindow, splice: WindowSplice, isSlate: boolean): boolean {
    // A cancelled break ends at once.
    return this.playsToEnd(isSlate) && this.endMs(stream, splice) > splice.atMs;
  }

  /** Reports whether clips play to their end although the break ends during them. A slate never does. */
  playsToEnd(isSlate: boolean): boolean {
    return this.#decision.rules.overrun === 'complete' && !isSlate;
  }

  /** Starts the interval to the next break: the stream continues at this time, in milliseconds. */
  resumed(atMs: number): void {
    this.#nextBreakMs = atMs + intervalOf(this.#decision);
  }

  /**
   * Ends a break because the viewer made no request for longer than the window lasts. A break by a splice point that has not
   * ended starts again.
   */
  interrupted({ id, placement, splice }: Omit<ScheduledBreak, 'clips' | 'startMs'>, atMs: number): void {
    this.#choice.skip({ placement, breakId: id, reason: 'viewer_absent', path: null, detail: '', atMs });
    if (splice) this.#splicedMs = beforeSplice(splice);
    this.resumed(atMs);
  }

  #open(
    stream: SegmentWindow,
    paths: readonly string[],
    opened: Omit<ScheduledBreak, 'clips'>,
  ): ScheduledBreak | undefined {
    const { id, placement, startMs } = opened;
    const clips = this.#choice.fitting(stream, paths, { placement, breakId: id, atMs: startMs });
    return clips.length === 0 ? undefined : { ...opened, clips };
  }
}
