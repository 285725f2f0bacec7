import { alarmTexts, type AlarmField, type AlarmObject } from '../../src-preload/contract/api/alarm-object.ts';
import type { LogCondition, LogQuery } from '../../src-preload/contract/api/log-query.ts';
import type { Clock } from '../lib/clock.ts';
import { every } from '../lib/timers.ts';
import { nextTurn } from '../lib/turns.ts';

/** Where the history lies. */
interface AlarmStore {
  write(rows: readonly AlarmObject[]): void;
  rows(query: LogQuery<AlarmField>): readonly AlarmObject[];
  count(conditions: readonly LogCondition<AlarmField>[]): number;
  endAll(nowMs: number): void;
  shelved(): ReadonlyMap<string, number>;
  shelve(key: string, untilMs: number | null): void;
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

/** Rows that are looked through in one turn. */
const LOOKED_AT_ONCE = 500;

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

  /** Rows that hold a text, in the order of the query; it is looked for in short turns. @param text in lower case */
  async find(query: LogQuery<AlarmField>, text: string): Promise<readonly AlarmObject[]> {
    const found: AlarmObject[] = [];
    for await (const rows of this.portions(query, text)) {
      found.push(...rows);
      if (found.length >= query.limit) break;
    }
    return found.slice(0, query.limit);
  }

  /** How many rows hold a text. */
  async countFound(conditions: readonly LogCondition<AlarmField>[], text: string): Promise<number> {
    let count = 0;
    for await (const rows of this.portions({ conditions, isDescending: true }, text)) count += rows.length;
    return count;
  }

  /** All rows of a query in portions, some of them empty, with other turns of the thread between them. @param text only rows that hold it, in lower case; empty for all */
  async *portions(
    { after: place, ...query }: Omit<LogQuery<AlarmField>, 'limit'>,
    text: string,
  ): AsyncGenerator<readonly AlarmObject[]> {
    for (let after = place; ;) {
      const rows = this.rows({ ...query, ...(after ? { after } : {}), limit: LOOKED_AT_ONCE });
      const last = rows.at(-1);
      if (!last) return;
      yield rows.filter((row) => text === '' || alarmTexts(row).some((one) => one?.toLowerCase().includes(text)));
      after = { atMs: last.raised_at, id: last.id, isInclusive: false };
      await nextTurn();
    }
  }

  /** What is shelved over a restart. */
  shelved(): ReadonlyMap<string, number> {
    let shelved: ReadonlyMap<string, number> = new Map();
    this.#try(() => {
      shelved = this.#options.store.shelved();
    });
    return shelved;
  }

  /** Keeps that something is shelved until a time, or no longer. */
  shelve(key: string, untilMs: number | null): void {
    this.#try(() => {
      this.#options.store.shelve(key, untilMs);
    });
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
