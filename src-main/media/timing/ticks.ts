/**
 * Converts ticks between timescales, rounded to the nearest (half up), without drift: whole seconds and the remainder are
 * converted separately, so the result is exact for every safe integer as long as the product of the timescales is below 2^52.
 */
export function convertTicks(ticks: number, fromTimescale: number, toTimescale: number): number {
  if (fromTimescale === toTimescale) return ticks;
  const seconds = Math.floor(ticks / fromTimescale);
  const remainder = ticks - seconds * fromTimescale;
  return seconds * toTimescale + divideRounded(remainder * toTimescale, fromTimescale);
}

/** Converts ticks like `convertTicks`, but rounds down, so that the result is never later than the given time. */
export function convertTicksDown(ticks: number, fromTimescale: number, toTimescale: number): number {
  if (fromTimescale === toTimescale) return ticks;
  const seconds = Math.floor(ticks / fromTimescale);
  const remainder = ticks - seconds * fromTimescale;
  return seconds * toTimescale + Math.floor((remainder * toTimescale) / fromTimescale);
}

/** Whole milliseconds of a time in ticks, rounded down. */
export function ticksToMs(ticks: number, timescale: number): number {
  return convertTicksDown(ticks, timescale, 1000);
}

/** Whole milliseconds of a time in ticks, rounded up, so that the result is never earlier than the given time. */
export function ticksToMsUp(ticks: number, timescale: number): number {
  const seconds = Math.floor(ticks / timescale);
  return seconds * 1000 + Math.ceil(((ticks - seconds * timescale) * 1000) / timescale);
}

/** Ticks of a time in whole milliseconds, rounded to the nearest. */
export function msToTicks(ms: number, timescale: number): number {
  return convertTicks(ms, 1000, timescale);
}

function divideRounded(value: number, divisor: number): number {
  return Math.floor((2 * value + divisor) / (2 * divisor));
}
