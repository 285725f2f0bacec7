import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LongWindow } from '../../tests/helpers/long-window.ts';
import type { SegmentWindow } from '../segment/segment-window.ts';
import { mpdSteps } from './dash/mpd.ts';
import { mediaPlaylistSteps } from './hls/media-playlist.ts';
import { tsPlaylistSteps } from './hls/ts-playlist.ts';
import { segmentSteps } from './segment-steps.ts';

const DAY_SECONDS = 86_400;
/** Maximum number of segments listed in one step: one hour plus its boundaries. */
const MAX_STEP = 1802;

/** Runs `work` to its end. Returns the maximum number of segments created in one step, and the number of steps. */
function stepsOf<T>(window: LongWindow, work: Generator<unknown, T>): { result: T; maxCreated: number; count: number } {
  let maxCreated = 0;
  for (let count = 1; ; count++) {
    const before = window.createdCount;
    const step = work.next();
    maxCreated = Math.max(maxCreated, window.createdCount - before);
    if (step.done) return { result: step.value, maxCreated, count };
  }
}

it('segmentSteps lists the same segments as the window for any range, one hour per step', () => {
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
])('a day is rendered in short steps: %s', (name, render) => {
  const window = new LongWindow(DAY_SECONDS);
  const { result, maxCreated, count } = stepsOf(window, render(window));
  // The MPD merges segments of equal duration.
  expect(result?.length).toBeGreaterThan(name === 'MPD' ? 500 : 500_000);
  expect(maxCreated).toBeLessThanOrEqual(MAX_STEP);
  // One step per hour of listing, then one step per thousand lines of text.
  expect(count).toBeGreaterThan(24 + 43);
});

/** A live window of one day that advances each time its segments are read. */
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
])('a window that advances while it is rendered is listed up to its last segment: %s', (_, render, pattern) => {
  const window = new SlidingWindow(DAY_SECONDS);
  const work = render(window);
  let hasRead = false;
  for (;;) {
    const step = work.next();
    if (step.done) {
      const repeated = [...(step.value?.matchAll(/ r="(\d+)"/g) ?? [])].reduce((sum, [, r]) => sum + Number(r), 0);
      const listed = [...(step.value?.matchAll(pattern) ?? [])].length + repeated;
      // From the first segment at the start to the last segment at the time of reading.
      expect(listed).toBe(window.count - 1);
      return;
    }
    // Before everything is read, the text does not depend on one version.
    if (!hasRead) expect(step.value).toBeDefined();
    hasRead ||= step.value === 'read';
    if (hasRead) window.isSliding = false;
  }
});

it('a delta update of a day reads only the end of the window, and skips the right number of segments', () => {
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
