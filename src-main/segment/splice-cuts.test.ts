import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spliceInsert, type GeneratedSplice } from '../../tests/helpers/splice-sections.ts';
import { StreamRun } from '../../tests/helpers/stream-run.ts';

const FRAME_MS = 40;
const INPUT = { video: { fps: 25, gopFrames: 25, bFrames: 0 }, audio: { sampleRate: 48_000, lateMs: 0 }, seconds: 20 };

/** A run of 20 s with a key frame every second. Splice messages arrive at `sentMs` of the input. */
function run(messages: readonly (GeneratedSplice & { readonly atMs: number; readonly sentMs: number })[]): StreamRun {
  const stream = new StreamRun({ segmentCount: 100 });
  const play = stream.playing(INPUT);
  for (const { sentMs, atMs, ...splice } of [...messages].sort((a, b) => a.sentMs - b.sentMs)) {
    play(sentMs);
    stream.hub.splice({ sourceId: 1, section: spliceInsert({ ...splice, ptsTicks: atMs * 90 }), atTicks: sentMs * 90 });
  }
  play(Infinity);
  stream.close();
  return stream;
}

/** Starts of the segments of a track from the start of the stream, in milliseconds. */
function startsOf({ window }: StreamRun, trackId = 'v1'): number[] {
  const segments = window.segments(trackId);
  const firstMs = window.segments('v1')[0]?.startMs ?? 0;
  return segments.map(({ startMs }) => startMs - firstMs);
}

describe('splice points', () => {
  it('keep the auto-return flag of their break', () => {
    const lines = [true, false].map((isAutoReturn) => {
      const stream = run([{ atMs: 10_000, sentMs: 6000, isAutoReturn }]);
      return stream.window.splices().map(({ kind, needsReturn }) => `${kind} ${needsReturn}`);
    });
    expect(lines).toEqual([['out undefined'], ['out true']]);
  });

  it('start a segment at the first random access point at or after the splice, in all tracks', () => {
    const stream = run([
      { sentMs: 3000, atMs: 7000 },
      { sentMs: 8000, atMs: 11_500, eventId: 8 },
    ]);
    expect(startsOf(stream)).toEqual([0, 2000, 4000, 6000, 7000, 9000, 11_000, 12_000, 14_000, 16_000, 18_000]);
    for (const [index, ms] of startsOf(stream, 'a1').entries())
      expect(Math.abs(ms - (startsOf(stream)[index] ?? 0))).toBeLessThan(25);
  });

  it('start a segment within a frame if there is a key frame, for any announcements', () => {
    const points = fc.uniqueArray(fc.integer({ min: 2, max: 18 }), { maxLength: 6 });
    fc.assert(
      fc.property(points, fc.integer({ min: 50, max: 6000 }), (seconds, leadMs) => {
        const stream = run(
          seconds.map((second, eventId) => ({
            atMs: second * 1000,
            sentMs: Math.max(500, second * 1000 - leadMs),
            eventId,
          })),
        );
        const starts = startsOf(stream);
        for (const second of seconds) expect(starts.some((ms) => Math.abs(ms - second * 1000) < FRAME_MS)).toBe(true);
        expect(stream.window.splices().map(({ atMs }) => atMs - (stream.window.bounds()?.fromMs ?? 0))).toEqual(
          seconds.map((second) => second * 1000).sort((a, b) => a - b),
        );
      }),
      { numRuns: 40 },
    );
  });

  it('are listed once, moved when the encoder moves them, and removed when the encoder cancels them', () => {
    const again = run([1, 2, 3].map((n) => ({ sentMs: 2000 + n * 500, atMs: 9000 })));
    expect(again.window.splices()).toHaveLength(1);
    const moved = run([
      { sentMs: 2000, atMs: 9000 },
      { sentMs: 3000, atMs: 10_000 },
    ]);
    expect(moved.window.splices().map(({ atMs }) => atMs - (moved.window.bounds()?.fromMs ?? 0))).toEqual([10_000]);
    const cancelled = run([
      { sentMs: 2000, atMs: 9000 },
      { sentMs: 3000, atMs: 9000, isCancel: true },
    ]);
    expect(cancelled.window.splices()).toEqual([]);
  });

  it('start a segment after being moved, and no segment after being cancelled', () => {
    const even = [0, 2000, 4000, 6000, 8000, 10_000, 12_000, 14_000, 16_000, 18_000];
    const point = { sentMs: 3000, atMs: 9000, durationMs: 4000 };
    const other = { sentMs: 3000, atMs: 15_000, eventId: 8 };
    const cut = [0, 2000, 4000, 6000, 8000, 9000, 11_000, 13_000, 15_000, 17_000, 19_000];
    expect(startsOf(run([point]))).toEqual(cut);
    expect(startsOf(run([point, { ...point, sentMs: 5000, isCancel: true }]))).toEqual(even);
    expect(startsOf(run([point, { ...point, sentMs: 5000, atMs: 10_000 }]))).toEqual(even);
    // Past splice points stay.
    expect(startsOf(run([point, { ...point, sentMs: 10_500, isCancel: true }])).slice(4, 7)).toEqual([
      8000, 9000, 11_000,
    ]);
    expect(startsOf(run([point, other, { ...point, sentMs: 5000, isCancel: true }]))).toContain(15_000);
  });

  it('start a segment at the announced end of a break, or at its explicit end', () => {
    const point = { sentMs: 3000, atMs: 7000, durationMs: 6000 };
    const back = { isOut: false, durationMs: null };
    expect(startsOf(run([{ ...point, durationMs: 5000 }])).slice(3, 9)).toEqual([
      6000, 7000, 9000, 11_000, 12_000, 14_000,
    ]);
    expect(startsOf(run([point, { ...back, sentMs: 9500, atMs: 10_000 }])).slice(3, 9)).toEqual([
      6000, 7000, 9000, 10_000, 12_000, 14_000,
    ]);
  });
});
