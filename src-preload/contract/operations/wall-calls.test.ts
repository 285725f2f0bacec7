import { describe, expect, it } from 'vitest';
import { wallLayoutSchema, type WallCell } from './wall-calls.ts';

const cell = (x: number, y: number, w = 1, h = 1): WallCell => ({ x, y, w, h, tile: { kind: 'next' } });
const isGood = (cells: unknown): boolean => wallLayoutSchema.safeParse({ columns: 3, rows: 3, cells }).success;

describe('cells of a wall', () => {
  it('are inside the grid and do not overlap', () => {
    expect(isGood([cell(0, 0, 2, 2), cell(2, 0), cell(0, 2, 3, 1)])).toBe(true);
    expect(isGood([cell(0, 0, 2, 2), cell(1, 1)])).toBe(false);
    expect(isGood([cell(2, 0, 2, 1)])).toBe(false);
    expect(isGood([{ ...cell(0, 0), x: -1 }])).toBe(false);
    expect(isGood([{ ...cell(0, 0), tile: { kind: 'other' } }])).toBe(false);
    expect(isGood([{ ...cell(0, 0), overlays: ['centre'] }])).toBe(true);
    expect(isGood([{ ...cell(0, 0), overlays: ['other'] }])).toBe(false);
  });

  it('are an empty list if missing, and at most as many as the grid has', () => {
    expect(wallLayoutSchema.parse({ columns: 2, rows: 1 })).toEqual({ columns: 2, rows: 1, cells: [] });
    expect(isGood(Array.from({ length: 64_000 }, () => cell(0, 0)))).toBe(false);
  });
});
