import type { FailoverInput } from './failover-input.ts';

/** How long a better input must give steady frames before the output returns to it, in milliseconds. */
const RETURN_MS = 10_000;
/** How long the output may be without frames before any good input will do, in milliseconds, after its time-out. */
const STARVING_MS = 2000;

/** The inputs of a stream from the best to the worst: a chosen one first, then by priority, then as configured. */
export class InputOrder {
  readonly #byPriority: readonly FailoverInput[];
  #list: readonly FailoverInput[];

  constructor(inputs: readonly { readonly input: FailoverInput; readonly priority: number }[]) {
    this.#byPriority = [...inputs].sort((a, b) => a.priority - b.priority).map(({ input }) => input);
    this.#list = this.#byPriority;
  }

  get list(): readonly FailoverInput[] {
    return this.#list;
  }

  prefer(chosen: FailoverInput | undefined): void {
    this.#list = chosen ? [chosen, ...this.#byPriority.filter((input) => input !== chosen)] : this.#byPriority;
  }

  isBefore(a: FailoverInput, b: FailoverInput): boolean {
    return this.#list.indexOf(a) < this.#list.indexOf(b);
  }

  /** The best input that gives frames. */
  best(nowMs: number): FailoverInput | undefined {
    return this.#list.find((input) => input.isGood(nowMs));
  }
}

/** What else the decision about an input depends on. */
export interface Contest {
  /** The input on air, or the last that was. */
  readonly active:
    { readonly input: FailoverInput; readonly isBackup: boolean; readonly isOutranked: boolean } | undefined;
  /** Whether no better input gives frames. */
  readonly isBest: boolean;
  /** Whether it was selected just now. */
  readonly isChosen: boolean;
}

/**
 * Whether an input goes on air now, with a random access point of it at hand.
 *
 * - While nothing is on air, or what is on air gives no frames: the best that does; after two seconds any that does.
 * - A better one when it has been steady for ten seconds. An encoder that came by itself, and any input after the backup
 *   file, need not wait, unless they were lost twice within a minute.
 * - A selected one at once.
 */
export function mayTakeOver(input: FailoverInput, { active, isBest, isChosen }: Contest, nowMs: number): boolean {
  if (!active || isChosen) return true;
  if (!active.input.isGood(nowMs))
    return isBest || nowMs - active.input.lastUnitMs > active.input.spec.framesTimeoutMs + STARVING_MS;
  if (!active.isOutranked) return false;
  const isWelcome = (active.isBackup || !input.spec.make) && !input.isUnsteady(nowMs);
  return isWelcome || input.goodForMs(nowMs) >= RETURN_MS;
}
