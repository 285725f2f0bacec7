import type { AlarmField, AlarmObject } from '../../src-preload/contract/api/alarm-object.ts';
import type { LogCondition, LogQuery } from '../../src-preload/contract/api/log-query.ts';
import type { Clock } from '../lib/clock.ts';
import { every } from '../lib/timers.ts';

/** Where the history lies. */
interface AlarmStore {
  write(rows: readonly AlarmObject[]): void;
  rows(query: LogQuery<AlarmField>): readonly AlarmObject[];
  count(conditions: readonly LogCondition<AlarmField>[]): number;
  endAll(nowMs: number): void;
  removeBefore(timeMs: number): number;
}

/** What the history works with. */
export interface AlarmHistoryOptions {
  readonly clock: Clock;
  readonly store: AlarmStore;
  /** It could not be written or shortened: what waits is tried again. */
  readonly failed: (error: unknown) => void;
}

/** What changed is written so often, in milliseconds. */
const WRITE_MS = 250;
/** Rows of one turn. */
const MOST_TOGETHER = 200;
/** Rows that wait at most; of more the oldest are lost. */
const MOST_WAITING = 50_000;
/** How often rows that are too old are removed, in milliseconds. */
const REMOVE_MS = 600_000;
/** How long alarms are kept, in milliseconds: 90 days. */
const KEPT_MS = 7_776_000_000;

/** The history of alarms, written a little later, few at a time. */
export class AlarmHistory {
  readonly #options: AlarmHistoryOptions;
  readonly #waiting = new Map<string, AlarmObject>();
  readonly #stops: readonly (() => void)[];

  constructor(options: AlarmHistoryOptions) {
    this.#options = options;
    const { clock, store } = options;
    this.#try(() => {
      store.endAll(clock.now());
    });
    this.#stops = [
      every(clock, WRITE_MS, () => {
        this.#writeSome();
      }),
      every(clock, REMOVE_MS, () => {
        this.#try(() => {
          store.removeBefore(clock.now() - KEPT_MS);
        });
      }),
    ];
  }

  /** Keeps what an alarm is now. */
  keep(alarm: AlarmObject): void {
    const [oldest] = this.#waiting.keys();
    if (oldest !== undefined && this.#waiting.size >= MOST_WAITING) this.#waiting.delete(oldest);
    this.#waiting.set(alarm.id, alarm);
  }

  /** Rows in the order of the query, with what changed up to now. */
  rows(query: LogQuery<AlarmField>): readonly AlarmObject[] {
    this.#writeSome();
    return this.#options.store.rows(query);
  }

  /** How many rows there are. */
  count(conditions: readonly LogCondition<AlarmField>[]): number {
    return this.#options.store.count(conditions);
  }

  /** Writes what waits. */
  close(): void {
    for (const stop of this.#stops) stop();
    for (let before = -1; this.#waiting.size > 0 && this.#waiting.size !== before;) {
      before = this.#waiting.size;
      this.#writeSome();
    }
  }

  #writeSome(): void {
    const rows: AlarmObject[] = [];
    for (const row of this.#waiting.values()) {
      rows.push(row);
      if (rows.length >= MOST_TOGETHER) break;
    }
    if (rows.length === 0) return;
    this.#try(() => {
      this.#options.store.write(rows);
      for (const { id } of rows) this.#waiting.delete(id);
    });
  }

  #try(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#options.failed(error);
    }
  }
}
