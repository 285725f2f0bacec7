import { makeSpliceSection } from '../../media/scte35/made-splice.ts';
import type { InputSink } from '../input.ts';

const TICKS_PER_SECOND = 90_000;
const TICKS_PER_MS = TICKS_PER_SECOND / 1000;
/** Sections announce their splice point so long before it. */
const ANNOUNCED_TICKS = 4 * TICKS_PER_SECOND;
const LONGEST_BREAK_TICKS = 10 * TICKS_PER_SECOND;
const SOURCE_ID = 500;

/** When splice points come, and how the input's clock goes with UTC. */
export interface SpliceScheduleOptions {
  /** Splice points lie on the UTC seconds that are multiples of this: all test pictures break at the same time. */
  readonly everySeconds: number;
  /** This instant of UTC and these ticks of the input are the same. */
  readonly anchorMs: number;
  readonly anchorTicks: number;
}

/**
 * The splice points of a test picture: each starts a break (`splice_insert`, out of network, automatic return) that lasts
 * half the time to the next one, at most 10 s, and is announced 4 s (or half the time) before.
 */
export class SpliceSchedule {
  readonly #options: SpliceScheduleOptions;
  readonly #periodTicks: number;
  /** Number of the next splice point, counted from 1970. */
  #next: number;

  constructor(options: SpliceScheduleOptions) {
    this.#options = options;
    this.#periodTicks = options.everySeconds * TICKS_PER_SECOND;
    this.#next = Math.floor(options.anchorMs / 1000 / options.everySeconds) + 1;
  }

  /** Gives the sections that are due when the newest access unit was decoded at `nowTicks`. Points that a jump left behind are dropped. */
  advance(nowTicks: number, sink: Pick<InputSink, 'splice'>): void {
    const missed = Math.ceil((nowTicks - this.#pointTicks(this.#next)) / this.#periodTicks);
    if (missed > 0) this.#next += missed;
    const pointTicks = this.#pointTicks(this.#next);
    if (nowTicks < pointTicks - Math.min(ANNOUNCED_TICKS, this.#periodTicks / 2)) return;
    sink.splice({ sourceId: SOURCE_ID, section: this.#section(this.#next, pointTicks), atTicks: nowTicks });
    this.#next++;
  }

  #pointTicks(point: number): number {
    const { everySeconds, anchorMs, anchorTicks } = this.#options;
    return anchorTicks + (point * everySeconds * 1000 - anchorMs) * TICKS_PER_MS;
  }

  #section(point: number, pointTicks: number): Uint8Array {
    const durationMs = Math.min(this.#periodTicks / 2, LONGEST_BREAK_TICKS) / TICKS_PER_MS;
    return makeSpliceSection({ eventId: point % 2 ** 31, isOut: true, durationMs, ptsTicks: pointTicks });
  }
}
