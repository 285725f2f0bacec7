import { isDeepStrictEqual } from 'node:util';
import { runAtOnce } from '../lib/turns.ts';
import type { Config, StreamConfig, TemplateConfig } from './schema/config.ts';
import type { SettingTable } from './schema/directive.ts';
import { FILE_SETTINGS } from './schema/file-settings.ts';
import { SETTINGS_OF_TEMPLATE } from './schema/stream-settings.ts';

/** Stream, live prefix or template with changed settings. */
interface ChangedStream {
  readonly name: string;
  /** Names of the changed values, as in `StreamConfig`. */
  readonly keys: readonly string[];
  /** Whether the stream must be interrupted. If not, a running stream adopts the settings. */
  readonly mustRestart: boolean;
}

/** Difference of one collection, by name. */
export interface CollectionChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly ChangedStream[];
}

/** Name of a top-level value. */
type FileKey = keyof typeof FILE_SETTINGS | 'passthrough';

// The keys of the table are its key type.
const FILE_KEYS: readonly FileKey[] = [
  ...(Object.keys(FILE_SETTINGS) as (keyof typeof FILE_SETTINGS)[]),
  'passthrough',
];

/** Difference between two configurations. */
export interface ConfigChange {
  readonly streams: CollectionChange;
  readonly livePrefixes: CollectionChange;
  readonly templates: CollectionChange;
  /** Names of changed top-level values, as in `Config`. */
  readonly globals: readonly FileKey[];
  /** Whether the streams are in another order. */
  readonly isReordered: boolean;
}

/** Finds the changes that lead from one configuration to another. */
export function diffConfig(before: Config, after: Config): ConfigChange {
  return runAtOnce(diffConfigInSteps(before, after));
}

/** Finds the changes in steps. Comparing the values of changed streams takes time, skipping unchanged streams does not. */
export function* diffConfigInSteps(before: Config, after: Config): Generator<void, ConfigChange> {
  const streams = yield* diffCollection(before.streams, after.streams);
  const livePrefixes = yield* diffCollection(before.livePrefixes, after.livePrefixes);
  const templates = yield* diffCollection(before.templates, after.templates);
  const globals = FILE_KEYS.filter((key) => !isDeepStrictEqual(before[key], after[key]));
  const isReordered = !hasSameOrder(before.streams, after.streams);
  return { streams, livePrefixes, templates, globals, isReordered };
}

function* diffCollection<T extends StreamConfig | TemplateConfig>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
): Generator<void, CollectionChange> {
  const added: string[] = [];
  const changed: ChangedStream[] = [];
  for (const [name, now] of after) {
    const was = before.get(name);
    if (!was) added.push(name);
    else if (was !== now) {
      const keys = changedKeys(was, now);
      if (keys.length > 0) changed.push({ name, keys, mustRestart: keys.some(needsRestart) });
      yield;
    }
  }
  const removed = [...before.keys()].filter((name) => !after.has(name));
  return { added, removed, changed };
}

function changedKeys(was: StreamConfig | TemplateConfig, now: StreamConfig | TemplateConfig): string[] {
  // Both values are of the same collection, so they have the same keys.
  const other: Readonly<Record<string, unknown>> = { ...now };
  return Object.entries(was)
    .filter(([key, value]) => !isSame(value, other[key]))
    .map(([key]) => key);
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === 'object' && typeof b === 'object' && isDeepStrictEqual(a, b));
}

const TABLE: SettingTable = SETTINGS_OF_TEMPLATE;

function needsRestart(key: string): boolean {
  return key === 'isPublishAllowed' || (Object.hasOwn(TABLE, key) && TABLE[key]?.change === 'restart');
}

function hasSameOrder(before: ReadonlyMap<string, unknown>, after: ReadonlyMap<string, unknown>): boolean {
  const names = after.keys();
  for (const name of before.keys()) {
    if (!after.has(name)) continue;
    let next = names.next();
    while (!next.done && !before.has(next.value)) next = names.next();
    if (next.value !== name) return false;
  }
  return true;
}
