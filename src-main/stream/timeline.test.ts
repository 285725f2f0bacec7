import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AudioTrack, VideoTrack } from '../media/track.ts';
import { Timeline } from './timeline.ts';
import { rescaleUtc } from './track-clock.ts';

const NOW = 1_800_000_000_000;
const video: VideoTrack = {
  content: 'video',
  id: 'v1',
  codec: 'h264',
  timescale: 90_000,
  codecString: 'avc1.64001f',
  decoderConfig: new Uint8Array(),
  width: 1280,
  height: 720,
  sarWidth: 1,
  sarHeight: 1,
  profile: 'High',
  level: '3.1',
};
const audio: AudioTrack = {
  content: 'audio',
  id: 'a1',
  codec: 'aac',
  timescale: 48_000,
  codecString: 'mp4a.40.2',
  decoderConfig: new Uint8Array(),
  sampleRate: 48_000,
  channels: 2,
  samplesPerFrame: 1024,
};

function timeline(endMs = 0): Timeline {
  const created = new Timeline(endMs);
  created.setTracks([video, audio], true);
  return created;
}

function place(on: Timeline, trackId: string, dtsTicks: number, nowMs: number, composition = 0) {
  const unit = { trackId, dtsTicks, ptsTicks: dtsTicks + composition, isRandomAccess: true, data: new Uint8Array() };
  return { ...on.place(unit, nowMs) };
}

describe('Timeline', () => {
  it('anchors the first unit to the wall clock, and then follows the input clock', () => {
    const line = timeline();
    expect(place(line, 'v1', 5000, NOW, 3600)).toEqual({
      verdict: 'place',
      lastsTicks: 3600,
      isDiscontinuity: false,
      isRewind: false,
      dtsTicks: NOW * 90,
      ptsTicks: NOW * 90 + 3600,
    });
    // The unit arrived 30 ms late: the input clock counts.
    expect(place(line, 'v1', 8600, NOW + 70).dtsTicks).toBe(NOW * 90 + 3600);
    expect(place(line, 'a1', 5000, NOW + 71).dtsTicks).toBe(NOW * 48);
  });

  it('counts audio samples through the jitter of millisecond timestamps', () => {
    const line = timeline();
    const times = Array.from({ length: 500 }, (_, index) => Math.round((index * 1024) / 48) * 90);
    const placed = times.map((ticks) => place(line, 'a1', ticks, NOW + ticks / 90).dtsTicks);
    expect(placed).toEqual(times.map((_, index) => NOW * 48 + index * 1024));
  });

  it('reports a jump of the input clock, and moves no track back', () => {
    const line = timeline();
    place(line, 'v1', 0, NOW);
    place(line, 'a1', 0, NOW);
    const jumped = place(line, 'v1', 3_600 * 90_000, NOW + 40);
    expect(jumped).toMatchObject({ isDiscontinuity: true, dtsTicks: (NOW + 40) * 90 });
    // The last audio of the old clock is too late. The first audio of the new clock joins without another
    // discontinuity.
    expect(place(line, 'a1', 1920, NOW + 41).verdict).toBe('drop');
    expect(place(line, 'a1', 3_600 * 90_000, NOW + 42)).toMatchObject({
      verdict: 'place',
      isDiscontinuity: false,
      dtsTicks: (NOW + 40) * 48,
    });
  });

  it('treats a network pause as a gap, not as a clock jump', () => {
    const line = timeline();
    place(line, 'v1', 0, NOW);
    expect(place(line, 'v1', 30 * 90_000, NOW + 30_000)).toMatchObject({
      isDiscontinuity: false,
      dtsTicks: (NOW + 30_000) * 90,
    });
  });

  it('continues after the end of an earlier run', () => {
    const line = timeline(NOW + 500);
    // Half a second is kept free for tracks that arrive later but start earlier.
    expect(place(line, 'v1', 0, NOW).dtsTicks).toBe((NOW + 1000) * 90);
    expect(place(line, 'a1', -40_000, NOW).dtsTicks).toBeGreaterThan((NOW + 500) * 48);
    expect(place(timeline(NOW - 5000), 'v1', 0, NOW).dtsTicks).toBe(NOW * 90);
  });

  it('assigns strictly increasing times on each track, for any input', () => {
    const step = fc.record({
      isVideo: fc.boolean(),
      stepTicks: fc.oneof(
        { weight: 8, arbitrary: fc.integer({ min: 0, max: 9000 }) },
        { weight: 1, arbitrary: fc.integer({ min: -(2 ** 33), max: 2 ** 33 }) },
      ),
      wallMs: fc.integer({ min: 0, max: 2000 }),
      restarts: fc.oneof({ weight: 20, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const line = timeline();
        const last: Record<string, number> = {};
        let ticks = 1e6;
        let now = NOW;
        for (const { isVideo, stepTicks, wallMs, restarts } of steps) {
          if (restarts) line.restart();
          ticks += stepTicks;
          now += wallMs;
          const id = isVideo ? 'v1' : 'a1';
          const placed = place(line, id, ticks, now);
          if (placed.verdict === 'drop') continue;
          expect(Number.isSafeInteger(placed.dtsTicks)).toBe(true);
          expect(placed.ptsTicks).toBeGreaterThanOrEqual(placed.dtsTicks);
          expect(placed.dtsTicks).toBeGreaterThan(last[id] ?? 0);
          last[id] = placed.dtsTicks;
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('rescaleUtc', () => {
  it('is exact even if the product exceeds 2^53', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2 ** 48 }),
        fc.constantFrom(8000, 44_100, 48_000, 90_000),
        (ticks, timescale) => {
          const exact = (BigInt(ticks) * BigInt(timescale) * 2n + 90_000n) / 180_000n;
          expect(Math.abs(rescaleUtc(ticks, timescale) - Number(exact))).toBeLessThanOrEqual(1);
        },
      ),
    );
  });
});
