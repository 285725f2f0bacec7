/** The part of the process's pool for files that archives may hold: a disk that hangs holds one thread, and many of them must leave the server the others. */
export class PoolShare {
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];
  #inUse = 0;

  /** @param most operations at the same time; default half of the pool (`UV_THREADPOOL_SIZE`) */
  constructor(most = Math.max(2, Math.floor((Number(process.env['UV_THREADPOOL_SIZE']) || 4) / 2))) {
    this.#most = most;
  }

  /** Does work when a thread is free for it, in the order of asking. Raises what the work raises. */
  async use<T>(work: () => Promise<T>): Promise<T> {
    if (this.#inUse >= this.#most) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#inUse++;
    try {
      return await work();
    } finally {
      // What waits takes the place over.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#inUse--;
    }
  }
}
