import { describe, expect, it } from 'vitest';
import { listEdits, wordEdits } from './list-edits.ts';

const OWN = [{ url: 'a' }, { url: 'b', priority: 2 }, { url: 'a' }];

describe('edits of a nested list', () => {
  it.each([
    ['an item that is new', [{ url: 'c' }], [{ $index: 0 }, { url: 'c' }]],
    ['an item that is there', [{ url: 'b', priority: 2 }], undefined],
    ['an item that is there with another value', [{ url: 'b', priority: 3 }], [{ $index: 1, url: 'b', priority: 3 }]],
    [
      'the second of two with one key',
      [{ url: 'a' }, { url: 'a', priority: 9 }],
      [{ $index: 2, url: 'a', priority: 9 }],
    ],
    [
      'an item by its place beside one by its key',
      [
        { $index: 0, url: 'x' },
        { url: 'a', priority: 1 },
      ],
      [
        { $index: 0, url: 'x' },
        { $index: 2, url: 'a', priority: 1 },
      ],
    ],
    ['an item that goes', [{ url: 'b', $delete: true }], [{ $index: 1, $delete: true }]],
    ['an item that is gone', [{ url: 'z', $delete: true }], undefined],
    ['no items', [], null],
  ])('know %s', (_what, items, edits) => {
    expect(listEdits(items, OWN, 'url')).toEqual(edits);
  });

  it('know items without a key by all of them', () => {
    const own = [{ event: 'stream_*' }, { media: 'a' }];
    expect(listEdits([{ media: 'a' }, { media: 'b' }], own, undefined)).toEqual([{ $index: 0 }, { media: 'b' }]);
    expect(listEdits([{ event: 'stream_*', $delete: true }], own, undefined)).toEqual([{ $index: 0, $delete: true }]);
  });

  it('begin a list where there is none', () => {
    expect(listEdits([{ url: 'a' }], [], 'url')).toEqual([{ url: 'a' }]);
    expect(listEdits([], [], 'url')).toBeUndefined();
  });
});

describe('edits of a list of words', () => {
  it('make the whole list', () => {
    expect(wordEdits([{ url: '/c' }, { url: '/a', $delete: true }, '/b'], ['/a', '/b'], 'url')).toEqual(['/b', '/c']);
    expect(wordEdits([{ $index: 1, url: '/x' }], ['/a', '/b'], 'url')).toEqual(['/a', '/x']);
    expect(wordEdits([{ url: '/a', $delete: true }], ['/a'], 'url')).toBeNull();
  });
});
