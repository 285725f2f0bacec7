import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { DelayedWork } from '../lib/timers.ts';

/** Minimum interval of log lines, in milliseconds. */
const PERIOD_MS = 10_000;

/** Logs refused RTMP connections: at once, and then at most every 10 s with their number. */
export class RefusalLog {
  readonly #log: Log;
  readonly #next: DelayedWork;
  /** Number of refused connections by worker number. */
  readonly #counts = new Map<number, number>();
  #unreported = 0;

  constructor(clock: Clock, log: Log) {
    this.#log = log;
    this.#next = new DelayedWork(clock, PERIOD_MS, () => {
      this.#write();
    });
  }

  /**
   * Records the number of connections that a thread has refused since its start.
   * @param worker number of the worker, which is never reused
   */
  take(worker: number, refused: number): void {
    this.#unreported += refused - (this.#counts.get(worker) ?? 0);
    this.#counts.set(worker, refused);
    if (!this.#next.isScheduled) this.#write();
  }

  /** Removes the counter of a thread that has ended. */
  forget(worker: number): void {
    this.#counts.delete(worker);
  }

  #write(): void {
    if (this.#unreported <= 0) return;
    this.#log.warn('RTMP connections were refused, because too many are open', { refused: this.#unreported });
    this.#unreported = 0;
    this.#next.schedule();
  }
}
