import { keepNewest } from '../lib/limits/newest.ts';
import type { ProblemStatus } from './messages.ts';

/** Kinds of fault that are remembered; the oldest is forgotten first. */
const MAX_KINDS = 10;

const CLOCK: ReadonlySet<string> = new Set(['ts_pcr_late', 'ts_pcr_jump']);

/** Faults of one sort. */
interface ProblemCount {
  /** How often they came so far. */
  readonly count: number;
  /** When the newest came, epoch milliseconds; 0 for never. */
  readonly lastMs: number;
}

const NONE: ProblemCount = { count: 0, lastMs: 0 };

/** The faults of one stream: each code once, with its last words and how often it came. */
export class ProblemLog {
  /** All faults. Those of a clock cost no picture, and are counted apart. */
  total = NONE;
  /** Places where packets of a transport stream are missing. */
  continuity = NONE;
  /** Clock references of a transport stream that were late or jumped. */
  clock = NONE;
  readonly #byCode = new Map<string, ProblemStatus>();

  /** Counts one fault. @param nowMs epoch milliseconds */
  add(code: string, detail: string, nowMs: number): void {
    const oneMore = ({ count }: ProblemCount): ProblemCount => ({ count: count + 1, lastMs: nowMs });
    if (CLOCK.has(code)) this.clock = oneMore(this.clock);
    else this.total = oneMore(this.total);
    if (code === 'ts_continuity') this.continuity = oneMore(this.continuity);
    const known = this.#byCode.get(code);
    this.#byCode.delete(code);
    this.#byCode.set(code, { code, detail, at: nowMs, count: (known?.count ?? 0) + 1 });
    keepNewest(this.#byCode, MAX_KINDS);
  }

  /** Newest first. */
  list(): ProblemStatus[] {
    return [...this.#byCode.values()].reverse();
  }
}
