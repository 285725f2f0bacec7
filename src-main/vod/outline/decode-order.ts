import type { FoundSample } from './outline.ts';

/** Offset by which decoding times precede the sorted presentation times, so that no picture is presented before it is decoded. */
export function delayOf(pictures: readonly FoundSample[]): number {
  const times = inOrder(pictures);
  return pictures.reduce((delay, { ptsTicks }, index) => Math.max(delay, (times[index] ?? 0) - ptsTicks), 0);
}

/**
 * Assigns decoding times, which the file does not store: the sorted presentation times, moved back by a constant.
 *
 * @param pictures from one random access point up to the next, in decoding order
 * @param next pictures that follow
 */
export function decodedInOrder(
  pictures: readonly FoundSample[],
  next: readonly FoundSample[],
  delayTicks: number,
): FoundSample[] {
  const times = inOrder(pictures);
  const nextTicks = next.reduce((least, { ptsTicks }) => Math.min(least, ptsTicks), Infinity) - delayTicks;
  const decoded: FoundSample[] = [];
  let latestTicks = nextTicks;
  for (let index = pictures.length - 1; index >= 0; index--) {
    const picture = pictures[index] as FoundSample;
    // A picture with a larger reorder distance than all previous ones is decoded when it is presented.
    latestTicks = Math.min(latestTicks, picture.ptsTicks);
    const dtsTicks = Math.min((times[index] ?? 0) - delayTicks, latestTicks);
    const endTicks = decoded.at(-1)?.dtsTicks ?? nextTicks;
    const stepTicks = picture.durationTicks || (times[index] ?? 0) - (times[index - 1] ?? times[index] ?? 0);
    const durationTicks = Number.isFinite(endTicks) ? endTicks - dtsTicks : stepTicks;
    decoded.push({ ...picture, dtsTicks, durationTicks });
  }
  return decoded.reverse();
}

function inOrder(pictures: readonly FoundSample[]): Float64Array {
  return Float64Array.from(pictures, ({ ptsTicks }) => ptsTicks).sort();
}
