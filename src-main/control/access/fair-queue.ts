import { AirdeskError } from '../../../src-preload/contract/errors.ts';

interface Waiting {
  readonly start: () => void;
}

/** How many may wait, over all. */
const MAX_WAITING = 256;

/** Lets one task run at a time, and those who ask take turns: who brings many tasks does not hold up who brings one. */
export class FairQueue {
  readonly #waiting = new Map<string, Waiting[]>();
  #count = 0;
  #isBusy = false;

  /** Runs a task when its turn comes. Raises `too_many_attempts` where too many wait already. @param who takes turns with others */
  async run<T>(who: string, task: () => Promise<T>): Promise<T> {
    if (this.#isBusy) await this.#wait(who);
    this.#isBusy = true;
    try {
      return await task();
    } finally {
      this.#isBusy = false;
      this.#next();
    }
  }

  #wait(who: string): Promise<void> {
    if (this.#count >= MAX_WAITING)
      throw new AirdeskError('too_many_attempts', 'Too many logins are being checked', { retry_after: 5 });
    this.#count++;
    return new Promise((resolve) => {
      const own = this.#waiting.get(who);
      const waiting = { start: resolve };
      if (own) own.push(waiting);
      else this.#waiting.set(who, [waiting]);
    });
  }

  #next(): void {
    for (const [who, [first, ...rest]] of this.#waiting) {
      // Whoever still waits goes to the end.
      this.#waiting.delete(who);
      if (rest.length > 0) this.#waiting.set(who, rest);
      if (!first) continue;
      this.#count--;
      this.#isBusy = true;
      first.start();
      return;
    }
  }
}
