import type { ProblemStatus } from './messages.ts';

/** Kinds of fault that are remembered; the oldest is forgotten first. */
const MAX_KINDS = 10;

/** The faults of one stream: each code once, with its last words and how often it came. */
export class ProblemLog {
  /** All faults so far. */
  total = 0;
  readonly #byCode = new Map<string, ProblemStatus>();

  /** Counts one fault. @param nowMs epoch milliseconds */
  add(code: string, detail: string, nowMs: number): void {
    this.total++;
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
