import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { DelayedWork } from '../lib/timers.ts';

/** Time between two lines of the log, in milliseconds. */
const PERIOD_MS = 10_000;

/** Writes to the log that connections by RTMP were refused, because there were too many: at once, and then at most every 10 s, with how many they were. */
export class RefusalLog {
  readonly #log: Log;
  readonly #next: DelayedWork;
  /** What each thread has counted, by the number of its worker. */
  readonly #known = new Map<number, number>();
  #unsaid = 0;

  constructor(clock: Clock, log: Log) {
    this.#log = log;
    this.#next = new DelayedWork(clock, PERIOD_MS, () => {
      this.#write();
    });
  }

  /** A thread says how many connections it has refused since it was started. @param worker number that is never used twice */
  take(worker: number, refused: number): void {
    this.#unsaid += refused - (this.#known.get(worker) ?? 0);
    this.#known.set(worker, refused);
    if (!this.#next.isAsked) this.#write();
  }

  /** A thread is gone. */
  forget(worker: number): void {
    this.#known.delete(worker);
  }

  #write(): void {
    if (this.#unsaid <= 0) return;
    this.#log.warn('connections by RTMP were refused, because there are too many', { refused: this.#unsaid });
    this.#unsaid = 0;
    this.#next.ask();
  }
}
