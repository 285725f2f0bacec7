import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LongWindow } from '../../tests/helpers/long-window.ts';
import type { SegmentWindow } from '../segment/segment-window.ts';
import { mpdSteps } from './dash/mpd.ts';
import { mediaPlaylistSteps } from './hls/media-playlist.ts';
import { tsPlaylistSteps } from './hls/ts-playlist.ts';
import { segmentSteps } from './segment-steps.ts';

const DAY_SECONDS = 86_400;
/** Maximum number of segments listed in one step: those of an hour, and those at its ends. */
const MAX_STEP = 1802;

/** Maximum number of segments that a long window created in one step, and the number of steps. */
function stepsOf<T>(window: LongWindow, work: Generator<unknown, T>): { result: T; maxCreated: number; count: number } {
  let maxCreated = 0;
  for (let count = 1; ; count++) {
    const before = window.createdCount;
    const step = work.next();
    maxCreated = Math.max(maxCreated, window.createdCount - before);
    if (step.done) return { result: step.value, maxCreated, count };
  }
}

it('lists the content of the window in any range, one hour per step', () => {
  const ms = fc.integer({ min: -10_000, max: DAY_SECONDS * 1000 + 10_000 });
  fc.assert(
    fc.property(
      fc.option(fc.tuple(ms, ms), { nil: undefined }),
      fc.integer({ min: 1, max: DAY_SECONDS / 2 }),
      (times, count) => {
        const window = new LongWindow(count * 2);
        const range = times && {
          fromMs: window.startMs + Math.min(...times),
          toMs: window.startMs + Math.max(...times),
        };
        const { result, maxCreated } = stepsOf(window, segmentSteps(window, 'v1', range));
        expect(maxCreated).toBeLessThanOrEqual(MAX_STEP);
        expect(result.map(({ msn }) => msn)).toEqual(window.segments('v1', range).map(({ msn }) => msn));
      },
    ),
    { numRuns: 30 },
  );
});

it.each([
  ['HLS playlist', (window: SegmentWindow) => mediaPlaylistSteps(window, { trackId: 'v1' })],
  ['TS playlist', (window: SegmentWindow) => tsPlaylistSteps(window)],
  ['MPD', (window: SegmentWindow) => mpdSteps(window, { nowMs: 0 })],
])('a day is listed in short steps: %s', (name, render) => {
  const window = new LongWindow(DAY_SECONDS);
  const { result, maxCreated, count } = stepsOf(window, render(window));
  // The MPD merges segments of equal duration.
  expect(result?.length).toBeGreaterThan(name === 'MPD' ? 500 : 500_000);
  expect(maxCreated).toBeLessThanOrEqual(MAX_STEP);
  // The listing by the hour, and then the text by the thousand.
  expect(count).toBeGreaterThan(24 + 43);
});

/** A live window of a day that advances each time its segments are read. */
class SlidingWindow extends LongWindow {
  override readonly mutability = 'live';
  isSliding = true;

  override segments(...args: Parameters<LongWindow['segments']>): ReturnType<LongWindow['segments']> {
    const found = super.segments(...args);
    if (this.isSliding) {
      this.version++;
      this.gone++;
      this.count++;
    }
    return found;
  }
}

it.each([
  ['HLS playlist', (window: SegmentWindow) => mediaPlaylistSteps(window, { trackId: 'v1' }), /^\d+\.m4s$/gm],
  ['TS playlist', (window: SegmentWindow) => tsPlaylistSteps(window), /\.ts$/gm],
  ['MPD', (window: SegmentWindow) => mpdSteps(window, { nowMs: 0 }), /<S [^>]*>/g],
])('a window may advance while it is listed, and is listed up to the last read: %s', (_, render, pattern) => {
  const window = new SlidingWindow(DAY_SECONDS);
  const work = render(window);
  let hasRead = false;
  for (;;) {
    const step = work.next();
    if (step.done) {
      const repeated = [...(step.value?.matchAll(/ r="(\d+)"/g) ?? [])].reduce((sum, [, r]) => sum + Number(r), 0);
      const listed = [...(step.value?.matchAll(pattern) ?? [])].length + repeated;
      // Starts with the first segment and ends with the last segment at the time of reading.
      expect(listed).toBe(window.count - 1);
      return;
    }
    // Before everything is read, nothing depends on one version.
    if (!hasRead) expect(step.value).toBeDefined();
    hasRead ||= step.value === 'read';
    if (hasRead) window.isSliding = false;
  }
});

it('a delta update of a day reads its end, and skips as many segments as the complete playlist has', () => {
  const window = new SlidingWindow(DAY_SECONDS);
  window.isSliding = false;
  window.gone = 7;
  const { result, maxCreated } = stepsOf(window, mediaPlaylistSteps(window, { trackId: 'v1', isDelta: true }));
  expect(maxCreated).toBeLessThan(600);
  expect(result).toContain('#EXT-X-MEDIA-SEQUENCE:7\n');
  const skipped = Number(/SKIPPED-SEGMENTS=(\d+)/.exec(result ?? '')?.[1]);
  const left = [...(result?.matchAll(/^\d+\.m4s$/gm) ?? [])].map(([name]) => name);
  const playlist = stepsOf(window, mediaPlaylistSteps(window, { trackId: 'v1' })).result ?? '';
  const all = [...playlist.matchAll(/^\d+\.m4s$/gm)].map(([name]) => name);
  expect(all.slice(skipped)).toEqual(left);
});
