import { FRAME_MS } from './break-proof.ts';
import type { NumberedPicture } from './player-page.ts';

/** Pictures of one origin that a player showed one after the other. */
interface SeenRange {
  readonly of: number;
  readonly first: number;
  last: number;
}

/** What a player showed, as far as a page sees it: a busy machine does not show it each picture. */
interface SeenPictures {
  readonly ranges: readonly SeenRange[];
  /** Pictures that could not be read. */
  readonly unread: number;
  /** Pictures inside ranges that were not seen. */
  readonly unseen: number;
  /** Pictures that came after a later one of the same range. */
  readonly back: number;
  /** Largest distance of two pictures, one after the other, from the positions that they have by their numbers, counted from the first one of their range, in milliseconds. */
  readonly stepMs: number;
  /** Time on the timeline of the player between two ranges that neither of them was seen to fill, in milliseconds: below 0 where they overlap. */
  readonly betweenMs: readonly number[];
}

/** Judges what a player showed. */
export function seenPictures(pictures: readonly NumberedPicture[]): SeenPictures {
  const ranges: SeenRange[] = [];
  const betweenMs: number[] = [];
  let [unread, unseen, back, stepMs] = [0, 0, 0, 0];
  let [lastMs, beginMs, lastStepMs] = [0, 0, 0];
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
      // A busy page may read the picture behind the one that it was called for; a step stays.
      const ownMs = Math.abs(ms - beginMs - (number - range.first) * FRAME_MS);
      stepMs = Math.max(stepMs, Math.min(ownMs, lastStepMs));
      lastStepMs = ownMs;
      range.last = Math.max(range.last, number);
    } else {
      // A clip begins with its picture 0; where a range of the stream begins follows from nothing that is seen.
      const missed = of === 0 ? 0 : number;
      if (range) betweenMs.push(Math.round(ms - missed * FRAME_MS - lastMs - FRAME_MS));
      ranges.push({ of, first: number, last: number });
      [beginMs, lastStepMs] = [ms, 0];
    }
    lastMs = ms;
  }
  return { ranges, unread, unseen, back, stepMs: Math.round(stepMs), betweenMs };
}
