/** What a `CallLimit` holds back, and what it counts. */
export interface CallLimitOptions {
  /** How many tasks run at the same time. */
  readonly atOnce: number;
  /** How many more wait for their turn; beyond that a task is refused. */
  readonly waiting: number;
}

/** Lets few tasks run at once and some wait. Each starts in a turn of its own of the event loop, so that others get theirs in between. */
export class CallLimit {
  readonly #options: CallLimitOptions;
  readonly #waiting: (() => Promise<void>)[] = [];
  #running = 0;
  #refused = 0;
  #isStarting = false;

  constructor(options: CallLimitOptions) {
    this.#options = options;
  }

  /** How many tasks were refused. */
  get refused(): number {
    return this.#refused;
  }

  /** Runs a task when its turn comes; false, and nothing runs, where too many wait already. A task must not reject. */
  take(task: () => Promise<void>): boolean {
    if (this.#waiting.length >= this.#options.waiting) {
      this.#refused++;
      return false;
    }
    this.#waiting.push(task);
    this.#startNext();
    return true;
  }

  /** Forgets what waits; what runs ends by itself. */
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
