import { expect, it } from 'vitest';
import { spriteTile, stepOf } from './sprite-tile.ts';

it('spriteTile returns the thumbnail at a time', () => {
  expect(spriteTile(1_800_000_000_000, 2)).toEqual({
    file: 'sprite-1800000000-2.jpg',
    x: 0,
    y: 0,
    atMs: 1_800_000_000_000,
  });
  expect(spriteTile(1_800_000_015_999, 2)).toEqual({
    file: 'sprite-1800000000-2.jpg',
    x: 320,
    y: 90,
    atMs: 1_800_000_014_000,
  });
  expect([stepOf(1), stepOf(1000), stepOf(1e9)]).toEqual([2, 10, 900]);
});
