import { FRAME_MS } from './break-proof.ts';
import type { NumberedPicture } from './player-page.ts';

/** Consecutive pictures of one origin shown by a player. */
interface SeenRange {
  readonly of: number;
  readonly first: number;
  last: number;
}

/** Pictures shown by a player, as far as the page could read them. On a busy machine it cannot read every picture. */
interface SeenPictures {
  readonly ranges: readonly SeenRange[];
  /** Pictures that could not be read. */
  readonly unread: number;
  /** Pictures inside ranges that were not seen. */
  readonly unseen: number;
  /** Pictures that came after a later one of the same range. */
  readonly back: number;
  /**
   * Maximum distance of two consecutive pictures from their positions by number, counted from the first one of their range, in
   * milliseconds.
   */
  readonly stepMs: number;
  /**
   * Time between two ranges on the timeline of the player in which no picture was seen, in milliseconds; negative if the ranges
   * overlap.
   */
  readonly betweenMs: readonly number[];
}

/** Collects the pictures that a player shows, and finds ranges and faults. */
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
      // A busy page may read the next picture; a step stays.
      const ownMs = Math.abs(ms - rangeStartMs - (number - range.first) * FRAME_MS);
      stepMs = Math.max(stepMs, Math.min(ownMs, lastStepMs));
      lastStepMs = ownMs;
      range.last = Math.max(range.last, number);
    } else {
      // A clip starts with its picture 0; the start of a range of the stream cannot be derived from pictures.
      const missed = of === 0 ? 0 : number;
      if (range) betweenMs.push(Math.round(ms - missed * FRAME_MS - lastMs - FRAME_MS));
      ranges.push({ of, first: number, last: number });
      [rangeStartMs, lastStepMs] = [ms, 0];
    }
    lastMs = ms;
  }
  return { ranges, unread, unseen, back, stepMs: Math.round(stepMs), betweenMs };
}
