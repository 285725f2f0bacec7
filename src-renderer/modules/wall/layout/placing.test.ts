import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  wallLayoutSchema,
  type WallCell,
  type WallLayout,
  type WallTile,
} from '../../../../src-preload/contract/operations/wall-calls.ts';
import { fillPenaltyBox, cellBeside, cellsOf, placePages } from './placing.ts';
import { PRESETS } from './presets.ts';

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `s${index}`);
const layoutOf = (name: string): WallLayout => PRESETS.find((one) => one.name === name)!.layout;
const streams = (layout: WallLayout, count: number): (string | null)[][] =>
  placePages(layout, { streams: names(count), present: [] }).map((page) => page.map(({ stream }) => stream));

describe('places of tiles', () => {
  it.each(PRESETS.map(({ name, layout }) => [name, layout] as const))(
    'of the preset %s have no gap',
    (name, layout) => {
      expect(wallLayoutSchema.parse(layout)).toEqual(layout);
      const cells = cellsOf(layout);
      expect(cells.reduce((sum, { w, h }) => sum + w * h, 0)).toBe(layout.columns * layout.rows);
      const parts = name.split(/[+]/).map(Number);
      if (parts.length > 1) expect(cells).toHaveLength(parts.reduce((sum, part) => sum + part));
    },
  );

  it('contain every stream on exactly one page, for any layout', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100 }), fc.constantFrom(...PRESETS), (count, { layout }) => {
        expect(
          streams(layout, count)
            .flat()
            .filter((name) => name !== null),
        ).toEqual(names(count));
      }),
    );
  });

  it('are one page if there are no streams, and give the largest tile to the first stream of each page', () => {
    expect(streams(layoutOf('1+5'), 0)).toEqual([Array.from({ length: 6 }, () => null)]);
    expect(placePages(layoutOf('1+5'), { streams: names(7), present: [] })[1]?.[0]).toMatchObject({
      stream: 's6',
      cell: { w: 2, h: 2 },
    });
  });

  it('contain a stream with its own cell on every page, and in no other cell', () => {
    const cells: WallCell[] = [
      { x: 1, y: 0, w: 1, h: 1, tile: { kind: 'next' } },
      { x: 0, y: 0, w: 1, h: 1, tile: { kind: 'stream', stream: 's1' } },
    ];
    expect(streams({ columns: 2, rows: 1, cells }, 3)).toEqual([
      ['s1', 's0'],
      ['s1', 's2'],
    ]);
  });

  it('of a group contain its streams, page by page, and other streams are elsewhere', () => {
    const cell = (x: number, tile: WallTile): WallCell => ({ x, y: 0, w: 1, h: 1, tile });
    const cells = [
      cell(0, { kind: 'group', prefix: 'news' }),
      cell(1, { kind: 'next' }),
      cell(2, { kind: 'clock', zone: 'utc' }),
    ];
    const streams = ['news/a', 'x', 'news/b', 'newsroom'];
    const pages = placePages({ columns: 3, rows: 1, cells }, { streams, present: streams });
    expect(pages.map((page) => page.map(({ stream }) => stream))).toEqual([
      ['news/a', 'x', null],
      ['news/b', 'newsroom', null],
    ]);
  });

  it('in the penalty box replace the original places of tiles', () => {
    const cells: WallCell[] = [
      { x: 0, y: 0, w: 1, h: 1, tile: { kind: 'penalty' } },
      { x: 1, y: 0, w: 1, h: 1, tile: { kind: 'next' } },
    ];
    const [page] = placePages({ columns: 2, rows: 1, cells }, { streams: ['a', 'b'], present: [] });
    const shown = (boxed: (string | null)[]): unknown =>
      fillPenaltyBox(page ?? [], boxed).map(({ key, stream, boxedStream: from }) => [key, stream, from]);
    expect(shown([null])).toEqual([
      ['penalty 0 0', null, undefined],
      ['a', 'a', undefined],
    ]);
    expect(shown(['a'])).toEqual([
      ['a', 'a', undefined],
      ['forward a', null, 'a'],
    ]);
    expect(shown(['b'])).toEqual([
      ['b', 'b', undefined],
      ['a', 'a', undefined],
    ]);
  });

  it('are computed for a thousand streams', () => {
    expect(placePages({ columns: 1, rows: 1, cells: [] }, { streams: names(1000), present: [] })).toHaveLength(1000);
  });

  it('have a neighbour in each direction', () => {
    const cells = cellsOf(layoutOf('1+5'));
    const at = (x: number, y: number): WallCell => cells.find((cell) => cell.x === x && cell.y === y)!;
    const beside = (x: number, y: number, step: 'left' | 'right' | 'up' | 'down'): unknown =>
      cellBeside(at(x, y), cells, step);
    expect([beside(0, 0, 'right'), beside(0, 0, 'down'), beside(2, 1, 'left'), beside(1, 2, 'up')]).toEqual([
      at(2, 0),
      at(0, 2),
      at(0, 0),
      at(0, 0),
    ]);
    expect([beside(0, 0, 'left'), beside(2, 2, 'down')]).toEqual([undefined, undefined]);
  });
});
