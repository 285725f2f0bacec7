import { expect, it } from 'vitest';
import type { CaseItem } from '../../../../src-preload/contract/api/archive/case-object.ts';
import { idsByTime, itemBodies, movedIds, suggestedFolder } from './case-items.ts';

const item = (id: string, from: number, name = 'cam'): CaseItem => ({
  id,
  kind: 'still',
  name,
  from,
  to: null,
  text: '',
  added_by: 'pat',
  added_at: 0,
});
const ITEMS = [item('a', 300), item('b', 100), item('c', 100, 'bay')];
const CHOICE = { names: ['cam', 'bay'], atMs: 1000.4, range: { from: 1000, to: 1400 }, frameMs: 40, text: 'goal' };

it('itemBodies returns an item per stream: clips with exact frames, stills and marks', () => {
  expect(itemBodies({ ...CHOICE, kind: 'clip' })).toEqual([
    { kind: 'clip', name: 'cam', from: 990, to: 1390, text: 'goal' },
    { kind: 'clip', name: 'bay', from: 990, to: 1390, text: 'goal' },
  ]);
  expect(itemBodies({ ...CHOICE, kind: 'still', names: ['cam'] })).toEqual([
    { kind: 'still', name: 'cam', from: 1010, text: 'goal' },
  ]);
  expect(itemBodies({ ...CHOICE, kind: 'mark', names: ['cam'] })[0]?.from).toBe(1001);
});

it('movedIds moves an item by one position, and not beyond the ends', () => {
  expect([
    movedIds(ITEMS, 'a', 1),
    movedIds(ITEMS, 'c', -1),
    movedIds(ITEMS, 'a', -1),
    movedIds(ITEMS, 'c', 1),
  ]).toEqual([
    ['b', 'a', 'c'],
    ['a', 'c', 'b'],
    ['a', 'b', 'c'],
    ['a', 'b', 'c'],
  ]);
  expect(movedIds(ITEMS, 'z', 1)).toEqual(['a', 'b', 'c']);
});

it('idsByTime sorts items by time, then by stream', () => {
  expect(idsByTime(ITEMS)).toEqual(['c', 'b', 'a']);
});

it('suggestedFolder returns a name that is valid on all systems', () => {
  expect(suggestedFolder('Goal / or: not?', Date.UTC(2025, 0, 15, 12, 30))).toBe('Goal-or-not-2025-01-15T12-30');
  expect(suggestedFolder('../..', 0)).toBe('case-1970-01-01T00-00');
});
