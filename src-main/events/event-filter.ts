import { eventNames } from '../../src-preload/contract/events/catalogue.ts';
import { EVENT_LEVELS, type EventLevel } from '../../src-preload/contract/events/event-entry.ts';

/** Conditions on fields of an event: all of them must hold, each by one of its patterns. `*` in a pattern stands for anything. */
export type EventCondition = Readonly<Record<string, readonly string[]>>;

/** Which events are wanted. */
export interface EventSelection {
  /** Events that fit one of these; all of them where there is none. */
  readonly only: readonly EventCondition[];
  /** Events that fit none of these. */
  readonly except: readonly EventCondition[];
  /** The least level; all without it. */
  readonly level?: EventLevel;
}

/** The facts of an event by name. */
export type EventFacts = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** A test of events, made once from a selection. */
export function eventFilter(
  { only, except, level }: EventSelection,
  levelOf: (kind: string) => EventLevel,
): (event: EventFacts) => boolean {
  const wanted = only.map(conditionTest);
  const unwanted = except.map(conditionTest);
  const least = level === undefined ? 0 : EVENT_LEVELS.indexOf(level);
  return (event) =>
    (least === 0 || EVENT_LEVELS.indexOf(levelOf(String(event['event']))) >= least) &&
    (wanted.length === 0 || wanted.some((test) => test(event))) &&
    !unwanted.some((test) => test(event));
}

/** The patterns of one value of a filter: `a,b*` means either. */
export function patternsOf(value: string): readonly string[] {
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function conditionTest(condition: EventCondition): (event: EventFacts) => boolean {
  const tests = Object.entries(condition).map(([field, patterns]) => {
    const matches = patterns.map(patternTest);
    const isAny = (text: string): boolean => matches.some((match) => match(text));
    if (field === 'event') return (event: EventFacts) => eventNames(String(event[field])).some(isAny);
    return (event: EventFacts) => {
      const value = Object.hasOwn(event, field) ? event[field] : undefined;
      return value !== undefined && value !== null && isAny(String(value));
    };
  });
  // A condition that says nothing fits nothing: it is a slip, and must not silence a sink.
  return (event) => tests.length > 0 && tests.every((test) => test(event));
}

/** A test by a pattern whose `*` stand for anything, in time linear to pattern and text. */
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
