import { FairTurns } from './fair-turns.ts';

interface Waiting {
  readonly who: string;
  readonly go: () => void;
}

/**
 * Limits work to a number of concurrent tasks (places). Callers take turns, so many tasks of one caller do not delay the
 * single task of another. A caller without a running task has precedence. If there are several places, one caller never has
 * all of them.
 */
export class WorkTurns {
  readonly #limit: number;
  readonly #waiting = new FairTurns<Waiting>();
  /** Places that each caller has. */
  readonly #taken = new Map<string, number>();
  #count = 0;

  /** @param limit number of places */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Number of tasks that wait. */
  get waitingCount(): number {
    return this.#waiting.size;
  }

  /** Runs a task when its turn comes. */
  async run<T>(who: string, task: () => Promise<T>): Promise<T> {
    const end = await this.take(who);
    try {
      return await task();
    } finally {
      end();
    }
  }

  /** Waits for a place. Resolves with the function that releases it; rejects with the reason of the signal. */
  async take(who: string, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.remove(who, waiting);
        reject(signal?.reason as Error);
      };
      const waiting: Waiting = {
        who,
        go: () => {
          signal?.removeEventListener('abort', leave);
          resolve(this.#enter(who));
        },
      };
      signal?.addEventListener('abort', leave, { once: true });
      this.#waiting.add(who, waiting);
      this.#next();
    });
  }

  #enter(who: string): () => void {
    this.#count++;
    this.#taken.set(who, (this.#taken.get(who) ?? 0) + 1);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#count--;
      const left = (this.#taken.get(who) ?? 1) - 1;
      if (left > 0) this.#taken.set(who, left);
      else this.#taken.delete(who);
      this.#next();
    };
  }

  #next(): void {
    while (this.#count < this.#limit) {
      const next =
        this.#waiting.take((who) => !this.#taken.has(who)) ??
        this.#waiting.take((who) => (this.#taken.get(who) ?? 0) < Math.max(1, this.#limit - 1));
      if (!next) return;
      next.go();
    }
  }
}
