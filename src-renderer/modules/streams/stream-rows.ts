import type { StreamState } from '../../../src-preload/contract/index.ts';
import { ALARM_SEVERITIES, type AlarmObject } from '../../../src-preload/contract/api/alarm-object.ts';
import { csvLine } from '../../lib/csv.ts';
import { frameAgeMs, type StreamReport } from '../../domain/streams/store.ts';
import { conditionOf, isTrouble, type StreamCondition } from '../../domain/streams/stream-condition.ts';
import { factsOf, type StreamFacts } from '../../domain/streams/stream-facts.ts';

/** Row of the stream table. */
export interface StreamRow {
  readonly name: string;
  readonly state: StreamState;
  readonly condition: StreamCondition;
  /** Active alarms, most severe first. */
  readonly alarms: readonly AlarmObject[];
}

/** Active alarms by stream, most severe first. */
export type AlarmsByStream = ReadonlyMap<string, readonly AlarmObject[]>;

/** Columns of the table, and whether each is numeric; numbers sort in descending order first. */
export const COLUMNS = {
  name: false,
  condition: false,
  input: false,
  format: false,
  bitrate: true,
  fps: true,
  viewers: true,
  errors: true,
  uptime: true,
} as const;
/** Column of the table. */
export type Column = keyof typeof COLUMNS;

/** Sort order of the table. */
export interface Order {
  readonly by: Column;
  readonly isDescending: boolean;
}

/** Filter of the stream table. */
export interface StreamFilter {
  /** Words in name, title or addresses, case-insensitive; all must occur. */
  readonly text: string;
  /** `trouble`: streams that need the operator, also by an alarm; empty: all streams. */
  readonly condition: StreamCondition | 'trouble' | '';
}

/** Order of conditions, most severe first. */
const SEVERITY: readonly StreamCondition[] = [
  'lost',
  'failed',
  'refused',
  'late',
  'partial',
  'starting',
  'waiting',
  'live',
  'archived',
];

/** Index of each name in natural order: cam2 before cam10. */
export type NameOrder = ReadonlyMap<string, number>;

/** Natural order of names. Returns `before` if the names are the same, because sorting many names is slow. */
export function orderOf(names: readonly string[], before: NameOrder = new Map()): NameOrder {
  if (names.length === before.size && names.every((name) => before.has(name))) return before;
  return new Map(names.toSorted(collator.compare).map((name, place) => [name, place]));
}

/** Filters and sorts streams; names break ties. */
export function rowsOf(
  reports: Iterable<StreamReport>,
  { text, condition: onlyCondition }: StreamFilter,
  order: Order,
  nowMs: number,
  names: NameOrder,
  byStream: AlarmsByStream = new Map(),
): StreamRow[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const rows: StreamRow[] = [];
  for (const one of reports) {
    const { state } = one;
    const condition = conditionOf(state, frameAgeMs(one, nowMs));
    const alarms = byStream.get(state.name) ?? [];
    const isMatch =
      onlyCondition === 'trouble'
        ? isTrouble(condition) || alarms.some(({ severity }) => severity !== 'info')
        : onlyCondition === '' || onlyCondition === condition;
    if (!isMatch) continue;
    if (words.length > 0 && !hasWords(state, words)) continue;
    rows.push({ name: state.name, state, condition, alarms });
  }
  const key = KEYS[order.by];
  const direction = order.isDescending ? -1 : 1;
  const keyed = rows.map((row) => ({ row, key: key(row), place: names.get(row.name) ?? names.size }));
  keyed.sort((a, b) => direction * compare(a.key, b.key) || a.place - b.place);
  return keyed.map(({ row }) => row);
}

/** Number of errors of all inputs of a stream. */
export function errorsOf({ inputs }: StreamState): number {
  return inputs.reduce((sum, input) => sum + input.error_count, 0);
}

/** Address of the input on air, or of the first input while none is. */
export function inputOf(state: StreamState): string {
  return state.input_url ?? state.inputs[0]?.url ?? '';
}

/** Formats video and audio of a stream. */
export function formatMedia(facts: StreamFacts): string {
  return [facts.videoCodec, facts.size, facts.audioCodec].filter(Boolean).join(' ');
}

const KEYS: { readonly [C in Column]: (row: StreamRow) => string | number } = {
  name: () => '',
  // Among streams of one condition, those with alarms come first.
  condition: ({ condition, alarms: [worst] }) =>
    SEVERITY.indexOf(condition) + (worst ? ALARM_SEVERITIES.indexOf(worst.severity) / 10 : 0.9),
  input: ({ state }) => inputOf(state),
  format: ({ state }) => formatMedia(factsOf(state)),
  bitrate: ({ state }) => state.bitrate,
  fps: ({ state }) => state.fps ?? 0,
  viewers: ({ state }) => state.client_count,
  errors: ({ state }) => errorsOf(state),
  // The longest uptime has the earliest start.
  uptime: ({ state }) => (state.started_at === null ? 0 : Number.MAX_SAFE_INTEGER - state.started_at),
};

const collator = new Intl.Collator('en', { numeric: true });

function compare(a: string | number, b: string | number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function hasWords({ name, title = '', inputs }: StreamState, words: readonly string[]): boolean {
  const text = [name, title, ...inputs.map(({ url }) => url)].join(' ').toLowerCase();
  return words.every((word) => text.includes(word));
}

/** Rows as CSV lines. */
export function csvOf(rows: readonly StreamRow[]): string[] {
  const head = [
    'name',
    'title',
    'condition',
    'input',
    'format',
    'bitrate_kbps',
    'fps',
    'viewers',
    'errors',
    'started',
    'alarms',
  ];
  return [
    csvLine(head),
    ...rows.map(({ name, state, condition, alarms }) =>
      csvLine([
        name,
        state.title ?? '',
        condition,
        inputOf(state),
        formatMedia(factsOf(state)),
        state.bitrate,
        state.fps,
        state.client_count,
        errorsOf(state),
        state.started_at === null ? '' : new Date(state.started_at).toISOString(),
        alarms.map(({ alarm }) => alarm).join(' '),
      ]),
    ),
  ];
}
