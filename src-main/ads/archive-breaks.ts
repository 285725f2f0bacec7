import type { StreamOutput } from '../delivery/stream-output.ts';
import { newestOf } from '../lib/limits/newest.ts';
import type { AdDecision } from './decision/ad-decision.ts';
import { AdOutput, type AdOutputOptions } from './ad-output.ts';
import type { ClipSource, Skip } from './clips/clip.ts';
import { CachedWindow } from './placement/cached-window.ts';
import { InPlacePlan } from './placement/in-place/in-place-plan.ts';
import { InPlaceWindow } from './placement/in-place/in-place-window.ts';
import { type Showing, DeliveredSegments } from './proof/showing.ts';

/** Opens the recording of a stream in a time range, in epoch milliseconds; undefined if nothing was recorded. */
export type Recording = (fromMs: number, toMs: number) => Promise<StreamOutput | undefined>;

/** A segment of an archive. */
export interface ArchivedSegment {
  /** Start in epoch milliseconds, which is also its address. */
  readonly startMs: number;
  /** Track; undefined for all tracks. */
  readonly trackId?: string;
}

interface ArchiveBreaksOptions extends Pick<AdOutputOptions, 'delivered' | 'unreadable'> {
  readonly clips: ClipSource;
}

/**
 * Maximum length of a break, including the wait for its end, in milliseconds. For a requested segment, the recording
 * is read from this long before the segment.
 */
const LONGEST_BREAK_MS = 660_000;
/** Time that a recording is read ahead, and the minimum remaining part of it before it is read again, in milliseconds. */
const AHEAD_MS = 360_000;
const MIN_AHEAD_MS = 30_000;
const MINUTE_MS = 60_000;
/** Maximum number of showings whose delivered segments are stored; the oldest are dropped. */
const MAX_SHOWINGS = 300;

/**
 * Breaks of an archive for one viewer, from the recorded splice points, with the clips inside the segments. The
 * result does not depend on the viewer's path through the archive. Playlists equal those of the archive; only
 * segments differ.
 */
export class ArchiveBreaks {
  readonly #decision: AdDecision;
  readonly #options: ArchiveBreaksOptions;
  readonly #delivered = new Map<string, DeliveredSegments>();
  #around: StreamOutput | undefined;
  #fromMs = 0;
  #toMs = 0;
  #plan: InPlacePlan | undefined;

  constructor(decision: AdDecision, options: ArchiveBreaksOptions) {
    this.#decision = { ...decision, form: 'in_place', prerolls: [] };
    this.#options = options;
  }

  /** Showings near the last requested segment with a delivered segment. */
  get showings(): readonly Showing[] {
    return (this.#plan?.showings ?? []).filter(({ delivered }) => delivered.count > 0);
  }

  /** Skips near the last requested segment. */
  get skips(): readonly Skip[] {
    return this.#plan?.skips ?? [];
  }

  /** Output for a segment; undefined outside breaks. Throws if the archive cannot be read. */
  async outputFor({ startMs, trackId }: ArchivedSegment, open: Recording): Promise<AdOutput | undefined> {
    if (startMs - LONGEST_BREAK_MS < this.#fromMs || startMs + MIN_AHEAD_MS > this.#toMs) {
      this.#fromMs = Math.floor((startMs - LONGEST_BREAK_MS) / MINUTE_MS) * MINUTE_MS;
      this.#toMs = this.#fromMs + LONGEST_BREAK_MS + MINUTE_MS + AHEAD_MS;
      this.#around = undefined;
    }
    const around = await open(this.#fromMs, this.#toMs);
    if (around !== this.#around || !this.#plan) {
      this.#around = around;
      this.#plan = new InPlacePlan(this.#decision, this.#options.clips, {
        deliveredOf: this.#deliveredOf,
        maxShowings: MAX_SHOWINGS,
      });
    }
    const window = around?.window;
    const leader = window?.tracks[0]?.track.id;
    if (!around || !window || leader === undefined) return undefined;
    const plan = this.#plan;
    plan.advance(window);
    const msn = window.segmentByAddress(trackId ?? leader, String(startMs))?.msn;
    if (msn === undefined || plan.stateOf(msn) === undefined) return undefined;
    const cached = await CachedWindow.of(window, msn, trackId);
    const { delivered, unreadable } = this.#options;
    return new AdOutput({ live: around, plan, window: new InPlaceWindow(cached, plan), delivered, unreadable });
  }

  /**
   * Segments of an earlier showing of the same break that were delivered, so that a break that is seen again counts
   * once.
   */
  readonly #deliveredOf = (breakId: string, startMs: number): DeliveredSegments =>
    newestOf(this.#delivered, `${breakId} ${startMs}`, MAX_SHOWINGS, () => new DeliveredSegments());
}
