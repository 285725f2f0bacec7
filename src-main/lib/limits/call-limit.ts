export interface CallLimitOptions {
  /** Maximum number of running tasks. */
  readonly atOnce: number;
  /** Maximum number of waiting tasks; more are refused. */
  readonly waiting: number;
}

/**
 * Runs a limited number of tasks at the same time and queues some more. Each task starts in a separate turn of the event
 * loop, so that other work runs between them.
 */
export class CallLimit {
  readonly #options: CallLimitOptions;
  readonly #waiting: (() => Promise<void>)[] = [];
  #running = 0;
  #refused = 0;
  #isStarting = false;

  constructor(options: CallLimitOptions) {
    this.#options = options;
  }

  /** Number of refused tasks. */
  get refused(): number {
    return this.#refused;
  }

  /** Runs a task when its turn comes; returns false, without running it, if too many wait. A task must not reject. */
  take(task: () => Promise<void>): boolean {
    if (this.#waiting.length >= this.#options.waiting) {
      this.#refused++;
      return false;
    }
    this.#waiting.push(task);
    this.#startNext();
    return true;
  }

  /** Drops the waiting tasks; running tasks continue. */
  clear(): void {
    this.#waiting.length = 0;
  }

  #startNext(): void {
    if (this.#isStarting || this.#waiting.length === 0 || this.#running >= this.#options.atOnce) return;
    this.#isStarting = true;
    setImmediate(() => {
      this.#isStarting = false;
      const task = this.#waiting.shift();
      if (task) {
        this.#running++;
        void task().finally(() => {
          this.#running--;
          this.#startNext();
        });
      }
      this.#startNext();
    });
  }
}
