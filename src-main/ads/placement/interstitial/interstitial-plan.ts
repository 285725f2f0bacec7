import type {
  SegmentWindow,
  WindowInterstitial,
  WindowSegment,
  WindowSplice,
} from '../../../segment/segment-window.ts';
import type { AdDecision } from '../../decision/ad-decision.ts';
import { BreakWindow } from './break-window.ts';
import { startNext } from '../../schedule/clip-cycle.ts';
import { differences } from '../../clips/clip-fit.ts';
import { clipMs, segmentsOf, type ClipSource, type Skip } from '../../clips/clip.ts';
import { BreakSchedule, type ScheduledBreak } from '../../schedule/break-schedule.ts';
import { CUT_TOLERANCE_MS } from '../../schedule/splice-breaks.ts';
import { type Showing, DeliveredSegments } from '../../proof/showing.ts';

/** A break as an interstitial. */
interface AdBreak extends WindowInterstitial {
  /** Id of the break within the stream. */
  readonly breakId: string;
  readonly splice: WindowSplice | undefined;
  readonly showings: readonly Showing[];
  readonly media: BreakWindow;
  limitMs?: number;
  /** Whether playlists no longer list the break, because one of its files was deleted. */
  isDropped: boolean;
}

/**
 * Number of complete segments with which a player starts. With parts it is one, because players then start near the
 * live edge.
 */
const START_SEGMENTS = 3;
/** Maximum number of clips in a break. */
const MAX_CLIPS = 100;
/** Time that a break can still be loaded after it left the window of the stream, in milliseconds. */
const LOADABLE_MS = 60_000;

/**
 * Playout plan of one viewer whose player inserts the clips (HLS interstitials). A break starts with a segment of the
 * stream and is announced when this segment has started. Inside a segment, players would play past the start of the
 * break, with a gap. The clips are fixed at the announcement, for the longest possible break. If the break ends
 * earlier, a limit is announced.
 */
export class InterstitialPlan {
  readonly #schedule: BreakSchedule;
  #breaks: AdBreak[] = [];
  /** Media sequence number of the next segment of the stream to plan. */
  #nextMsn = -1;
  /** Start and end of the window of the stream, in milliseconds. */
  #fromMs = 0;
  #edgeMs = 0;

  /** @param skipped called when a clip or a break is left out */
  constructor(decision: AdDecision, clips: ClipSource, skipped?: (skip: Skip) => void) {
    this.#schedule = new BreakSchedule(decision, clips, differences, skipped);
  }

  /** Skipped clips and breaks, oldest first. */
  get skips(): readonly Skip[] {
    return this.#schedule.skips;
  }

  /** Shown clips, oldest first. */
  get showings(): readonly Showing[] {
    return this.#breaks.flatMap((one) => one.showings.filter(({ startMs }) => startMs < endOf(one)));
  }

  /** Breaks that playlists list. */
  get listed(): readonly WindowInterstitial[] {
    return this.#breaks.filter((one) => !one.isDropped && endOf(one) >= this.#fromMs);
  }

  media(id: string): BreakWindow | undefined {
    return this.#breaks.find((one) => one.id === id)?.media;
  }

  /** Media of the break of an address or address prefix. */
  mediaOf(address: string): BreakWindow | undefined {
    return this.#breaks.find(({ id }) => address.startsWith(`${id}x`))?.media;
  }

  /** Uses another decision from now on. Breaks that have started keep their clips. */
  renew(decision: AdDecision): void {
    this.#schedule.renew(decision, this.#edgeMs);
  }

  /** Plans the new segments of the stream. */
  advance(stream: SegmentWindow): void {
    const bounds = stream.bounds();
    const leader = stream.tracks[0];
    const segments = leader ? stream.segments(leader.track.id) : [];
    const [first] = segments;
    if (!bounds || !first) return;
    this.#fromMs = bounds.fromMs;
    this.#edgeMs = bounds.toMs;
    const start = playerStart(stream, segments) ?? first;
    if (this.#nextMsn < 0) this.#start(stream, start);
    // The viewer made no request for longer than the window lasts.
    else if (first.msn > this.#nextMsn) this.#nextMsn = start.msn;
    for (const one of this.#breaks) this.#limit(stream, one);
    for (const entry of segments) {
      if (entry.msn < this.#nextMsn) continue;
      this.#nextMsn = entry.msn + 1;
      if (entry.startMs >= this.#lastBreakEndMs - CUT_TOLERANCE_MS) this.#openBreak(stream, entry);
    }
    this.#breaks = this.#breaks.filter((one) => endOf(one) + LOADABLE_MS >= this.#fromMs);
  }

  #start(stream: SegmentWindow, start: WindowSegment): void {
    this.#nextMsn = start.msn;
    const scheduled = this.#schedule.preroll(stream, start);
    if (scheduled) this.#open(stream, scheduled);
  }

  /** End of the last break. */
  get #lastBreakEndMs(): number {
    return Math.max(0, ...this.#breaks.map(endOf));
  }

  #openBreak(stream: SegmentWindow, entry: WindowSegment): void {
    const scheduled = this.#schedule.midroll(stream, entry);
    // The viewer may join late, when the end of the break is already known.
    if (scheduled) this.#limit(stream, this.#open(stream, scheduled));
  }

  #open(stream: SegmentWindow, scheduled: ScheduledBreak): AdBreak {
    const { id: breakId, placement, startMs, splice } = scheduled;
    const showings = this.#showingsOf(stream, scheduled);
    const last = showings.at(-1);
    const id = `b${Math.round(startMs).toString(36)}`;
    const durationMs = last ? last.startMs + clipMs(last.clip, last.count) - startMs : 0;
    const media = new BreakWindow(id, showings);
    const opened = { id, breakId, placement, startMs, durationMs, splice, showings, media, isDropped: false };
    this.#breaks.push(opened);
    this.#schedule.resumed(endOf(opened));
    return opened;
  }

  /**
   * Consecutive clips and the fill of a break. The clip at the end of the break is cut after its current segment, or
   * plays to its end.
   */
  #showingsOf(stream: SegmentWindow, scheduled: ScheduledBreak): Showing[] {
    const { id: breakId, placement, startMs, clips, splice } = scheduled;
    const untilMs = splice ? this.#schedule.endMs(stream, splice) : Infinity;
    const cycle = { clips, fill: splice && this.#schedule.fillOf(stream, scheduled), started: 0 };
    const showings: Showing[] = [];
    let atMs = startMs;
    while (atMs < untilMs - CUT_TOLERANCE_MS && showings.length < MAX_CLIPS) {
      const next = startNext(cycle, () => true);
      if (!next) break;
      const { clip } = next;
      const count = this.#countUntil({ ...next, startMs: atMs, count: segmentsOf(clip).length }, untilMs);
      showings.push({ breakId, placement, ...next, startMs: atMs, count, delivered: new DeliveredSegments() });
      atMs += clipMs(clip, count);
    }
    return showings;
  }

  /**
   * Number of segments of a clip that play in a break that ends at `endMs`: the segments that start before it, or all
   * segments if the clip plays to its end.
   */
  #countUntil(
    { clip, isSlate, startMs, count }: Pick<Showing, 'clip' | 'isSlate' | 'startMs' | 'count'>,
    endMs: number,
  ): number {
    let shown = count;
    if (!this.#schedule.playsToEnd(isSlate))
      while (shown > 1 && startMs + clipMs(clip, shown - 1) >= endMs - CUT_TOLERANCE_MS) shown--;
    return shown;
  }

  /** Sets the limit of a break that ends earlier than its media, and drops a break whose remaining files were deleted. */
  #limit(stream: SegmentWindow, one: AdBreak): void {
    const { splice, startMs, durationMs, showings, placement, breakId } = one;
    if (one.isDropped || endOf(one) < this.#fromMs) return;
    const checkedMs = Math.round(Math.min(this.#edgeMs, endOf(one)));
    const isRetained = ({ clip, count, delivered, startMs: atMs }: Showing): boolean =>
      delivered.count >= count ||
      atMs >= endOf(one) ||
      this.#schedule.keeps(clip, { placement, id: breakId }, checkedMs);
    if (!showings.every(isRetained)) {
      one.isDropped = true;
      return;
    }
    if (!splice || one.limitMs !== undefined) return;
    const endMs = this.#schedule.endMs(stream, splice);
    const lastMs = this.#shownEndMs(one, endMs);
    if (lastMs >= startMs + durationMs - CUT_TOLERANCE_MS) return;
    // A cancelled break ends at the current position of the stream.
    one.limitMs = Math.max(0, (endMs > startMs ? lastMs : this.#edgeMs) - startMs);
  }

  /** End of a break for the viewer: the end of the segment, or of the clip, that is playing at `endMs`. */
  #shownEndMs({ showings }: AdBreak, endMs: number): number {
    const shown = showings.findLast(({ startMs }) => startMs < endMs - CUT_TOLERANCE_MS);
    return shown ? shown.startMs + clipMs(shown.clip, this.#countUntil(shown, endMs)) : endMs;
  }
}

/** End of a break for the viewer. */
function endOf({ startMs, durationMs, limitMs = Infinity }: WindowInterstitial): number {
  return startMs + Math.min(durationMs, limitMs);
}

/** Segment that players start with; undefined before one is complete. */
function playerStart({ partMs }: SegmentWindow, segments: readonly WindowSegment[]): WindowSegment | undefined {
  const complete = segments.filter(({ segment }) => segment.isComplete);
  return complete[Math.max(0, complete.length - (partMs > 0 ? 1 : START_SEGMENTS))];
}
