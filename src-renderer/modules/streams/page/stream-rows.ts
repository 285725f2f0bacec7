import type { StreamState } from '../../../../src-preload/contract/index.ts';
import { csvLine } from '../../../lib/csv.ts';
import { frameAgeMs, type HeardStream } from '../store.ts';
import { conditionOf, type StreamCondition } from '../stream-condition.ts';
import { factsOf, type StreamFacts } from '../stream-facts.ts';

/** A line of the table of streams. */
export interface StreamRow {
  readonly name: string;
  readonly state: StreamState;
  readonly condition: StreamCondition;
}

/** Columns of the table, each with whether it is a figure, which is sorted from the greatest on. */
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
/** A column of the table. */
export type Column = keyof typeof COLUMNS;

/** How the table is ordered. */
export interface Order {
  readonly by: Column;
  readonly isDown: boolean;
}

/** Which streams the table shows. */
export interface StreamFilter {
  /** Words in name, title or addresses, in any case; all of them have to be there. */
  readonly text: string;
  /** `trouble`: everything that needs the operator; empty: all. */
  readonly condition: StreamCondition | 'trouble' | '';
}

/** What is worst first when conditions are sorted. */
const SEVERITY: readonly StreamCondition[] = [
  'lost',
  'failed',
  'refused',
  'late',
  'starting',
  'waiting',
  'live',
  'archived',
];
const TROUBLE: ReadonlySet<StreamCondition> = new Set(['lost', 'failed', 'refused', 'late']);

/** The place of each name among all, as people sort them: cam2 before cam10. */
export type NameOrder = ReadonlyMap<string, number>;

/** The order of names; that of before where they are the same, because sorting many takes long. */
export function orderOf(names: readonly string[], before: NameOrder = new Map()): NameOrder {
  if (names.length === before.size && names.every((name) => before.has(name))) return before;
  return new Map(names.toSorted(collator.compare).map((name, place) => [name, place]));
}

/** The streams that a filter lets through, in an order; names break ties. */
export function rowsOf(
  heard: Iterable<HeardStream>,
  { text, condition: wanted }: StreamFilter,
  order: Order,
  nowMs: number,
  names: NameOrder,
): StreamRow[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const rows: StreamRow[] = [];
  for (const one of heard) {
    const { state } = one;
    const condition = conditionOf(state, frameAgeMs(one, nowMs));
    if (wanted === 'trouble' ? !TROUBLE.has(condition) : wanted !== '' && wanted !== condition) continue;
    if (words.length > 0 && !hasWords(state, words)) continue;
    rows.push({ name: state.name, state, condition });
  }
  const key = KEYS[order.by];
  const sign = order.isDown ? -1 : 1;
  const keyed = rows.map((row) => ({ row, key: key(row), place: names.get(row.name) ?? names.size }));
  keyed.sort((a, b) => sign * compare(a.key, b.key) || a.place - b.place);
  return keyed.map(({ row }) => row);
}

/** Errors of all inputs of a stream. */
export function errorsOf({ inputs }: StreamState): number {
  return inputs.reduce((sum, input) => sum + input.error_count, 0);
}

/** Address of the input on air; of the first one while there is none. */
export function inputOf(state: StreamState): string {
  return state.input_url ?? state.inputs[0]?.url ?? '';
}

/** Picture and sound in words. */
export function formatWords(facts: StreamFacts): string {
  return [facts.videoCodec, facts.size, facts.audioCodec].filter(Boolean).join(' ');
}

const KEYS: { readonly [C in Column]: (row: StreamRow) => string | number } = {
  name: () => '',
  condition: ({ condition }) => SEVERITY.indexOf(condition),
  input: ({ state }) => inputOf(state),
  format: ({ state }) => formatWords(factsOf(state)),
  bitrate: ({ state }) => state.bitrate,
  fps: ({ state }) => state.fps ?? 0,
  viewers: ({ state }) => state.client_count,
  errors: ({ state }) => errorsOf(state),
  // Those that run longest have the smallest time.
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

/** The rows as a file of CSV. */
export function csvOf(rows: readonly StreamRow[]): string[] {
  const head = ['name', 'title', 'condition', 'input', 'format', 'bitrate_kbps', 'fps', 'viewers', 'errors', 'started'];
  return [
    csvLine(head),
    ...rows.map(({ name, state, condition }) =>
      csvLine([
        name,
        state.title ?? '',
        condition,
        inputOf(state),
        formatWords(factsOf(state)),
        state.bitrate,
        state.fps,
        state.client_count,
        errorsOf(state),
        state.started_at === null ? '' : new Date(state.started_at).toISOString(),
      ]),
    ),
  ];
}
