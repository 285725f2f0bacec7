import { describe, expect, it } from 'vitest';
import { firstSeekPosition, frameOf, loadedPosition, momentOf, positionOf, windowOf } from './play-window.ts';

const NOW = 1_800_000_000_000;
const request = { nowMs: NOW, isOnAir: true, recorded: [{ from: NOW - 3_600_000, to: NOW }] };

describe('the range that one address plays', () => {
  it('is live for recent times, and otherwise the archive', () => {
    expect(windowOf(NOW - 60_000, request)).toMatchObject({ file: 'rewind-600.m3u8', to: Infinity, isLive: true });
    expect(windowOf(NOW - 590_000, request).isLive).toBe(false);
    expect(windowOf(NOW - 60_000, { ...request, isOnAir: false })).toEqual({
      file: `archive-${(NOW - 300_000) / 1000}-900.m3u8`,
      from: NOW - 300_000,
      to: NOW + 600_000,
      isLive: false,
    });
  });

  it('starts at recorded media, so that its first picture is the requested one', () => {
    const at = NOW - 3_590_000;
    expect(windowOf(at, request).from).toBe(NOW - 3_600_000);
    // The recorded ranges are not known yet: the window leaves room to go back.
    expect(windowOf(at, { ...request, recorded: [] }).from).toBe(at - 240_000);
    expect(windowOf(500, { ...request, recorded: [{ from: 100, to: 900 }] }).from).toBe(0);
  });

  it('has times that are converted to positions and back across a gap', () => {
    const segments = [
      { start: 0, duration: 2, programDateTime: NOW, cc: 0 },
      { start: 2, duration: 2, programDateTime: NOW + 2000, cc: 0 },
      { start: 4, duration: 2, programDateTime: NOW + 60_000, cc: 1 },
    ];
    // Playback after a discontinuity does not start at its very start.
    expect([0, 1, 2, 3.9, 4, 4.1, 5].map((place) => firstSeekPosition(segments, place))).toEqual([
      0.25, 1, 2, 3.9, 4.25, 4.25, 5,
    ]);
    for (const ms of [0, 1, 1999, 2000, 3999, 60_000, 61_999])
      expect(momentOf(segments, positionOf(segments, NOW + ms)!)).toBeCloseTo(NOW + ms, 3);
    expect(positionOf(segments, NOW + 30_000)).toBe(4);
    expect([positionOf(segments, NOW + 62_000), positionOf([], NOW), momentOf([], 1)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(positionOf(segments, NOW - 5000)).toBe(0);
  });

  it('has a first picture after a gap, to which loadedPosition seeks', () => {
    const segments = [
      { start: 0, duration: 2, programDateTime: NOW, cc: 0 },
      { start: 2, duration: 2, programDateTime: NOW + 60_000, cc: 1 },
    ];
    const loaded = { length: 1, start: () => 0, end: () => 4 };
    const places = [1.999, 2, 2.1].map((place) => loadedPosition(loaded, segments, place, true) ?? NaN);
    for (const [at, expected] of [1.999, 2.004, 2.1].entries()) expect(places[at]).toBeCloseTo(expected, 6);
  });

  it('has pictures whose start frameOf computes, also for frame durations that are not full milliseconds', () => {
    const segments = [
      { start: 0, duration: 2, programDateTime: NOW, cc: 0 },
      { start: 2, duration: 2, programDateTime: NOW + 60_010, cc: 1 },
    ];
    expect([0, 39, 39.5, 41, 79, 60_000, 60_048, 60_052].map((ms) => frameOf(segments, NOW + ms, 40)! - NOW)).toEqual([
      0, 40, 40, 40, 80, 60_010, 60_010, 60_050,
    ]);
    const frameMs = 1001 / 30;
    for (let frame = 0; frame < 59; frame++)
      expect(frameOf(segments, Math.round(NOW + frame * frameMs), frameMs)).toBeCloseTo(NOW + frame * frameMs, 3);
    expect([frameOf(segments, NOW + 99_000, 40), frameOf([], NOW, 40)]).toEqual([undefined, undefined]);
  });
});
