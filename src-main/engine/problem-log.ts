import { keepNewest } from '../lib/limits/newest.ts';
import type { FormatProblem } from '../media/access-unit.ts';
import type { ProblemStatus } from './messages.ts';

/** Maximum number of fault codes in the log. If there are more, the oldest is removed. */
const MAX_KINDS = 10;

const CLOCK: ReadonlySet<string> = new Set(['ts_pcr_late', 'ts_pcr_jump']);

/** Counter of faults of one kind. */
interface ProblemCount {
  /** Number of faults since the start of the run. */
  readonly count: number;
  /** Time of the newest fault, in epoch milliseconds; 0 if there was none. */
  readonly lastMs: number;
}

const NONE: ProblemCount = { count: 0, lastMs: 0 };

/** Faults of one stream, one entry per code with the last sentence and the number of faults. */
export class ProblemLog {
  /** All faults except those of clock references, which lose no pictures and are counted separately. */
  total = NONE;
  /** Missing packets of a transport stream. */
  continuity = NONE;
  /** Late or jumping clock references of a transport stream. */
  clock = NONE;
  readonly #byCode = new Map<string, ProblemStatus>();

  /**
   * Counts one fault.
   * @param nowMs epoch milliseconds
   */
  add({ code, detail, explanation }: FormatProblem, nowMs: number): void {
    const oneMore = ({ count }: ProblemCount): ProblemCount => ({ count: count + 1, lastMs: nowMs });
    if (CLOCK.has(code)) this.clock = oneMore(this.clock);
    else this.total = oneMore(this.total);
    if (code === 'ts_continuity') this.continuity = oneMore(this.continuity);
    const earlier = this.#byCode.get(code);
    this.#byCode.delete(code);
    this.#byCode.set(code, { code, detail, explanation, at: nowMs, count: (earlier?.count ?? 0) + 1 });
    keepNewest(this.#byCode, MAX_KINDS);
  }

  /** Entries, newest first. */
  list(): ProblemStatus[] {
    return [...this.#byCode.values()].reverse();
  }
}
