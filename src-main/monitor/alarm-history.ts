import { alarmTexts, type AlarmField, type AlarmObject } from '../../src-preload/contract/api/alarm-object.ts';
import type { LogCondition, LogQuery } from '../../src-preload/contract/api/log-query.ts';
import type { Clock } from '../lib/clock.ts';
import { messageOf } from '../lib/error-message.ts';
import { DelayedWork, every } from '../lib/timers.ts';
import { nextTurn } from '../lib/turns.ts';
import { TRACE_MS } from './alarms.ts';

/** Storage of the alarm history. */
interface AlarmStore {
  write(rows: readonly AlarmObject[]): void;
  rows(query: LogQuery<AlarmField>): readonly AlarmObject[];
  count(conditions: readonly LogCondition<AlarmField>[]): number;
  open(clearedAfterMs: number): readonly AlarmObject[];
  endServerAlarms(nowMs: number): void;
  shelved(): ReadonlyMap<string, number>;
  shelve(key: string, untilMs: number | null): void;
  removeBefore(timeMs: number): number;
}

export interface AlarmHistoryOptions {
  readonly clock: Clock;
  readonly store: AlarmStore;
  /** Called when rows could not be written or removed, once per fault while it lasts. Queued rows are written later. */
  readonly failed: (error: unknown) => void;
}

/** Delay of a write after the first change, and interval of further writes, in milliseconds. */
const WRITE_MS = 250;
/** Maximum number of rows per write. */
const MAX_ROWS = 200;
/** Maximum number of queued rows. If there are more, the oldest are dropped. */
const MAX_QUEUED = 50_000;
/** Interval of removals of old rows, in milliseconds. */
const REMOVE_MS = 600_000;
/** Retention of alarms, in milliseconds: 90 days. */
const RETENTION_MS = 7_776_000_000;

/** Number of rows searched per turn of the thread. */
const SEARCHED_ROWS = 500;

/** History of alarms. Changes are queued and written in small batches. */
export class AlarmHistory {
  readonly #options: AlarmHistoryOptions;
  readonly #waiting = new Map<string, AlarmObject>();
  readonly #writes: DelayedWork;
  readonly #stopRemovals: () => void;
  /** Last reported fault; undefined after a successful write. */
  #fault: string | undefined;

  constructor(options: AlarmHistoryOptions) {
    this.#options = options;
    const { clock, store } = options;
    this.#try(() => {
      store.endServerAlarms(clock.now());
    });
    this.#writes = new DelayedWork(clock, WRITE_MS, () => {
      this.#writeSome();
    });
    this.#stopRemovals = every(clock, REMOVE_MS, () => {
      this.#try(() => {
        store.removeBefore(clock.now() - RETENTION_MS);
      });
    });
  }

  /** Writes the queued changes now, for example after an action of an operator. */
  write(): void {
    this.#writeSome();
  }

  /** Queues the current state of an alarm. */
  keep(alarm: AlarmObject): void {
    const [oldest] = this.#waiting.keys();
    if (oldest !== undefined && this.#waiting.size >= MAX_QUEUED) this.#waiting.delete(oldest);
    this.#waiting.set(alarm.id, alarm);
    this.#writes.schedule();
  }

  /** Rows in the order of the query. Queued changes are written first. */
  rows(query: LogQuery<AlarmField>): readonly AlarmObject[] {
    this.#writeSome();
    return this.#options.store.rows(query);
  }

  /** Number of rows that match the conditions. */
  count(conditions: readonly LogCondition<AlarmField>[]): number {
    return this.#options.store.count(conditions);
  }

  /**
   * Rows that contain a text, in the order of the query. Searches in short turns.
   * @param text in lower case
   */
  async find(query: LogQuery<AlarmField>, text: string): Promise<readonly AlarmObject[]> {
    const found: AlarmObject[] = [];
    for await (const rows of this.batches(query, text)) {
      found.push(...rows);
      if (found.length >= query.limit) break;
    }
    return found.slice(0, query.limit);
  }

  /** Number of rows that contain a text. */
  async countFound(conditions: readonly LogCondition<AlarmField>[], text: string): Promise<number> {
    let count = 0;
    for await (const rows of this.batches({ conditions, isDescending: true }, text)) count += rows.length;
    return count;
  }

  /**
   * Rows of a query in batches, which may be empty. Other work of the thread runs between two batches.
   * @param text selects rows that contain this text, in lower case; empty for all rows
   */
  async *batches(
    { after: start, ...query }: Omit<LogQuery<AlarmField>, 'limit'>,
    text: string,
  ): AsyncGenerator<readonly AlarmObject[]> {
    for (let after = start; ;) {
      const rows = this.rows({ ...query, ...(after ? { after } : {}), limit: SEARCHED_ROWS });
      const last = rows.at(-1);
      if (!last) return;
      yield rows.filter((row) => text === '' || alarmTexts(row).some((field) => field?.toLowerCase().includes(text)));
      after = { atMs: last.raised_at, id: last.id, isInclusive: false };
      await nextTurn();
    }
  }

  /** Alarms of streams that were raised, or cleared but not acknowledged, when the server stopped. */
  open(): readonly AlarmObject[] {
    let open: readonly AlarmObject[] = [];
    this.#try(() => {
      open = this.#options.store.open(this.#options.clock.now() - TRACE_MS);
    });
    return open;
  }

  /** Stored shelvings: their ends by key, in epoch milliseconds. */
  shelved(): ReadonlyMap<string, number> {
    let shelved: ReadonlyMap<string, number> = new Map();
    this.#try(() => {
      shelved = this.#options.store.shelved();
    });
    return shelved;
  }

  /** Stores the end of a shelving; null ends it. */
  shelve(key: string, untilMs: number | null): void {
    this.#try(() => {
      this.#options.store.shelve(key, untilMs);
    });
  }

  /** Writes the queued rows. */
  close(): void {
    this.#stopRemovals();
    for (let before = -1; this.#waiting.size > 0 && this.#waiting.size !== before;) {
      before = this.#waiting.size;
      this.#writeSome();
    }
    this.#writes.cancel();
  }

  #writeSome(): void {
    const rows: AlarmObject[] = [];
    for (const row of this.#waiting.values()) {
      rows.push(row);
      if (rows.length >= MAX_ROWS) break;
    }
    if (rows.length === 0) return;
    this.#try(() => {
      this.#options.store.write(rows);
      for (const { id } of rows) this.#waiting.delete(id);
      this.#fault = undefined;
    });
    if (this.#waiting.size > 0) this.#writes.schedule();
  }

  #try(work: () => void): void {
    try {
      work();
    } catch (error) {
      const fault = messageOf(error);
      if (fault !== this.#fault) this.#options.failed(error);
      this.#fault = fault;
    }
  }
}
