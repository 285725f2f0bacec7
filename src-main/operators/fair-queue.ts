import { AirdeskError } from '../../src-preload/contract/errors.ts';
import { FairTurns } from '../lib/fair-turns.ts';

/** How many may wait, over all. */
const MAX_WAITING = 256;

/** Runs one task at a time. Callers take turns: many tasks of one caller do not hold up the single task of another. */
export class FairQueue {
  readonly #waiting = new FairTurns<() => void>();
  #isBusy = false;

  /** Runs a task when its turn comes. Raises `too_many_attempts` where too many wait already. @param who the caller, which takes turns with others */
  async run<T>(who: string, task: () => Promise<T>): Promise<T> {
    if (this.#isBusy) await this.#wait(who);
    this.#isBusy = true;
    try {
      return await task();
    } finally {
      const next = this.#waiting.take();
      this.#isBusy = next !== undefined;
      next?.();
    }
  }

  #wait(who: string): Promise<void> {
    if (this.#waiting.size >= MAX_WAITING)
      throw new AirdeskError('too_many_attempts', 'Too many logins are being checked', { retry_after: 5 });
    return new Promise((resolve) => {
      this.#waiting.add(who, resolve);
    });
  }
}
