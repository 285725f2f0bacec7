import { EVENT_LEVELS, type EventLevel } from '../../../src-preload/contract/events/event-entry.ts';
import type { Config } from '../../config/schema/config.ts';
import { patternsOf, type EventCondition } from '../../events/event-filter.ts';
import type { SinkSettings } from '../../events/sink-settings.ts';

type SinkConfig = Config['eventSinks'] extends ReadonlyMap<string, infer T> ? T : never;

/** Levels by their names in the configuration. */
const LEVEL_OF: Readonly<Record<string, EventLevel>> = {
  ...Object.fromEntries(EVENT_LEVELS.map((level) => [level, level])),
  warning: 'warn',
};

export function sinkSettings({ only, except, level, extra, ...sink }: SinkConfig): SinkSettings {
  return {
    ...sink,
    only: only.map(({ conditions }) => patterns(conditions)),
    except: except.map(({ conditions }) => patterns(conditions)),
    level: level === null ? null : (LEVEL_OF[level] ?? null),
    extra: extra?.values ?? {},
  };
}

function patterns(conditions: Readonly<Record<string, string>>): EventCondition {
  return Object.fromEntries(Object.entries(conditions).map(([field, value]) => [field, patternsOf(value)]));
}
