/** Seconds between two thumbnails, as the server creates them. */
const STEPS = [2, 5, 10, 30, 60, 120, 300, 900] as const;
/** Layout of a sprite. */
const TILE = { columns: 5, rows: 5, width: 160, height: 90 } as const;

/** Seconds between thumbnails for a scale: several pixels share one. */
export function stepOf(msPerPx: number): number {
  return STEPS.find((step) => step >= (msPerPx * 6) / 1000) ?? 900;
}

/** Sprite file with the thumbnail of a moment, and the position of the thumbnail in pixels. */
export function spriteTile(
  ms: number,
  step: number,
): { readonly file: string; readonly x: number; readonly y: number } {
  const count = TILE.columns * TILE.rows;
  const number = Math.floor(ms / 1000 / step);
  const tile = number % count;
  const from = (number - tile) * step;
  return {
    file: `sprite-${from}-${step}.jpg`,
    x: (tile % TILE.columns) * TILE.width,
    y: Math.floor(tile / TILE.columns) * TILE.height,
  };
}
