/** Columns and rows of a sprite, and the size of its tiles in pixels. */
export const COLUMNS = 5;
export const ROWS = 5;
export const TILE_WIDTH = 160;
export const TILE_HEIGHT = 90;

/** Permitted seconds between two thumbnails. With the longest step, a sprite covers six hours and a quarter. */
const STEPS: readonly number[] = [2, 5, 10, 30, 60, 120, 300, 900];
const LONGEST_STEP = 900;

/** Shortest permitted step that is not shorter than this, in seconds. */
export function stepOf(seconds: number): number {
  return STEPS.find((step) => step >= seconds) ?? LONGEST_STEP;
}

/**
 * Duration of one sprite, in seconds. Sprites start at multiples of it since 1970, so that all lists have the same sprites,
 * except the first of an image playlist.
 */
export function spriteSeconds(stepSeconds: number): number {
  return stepSeconds * COLUMNS * ROWS;
}

/**
 * Name of a sprite, beside the playlists of its stream.
 * @param fromSeconds seconds since 1970, a multiple of the step
 */
export function spriteName(fromSeconds: number | '$Time$', stepSeconds: number): string {
  return `sprite-${fromSeconds}-${stepSeconds}.jpg`;
}

/** Approximate size of a sprite, in bits. */
const SPRITE_BITS = 400_000;

/** Approximate bit rate of sprites, in bits per second. */
export function spriteBandwidth(stepSeconds: number): number {
  return Math.ceil(SPRITE_BITS / spriteSeconds(stepSeconds));
}
