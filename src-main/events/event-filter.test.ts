import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { levelOf } from './event-bus.ts';
import { eventFilter, patternsOf, type EventCondition, type EventFacts, type EventSelection } from './event-filter.ts';

const fits = (selection: Partial<EventSelection>, event: EventFacts): boolean =>
  eventFilter({ only: [], except: [], ...selection }, levelOf)(event);
const OPENED = { event: 'stream_opened', media: 'news/1', count: 3, detail: null };

describe('event filters', () => {
  it.each<[string, Partial<EventSelection>, boolean]>([
    ['no condition', {}, true],
    ['the kind', { only: [{ event: ['stream_opened'] }] }, true],
    ['another kind', { only: [{ event: ['stream_closed'] }] }, false],
    ['one kind of a list', { only: [{ event: ['play_*', 'stream_*'] }] }, true],
    ['a pattern that is open at its start', { only: [{ event: ['*_opened'] }] }, true],
    ['a pattern that is open at both ends', { only: [{ media: ['*ews*'] }] }, true],
    ['anything', { only: [{ media: ['*'] }] }, true],
    ['all conditions of one filter', { only: [{ event: ['stream_*'], media: ['news/*'] }] }, true],
    ['only one condition of a filter', { only: [{ event: ['stream_*'], media: ['sport/*'] }] }, false],
    ['one of two filters', { only: [{ media: ['sport/*'] }, { media: ['news/*'] }] }, true],
    ['a number', { only: [{ count: ['3'] }] }, true],
    ['a fact that is null', { only: [{ detail: ['*'] }] }, false],
    ['a fact that the event lacks', { only: [{ toString: ['*'] }] }, false],
    ['an excluded event', { except: [{ media: ['news/*'] }] }, false],
    ['an event that meets half of an exclusion', { except: [{ media: ['news/*'], event: ['play_*'] }] }, true],
    ['a selected and excluded event', { only: [{ event: ['stream_*'] }], except: [{ media: ['news/1'] }] }, false],
    ['an empty filter', { except: [{}] }, true],
    ['the level', { level: 'info' }, true],
    ['a higher level', { level: 'warn' }, false],
  ])('decide by %s', (_what, selection, isPassed) => {
    expect(fits(selection, OPENED)).toBe(isPassed);
  });

  it('accept both names of the event of shown advertisements', () => {
    for (const name of ['ad_inject', 'ad_injected', 'ad_*', '*_injected'])
      expect(fits({ only: [{ event: [name] }] }, { event: 'ad_inject' }), name).toBe(true);
    expect(fits({ except: [{ event: ['ad_injected'] }] }, { event: 'ad_inject' })).toBe(false);
  });

  it('parse lists of patterns', () => {
    expect(patternsOf('a*, b ,,c')).toEqual(['a*', 'b', 'c']);
  });

  // Simple implementation of a pattern, for comparison with the fast one.
  const naive = (pattern: string, text: string): boolean =>
    new RegExp(
      `^${pattern
        .split('*')
        .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
        .join('[^]*')}$`,
    ).test(text);
  const word = fc.string({ unit: fc.constantFrom('a', 'b', '_', '*', '.'), maxLength: 6 });
  const plain = fc.string({ unit: fc.constantFrom('a', 'b', '_', '.'), maxLength: 8 });
  const condition: fc.Arbitrary<EventCondition> = fc.dictionary(
    fc.constantFrom('x', 'y'),
    fc.array(word, { minLength: 1, maxLength: 3 }),
    { maxKeys: 2 },
  );
  const conditions = fc.array(condition, { maxLength: 3 });

  it('combine conditions with AND and lists with OR, for any values', () => {
    const naiveFits = (filter: EventCondition, event: Record<string, string>): boolean => {
      const entries = Object.entries(filter);
      return (
        entries.length > 0 &&
        entries.every(
          ([key, patterns]) => event[key] !== undefined && patterns.some((pattern) => naive(pattern, event[key] ?? '')),
        )
      );
    };
    fc.assert(
      fc.property(conditions, conditions, fc.dictionary(fc.constantFrom('x', 'y'), plain), (only, except, event) => {
        const expected =
          (only.length === 0 || only.some((filter) => naiveFits(filter, event))) &&
          !except.some((filter) => naiveFits(filter, event));
        expect(fits({ only, except }, event)).toBe(expected);
      }),
      { numRuns: 500 },
    );
  });

  it('match malicious patterns without backtracking', () => {
    const text = 'a'.repeat(2000);
    expect(fits({ only: [{ media: [`${'*a'.repeat(500)}b`] }] }, { event: 'stream_opened', media: text })).toBe(false);
  });
});
