import type { ProblemStatus } from './messages.ts';

/** Kinds of fault that are remembered; the oldest is forgotten first. */
const MAX_KINDS = 10;

const CLOCK: ReadonlySet<string> = new Set(['ts_pcr_late', 'ts_pcr_jump']);

/** The faults of one stream: each code once, with its last words and how often it came. */
export class ProblemLog {
  /** All faults so far. Those of a clock cost no picture, and are counted apart. */
  total = 0;
  /** Places so far where packets of a transport stream are missing. */
  continuity = 0;
  /** Clock references of a transport stream so far that were late or jumped. */
  clock = 0;
  readonly #byCode = new Map<string, ProblemStatus>();

  /** Counts one fault. @param nowMs epoch milliseconds */
  add(code: string, detail: string, nowMs: number): void {
    if (CLOCK.has(code)) this.clock++;
    else this.total++;
    if (code === 'ts_continuity') this.continuity++;
    const known = this.#byCode.get(code);
    this.#byCode.delete(code);
    this.#byCode.set(code, { code, detail, at: nowMs, count: (known?.count ?? 0) + 1 });
    if (this.#byCode.size > MAX_KINDS) this.#byCode.delete(this.#byCode.keys().next().value ?? '');
  }

  /** Newest first. */
  list(): ProblemStatus[] {
    return [...this.#byCode.values()].reverse();
  }
}
