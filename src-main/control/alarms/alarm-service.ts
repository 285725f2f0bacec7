import {
  ALARM_FIELDS,
  type AlarmEvidenceObject,
  type AlarmField,
  type AlarmObject,
} from '../../../src-preload/contract/api/alarm-object.ts';
import type { LogCondition } from '../../../src-preload/contract/api/log-query.ts';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import { csvLine } from '../csv.ts';
import type { AlarmHistory } from '../../monitor/alarm-history.ts';
import type { Alarms } from '../../monitor/alarms.ts';
import type { AlarmEvidence } from './alarm-evidence.ts';
import type { LoudnessService } from './loudness-service.ts';
import type { Caller } from '../../operators/caller.ts';
import { isInScope } from '../../operators/require.ts';

/** What the use cases of alarms work with. */
export interface AlarmDeskDeps {
  readonly alarms: Pick<Alarms, 'list' | 'find' | 'acknowledge' | 'shelve'>;
  /** Undefined where it cannot be kept. */
  readonly history: Pick<AlarmHistory, 'rows' | 'count' | 'find' | 'countFound' | 'portions'> | undefined;
  /** Undefined where none is kept. */
  readonly evidence?: Pick<AlarmEvidence, 'find'> | undefined;
  /** Undefined where it cannot be kept. */
  readonly loudness?: LoudnessService | undefined;
}

/** A portion of the history, newest first. */
interface HistoryQuery {
  readonly limit: number;
  readonly before?: { readonly raised_at: number; readonly id: string } | undefined;
  readonly name?: string | undefined;
  readonly alarm?: string | undefined;
  readonly severity?: string | undefined;
  readonly text?: string | undefined;
}

/** What operators and programs do with alarms. */
export class AlarmService {
  readonly #deps: AlarmDeskDeps;

  constructor(deps: AlarmDeskDeps) {
    this.#deps = deps;
  }

  /** Those that last, and those that have cleared and were not acknowledged, as far as the caller may see them. */
  list(caller: Pick<Caller, 'prefixes'> = {}): AlarmObject[] {
    return this.#deps.alarms.list().filter((alarm) => isSeen(alarm, caller));
  }

  /** One of them; undefined where there is none. */
  find(id: string): AlarmObject | undefined {
    return this.#deps.alarms.find(id);
  }

  /** What is raised and what became of it, for 90 days. Raises `unavailable` where it cannot be kept. */
  get history(): NonNullable<AlarmDeskDeps['history']> {
    const { history } = this.#deps;
    if (!history)
      throw new AirdeskError('unavailable', 'Alarms are not recorded, because the database cannot be opened');
    return history;
  }

  /** The loudness of streams. Raises `unavailable` where it cannot be kept. */
  get loudness(): LoudnessService {
    const { loudness } = this.#deps;
    if (loudness) return loudness;
    throw new AirdeskError('unavailable', 'Loudness is not recorded, because the database cannot be opened');
  }

  /** The history as JSON Lines, or as CSV with a line of names, oldest first. Raises `unavailable`. @param text only rows that hold it, in lower case; empty for all */
  export(
    format: 'jsonl' | 'csv',
    conditions: readonly LogCondition<AlarmField>[],
    text: string,
  ): AsyncGenerator<string> {
    return linesOf(format, this.history.portions({ conditions, isDescending: false }, text));
  }

  /** A portion of the history, newest first. */
  async past({ limit, before, text = '', ...wanted }: HistoryQuery): Promise<readonly AlarmObject[]> {
    const conditions = (['name', 'alarm', 'severity'] as const).flatMap((field) => {
      const value = wanted[field];
      return value === undefined ? [] : [{ field, operator: 'in' as const, values: [value] }];
    });
    const after = before && { atMs: before.raised_at, id: before.id, isInclusive: false };
    const query = { conditions, isDescending: true, limit, ...(after ? { after } : {}) };
    return text === '' ? this.history.rows(query) : this.history.find(query, text.toLowerCase());
  }

  /** Alarms of a stream that lasted in a time, newest first: what is raised in it, and what was raised before and lasted. None where they cannot be kept. @param most of each */
  lasted(
    name: string,
    { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
    most: number,
  ): readonly AlarmObject[] {
    const { history } = this.#deps;
    const conditionOf = (
      field: AlarmField,
      operator: 'in' | 'gte' | 'lt',
      value: string | number,
    ): LogCondition<AlarmField> => ({ field, operator, values: [value] });
    const ofStream = conditionOf('name', 'in', name);
    const found = [
      [conditionOf('raised_at', 'gte', startMs), conditionOf('raised_at', 'lt', endMs)],
      [conditionOf('raised_at', 'lt', startMs), conditionOf('cleared_at', 'gte', startMs)],
    ].flatMap(
      (conditions) => history?.rows({ conditions: [ofStream, ...conditions], isDescending: true, limit: most }) ?? [],
    );
    const old = this.#deps.alarms
      .list()
      .filter((one) => one.name === name && one.cleared_at === null && one.raised_at < startMs);
    return [...found, ...old];
  }

  /** What is kept of an alarm of a stream: pictures and a graph; undefined where nothing is. */
  async evidence(name: string, id: string): Promise<AlarmEvidenceObject | undefined> {
    return this.#deps.evidence?.find(name, id);
  }

  /** Acknowledges an alarm. Raises `alarm_not_found`. */
  acknowledge(id: string, note: string, caller: Caller): AlarmObject {
    this.#require(id, caller);
    return found(id, this.#deps.alarms.acknowledge(id, caller.who, note));
  }

  /** Makes alarms of this kind silent for their stream; 0 ends it. Raises `alarm_not_found`. */
  shelve(id: string, seconds: number, caller: Caller): AlarmObject {
    this.#require(id, caller);
    return found(id, this.#deps.alarms.shelve(id, seconds * 1000));
  }

  #require(id: string, caller: Caller): void {
    const alarm = this.#deps.alarms.find(id);
    found(id, alarm && isSeen(alarm, caller) ? alarm : undefined);
  }
}

async function* linesOf(
  format: 'jsonl' | 'csv',
  portions: AsyncIterable<readonly AlarmObject[]>,
): AsyncGenerator<string> {
  if (format === 'csv') yield csvLine(ALARM_FIELDS);
  for await (const rows of portions)
    yield rows
      .map((row) =>
        format === 'csv' ? csvLine(ALARM_FIELDS.map((field) => cellOf(row[field]))) : `${JSON.stringify(row)}\n`,
      )
      .join('');
}

function cellOf(value: AlarmObject[AlarmField]): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');
}

function isSeen({ name }: AlarmObject, caller: Pick<Caller, 'prefixes'>): boolean {
  return caller.prefixes === undefined || (name !== null && isInScope(caller, name));
}

function found(id: string, alarm: AlarmObject | undefined): AlarmObject {
  if (alarm) return alarm;
  throw new AirdeskError('alarm_not_found', `There is no alarm ${id.slice(0, 200)} any more`, { parameter: 'id' });
}
