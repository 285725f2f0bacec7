import { describe, expect, it } from 'vitest';
import { filtered, groupsOf } from './groups.ts';

describe('groupsOf', () => {
  it('returns the parts of names before each slash, without duplicates', () => {
    expect(groupsOf(['news/eu/cam1', 'sport/a', 'news/cam2', 'studio'])).toEqual(['news', 'news/eu', 'sport']);
    expect(groupsOf([])).toEqual([]);
    expect(groupsOf(Array.from({ length: 10_000 }, (_, index) => `g${index % 7}/s${index}`))).toHaveLength(7);
  });
});

describe('filtered', () => {
  const names = ['news/cam1', 'news/cam2', 'sport/cam1', 'newsroom'];
  const titles = new Map([['sport/cam1', 'Main News Studio']]);
  const find = (query: string, group: string | null = null): readonly string[] =>
    filtered(names, { group, find: query, titles });

  it('returns the streams of a group that match all words in name or title', () => {
    expect(find('', 'news')).toEqual(['news/cam1', 'news/cam2']);
    expect(find('CAM1 news')).toEqual(['news/cam1', 'sport/cam1']);
    expect(find('cam2', 'sport')).toEqual([]);
    expect(find('  ')).toBe(names);
  });

  it('filters ten thousand names', () => {
    const many = Array.from({ length: 10_000 }, (_, index) => `g/s${index}`);
    expect(filtered(many, { group: 'g', find: 's999', titles })).toHaveLength(11);
  });
});
