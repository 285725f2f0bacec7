import { FRAME_MS } from './break-proof.ts';
import type { NumberedPicture } from './player-page.ts';

/** Consecutive pictures of one origin displayed by a player. */
interface SeenRange {
  readonly of: number;
  readonly first: number;
  last: number;
}

/**
 * Pictures displayed by a player, as far as the page could read them. On a busy machine the page cannot read every
 * picture.
 */
interface SeenPictures {
  readonly ranges: readonly SeenRange[];
  /** Number of pictures that could not be read. */
  readonly unread: number;
  /** Number of pictures inside ranges that were not seen. */
  readonly unseen: number;
  /** Number of pictures that followed a later picture of the same range. */
  readonly back: number;
  /**
   * Maximum distance of two consecutive pictures from the positions given by their numbers, counted from the first
   * picture of their range, in milliseconds.
   */
  readonly stepMs: number;
  /**
   * Time between two ranges on the timeline of the player in which no picture was seen, in milliseconds; negative if
   * the ranges overlap.
   */
  readonly betweenMs: readonly number[];
}

/** Divides the pictures that a player displays into ranges, and finds faults. */
export function seenPictures(pictures: readonly NumberedPicture[]): SeenPictures {
  const ranges: SeenRange[] = [];
  const betweenMs: number[] = [];
  let [unread, unseen, back, stepMs] = [0, 0, 0, 0];
  let [lastMs, rangeStartMs, lastStepMs] = [0, 0, 0];
  for (const { of, number, mediaTime } of pictures) {
    const ms = mediaTime * 1000;
    if (of < 0) {
      unread++;
      continue;
    }
    const range = ranges.at(-1);
    if (range?.of === of) {
      if (number < range.last) back++;
      unseen += Math.max(0, number - range.last - 1);
      // The page of a busy machine may read the next picture instead; a real step remains.
      const ownMs = Math.abs(ms - rangeStartMs - (number - range.first) * FRAME_MS);
      stepMs = Math.max(stepMs, Math.min(ownMs, lastStepMs));
      lastStepMs = ownMs;
      range.last = Math.max(range.last, number);
    } else {
      // A clip starts with its picture 0; for a range of the stream, the first picture is unknown.
      const missed = of === 0 ? 0 : number;
      if (range) betweenMs.push(Math.round(ms - missed * FRAME_MS - lastMs - FRAME_MS));
      ranges.push({ of, first: number, last: number });
      [rangeStartMs, lastStepMs] = [ms, 0];
    }
    lastMs = ms;
  }
  return { ranges, unread, unseen, back, stepMs: Math.round(stepMs), betweenMs };
}
