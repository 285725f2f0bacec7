import type { SegmentWindow, WindowInterstitial, WindowSegment, WindowSplice } from '../segment/segment-window.ts';
import { intervalOf, type AdDecision } from './ad-decision.ts';
import { BreakWindow } from './break-window.ts';
import { ClipChoice, type Fill } from './clip-choice.ts';
import { startNext } from './clip-cycle.ts';
import { differences } from './clip-fit.ts';
import { breakIdOf, clipMs, segmentsOf, type Clip, type ClipSource, type Showing, type Skip } from './clip.ts';
import { DeliveredSegments } from './delivered-segments.ts';
import { CUT_TOLERANCE_MS, spliceBreakAt, spliceBreakEnd } from './splice-breaks.ts';

/** A break as an interstitial. */
interface AdBreak extends WindowInterstitial {
  /** Id of the break within the stream. */
  readonly breakId: string;
  readonly splice: WindowSplice | undefined;
  readonly showings: readonly Showing[];
  readonly media: BreakWindow;
  limitMs?: number;
  /** True if playlists no longer list it, because one of its files is gone. */
  isDropped: boolean;
}

/**
 * Number of complete segments that a player starts with; one if there are parts, because players then start near the
 * live edge.
 */
const START_SEGMENTS = 3;
/** Maximum number of clips in a break. */
const MAX_CLIPS = 100;
/** Time that a break can still be loaded after it left the window of the stream, in milliseconds. */
const KEPT_MS = 60_000;

/**
 * Playout plan of one viewer whose player inserts the clips (HLS interstitials). A break starts with a segment of the
 * stream and is announced when that segment has started: with a start inside a segment, players would play across it
 * with a gap. The clips are fixed at the announcement, for the longest possible break. If the break ends earlier, a
 * limit is announced.
 */
export class InterstitialPlan {
  #decision: AdDecision;
  readonly #choice: ClipChoice;
  #breaks: AdBreak[] = [];
  /** Media sequence number of the next segment of the stream to plan. */
  #nextMsn = -1;
  #nextBreakMs = Infinity;
  /** Splice points up to this time are handled, in milliseconds. */
  #splicedMs = -Infinity;
  #fromMs = 0;
  #edgeMs = 0;

  /** @param skipped called when a clip or a break is left out */
  constructor(decision: AdDecision, clips: ClipSource, skipped?: (skip: Skip) => void) {
    this.#decision = decision;
    this.#choice = new ClipChoice(clips, differences, skipped);
  }

  /** Skipped clips and breaks, oldest first. */
  get skips(): readonly Skip[] {
    return this.#choice.skips;
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
    const isOther = decision.insertBy !== this.#decision.insertBy || decision.intervalMs !== this.#decision.intervalMs;
    this.#decision = decision;
    if (isOther) this.#nextBreakMs = this.#edgeMs + intervalOf(decision);
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
    // The viewer was away for longer than the window lasts.
    else if (first.msn > this.#nextMsn) this.#nextMsn = start.msn;
    for (const one of this.#breaks) this.#limit(stream, one);
    for (const entry of segments) {
      if (entry.msn < this.#nextMsn) continue;
      this.#nextMsn = entry.msn + 1;
      if (entry.startMs >= this.#freeMs - CUT_TOLERANCE_MS) this.#openBreak(stream, entry);
    }
    this.#breaks = this.#breaks.filter((one) => endOf(one) + KEPT_MS >= this.#fromMs);
  }

  #start(stream: SegmentWindow, { msn, startMs }: WindowSegment): void {
    this.#nextMsn = msn;
    this.#open(stream, 'preroll', this.#decision.prerolls, breakIdOf('preroll', startMs), startMs);
    this.#nextBreakMs = Math.max(startMs, this.#freeMs) + intervalOf(this.#decision);
  }

  /** End of the last break. */
  get #freeMs(): number {
    return Math.max(0, ...this.#breaks.map(endOf));
  }

  #openBreak(stream: SegmentWindow, entry: WindowSegment): void {
    const { insertBy, midrolls } = this.#decision;
    const { startMs } = entry;
    if (midrolls.length === 0) return;
    if (insertBy === 'interval') {
      if (startMs < this.#nextBreakMs) return;
      const opened = this.#open(stream, 'midroll', midrolls, breakIdOf('interval', startMs), startMs);
      this.#nextBreakMs = (opened ? endOf(opened) : startMs) + intervalOf(this.#decision);
      return;
    }
    const splice = spliceBreakAt(stream, entry, this.#splicedMs);
    if (!splice) return;
    this.#splicedMs = splice.atMs;
    const opened = this.#open(stream, 'midroll', midrolls, breakIdOf('splice', splice.atMs), startMs, splice);
    // The viewer may join late, when the end of the break is already known.
    if (opened) this.#limit(stream, opened);
  }

  #open(
    stream: SegmentWindow,
    placement: Showing['placement'],
    paths: readonly string[],
    breakId: string,
    startMs: number,
    splice?: WindowSplice,
  ): AdBreak | undefined {
    const place = { placement, breakId, atMs: startMs };
    const clips = this.#choice.fitting(stream, paths, place);
    if (clips.length === 0) return undefined;
    const fill = splice && this.#choice.fillFor(stream, this.#decision.rules, clips, place);
    const untilMs = splice ? spliceBreakEnd(stream, splice) : Infinity;
    const showings = this.#showingsOf(clips, fill, { placement, breakId, startMs }, untilMs);
    const last = showings.at(-1);
    if (!last) return undefined;
    const id = `b${Math.round(startMs).toString(36)}`;
    const durationMs = last.startMs + clipMs(last.clip, last.count) - startMs;
    const media = new BreakWindow(id, showings);
    const opened = { id, breakId, placement, startMs, durationMs, splice, showings, media, isDropped: false };
    this.#breaks.push(opened);
    return opened;
  }

  /**
   * Consecutive clips and the fill of a break. The clip at the end of the break is cut after its current segment, or
   * plays to its end.
   */
  #showingsOf(
    clips: readonly Clip[],
    fill: Fill | undefined,
    { startMs, ...place }: Pick<Showing, 'placement' | 'breakId' | 'startMs'>,
    untilMs: number,
  ): Showing[] {
    const showings: Showing[] = [];
    const cycle = { clips, fill, started: 0 };
    let atMs = startMs;
    while (atMs < untilMs - CUT_TOLERANCE_MS && showings.length < MAX_CLIPS) {
      const next = startNext(cycle, () => true);
      if (!next) break;
      const { clip } = next;
      const count = this.#countUntil({ ...next, startMs: atMs, count: segmentsOf(clip).length }, untilMs);
      showings.push({ ...place, ...next, startMs: atMs, count, delivered: new DeliveredSegments() });
      atMs += clipMs(clip, count);
    }
    return showings;
  }

  /**
   * Number of segments of a clip that play in a break that ends at `endMs`: those that have started by then, or all of
   * them.
   */
  #countUntil(
    { clip, isSlate, startMs, count }: Pick<Showing, 'clip' | 'isSlate' | 'startMs' | 'count'>,
    endMs: number,
  ): number {
    let shown = count;
    if (this.#decision.rules.overrun === 'cut' || isSlate)
      while (shown > 1 && startMs + clipMs(clip, shown - 1) >= endMs - CUT_TOLERANCE_MS) shown--;
    return shown;
  }

  /** Sets the limit of a break that ends earlier than its media. */
  #limit(stream: SegmentWindow, one: AdBreak): void {
    const { splice, startMs, durationMs, showings, placement, breakId } = one;
    if (one.isDropped || endOf(one) < this.#fromMs) return;
    const place = { placement, breakId, atMs: Math.round(Math.min(this.#edgeMs, endOf(one))) };
    const isRetained = ({ clip, count, delivered, startMs: atMs }: Showing): boolean =>
      delivered.count >= count || atMs >= endOf(one) || this.#choice.keeps(clip, place);
    if (!showings.every(isRetained)) {
      one.isDropped = true;
      return;
    }
    if (!splice || one.limitMs !== undefined) return;
    const endMs = spliceBreakEnd(stream, splice);
    const lastMs = this.#lastMs(one, endMs);
    if (lastMs >= startMs + durationMs - CUT_TOLERANCE_MS) return;
    // A cancelled break ends at the current position of the stream.
    one.limitMs = Math.max(0, (endMs > startMs ? lastMs : this.#edgeMs) - startMs);
  }

  /** End of a break for the viewer: the end of the segment, or of the clip, that is playing at `endMs`. */
  #lastMs({ showings }: AdBreak, endMs: number): number {
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
