import { describe, expect, it } from 'vitest';
import {
  WALL_OVERLAYS,
  wallLayoutSchema,
  type WallLayout,
} from '../../../../src-preload/contract/operations/wall-calls.ts';
import { commandOf } from '../page/keyboard-map.ts';
import { OVERLAY_KEYS, toggled, toggleOverlay, withOverlays } from './cell-overlays.ts';

const PLAIN: WallLayout = { columns: 2, rows: 1, cells: [] };

describe('overlays of cells', () => {
  it('are switched individually, each in its cell', () => {
    const one = toggleOverlay(PLAIN, { x: 1, y: 0 }, 'centre');
    expect(one.cells.map(({ overlays }) => overlays)).toEqual([undefined, ['centre']]);
    const two = toggleOverlay(one, { x: 1, y: 0 }, 'technical');
    expect(two.cells[1]?.overlays).toEqual(['centre', 'technical']);
    expect(toggleOverlay(two, { x: 1, y: 0 }, 'centre').cells[1]?.overlays).toEqual(['technical']);
    expect(wallLayoutSchema.safeParse(two).success).toBe(true);
    expect(toggled(['centre'], 'centre')).toEqual([]);
  });

  it('apply to all cells of an automatic layout', () => {
    expect(withOverlays(PLAIN, [])).toBe(PLAIN);
    expect(withOverlays(PLAIN, ['scale']).cells.map(({ overlays }) => overlays)).toEqual([['scale'], ['scale']]);
  });

  it.each(WALL_OVERLAYS)('have a key each: %s', (overlay) => {
    const press = { ctrlKey: false, altKey: false, metaKey: false, shiftKey: false };
    expect(commandOf({ key: OVERLAY_KEYS[overlay], ...press })).toEqual({ do: 'overlay', overlay });
  });
});
