/** Seconds between two thumbnails, as the server creates them. */
const STEPS = [2, 5, 10, 30, 60, 120, 300, 900] as const;
/** Smallest step, at which the timeline shows single seconds. */
export const MIN_STEP = STEPS[0];
/** Layout of a sprite. */
const TILE = { columns: 5, rows: 5, width: 160, height: 90 } as const;

/** Seconds between thumbnails for a scale: several pixels share one. */
export function stepOf(msPerPx: number): number {
  return STEPS.find((step) => step >= (msPerPx * 6) / 1000) ?? 900;
}

/** Sprite file with the thumbnail of a moment, the position of the thumbnail in pixels, and its approximate time. */
export function spriteTile(
  ms: number,
  step: number,
): { readonly file: string; readonly x: number; readonly y: number; readonly atMs: number } {
  const count = TILE.columns * TILE.rows;
  const number = Math.floor(ms / 1000 / step);
  const tile = number % count;
  const from = (number - tile) * step;
  return {
    file: `sprite-${from}-${step}.jpg`,
    x: (tile % TILE.columns) * TILE.width,
    y: Math.floor(tile / TILE.columns) * TILE.height,
    atMs: number * step * 1000,
  };
}
