import { describe, expect, it } from 'vitest';
import {
  WALLS_MAX,
  type Wall,
  type WallCell,
  type WallTile,
} from '../../../src-preload/contract/operations/wall-calls.ts';
import type { Caller } from '../../operators/caller.ts';
import { WallService } from './wall-service.ts';

type WallStore = NonNullable<ConstructorParameters<typeof WallService>[0]>;

const ALL: Caller = { mayRead: true, mayWrite: true, who: 'boss', address: '' };
const wall = (name: string, more: Partial<Wall> = {}): Wall => ({
  name,
  key: null,
  columns: 2,
  rows: 2,
  cells: [],
  streams: ['news/a', 'sport/b'],
  ...more,
});
function memory(kept = new Map<string, string>()): WallStore {
  return {
    all: () => [...kept.values()],
    put: (texts) => texts.forEach((text, name) => kept.set(name, text)),
    remove: (name) => kept.delete(name),
  };
}

describe('WallService', () => {
  it('stores walls by name, and assigns a key to only one wall', () => {
    const service = new WallService(memory());
    service.save(ALL, wall('Gallery', { key: 1 }));
    service.save(ALL, wall('News', { key: 2 }));
    service.save(ALL, wall('News', { key: 1, columns: 3 }));
    expect(service.list({}).map(({ name, key, columns }) => [name, key, columns])).toEqual([
      ['Gallery', null, 2],
      ['News', 1, 3],
    ]);
    service.remove(ALL, 'Gallery');
    service.remove(ALL, 'Gallery');
    expect(service.list({})).toHaveLength(1);
  });

  it('shows a token with a prefix only its streams, and no wall without such a stream', () => {
    const service = new WallService(memory());
    service.save(ALL, wall('Both'));
    service.save(ALL, wall('Sport', { streams: ['sport/b'] }));
    expect(service.list({ prefixes: ['news'] })).toEqual([
      { ...wall('Both', { streams: ['news/a'] }), is_partial: true },
    ]);
  });

  it('shows a token with a prefix only the cells of its streams, and reads a wall of an older server without cells', () => {
    const { cells: _, ...older } = wall('Older');
    const service = new WallService(memory(new Map([['Older', JSON.stringify(older)]])));
    expect(service.list({})).toEqual([wall('Older')]);
    const cell = (x: number, tile: WallTile): WallCell => ({ x, y: 0, w: 1, h: 1, tile });
    const cellOfNews = cell(0, { kind: 'stream', stream: 'news/a' });
    service.save(
      ALL,
      wall('Cells', {
        columns: 4,
        streams: [],
        cells: [
          cellOfNews,
          cell(1, { kind: 'stream', stream: 'sport/b' }),
          cell(2, { kind: 'group', prefix: 'sport' }),
          cell(3, { kind: 'clock', zone: 'utc' }),
        ],
      }),
    );
    expect(service.list({ prefixes: ['news'] })[1]).toEqual({
      ...wall('Cells', { columns: 4, streams: [], cells: [cellOfNews, cell(3, { kind: 'clock', zone: 'utc' })] }),
      is_partial: true,
    });
  });

  it('lets a person who is limited to some streams save and remove only walls that show these streams', () => {
    const service = new WallService(memory());
    const anna: Caller = { ...ALL, who: 'anna', mayWrite: false, role: 'operator', prefixes: ['news'] };
    service.save(ALL, wall('Both', { key: 1 }));
    const forbidden = expect.objectContaining({ code: 'forbidden' }) as unknown;
    const cells: WallCell[] = [{ x: 0, y: 0, w: 1, h: 1, tile: { kind: 'group', prefix: 'sport' } }];
    for (const refused of [wall('Sport'), wall('Cells', { streams: [], cells }), wall('Both', { streams: ['news/a'] })])
      expect(() => {
        service.save(anna, refused);
      }).toThrow(forbidden);
    expect(() => {
      service.remove(anna, 'Both');
    }).toThrow(forbidden);
    // The key stays with the wall that shows other streams too.
    service.save(anna, wall('News', { key: 1, streams: ['news/a'] }));
    service.save(anna, wall('News 2', { key: 2, streams: ['news/a'] }));
    service.save(anna, wall('News 3', { key: 2, streams: ['news/b'] }));
    expect(service.list({}).map(({ name, key }) => [name, key])).toEqual([
      ['Both', 1],
      ['News', null],
      ['News 2', null],
      ['News 3', 2],
    ]);
    service.remove(anna, 'News');
    expect(service.list({}).map(({ name }) => name)).toEqual(['Both', 'News 2', 'News 3']);
  });

  it('recalls a wall in windows that may show it; a limited operator recalls it only in windows limited to the same streams', () => {
    const service = new WallService(memory());
    service.save(ALL, wall('News', { streams: ['news/a'] }));
    service.save(ALL, wall('Sport', { streams: ['sport/b'] }));
    const recalled: string[] = [];
    for (const prefixes of [undefined, ['news'], ['sport']])
      service.labels.subscribe(
        (message) => {
          if (message.recalled) recalled.push(`${prefixes?.join() ?? 'all'}: ${message.recalled.wall}`);
        },
        prefixes ? { prefixes } : {},
      );
    service.recall(ALL, 'News');
    service.recall({ role: 'operator', prefixes: ['news'] }, 'News');
    service.recall({ prefixes: ['sport'] }, 'Sport');
    expect(recalled).toEqual(['all: News', 'news: News', 'news: News', 'all: Sport', 'sport: Sport']);
    expect(() => {
      service.recall({ role: 'operator', prefixes: ['news'] }, 'Sport');
    }).toThrow(expect.objectContaining({ code: 'not_found' }));
  });

  it('limits the number of walls, and still saves existing ones', () => {
    const service = new WallService(memory());
    for (let index = 0; index < WALLS_MAX; index++) service.save(ALL, wall(`wall ${index}`));
    expect(() => service.save(ALL, wall('one more'))).toThrow(expect.objectContaining({ code: 'too_many_walls' }));
    service.save(ALL, wall('wall 7', { rows: 5 }));
    expect(service.list({})[7]?.rows).toBe(5);
  });

  it('lists nothing without a database, and skips an unreadable wall', () => {
    const none = new WallService(undefined);
    expect(none.list({})).toEqual([]);
    expect(() => none.save(ALL, wall('a'))).toThrow(expect.objectContaining({ code: 'unavailable' }));
    const kept = new Map([['newer', '{"name":"newer"}']]);
    const service = new WallService(memory(kept));
    service.save(ALL, wall('a'));
    expect(service.list({}).map(({ name }) => name)).toEqual(['a']);
    expect(kept.has('newer')).toBe(true);
  });
});
