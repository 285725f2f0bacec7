import { describe, expect, it } from 'vitest';
import { expectLinear } from '../../../tests/helpers/growth.ts';
import type { JsonValue } from '../../config/schema/value-schema.ts';
import { listEdits, requestIndex, wordEdits } from './list-edits.ts';

const STORAGES = { name: 'storages', key: 'url' };

const OWN = [{ url: 'a' }, { url: 'b', priority: 2 }, { url: 'a' }];

describe('edits of a nested list', () => {
  it.each([
    ['a new item', [{ url: 'c' }], [{ $index: 0 }, { url: 'c', $at: 0 }]],
    ['an existing item', [{ url: 'b', priority: 2 }], undefined],
    [
      'an existing item with another value',
      [{ url: 'b', priority: 3 }],
      [{ $index: 1, url: 'b', priority: 3, $at: 0 }],
    ],
    [
      'the second of two with one key',
      [{ url: 'a' }, { url: 'a', priority: 9 }],
      [{ $index: 2, url: 'a', priority: 9, $at: 1 }],
    ],
    [
      'an item by index and one by key',
      [
        { $index: 0, url: 'x' },
        { url: 'a', priority: 1 },
      ],
      [
        { $index: 0, url: 'x', $at: 0 },
        { $index: 2, url: 'a', priority: 1, $at: 1 },
      ],
    ],
    ['a removed item', [{ url: 'b', $delete: true }], [{ $index: 1, $delete: true, $at: 0 }]],
    ['a missing item to remove', [{ url: 'z', $delete: true }], [{ $index: 0 }, { url: 'z', $delete: true, $at: 0 }]],
    ['no items', [], null],
  ])('are created for %s', (_what, items, edits) => {
    expect(listEdits(items, OWN, 'url')).toEqual(edits);
  });

  it('identify items without a key by all their fields', () => {
    const configured = [{ event: 'stream_*' }, { media: 'a' }];
    expect(listEdits([{ media: 'a' }, { media: 'b' }], configured, undefined)).toEqual([
      { $index: 0 },
      { media: 'b', $at: 1 },
    ]);
    expect(listEdits([{ event: 'stream_*', $delete: true }], configured, undefined)).toEqual([
      { $index: 0, $delete: true, $at: 0 },
    ]);
  });

  it('create a missing list', () => {
    expect(listEdits([{ url: 'a' }], [], 'url')).toEqual([{ url: 'a', $at: 0 }]);
    expect(listEdits([], [], 'url')).toBeUndefined();
  });
});

describe('requestIndex', () => {
  it.each([
    [0, undefined],
    [1, 1],
    [2, 2],
    [3, undefined],
  ])('returns the position in the request of the item at index %i', (index, at) => {
    const edits = listEdits([{ $index: 0, $delete: true }, { $index: 2, url: 'x' }, { url: 'n' }], OWN, 'url') ?? [];
    expect(requestIndex(edits as JsonValue[], OWN.length, index)).toBe(at);
  });
});

describe('edits of a list of words', () => {
  it('refuse to remove a missing word', () => {
    expect(() => wordEdits([{ url: '/z', $delete: true }], ['/a'], STORAGES)).toThrow(
      expect.objectContaining({ code: 'bad_value', details: { pointer: '/storages/0' } }),
    );
  });

  it.each<[JsonValue, string]>([
    [{}, '/storages/1/url'],
    [{ $index: 1, url: '/x' }, '/storages/1/$index'],
    [{ $index: -1, url: '/x' }, '/storages/1/$index'],
    [{ $index: '0', url: '/x' }, '/storages/1/$index'],
  ])('refuse %j, because it would have no effect', (item, pointer) => {
    expect(() => wordEdits(['/a', item], ['/a'], STORAGES)).toThrow(
      expect.objectContaining({ code: 'bad_value', details: { pointer } }),
    );
  });

  it('take time proportional to the length of the lists', () =>
    expectLinear({
      make: (size) => Array.from({ length: size }, (_, index) => `/${index}`),
      run: (configured) => {
        expect(wordEdits(configured.toReversed(), configured, STORAGES)).toHaveLength(configured.length);
        const items = configured.map((url) => ({ url }));
        expect(listEdits(items.toReversed(), items, 'url')).toBeUndefined();
        expect(listEdits(items.toReversed(), items, undefined)).toBeUndefined();
      },
    }));

  it('can replace the whole list', () => {
    expect(wordEdits([{ url: '/c' }, { url: '/a', $delete: true }, '/b'], ['/a', '/b'], STORAGES)).toEqual([
      '/b',
      '/c',
    ]);
    expect(wordEdits([{ $index: 1, url: '/x' }], ['/a', '/b'], STORAGES)).toEqual(['/a', '/x']);
    expect(wordEdits([{ url: '/a', $delete: true }], ['/a'], STORAGES)).toBeNull();
  });
});
