import { createPinia, setActivePinia } from 'pinia';
import { beforeEach, describe, expect, it } from 'vitest';
import { useWallStore } from './store.ts';

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `s${index}`);

describe('the store of the wall', () => {
  beforeEach(() => setActivePinia(createPinia()));

  it('uses a fitting grid until the operator selects one', () => {
    const wall = useWallStore();
    wall.setPresent(names(6));
    expect([wall.shape, wall.pages]).toEqual([{ columns: 3, rows: 2, cells: [] }, 1]);
    wall.setGrid(4);
    expect([wall.placed[0]?.length, wall.pages]).toEqual([4, 2]);
    wall.setGrid(null);
    wall.setAspect(9 / 16);
    expect(wall.shape).toMatchObject({ columns: 1, rows: 6 });
  });

  it('changes the page with the selection', () => {
    const wall = useWallStore();
    wall.setPresent(names(6));
    wall.setGrid(4);
    wall.select('s3');
    wall.step('right');
    expect([wall.selected, wall.page]).toEqual(['s4', 1]);
    expect(wall.shown).toEqual(['s4', 's5']);
  });

  it('selects the first tile of the new page', () => {
    const wall = useWallStore();
    wall.setPresent(names(6));
    wall.setGrid(4);
    wall.setPage(9);
    expect([wall.page, wall.selected]).toEqual([1, 's4']);
  });

  it('selects the neighbour of a removed tile, and leaves a removed page', () => {
    const wall = useWallStore();
    wall.setPresent(names(5));
    wall.setGrid(4);
    wall.select('s4');
    wall.setPresent(names(4));
    expect([wall.selected, wall.page]).toEqual(['s3', 0]);
  });

  it('restores the position of a returning tile', () => {
    const wall = useWallStore();
    wall.setPresent(names(4));
    wall.setPresent(['s0', 's2', 's3']);
    wall.setPresent(['s0', 's2', 's3', 's1']);
    expect(wall.order).toEqual(['s0', 's1', 's2', 's3']);
  });

  it('leaves solo when its stream is removed, and switches streams with arrows in solo', () => {
    const wall = useWallStore();
    wall.setPresent(names(4));
    wall.select('s1');
    wall.toggleSolo(wall.selected);
    wall.step('right');
    expect([wall.solo, wall.selected]).toEqual(['s2', 's2']);
    wall.setPresent(['s0', 's1', 's3']);
    expect(wall.solo).toBeNull();
  });

  it('stores overlays with the cell, or for all tiles in an automatic layout', () => {
    const wall = useWallStore();
    wall.setPresent(names(4));
    wall.toggleOverlay('technical');
    expect(wall.layout.cells.map(({ overlays }) => overlays)).toEqual(Array(4).fill(['technical']));
    wall.setPresent(names(6));
    expect(wall.shape).toMatchObject({ columns: 3, rows: 2 });
    wall.setGrid(4);
    wall.select('s1');
    wall.setSolo('s1');
    wall.toggleOverlay('centre');
    expect(wall.layout.cells.map(({ overlays }) => overlays)).toEqual([undefined, ['centre'], undefined, undefined]);
    expect(wall.solo).toBe('s1');
    wall.recall(wall.asNamed('Gallery', null));
    wall.toggleOverlay('centre');
    expect(wall.asNamed('Gallery', null).cells[1]).toMatchObject({ overlays: [] });
    wall.undo();
    expect(wall.asNamed('Gallery', null).cells[1]).toMatchObject({ overlays: ['centre'] });
  });

  it('has no selection on an empty wall', () => {
    const wall = useWallStore();
    wall.setPresent([]);
    wall.step('right');
    expect([wall.selected, wall.pages]).toEqual([null, 1]);
  });
});
