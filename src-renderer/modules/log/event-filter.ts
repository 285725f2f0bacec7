import {
  EVENTS,
  EVENT_GROUPS,
  type EventGroup,
  type ServerEvent,
} from '../../../src-preload/contract/events/catalogue.ts';
import { EVENT_LEVELS, type EventEntry, type EventLevel } from '../../../src-preload/contract/events/event-entry.ts';
import { epochOf } from '../../lib/format.ts';
import { sentenceOf } from './event-sentence.ts';

/** Filter of the log. Empty texts match all events. */
export interface EventFilter {
  /** Minimum level. */
  readonly level: EventLevel;
  /** Group of the event catalogue; empty for all. */
  readonly group: EventGroup | '';
  /** Part of a stream name. */
  readonly media: string;
  /** Words that must all occur in the fields or the sentence of the event. */
  readonly text: string;
  /** Range of times, local time as `TimeField` gives it; empty for no limit. The end is exclusive. */
  readonly from: string;
  readonly to: string;
}

/** Default filter: all events except debug events. */
export const DEFAULT_FILTER: EventFilter = { level: 'info', group: '', media: '', text: '', from: '', to: '' };

/** Codes of all groups of events. */
export const GROUPS: readonly EventGroup[] = EVENT_GROUPS.map(({ code }) => code);

const ENTRIES: Readonly<Record<string, EventEntry>> = EVENTS;
const GROUP_OF: ReadonlyMap<string, EventGroup> = new Map(
  EVENT_GROUPS.flatMap(({ code, entries }) => Object.keys(entries).map((kind) => [kind, code] as const)),
);

/** Level of an event; `info` for a kind that this desk does not know. */
export function levelOf({ event }: ServerEvent): EventLevel {
  return ENTRIES[event]?.level ?? 'info';
}

/** Creates the function that tests events, once per filter. */
export function filterTest(filter: EventFilter): (event: ServerEvent) => boolean {
  const minLevel = EVENT_LEVELS.indexOf(filter.level);
  const media = filter.media.trim().toLowerCase();
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  const [fromMs, toMs] = [epochOf(filter.from) ?? -Infinity, epochOf(filter.to) ?? Infinity];
  return (event) =>
    event.utc_ms >= fromMs &&
    event.utc_ms < toMs &&
    EVENT_LEVELS.indexOf(levelOf(event)) >= minLevel &&
    (filter.group === '' || GROUP_OF.get(event.event) === filter.group) &&
    (media === '' || (event.media ?? '').toLowerCase().includes(media)) &&
    (words.length === 0 || hasAll(event, words));
}

function hasAll(event: ServerEvent, words: readonly string[]): boolean {
  const text = [sentenceOf(event), ...Object.values(event)].join('\n').toLowerCase();
  return words.every((word) => text.includes(word));
}

/** Converts a filter into URL parameters; only values that differ from the default. */
export function filterQuery(filter: EventFilter): Record<string, string> {
  const changed = (Object.keys(DEFAULT_FILTER) as (keyof EventFilter)[]).filter(
    (key) => filter[key] !== DEFAULT_FILTER[key],
  );
  return Object.fromEntries(changed.map((key) => [key, filter[key]]));
}

/** Reads a filter from URL parameters; invalid values count as absent. */
export function readFilter(query: Readonly<Record<string, unknown>>): EventFilter {
  const textOf = (key: keyof EventFilter): string => (typeof query[key] === 'string' ? query[key] : '');
  const timeOf = (key: 'from' | 'to'): string => (epochOf(textOf(key)) === undefined ? '' : textOf(key));
  const level = EVENT_LEVELS.find((one) => one === query['level']) ?? DEFAULT_FILTER.level;
  const group = GROUPS.find((one) => one === query['group']) ?? '';
  return { level, group, media: textOf('media'), text: textOf('text'), from: timeOf('from'), to: timeOf('to') };
}
