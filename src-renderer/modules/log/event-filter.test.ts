import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EVENTS, type EventKind, type ServerEvent } from '../../../src-preload/contract/events/catalogue.ts';
import { EVENT_LEVELS } from '../../../src-preload/contract/events/event-entry.ts';
import { meaningOf } from './event-lines.ts';
import { GROUP_LABELS } from './texts.ts';
import { DEFAULT_FILTER, GROUPS, filterQuery, filterTest, readFilter } from './event-filter.ts';

const KINDS = Object.keys(EVENTS) as EventKind[];
const anEvent = (event: EventKind, more: Record<string, string> = {}): ServerEvent => ({
  event,
  event_id: 1,
  utc_ms: 0,
  server: 'studio',
  ...more,
});
const refused = anEvent('publish_refused', { media: 'news/cam1', ip: '192.0.2.7', code: 'publish_bad_password' });

describe('the filter of the log', () => {
  it('passes events that match level, kind, stream and all words', () => {
    const fits = (filter: object): boolean => filterTest({ ...DEFAULT_FILTER, ...filter })(refused);
    expect(fits({})).toBe(true);
    expect([fits({ media: 'NEWS/' }), fits({ media: 'cam2' })]).toEqual([true, false]);
    expect([fits({ text: '192.0.2.7 bad_password' }), fits({ text: '192.0.2.7 cam9' })]).toEqual([true, false]);
    expect([fits({ group: 'publishers' }), fits({ group: 'inputs' })]).toEqual([true, false]);
    expect([fits({ level: EVENTS.publish_refused.level }), fits({ level: 'alert' })]).toEqual([true, false]);
  });

  it('passes events of a range of local times, whose end is exclusive', () => {
    const at = (local: string): ServerEvent => ({
      event: 'stream_opened',
      event_id: 1,
      utc_ms: new Date(local).getTime(),
      server: 'studio',
    });
    const fits = filterTest({ ...DEFAULT_FILTER, from: '2027-01-15T12:00', to: '2027-01-15T12:00:30' });
    const times = ['2027-01-15T11:59:59.999', '2027-01-15T12:00', '2027-01-15T12:00:29', '2027-01-15T12:00:30'];
    expect(times.map((local) => fits(at(local)))).toEqual([false, true, true, false]);
  });

  it('has a group and a description for every kind of event', () => {
    for (const kind of KINDS) {
      const groups = GROUPS.filter((group) => filterTest({ ...DEFAULT_FILTER, level: 'debug', group })(anEvent(kind)));
      expect([groups.length, meaningOf(anEvent(kind))], kind).toEqual([1, expect.stringMatching(/./)]);
    }
  });

  it('is restored from its address, for any filter', () => {
    const filters = fc.record({
      level: fc.constantFrom(...EVENT_LEVELS),
      group: fc.constantFrom('', ...GROUPS),
      media: fc.string(),
      text: fc.string(),
      from: fc.constantFrom('', '2027-01-15T12:00', '2027-01-15T12:00:30'),
      to: fc.constantFrom('', '2027-01-16T12:00'),
    });
    fc.assert(
      fc.property(filters, (filter) => {
        expect(readFilter(filterQuery(filter))).toEqual(filter);
      }),
    );
  });

  it('ignores unknown values in an address', () => {
    expect(readFilter({ level: 'loud', group: 'Inputs', media: null, text: 'x', from: 'noon', other: '1' })).toEqual({
      ...DEFAULT_FILTER,
      text: 'x',
    });
    expect(filterQuery(DEFAULT_FILTER)).toEqual({});
  });
});

it('the log has a label for every group of the catalogue', () => {
  expect(Object.keys(GROUP_LABELS)).toEqual([...GROUPS]);
});
