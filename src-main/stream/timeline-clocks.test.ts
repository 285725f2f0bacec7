import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { madeAudio, madeVideo } from '../../tests/helpers/made-input.ts';
import type { AudioTrack } from '../media/track.ts';
import { Timeline } from './timeline.ts';
import type { Placement } from './track-clock.ts';

const NOW = 1_800_000_000_000;
const RUNS = Number(process.env['AIRDESK_RUNS'] ?? 60);

interface GivenUnit {
  readonly id: 'v1' | 'a1';
  /** Timestamps of the input, in ticks of its clock. */
  readonly dts: number;
  readonly pts: number;
  readonly nowMs: number;
  readonly elapsedMs?: number;
  readonly isKey?: boolean;
  readonly data?: Uint8Array;
}

interface Placed extends GivenUnit {
  readonly verdict: Placement['verdict'];
  readonly isDiscontinuity: boolean;
  readonly isRewind: boolean;
  /** Output time in milliseconds since 1970. */
  readonly dtsMs: number;
  readonly ptsMs: number;
  readonly dtsTicks: number;
}

function newLine(audio: AudioTrack = madeAudio(), depth?: number): Timeline {
  const line = new Timeline();
  line.setTracks([{ ...madeVideo('v1', 0, 25), ...(depth === undefined ? {} : { reorderDepth: depth }) }, audio], true);
  return line;
}

function place(line: Timeline, given: GivenUnit): Placed {
  const { id, dts, pts, nowMs, elapsedMs, isKey = true, data = new Uint8Array() } = given;
  const unit = { trackId: id, dtsTicks: dts, ptsTicks: pts, isRandomAccess: isKey, data };
  const { verdict, isDiscontinuity, isRewind, dtsTicks, ptsTicks } = line.place(unit, nowMs, elapsedMs);
  const perMs = id === 'v1' ? 90 : 48;
  return { ...given, verdict, isDiscontinuity, isRewind, dtsTicks, dtsMs: dtsTicks / perMs, ptsMs: ptsTicks / perMs };
}

/** Pictures of 40 ms and audio frames of 1024 samples in order of their times, as an encoder sends them. */
function* interleaved(
  seconds: number,
  from = 0,
): Generator<{ readonly id: 'v1' | 'a1'; readonly ms: number; readonly n: number }> {
  let video = 0;
  let audio = 0;
  while (video * 40 < seconds * 1000) {
    if (video * 40 <= (audio * 1024) / 48) yield { id: 'v1', ms: from + video * 40, n: video++ };
    else yield { id: 'a1', ms: from + (audio * 1024) / 48, n: audio++ };
  }
}

function expectRising(placed: readonly Placed[]): void {
  for (const id of ['v1', 'a1']) {
    let last = -Infinity;
    for (const { id: own, dtsTicks, ptsMs, dtsMs } of placed) {
      if (own !== id) continue;
      expect(dtsTicks).toBeGreaterThan(last);
      expect(ptsMs).toBeGreaterThanOrEqual(dtsMs);
      last = dtsTicks;
    }
  }
}

/** Mean offset of audio from video compared with the input, in milliseconds, over the last part of the output. */
function lipError(placed: readonly Placed[], truth: (given: Placed) => number, lastMs = 2000): number {
  const endMs = placed.at(-1)?.nowMs ?? 0;
  const mean = (id: string): number => {
    const own = placed.filter((one) => one.id === id && one.nowMs > endMs - lastMs);
    return own.reduce((sum, one) => sum + one.ptsMs - truth(one), 0) / own.length;
  };
  return mean('a1') - mean('v1');
}

describe('audio that arrives in bursts or with jittering timestamps', () => {
  it.each([
    ['bursts of 200 ms with one time each', (ms: number) => Math.floor(ms / 200) * 200],
    ['bursts of 500 ms with one time each', (ms: number) => Math.floor(ms / 500) * 500],
    ['every other frame 400 ms late', (ms: number) => ms + (Math.round((ms * 48) / 1024) % 2) * 400],
  ])('loses no frame and stays close to the wall clock: %s', (_, stamp) => {
    const line = newLine();
    const placed: Placed[] = [];
    for (const { id, ms } of interleaved(60)) {
      const at = Math.round(id === 'a1' ? stamp(ms) : ms) * 90;
      placed.push(place(line, { id, dts: at, pts: at, nowMs: NOW + ms }));
    }
    expect(placed.filter(({ verdict }) => verdict === 'drop')).toEqual([]);
    expect(placed.filter(({ isDiscontinuity }) => isDiscontinuity)).toEqual([]);
    expectRising(placed);
    const sound = placed.filter(({ id }) => id === 'a1').map(({ dtsTicks }) => dtsTicks);
    const steps = sound.slice(1).map((ticks, index) => ticks - sound[index]!);
    expect(Math.max(...steps)).toBeLessThanOrEqual(1024 * 1.101);
    expect(Math.min(...steps)).toBeGreaterThanOrEqual(1024 / 1.021);
  });

  it('is in sync again 1.5 s after a gap in the audio', () => {
    const line = newLine();
    const placed: Placed[] = [];
    for (const { id, ms } of interleaved(30)) {
      if (id === 'a1' && ms >= 10_000 && ms < 10_300) continue;
      placed.push(place(line, { id, dts: Math.round(ms) * 90, pts: Math.round(ms) * 90, nowMs: NOW + ms }));
    }
    expectRising(placed);
    const late = placed.filter(({ id, ptsMs, dts }) => id === 'a1' && Math.abs(ptsMs - NOW - dts / 90) > 25);
    expect(late.every(({ dts }) => dts / 90 < 11_500)).toBe(true);
  });
});

describe('audio frames of changing length', () => {
  it('have the duration of each Opus packet', () => {
    const line = newLine({ ...madeAudio(), codec: 'opus', samplesPerFrame: 960 });
    let ms = 0;
    const placed: Placed[] = [];
    // 20 ms, then 10 ms, 60 ms and 2.5 ms (RFC 6716 3.1, configurations 31, 30, 11 and 16).
    for (const [toc, length] of [
      [0xf8, 20],
      [0xf0, 10],
      [0x58, 60],
      [0x80, 2.5],
    ] as const)
      for (let index = 0; index < 100; index++, ms += length)
        placed.push(place(line, { id: 'a1', dts: ms * 90, pts: ms * 90, nowMs: NOW + ms, data: Uint8Array.of(toc) }));
    expect(placed.map(({ verdict, dtsMs }) => [verdict, dtsMs - NOW])).toEqual(
      placed.map(({ dts }) => ['place', dts / 90]),
    );
  });

  it('have the duration of the blocks of an E-AC-3 frame', () => {
    const line = newLine({ ...madeAudio(), codec: 'eac3', samplesPerFrame: 1536 });
    const frame = (code: number): Uint8Array => Uint8Array.of(0x0b, 0x77, 0, 4, (code << 4) | 4, 16 << 3, 0, 0, 0, 0);
    let samples = 0;
    for (const [code, blocks] of [
      [3, 6],
      [0, 1],
      [1, 2],
      [2, 3],
    ] as const)
      for (let index = 0; index < 90; index++, samples += blocks * 256) {
        const ticks = Math.round((samples * 90) / 48);
        const placed = place(line, { id: 'a1', dts: ticks, pts: ticks, nowMs: NOW + samples / 48, data: frame(code) });
        expect([placed.verdict, placed.dtsTicks - NOW * 48]).toEqual(['place', samples]);
      }
  });
});

describe('a lip-sync error', () => {
  it.each([
    ['after a step back of all times by 300 ms', (ms: number) => (ms < 5000 ? ms : ms - 300), 0],
    ['after a step ahead of all times by 700 ms', (ms: number) => (ms < 5000 ? ms : ms + 700), 0],
    ['of sound that runs 1 % fast', (ms: number, id: string) => (id === 'a1' ? ms * 1.01 : ms), 35],
    [
      'of sound that steps back by 200 ms alone',
      (ms: number, id: string) => (id === 'a1' && ms > 5000 ? ms - 200 : ms),
      6,
    ],
    [
      'of sound that steps ahead by 200 ms alone',
      (ms: number, id: string) => (id === 'a1' && ms > 5000 ? ms + 200 : ms),
      6,
    ],
  ])('is corrected smoothly, without a discontinuity: %s', (_, stamp, allowedMs) => {
    const line = newLine(undefined, 0);
    const placed: Placed[] = [];
    for (const { id, ms } of interleaved(40)) {
      const at = Math.round(stamp(ms, id)) * 90;
      placed.push(place(line, { id, dts: at, pts: at, nowMs: NOW + ms }));
    }
    expect(placed.filter(({ verdict, isDiscontinuity }) => verdict === 'drop' || isDiscontinuity)).toEqual([]);
    expectRising(placed);
    expect(Math.abs(lipError(placed, ({ dts }) => dts / 90))).toBeLessThanOrEqual(Math.max(6, allowedMs));
    const pictures = placed.filter(({ id }) => id === 'v1');
    const steps = pictures.slice(1).map(({ dtsMs }, index) => dtsMs - pictures[index]!.dtsMs);
    expect(Math.min(...steps)).toBeGreaterThan(38);
  });
});

describe('video with jittering timestamps', () => {
  it.each([30, 45])('of %i ms gets increasing times, without moving the audio or the output', (jitterMs) => {
    const line = newLine(undefined, 0);
    const placed: Placed[] = [];
    let state = 7;
    const random = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
    for (const { id, ms } of interleaved(60)) {
      const jitter = id === 'v1' ? Math.round((random() * 2 - 1) * jitterMs) : 0;
      const at = Math.round(ms + jitter + 1000) * 90;
      placed.push(place(line, { id, dts: at, pts: at, nowMs: NOW + ms }));
    }
    expect(placed.filter(({ verdict, isDiscontinuity }) => verdict === 'drop' || isDiscontinuity)).toEqual([]);
    expectRising(placed);
    const first = placed[0]!;
    const moved = placed.map(({ ptsMs, dts }) => ptsMs - dts / 90 - (first.ptsMs - first.dts / 90));
    expect(Math.max(...moved)).toBeLessThan(2 * jitterMs);
    expect(Math.min(...moved)).toBeGreaterThan(-2);
    const pictures = placed.filter(({ id }) => id === 'v1');
    expect(pictures.filter(({ ptsMs, dtsMs }) => ptsMs !== dtsMs)).toEqual([]);
    const steps = pictures.slice(1).map(({ dtsMs }, index) => dtsMs - pictures[index]!.dtsMs);
    expect(steps.filter((step) => step < 1).length).toBeLessThan(steps.length / 100);
    expect(Math.abs(lipError(placed, ({ nowMs }) => nowMs, 20_000))).toBeLessThan(15);
  });

  it('gets increasing times even if pairs of pictures have the same timestamp', () => {
    const line = newLine(undefined, 0);
    const placed = Array.from({ length: 100 }, (_, index) => {
      const at = Math.floor(index / 2) * 7200;
      return place(line, { id: 'v1', dts: at, pts: at, nowMs: NOW + index * 40 });
    });
    const steps = placed.slice(1).map(({ dtsMs }, index) => dtsMs - placed[index]!.dtsMs);
    expect(Math.min(...steps)).toBeGreaterThan(15);
    expect(Math.max(...steps)).toBeLessThan(65);
  });
});

/**
 * Presentation times of pictures in decoding order: groups of one reference picture and `b` B-frames shown before it.
 */
function reordered(b: number, count: number): number[] {
  const shown: number[] = [0];
  for (let group = 0; shown.length < count; group++) {
    const start = group * (b + 1);
    shown.push(start + b + 1);
    if (b === 3) shown.push(start + 2, start + 1, start + 3);
    else for (let index = 1; index <= b; index++) shown.push(start + index);
  }
  return shown.slice(0, count);
}

describe('the presentation order of pictures', () => {
  const depthOf = (b: number): number => (b === 3 ? 2 : Math.min(b, 1));
  it.each([
    ['one time for each picture', (_: number, shown: number) => [shown, shown]],
    ['decoding times after the presentation', (index: number, shown: number) => [index + 3, shown]],
    ['decoding times without the delay of the decoder', (index: number, shown: number) => [index, shown]],
    ['correct decoding times', (index: number, shown: number) => [index - 2, shown]],
  ])('is the order of the input: %s', (_, times) => {
    for (const b of [0, 1, 2, 3]) {
      const line = newLine(undefined, depthOf(b));
      const placed = reordered(b, 200).map((shown, index) => {
        const [dts = 0, pts = 0] = times(index, shown).map((frames) => frames * 3600);
        return place(line, { id: 'v1', dts, pts, nowMs: NOW + index * 40 });
      });
      expectRising(placed);
      const first = placed[0]!;
      expect(placed.map(({ ptsMs }) => Math.round(ptsMs - first.ptsMs))).toEqual(
        placed.map(({ pts }) => (pts - first.pts) / 90),
      );
    }
  });

  it('is detected within a few pictures if the bitstream does not signal reordering', () => {
    for (const b of [1, 2, 3]) {
      const line = newLine();
      const placed = reordered(b, 200).map((shown, index) =>
        place(line, { id: 'v1', dts: shown * 3600, pts: shown * 3600, nowMs: NOW + index * 40 }),
      );
      expectRising(placed);
      const last = placed.at(-1)!;
      for (const { ptsMs, pts } of placed.slice(12)) expect(ptsMs - last.ptsMs).toBeCloseTo((pts - last.pts) / 90, 0);
    }
  });

  it('is exact from the first picture on if late decoding times show the reordering', () => {
    for (const b of [1, 2]) {
      const line = newLine();
      const placed = reordered(b, 200).map((shown, index) =>
        place(line, { id: 'v1', dts: index * 3600, pts: shown * 3600, nowMs: NOW + index * 40 }),
      );
      expectRising(placed);
      for (const { ptsMs, pts } of placed) expect(ptsMs - NOW).toBeCloseTo(pts / 90, 0);
    }
  });

  it('keeps the decoding times of the input if they fit its presentation times', () => {
    // ISO/IEC 13818-1 2.4.3.7: a DTS is omitted where it equals the PTS.
    const line = newLine(undefined, 1);
    const placed = reordered(2, 200).map((shown, index) =>
      place(line, { id: 'v1', dts: (index - 1) * 3600, pts: shown * 3600, nowMs: NOW + index * 40 }),
    );
    const first = placed[0]!;
    expect(placed.map(({ dtsMs }) => dtsMs - first.dtsMs)).toEqual(placed.map(({ dts }) => (dts - first.dts) / 90));
  });
});

/** Runs a month with a server clock that is set now and then, and an encoder clock that drifts. */
function month(
  ppm: number,
  steps: readonly { readonly atMs: number; readonly wallMs?: number; readonly inputMs?: number }[],
) {
  const line = newLine(undefined, 0);
  const left = [...steps];
  let wallMs = 0;
  let inputMs = 0;
  let breaks = 0;
  let largest = 0;
  let sinceStepMs = Infinity;
  let lastStepMs = 0;
  const worstAt = (limitMs: number, distanceMs: number): void => {
    if (sinceStepMs >= limitMs) largest = Math.max(largest, Math.abs(distanceMs));
  };
  const days = 30;
  const endMs = days * 86_400_000;
  let last = -Infinity;
  // One picture per second is enough to observe the clocks.
  for (let realMs = 0; realMs < endMs; realMs += 1000) {
    if (left[0] && left[0].atMs <= realMs) {
      const step = left.shift()!;
      wallMs += step.wallMs ?? 0;
      inputMs += step.inputMs ?? 0;
      sinceStepMs = 0;
      lastStepMs = Math.abs((step.wallMs ?? 0) + (step.inputMs ?? 0));
    }
    const nowMs = NOW + realMs + wallMs;
    const ticks = Math.round((realMs * (1 + ppm / 1e6) + inputMs) * 90);
    const placed = place(line, { id: 'v1', dts: ticks, pts: ticks, nowMs, elapsedMs: realMs });
    if (placed.verdict === 'drop') throw new Error('a picture is lost');
    if (placed.isDiscontinuity) breaks++;
    if (!placed.isRewind && placed.dtsTicks <= last) throw new Error('time goes back');
    last = placed.dtsTicks;
    sinceStepMs += 1000;
    // Twenty seconds for differences corrected by a discontinuity, and a thousandth of the time for smooth corrections.
    worstAt(lastStepMs > 1000 && lastStepMs < 10_000 ? 11e6 : 20_000 + lastStepMs * 1100, placed.dtsMs - nowMs);
  }
  return { breaks, largest };
}

describe('the deviation from the wall clock over a month', () => {
  it.each([100, -100, 20, 0])('stays small if the encoder clock is off by %i ppm, without a discontinuity', (ppm) => {
    const { breaks, largest } = month(ppm, []);
    expect(breaks).toBe(0);
    expect(largest).toBeLessThan(300);
  });

  it('is corrected smoothly below a second, and by a discontinuity above', () => {
    const day = 86_400_000;
    const { breaks, largest } = month(50, [
      { atMs: day, wallMs: 800 },
      { atMs: 2 * day, wallMs: -800 },
      { atMs: 3 * day, inputMs: 800 },
      { atMs: 4 * day, wallMs: 60_000 },
      { atMs: 5 * day, wallMs: -60_000 },
      { atMs: 6 * day, wallMs: 3_600_000 },
      { atMs: 7 * day, wallMs: -3_600_000 },
      { atMs: 8 * day, inputMs: 9000 },
      { atMs: 9 * day, inputMs: 9000 },
      { atMs: 10 * day, inputMs: 9000 },
      { atMs: 11 * day, inputMs: -400_000 },
      { atMs: 12 * day, wallMs: -5000 },
      { atMs: 13 * day, wallMs: 5000 },
    ]);
    expect(breaks).toBe(9);
    expect(largest).toBeLessThan(300);
  });

  it('is limited for any drift of both clocks', () => {
    const step = fc.record({
      atMs: fc.integer({ min: 0, max: 29 * 86_400_000 }),
      wallMs: fc.oneof(fc.integer({ min: -900, max: 900 }), fc.integer({ min: -4_000_000, max: 4_000_000 })),
      inputMs: fc.oneof(fc.constant(0), fc.integer({ min: -4_000_000, max: 4_000_000 })),
    });
    fc.assert(
      fc.property(fc.integer({ min: -100, max: 100 }), fc.array(step, { maxLength: 8 }), (ppm, steps) => {
        const { largest } = month(
          ppm,
          steps.sort((a, b) => a.atMs - b.atMs),
        );
        expect(largest).toBeLessThan(10_500);
      }),
      { numRuns: Math.ceil(RUNS / 20) },
    );
  });

  it.each([3_600_000, -3_600_000, 8 * 86_400_000, 5000])(
    'is corrected once if the input clock is set together with the wall clock, by %i ms',
    (byMs) => {
      const line = newLine(undefined, 0);
      for (const { id, ms, n } of interleaved(80)) {
        const setMs = ms >= 20_000 ? byMs : 0;
        const ticks = Math.round((ms + setMs) * 90);
        const unit = { id, dts: ticks, pts: ticks, nowMs: NOW + ms + setMs, elapsedMs: ms, isKey: n % 50 === 0 };
        const { verdict, dtsMs, nowMs } = place(line, unit);
        if (verdict === 'drop') continue;
        if (setMs === 0 || ms >= 24_000) expect(Math.abs(dtsMs - nowMs)).toBeLessThan(1000);
        // No unit is placed at a time that neither clock has shown.
        expect(Math.min(Math.abs(dtsMs - nowMs), Math.abs(dtsMs - nowMs + byMs))).toBeLessThan(1000);
      }
    },
  );

  it('is not changed by a pause of the machine between two clock readings', () => {
    const line = newLine(undefined, 0);
    for (let index = 0; index < 200; index++) {
      const elapsedMs = index * 40;
      const ticks = index * 3600;
      const nowMs = NOW + elapsedMs + (index === 100 ? -20_000 : 0);
      const unit = { id: 'v1', dts: ticks, pts: ticks, nowMs, elapsedMs } as const;
      expect(place(line, unit)).toMatchObject({ verdict: 'place', isDiscontinuity: false, dtsMs: NOW + elapsedMs });
    }
  });

  it('is corrected at a key frame if the wall clock changes without a monotonic clock', () => {
    const line = newLine(undefined, 0);
    let at = -1;
    for (let index = 0; index < 3000; index++) {
      const nowMs = NOW + index * 40 + (index > 1000 ? 60_000 : 0);
      const ticks = index * 3600;
      const { isDiscontinuity, dtsMs } = place(line, {
        id: 'v1',
        dts: ticks,
        pts: ticks,
        nowMs,
        isKey: index % 50 === 0,
      });
      if (!isDiscontinuity) continue;
      at = index;
      expect(dtsMs).toBeCloseTo(nowMs, -1);
    }
    expect(at % 50).toBe(0);
    expect(at).toBeLessThan(2200);
  });
});

describe('Timeline with random jitter, clock steps and losses', () => {
  it('keeps all invariants', () => {
    const input = fc.record({
      jitterMs: fc.constantFrom(0, 1, 40, 200, 500),
      seed: fc.integer({ min: 1, max: 1e9 }),
      /** Steps of both clocks below a second, not at the same time, because their sum would be a jump. */
      steps: fc
        .array(fc.record({ atMs: fc.integer({ min: 4000, max: 20_000 }), byMs: fc.integer({ min: -400, max: 900 }) }), {
          maxLength: 2,
        })
        .filter(([a, b]) => !a || !b || Math.abs(a.atMs - b.atMs) > 1000),
      lossPercent: fc.constantFrom(0, 0, 1, 5),
      delayMs: fc.constantFrom(0, 30, 400),
      b: fc.constantFrom(0, 1, 2, 3),
    });
    fc.assert(
      fc.property(input, ({ jitterMs, seed, steps, lossPercent, delayMs, b }) => {
        let state = seed;
        const random = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
        const line = newLine(undefined, depthOfB(b));
        const shown = reordered(b, 2000);
        const placed: Placed[] = [];
        let nowMs = NOW;
        let lostSoundMs = 0;
        for (const { id, ms, n } of interleaved(60)) {
          const stepMs = steps.reduce((sum, { atMs, byMs }) => sum + (ms >= atMs ? byMs : 0), 0);
          nowMs = Math.max(nowMs, NOW + ms + random() * delayMs);
          const isLost = random() * 100 < lossPercent;
          const jitter = id === 'a1' ? (random() * 2 - 1) * jitterMs : 0;
          const dts = Math.round(ms + stepMs + jitter) * 90;
          const pts = id === 'a1' ? dts : dts + (shown[n]! - n + depthOfB(b)) * 3600;
          if (!isLost) placed.push(place(line, { id, dts, pts, nowMs }));
          else if (id === 'a1' && ms >= 47_000) lostSoundMs += 1024 / 48;
        }
        expect(placed.filter(({ verdict, isDiscontinuity }) => verdict === 'drop' || isDiscontinuity)).toEqual([]);
        expectRising(placed);
        const pictures = placed.filter(({ id }) => id === 'v1');
        const far = placed.filter(({ ptsMs, nowMs: at }) => Math.abs(ptsMs - at) > 2200);
        expect(far).toEqual([]);
        expect(pictures.length).toBeGreaterThan(1000);
        // Audio that is lost while its timestamps jitter affects only the mean, and is corrected within 3 s of the last
        // 10 s.
        expect(Math.abs(lipError(placed, ({ pts }) => pts / 90, 10_000))).toBeLessThan(
          15 + jitterMs / 10 + (jitterMs > 1 ? lostSoundMs * 0.3 : 0),
        );
      }),
      {
        numRuns: RUNS,
        examples: [
          // The largest jitter in both directions, and the input clock steps between the two.
          [
            {
              jitterMs: 500,
              seed: 508_805_220,
              steps: [{ atMs: 16_001, byMs: -382 }],
              lossPercent: 0,
              delayMs: 0,
              b: 0,
            },
          ],
          // Many of the last audio frames are lost by chance.
          [{ jitterMs: 40, seed: 359_556_849, steps: [], lossPercent: 1, delayMs: 0, b: 0 }],
        ],
      },
    );
  });
});

function depthOfB(b: number): number {
  return b === 3 ? 2 : Math.min(b, 1);
}
