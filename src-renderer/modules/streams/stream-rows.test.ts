import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aStream } from '../../../tests/helpers/desk/a-stream.ts';
import type { StreamReport } from '../../domain/streams/store.ts';
import {
  COLUMNS,
  csvOf,
  orderOf,
  rowsOf as ordered,
  type Column,
  type Order,
  type StreamFilter,
  type StreamRow,
} from './stream-rows.ts';

const rowsOf = (streams: readonly StreamReport[], ...more: [StreamFilter, Order, number]): StreamRow[] =>
  ordered(streams, ...more, orderOf(streams.map(({ state }) => state.name)));
const ALL: StreamFilter = { text: '', condition: '' };
const reports = (...changes: Parameters<typeof aStream>): StreamReport[] =>
  changes.map((change) => ({ state: aStream(change), receivedAtMs: 0 }));
const namesOf = (streams: readonly StreamReport[], filter = ALL, by: Column = 'name', isDescending = false): string[] =>
  rowsOf(streams, filter, { by, isDescending }, 0).map(({ name }) => name);

const LOST = { alive: false, ts_delay: 60_000, status: 'error' as const };

describe('the rows of the table of streams', () => {
  it('are sorted by name in natural order', () => {
    const streams = [...reports({ name: 'cam10' }), ...reports({ name: 'cam2' }), ...reports({ name: 'Cam1' })];
    expect(namesOf(streams)).toEqual(['Cam1', 'cam2', 'cam10']);
    expect(namesOf([])).toEqual([]);
  });

  it('are found by all words in name, title and addresses', () => {
    const streams = [
      ...reports({ name: 'north/gate', title: 'Main entrance' }),
      ...reports({ name: 'south/gate' }),
      ...reports({ name: 'yard' }),
    ];
    for (const [text, found] of [
      ['GATE', ['north/gate', 'south/gate']],
      ['gate main', ['north/gate']],
      ['fake://', ['north/gate', 'south/gate', 'yard']],
      ['none', []],
    ] as const)
      expect(namesOf(streams, { ...ALL, text }), text).toEqual(found);
  });

  it('have problems first, the most severe at the top', () => {
    const streams = [
      ...reports({ name: 'a' }),
      ...reports({ name: 'b', ...LOST }),
      ...reports({ name: 'c', alive: false, ts_delay: null, publish_urls: ['rtmp://h/live/c'], status: 'waiting' }),
      ...reports({ name: 'd', ts_delay: 5000 }),
    ];
    expect(namesOf(streams, { ...ALL, condition: 'trouble' }, 'condition')).toEqual(['b', 'd']);
    expect(namesOf(streams, ALL, 'condition')).toEqual(['b', 'd', 'c', 'a']);
    expect(namesOf(streams, { ...ALL, condition: 'waiting' })).toEqual(['c']);
  });

  it.each<[Column, object, object]>([
    ['bitrate', { bitrate: 9000 }, { bitrate: 200 }],
    ['viewers', { client_count: 12 }, { client_count: 3 }],
    ['uptime', { started_at: 1000 }, { started_at: 2000 }],
    ['fps', { fps: 50 }, { fps: null }],
  ])('have the greatest %s first', (by, more, less) => {
    const streams = [...reports({ name: 'less', ...less }), ...reports({ name: 'more', ...more })];
    expect([namesOf(streams, ALL, by, true), namesOf(streams, ALL, by)]).toEqual([
      ['more', 'less'],
      ['less', 'more'],
    ]);
  });

  it('contain each stream once in any order', () => {
    const columns = fc.constantFrom(...(Object.keys(COLUMNS) as Column[]));
    const names = fc.uniqueArray(fc.stringMatching(/^[a-z][a-z0-9]{0,4}$/), { maxLength: 30 });
    fc.assert(
      fc.property(
        names,
        columns,
        fc.boolean(),
        fc.integer({ min: 1, max: 5 }),
        (shownNames, by, isDescending, kinds) => {
          const streams = shownNames.flatMap((name, at) =>
            reports({ name, bitrate: at % kinds, ...(at % kinds === 0 ? LOST : {}) }),
          );
          const found = namesOf(streams, ALL, by, isDescending);
          expect([...found].sort()).toEqual([...shownNames].sort());
          // The order of the input does not matter.
          expect(namesOf([...streams].reverse(), ALL, by, isDescending)).toEqual(found);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('are exported as CSV without formulas for spreadsheets', () => {
    const [head, line] = csvOf(
      rowsOf(reports({ name: 'a', title: '=1+1, "x"' }), ALL, { by: 'name', isDescending: false }, 0),
    );
    expect(head).toMatch(/^name,title,/);
    expect(line).toBe(
      `a,"'=1+1, ""x""",live,fake://,H.264 640×360 AAC stereo,1000,25,0,0,1970-01-01T00:00:00.001Z,\r\n`,
    );
  });
});
