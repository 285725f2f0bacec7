import type { InputSink } from '../input.ts';
import { SPLICE_KINDS, splicesOf, type SpliceKind } from './splice-script.ts';

const TICKS_PER_SECOND = 90_000;
const TICKS_PER_MS = TICKS_PER_SECOND / 1000;
/** Maximum notice of a section before its splice point. */
const MAX_NOTICE_TICKS = 4 * TICKS_PER_SECOND;
const MAX_BREAK_TICKS = 10 * TICKS_PER_SECOND;
/** Source id of the sections. Any number will do, because there is no packet identifier. */
const SOURCE_ID = 500;

/** Times of splice points, and the relation of the input's clock to UTC. */
export interface SpliceScheduleOptions {
  /** Interval of splice points in seconds of UTC: they are at its multiples, so that all test pictures break at the same time. */
  readonly everySeconds: number;
  /** Kind of their marks; `all` for each kind in turn. Default: breaks with automatic return. */
  readonly kind?: SpliceKind | 'all';
  /** UTC that corresponds to `anchorTicks` of the input, in epoch milliseconds. */
  readonly anchorMs: number;
  readonly anchorTicks: number;
}

/**
 * Splice points of a test picture: each starts a break that lasts half the time to the next one, at most 10 s, and is
 * announced 4 s (or half the time to the next one) before it, unless its kind requires another time.
 */
export class SpliceSchedule {
  readonly #options: SpliceScheduleOptions;
  readonly #periodTicks: number;
  /** Number of the next splice point: its epoch seconds divided by the interval. */
  #next: number;
  /** Sections waiting for their time. */
  #due: { readonly atTicks: number; readonly section: Uint8Array }[] = [];

  constructor(options: SpliceScheduleOptions) {
    this.#options = options;
    this.#periodTicks = options.everySeconds * TICKS_PER_SECOND;
    this.#next = Math.floor(options.anchorMs / 1000 / options.everySeconds) + 1;
  }

  /**
   * Emits the sections that are due when the newest access unit was decoded at `nowTicks`. Points skipped by a jump are dropped.
   */
  advance(nowTicks: number, sink: Pick<InputSink, 'splice'>): void {
    const missed = Math.ceil((nowTicks - this.#pointTicks(this.#next)) / this.#periodTicks);
    if (missed > 0) [this.#next, this.#due] = [this.#next + missed, []];
    const pointTicks = this.#pointTicks(this.#next);
    if (nowTicks >= pointTicks - this.#noticeTicks) this.#startBreak(this.#next++, pointTicks);
    const isDue = ({ atTicks }: { readonly atTicks: number }): boolean => atTicks <= nowTicks;
    for (const { section } of this.#due.filter(isDue)) sink.splice({ sourceId: SOURCE_ID, section, atTicks: nowTicks });
    this.#due = this.#due.filter((one) => !isDue(one));
  }

  get #noticeTicks(): number {
    return Math.min(MAX_NOTICE_TICKS, this.#periodTicks / 2);
  }

  #startBreak(point: number, pointTicks: number): void {
    const { kind = 'return' } = this.#options;
    const splices = splicesOf({
      kind: kind === 'all' ? (SPLICE_KINDS[point % SPLICE_KINDS.length] as SpliceKind) : kind,
      eventId: point % 2 ** 30,
      pointTicks,
      lengthTicks: Math.min(this.#periodTicks / 2, MAX_BREAK_TICKS),
      noticeTicks: this.#noticeTicks,
    });
    this.#due.push(...splices.map(({ afterTicks, section }) => ({ atTicks: pointTicks + afterTicks, section })));
  }

  #pointTicks(point: number): number {
    const { everySeconds, anchorMs, anchorTicks } = this.#options;
    return anchorTicks + (point * everySeconds * 1000 - anchorMs) * TICKS_PER_MS;
  }
}
