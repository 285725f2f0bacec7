import { expect, it } from 'vitest';
import { keepNewest, newestOf } from './newest.ts';

it('keepNewest removes the oldest entries of maps and sets above the limit', () => {
  const set = new Set(['a', 'b', 'c', 'd']);
  keepNewest(set, 2);
  expect([...set]).toEqual(['c', 'd']);
  const map = new Map([...set].map((key) => [key, 1]));
  keepNewest(map, 2);
  expect([...map.keys()]).toEqual(['c', 'd']);
  keepNewest(map, 0);
  expect(map.size).toBe(0);
});

it('newestOf keeps recently used entries, and creates an entry again after it was removed', () => {
  const kept = new Map<string, string>();
  const created: string[] = [];
  const valueOf = (key: string): string =>
    newestOf(kept, key, 2, () => {
      created.push(key);
      return key.toUpperCase();
    });
  expect(['a', 'b', 'a', 'c', 'a', 'b'].map(valueOf)).toEqual(['A', 'B', 'A', 'C', 'A', 'B']);
  expect(created).toEqual(['a', 'b', 'c', 'b']);
  expect([...kept.keys()]).toEqual(['a', 'b']);
});
