import { eventNames } from '../../src-preload/contract/events/catalogue.ts';
import { EVENT_LEVELS, type EventLevel } from '../../src-preload/contract/events/event-entry.ts';

/** Patterns by field: every field must match one of its patterns. `*` in a pattern matches any text. */
export type EventCondition = Readonly<Record<string, readonly string[]>>;

/** Selection of events. */
export interface EventSelection {
  /** Conditions; an event must match at least one. Empty for all events. */
  readonly only: readonly EventCondition[];
  /** Conditions; an event must match none of them. */
  readonly except: readonly EventCondition[];
  /** Minimum level; default: all levels. */
  readonly level?: EventLevel;
}

/** Fields of an event by name. */
export type EventFacts = Readonly<Record<string, string | number | boolean | object | null | undefined>>;

/** Compiles a selection into a test of events. */
export function eventFilter(
  { only, except, level }: EventSelection,
  levelOf: (kind: string) => EventLevel,
): (event: EventFacts) => boolean {
  const tests = only.map(conditionTest);
  const excluded = except.map(conditionTest);
  const minLevel = level === undefined ? 0 : EVENT_LEVELS.indexOf(level);
  return (event) =>
    (minLevel === 0 || EVENT_LEVELS.indexOf(levelOf(textOf(event['event']) ?? '')) >= minLevel) &&
    (tests.length === 0 || tests.some((test) => test(event))) &&
    !excluded.some((test) => test(event));
}

/** Splits a filter value into patterns: `a,b*` matches either. */
export function patternsOf(value: string): readonly string[] {
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function conditionTest(condition: EventCondition): (event: EventFacts) => boolean {
  const tests = Object.entries(condition).map(([field, patterns]) => {
    const matches = patterns.map(patternTest);
    const matchesOne = (text: string): boolean => matches.some((match) => match(text));
    if (field === 'event') return (event: EventFacts) => eventNames(textOf(event[field]) ?? '').some(matchesOne);
    return (event: EventFacts) => {
      const text = Object.hasOwn(event, field) ? textOf(event[field]) : undefined;
      return text !== undefined && matchesOne(text);
    };
  });
  // An empty condition matches nothing. It is a mistake and must not silence a sink.
  return (event) => tests.length > 0 && tests.every((test) => test(event));
}

function textOf(value: EventFacts[string]): string | undefined {
  return value === undefined || typeof value === 'object' ? undefined : String(value);
}

/** Compiles a pattern with `*`; matching takes time linear in pattern and text. */
function patternTest(pattern: string): (text: string) => boolean {
  const parts = pattern.split('*');
  if (parts.length === 1) return (text) => text === pattern;
  const first = parts[0] ?? '';
  const last = parts.at(-1) ?? '';
  const middle = parts.slice(1, -1);
  return (text) => {
    if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
    let at = first.length;
    const end = text.length - last.length;
    for (const part of middle) {
      const found = text.indexOf(part, at);
      if (found < 0 || found + part.length > end) return false;
      at = found + part.length;
    }
    return true;
  };
}
