import {
  ALARM_FIELDS,
  type AlarmEvidenceObject,
  type AlarmField,
  type AlarmObject,
} from '../../../src-preload/contract/api/alarm-object.ts';
import type { LogCondition } from '../../../src-preload/contract/api/log-query.ts';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import type { CallInput } from '../../../src-preload/contract/index.ts';
import { csvLine } from '../../lib/csv.ts';
import type { AlarmHistory } from '../../monitor/alarm-history.ts';
import type { Alarms } from '../../monitor/alarms.ts';
import type { AlarmEvidence } from './alarm-evidence.ts';
import type { LoudnessService } from './loudness-service.ts';
import type { Caller } from '../../operators/caller.ts';
import { viewFor } from '../../operators/complete-answers.ts';
import { isInScope, rowsInScope } from '../../operators/require.ts';

/** Filter of the history, as the desk sends it. */
type HistoryFilter = Omit<CallInput<'alarms.history'>, 'limit' | 'before'>;

export interface AlarmServiceDeps {
  readonly alarms: Pick<Alarms, 'list' | 'find' | 'acknowledge' | 'shelve'>;
  /** Undefined if the history cannot be stored. */
  readonly history: Pick<AlarmHistory, 'rows' | 'count' | 'find' | 'countFound' | 'batches'> | undefined;
  /** Undefined if no evidence is stored. */
  readonly evidence?: Pick<AlarmEvidence, 'find'> | undefined;
  /** Undefined if loudness cannot be stored. */
  readonly loudness?: LoudnessService | undefined;
}

/** Actions of operators and programs on alarms. */
export class AlarmService {
  readonly #deps: AlarmServiceDeps;

  constructor(deps: AlarmServiceDeps) {
    this.#deps = deps;
  }

  /** Active alarms, and cleared alarms that were not acknowledged, in the caller's scope. */
  list(caller: Pick<Caller, 'prefixes'> = {}): AlarmObject[] {
    return this.#deps.alarms.list().filter((alarm) => isSeen(alarm, caller));
  }

  find(id: string): AlarmObject | undefined {
    return this.#deps.alarms.find(id);
  }

  /** History of alarms for 90 days. Raises `unavailable` if it cannot be stored. */
  get history(): NonNullable<AlarmServiceDeps['history']> {
    const { history } = this.#deps;
    if (!history)
      throw new AirdeskError('unavailable', 'Alarms are not recorded, because the database cannot be opened');
    return history;
  }

  /** Loudness of streams. Raises `unavailable` if it cannot be stored. */
  get loudness(): LoudnessService {
    const { loudness } = this.#deps;
    if (loudness) return loudness;
    throw new AirdeskError('unavailable', 'Loudness is not recorded, because the database cannot be opened');
  }

  /**
   * History as JSON Lines, or as CSV with a header line, oldest first; reduced for callers without write access, as in the
   * list. Raises `unavailable`.
   * @param text selects rows that contain it, in lower case; empty for all
   */
  export(
    format: 'jsonl' | 'csv',
    conditions: readonly LogCondition<AlarmField>[],
    text: string,
    caller: Caller,
  ): AsyncGenerator<string> {
    const shown = (row: AlarmObject): AlarmObject => viewFor(caller, 'alarm_history_export', row, 'alarms');
    return linesOf(format, this.history.batches({ conditions, isDescending: false }, text), shown);
  }

  /** Like `export`, with the filters of the desk, in the caller's scope. */
  exportFiltered(format: 'jsonl' | 'csv', filter: HistoryFilter, caller: Caller): AsyncGenerator<string> {
    return this.export(format, conditionsOf(filter, caller), filter.text?.toLowerCase() ?? '', caller);
  }

  /** Page of the history in the caller's scope, newest first. */
  async historyPage(
    { limit, before, text = '', ...filter }: CallInput<'alarms.history'>,
    caller: Pick<Caller, 'prefixes'> = {},
  ): Promise<readonly AlarmObject[]> {
    const conditions = conditionsOf(filter, caller);
    const after = before && { atMs: before.raised_at, id: before.id, isInclusive: false };
    const query = { conditions, isDescending: true, limit, ...(after ? { after } : {}) };
    return text === '' ? this.history.rows(query) : this.history.find(query, text.toLowerCase());
  }

  /**
   * Alarms of a stream that overlap a time range, newest first: alarms raised in the range, and alarms raised before it that
   * were still active. Empty if the history cannot be stored.
   * @param limit maximum number of each
   */
  activeIn(
    name: string,
    { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
    limit: number,
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
      (conditions) => history?.rows({ conditions: [ofStream, ...conditions], isDescending: true, limit }) ?? [],
    );
    const old = this.#deps.alarms
      .list()
      .filter((one) => one.name === name && one.cleared_at === null && one.raised_at < startMs);
    return [...found, ...old];
  }

  /** Stored evidence of a stream's alarm: pictures and a graph; undefined if there is none. */
  async evidence(name: string, id: string): Promise<AlarmEvidenceObject | undefined> {
    return this.#deps.evidence?.find(name, id);
  }

  /** Raises `alarm_not_found`. */
  acknowledge(id: string, note: string, caller: Caller): AlarmObject {
    this.#require(id, caller);
    return requireFound(id, this.#deps.alarms.acknowledge(id, caller.who, note));
  }

  /** Shelves alarms of this kind for their stream; 0 seconds ends the shelving. Raises `alarm_not_found`. */
  shelve(id: string, seconds: number, caller: Caller): AlarmObject {
    this.#require(id, caller);
    return requireFound(id, this.#deps.alarms.shelve(id, seconds * 1000));
  }

  #require(id: string, caller: Caller): void {
    const alarm = this.#deps.alarms.find(id);
    requireFound(id, alarm && isSeen(alarm, caller) ? alarm : undefined);
  }
}

async function* linesOf(
  format: 'jsonl' | 'csv',
  batches: AsyncIterable<readonly AlarmObject[]>,
  shown: (row: AlarmObject) => AlarmObject,
): AsyncGenerator<string> {
  if (format === 'csv') yield csvLine(ALARM_FIELDS);
  for await (const rows of batches)
    yield rows
      .map(shown)
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

function requireFound(id: string, alarm: AlarmObject | undefined): AlarmObject {
  if (alarm) return alarm;
  throw new AirdeskError('alarm_not_found', `The alarm ${id.slice(0, 200)} no longer exists`, { parameter: 'id' });
}

function conditionsOf(
  { from, to, ...filter }: Omit<HistoryFilter, 'text'>,
  caller: Pick<Caller, 'prefixes'>,
): LogCondition<AlarmField>[] {
  const conditions: LogCondition<AlarmField>[] = [
    ...rowsInScope(caller, 'name'),
    ...(['name', 'alarm', 'severity'] as const).flatMap((field) => {
      const value = filter[field];
      return value === undefined ? [] : [{ field, operator: 'in' as const, values: [value] }];
    }),
  ];
  if (from !== undefined) conditions.push({ field: 'raised_at', operator: 'gte', values: [from] });
  if (to !== undefined) conditions.push({ field: 'raised_at', operator: 'lt', values: [to] });
  return conditions;
}
