import { describe, expect, it } from 'vitest';
import {
  WALLS_MAX,
  type Wall,
  type WallCell,
  type WallTile,
} from '../../../src-preload/contract/operations/wall-calls.ts';
import { WallService } from './wall-service.ts';

type WallStore = NonNullable<ConstructorParameters<typeof WallService>[0]>;

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
    service.save(wall('Gallery', { key: 1 }));
    service.save(wall('News', { key: 2 }));
    service.save(wall('News', { key: 1, columns: 3 }));
    expect(service.list({}).map(({ name, key, columns }) => [name, key, columns])).toEqual([
      ['Gallery', null, 2],
      ['News', 1, 3],
    ]);
    service.remove('Gallery');
    service.remove('Gallery');
    expect(service.list({})).toHaveLength(1);
  });

  it('shows a token with a prefix only its streams, and no wall without such a stream', () => {
    const service = new WallService(memory());
    service.save(wall('Both'));
    service.save(wall('Sport', { streams: ['sport/b'] }));
    expect(service.list({ prefixes: ['news'] })).toEqual([wall('Both', { streams: ['news/a'] })]);
  });

  it('shows a token with a prefix only the cells of its streams, and reads a wall of an older server without cells', () => {
    const { cells: _, ...older } = wall('Older');
    const service = new WallService(memory(new Map([['Older', JSON.stringify(older)]])));
    expect(service.list({})).toEqual([wall('Older')]);
    const cell = (x: number, tile: WallTile): WallCell => ({ x, y: 0, w: 1, h: 1, tile });
    const cellOfNews = cell(0, { kind: 'stream', stream: 'news/a' });
    service.save(
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
    expect(service.list({ prefixes: ['news'] })[1]).toEqual(
      wall('Cells', { columns: 4, streams: [], cells: [cellOfNews, cell(3, { kind: 'clock', zone: 'utc' })] }),
    );
  });

  it('limits the number of walls, and still saves existing ones', () => {
    const service = new WallService(memory());
    for (let index = 0; index < WALLS_MAX; index++) service.save(wall(`wall ${index}`));
    expect(() => service.save(wall('one more'))).toThrow(expect.objectContaining({ code: 'too_many_walls' }));
    service.save(wall('wall 7', { rows: 5 }));
    expect(service.list({})[7]?.rows).toBe(5);
  });

  it('lists nothing without a database, and skips an unreadable wall', () => {
    const none = new WallService(undefined);
    expect(none.list({})).toEqual([]);
    expect(() => none.save(wall('a'))).toThrow(expect.objectContaining({ code: 'unavailable' }));
    const kept = new Map([['newer', '{"name":"newer"}']]);
    const service = new WallService(memory(kept));
    service.save(wall('a'));
    expect(service.list({}).map(({ name }) => name)).toEqual(['a']);
    expect(kept.has('newer')).toBe(true);
  });
});
