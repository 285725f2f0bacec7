/**
 * Limits how many file threads of the process archives may occupy. A hanging disk blocks one thread, and several
 * hanging disks must leave threads to the server.
 */
export class PoolShare {
  readonly #max: number;
  readonly #waiting: (() => void)[] = [];
  #inUse = 0;

  /** @param max maximum concurrent operations; default: half of the pool (`UV_THREADPOOL_SIZE`) */
  constructor(max = Math.max(2, Math.floor((Number(process.env['UV_THREADPOOL_SIZE']) || 4) / 2))) {
    this.#max = max;
  }

  /** Runs work when a thread is free, in order of request. Throws errors of the work. */
  async use<T>(work: () => Promise<T>): Promise<T> {
    if (this.#inUse >= this.#max) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#inUse++;
    try {
      return await work();
    } finally {
      // The next operation uses the same thread.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#inUse--;
    }
  }
}
