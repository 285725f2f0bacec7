import { describe, expect, it } from 'vitest';
import { groupsOf } from './groups.ts';

describe('groups of streams', () => {
  it('are what stands before a slash, of each depth, once', () => {
    expect(groupsOf(['news/eu/cam1', 'sport/a', 'news/cam2', 'studio'])).toEqual(['news', 'news/eu', 'sport']);
    expect(groupsOf([])).toEqual([]);
    expect(groupsOf(Array.from({ length: 10_000 }, (_, index) => `g${index % 7}/s${index}`))).toHaveLength(7);
  });
});
