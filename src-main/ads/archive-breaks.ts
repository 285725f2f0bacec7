import type { StreamOutput } from '../delivery/stream-output.ts';
import { newestOf } from '../lib/limits/newest.ts';
import type { AdDecision } from './ad-decision.ts';
import { AdOutput, type AdOutputOptions } from './ad-output.ts';
import type { Showing, Skip } from './clip.ts';
import { DeliveredSegments } from './delivered-segments.ts';
import { HeldWindow } from './held-window.ts';
import { SlotPlan } from './slot-plan.ts';

/** What was recorded of a stream from one time up to another, in epoch milliseconds; undefined where nothing was. */
export type Recording = (fromMs: number, toMs: number) => Promise<StreamOutput | undefined>;

/** A segment of an archive. */
export interface ArchivedSegment {
  /** Its start, which is its address. */
  readonly startMs: number;
  /** Of all tracks without it. */
  readonly trackId?: string;
}

/** What breaks of archives are shown with. */
type ArchiveBreaksOptions = Pick<AdOutputOptions, 'clips' | 'delivered' | 'unreadable'>;

/** A break is no longer, with what it may wait for its end, in milliseconds: what has a segment in it is known from so long before. */
const LONGEST_BREAK_MS = 660_000;
/** How far a recording is looked at ahead, in milliseconds, and how much of that has to be left. */
const AHEAD_MS = 360_000;
const LEAST_AHEAD_MS = 30_000;
const MINUTE_MS = 60_000;
/** Showings of which it is kept what was delivered, the newest ones. */
const MOST_SHOWINGS = 300;

/**
 * The breaks of an archive for one viewer: by the splice points that were recorded, with the clips inside the segments, and always the same however the
 * viewer came there. Playlists are those of the archive: only segments are others.
 */
export class ArchiveBreaks {
  readonly #decision: AdDecision;
  readonly #options: ArchiveBreaksOptions;
  readonly #delivered = new Map<string, DeliveredSegments>();
  #around: StreamOutput | undefined;
  #fromMs = 0;
  #toMs = 0;
  #plan: SlotPlan | undefined;

  constructor(decision: AdDecision, options: ArchiveBreaksOptions) {
    this.#decision = { ...decision, form: 'inside', prerolls: [] };
    this.#options = options;
  }

  /** Clips of which something was delivered, and are near to what was asked for last. */
  get showings(): readonly Showing[] {
    return (this.#plan?.showings ?? []).filter(({ delivered }) => delivered.count > 0);
  }

  /** What was left out near to what was asked for last. */
  get skips(): readonly Skip[] {
    return this.#plan?.skips ?? [];
  }

  /** What a segment is served from; undefined where it is in no break. Raises what keeps the archive from being read. */
  async outputFor({ startMs, trackId }: ArchivedSegment, open: Recording): Promise<AdOutput | undefined> {
    if (startMs - LONGEST_BREAK_MS < this.#fromMs || startMs + LEAST_AHEAD_MS > this.#toMs) {
      this.#fromMs = Math.floor((startMs - LONGEST_BREAK_MS) / MINUTE_MS) * MINUTE_MS;
      this.#toMs = this.#fromMs + LONGEST_BREAK_MS + MINUTE_MS + AHEAD_MS;
      this.#around = undefined;
    }
    const around = await open(this.#fromMs, this.#toMs);
    if (around !== this.#around || !this.#plan) {
      this.#around = around;
      this.#plan = new SlotPlan(this.#decision, this.#options.clips, {
        ...{ deliveredOf: this.#deliveredOf, mostShowings: MOST_SHOWINGS },
      });
    }
    const window = around?.window;
    const leader = window?.tracks[0]?.track.id;
    if (!around || !window || leader === undefined) return undefined;
    const plan = this.#plan;
    plan.advance(window);
    const msn = window.segmentByAddress(trackId ?? leader, String(startMs))?.msn;
    if (msn === undefined || plan.slot(msn) === undefined) return undefined;
    const held = await HeldWindow.of(window, msn, trackId);
    return new AdOutput({ ...this.#options, live: around, decision: this.#decision, inside: { window: held, plan } });
  }

  /** What went of a showing before: a break that is seen again counts once. */
  readonly #deliveredOf = (breakId: string, startMs: number): DeliveredSegments =>
    newestOf(this.#delivered, `${breakId} ${startMs}`, MOST_SHOWINGS, () => new DeliveredSegments());
}
