import type { WallCell, WallLayout, WallOverlay } from '../../../../src-preload/contract/operations/wall-calls.ts';
import { cellsOf } from './placing.ts';

/** Key of each overlay. */
export const OVERLAY_KEYS: Readonly<Record<WallOverlay, string>> = {
  safe_areas: 'o',
  centre: 'c',
  scale: 'p',
  loudness: 'b',
  technical: 't',
};

/** Overlays with one added or removed. */
export function toggled(overlays: readonly WallOverlay[], overlay: WallOverlay): readonly WallOverlay[] {
  return overlays.includes(overlay) ? overlays.filter((one) => one !== overlay) : [...overlays, overlay];
}

/** Layout with an overlay of a cell added or removed. */
export function toggleOverlay(
  layout: WallLayout,
  { x, y }: Pick<WallCell, 'x' | 'y'>,
  overlay: WallOverlay,
): WallLayout {
  const cells = cellsOf(layout).map((cell) =>
    cell.x === x && cell.y === y ? { ...cell, overlays: [...toggled(cell.overlays ?? [], overlay)] } : cell,
  );
  return { ...layout, cells };
}

/** Layout with the same overlays on all cells. */
export function withOverlays(layout: WallLayout, overlays: readonly WallOverlay[]): WallLayout {
  if (overlays.length === 0) return layout;
  return { ...layout, cells: cellsOf(layout).map((cell) => ({ ...cell, overlays: [...overlays] })) };
}
