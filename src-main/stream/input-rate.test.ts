import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { madeAudio, madeVideo } from '../../tests/helpers/made-input.ts';
import type { AccessUnit } from '../media/access-unit.ts';
import type { Track } from '../media/track.ts';
import { Timeline } from './timeline.ts';

const NOW = 1_800_000_000_000;
const RUNS = Number(process.env['AIRDESK_RUNS'] ?? 60);
const FRAME_MS = { v1: 40, a1: 1024 / 48 } as const;

interface Unit {
  readonly id: 'v1' | 'a1';
  /** Position of the unit in the content, timestamp, and arrival time. */
  readonly atMs: number;
  readonly stampMs: number;
  readonly arrivalMs: number;
}

/** Units of the given tracks in the order of their content. */
function content(
  seconds: number,
  ids: readonly ('v1' | 'a1')[],
): { readonly id: 'v1' | 'a1'; readonly atMs: number }[] {
  const all = ids.flatMap((id) =>
    Array.from({ length: Math.floor((seconds * 1000) / FRAME_MS[id]) }, (_, index) => ({
      id,
      atMs: index * FRAME_MS[id],
    })),
  );
  return all.sort((a, b) => a.atMs - b.atMs);
}

function play(units: readonly Unit[], tracks: readonly Track[] = [madeVideo('v1', 0, 25), madeAudio()]) {
  const line = new Timeline();
  line.setTracks(tracks, true);
  return units.map((unit) => {
    const ticks = Math.round(unit.stampMs) * 90;
    const given: AccessUnit = {
      trackId: unit.id,
      dtsTicks: ticks,
      ptsTicks: ticks,
      isRandomAccess: true,
      data: new Uint8Array(),
    };
    const { verdict, isDiscontinuity, dtsTicks } = line.place(given, NOW + unit.arrivalMs);
    return { ...unit, verdict, isDiscontinuity, outMs: dtsTicks / (unit.id === 'v1' ? 90 : 48) - NOW };
  });
}

type Played = ReturnType<typeof play>;

function expectComplete(played: Played): void {
  expect(played.find(({ verdict, isDiscontinuity }) => verdict === 'drop' || isDiscontinuity)).toBeUndefined();
  for (const id of ['v1', 'a1']) {
    const own = played.filter((one) => one.id === id).map(({ outMs }) => outMs);
    expect(own.every((at, index) => index === 0 || at > own[index - 1]!)).toBe(true);
  }
}

/** Arrival times with a delay of up to `jitterMs`, in order. */
function delayed(seed: number, jitterMs: number): (atMs: number) => number {
  let state = seed;
  let newest = 0;
  return (atMs) => {
    state = (state * 48_271) % 2_147_483_647;
    newest = Math.max(newest, atMs + (state / 2_147_483_647) * jitterMs);
    return newest;
  };
}

const WRONG = fc.oneof(fc.double({ min: 0.3, max: 0.85, noNaN: true }), fc.double({ min: 1.15, max: 6, noNaN: true }));

describe('an input clock that runs at a wrong rate', () => {
  it('is corrected by the duration of the content, and no unit is lost', () => {
    const input = fc.record({
      rate: WRONG,
      seed: fc.integer({ min: 1, max: 1e9 }),
      jitterMs: fc.constantFrom(0, 10, 40),
      startMs: fc.integer({ min: 0, max: 1e9 }),
      ids: fc.constantFrom<readonly ('v1' | 'a1')[]>(['v1', 'a1'], ['v1'], ['a1']),
    });
    fc.assert(
      fc.property(input, ({ rate, seed, jitterMs, startMs, ids }) => {
        const arrival = delayed(seed, jitterMs);
        const units = content(60, ids).map(({ id, atMs }) => {
          return { id, atMs, stampMs: startMs + atMs * rate, arrivalMs: arrival(atMs) };
        });
        const tracks = [madeVideo('v1', 0, 25), madeAudio()].filter(({ id }) => ids.some((own) => own === id));
        const played = play(units, tracks);
        expectComplete(played);
        // Until the rate is known, at a difference of 0.6 s or 0.4 s, the times are used unchanged.
        const known = played.filter(({ atMs }) => atMs > 8000);
        const limitMs = Math.max(1, rate - 1) * 700 + 400;
        expect(known.filter(({ outMs, atMs }) => Math.abs(outMs - atMs) > limitMs)).toEqual([]);
        // Afterwards the output keeps the pace of the content.
        const last = played.filter(({ atMs }) => atMs > 50_000);
        for (const id of ids) {
          const own = last.filter((one) => one.id === id);
          const excess = own.at(-1)!.outMs - own[0]!.outMs - own.at(-1)!.atMs + own[0]!.atMs;
          expect(Math.abs(excess)).toBeLessThan(250);
        }
        if (ids.length > 1) {
          const mean = (id: string): number => {
            const own = last.filter((one) => one.id === id);
            return own.reduce((sum, { outMs, atMs }) => sum + outMs - atMs, 0) / own.length;
          };
          expect(Math.abs(mean('a1') - mean('v1'))).toBeLessThan(60);
        }
      }),
      { numRuns: RUNS },
    );
  });

  it.each([0.5, 0.7])('of %d keeps audio and video in sync once the rate is known', (rate) => {
    const units = content(12, ['v1', 'a1']).map(({ id, atMs }) => {
      return { id, atMs, stampMs: atMs * rate, arrivalMs: atMs };
    });
    const played = play(units);
    expectComplete(played);
    const known = played.filter(({ atMs }) => atMs > 2500);
    expect(known.filter(({ outMs, atMs }) => Math.abs(outMs - atMs) > 60)).toEqual([]);
  });

  it('is used unchanged again when it returns to the right rate', () => {
    const units = content(60, ['v1', 'a1']).map(({ id, atMs }) => {
      const stampMs = atMs < 20_000 ? atMs * 3 : 40_000 + atMs;
      return { id, atMs, stampMs, arrivalMs: atMs };
    });
    const played = play(units);
    expectComplete(played);
    for (const { outMs, atMs } of played) expect(Math.abs(outMs - atMs)).toBeLessThan(2500);
    const pictures = played.filter(({ id, atMs }) => id === 'v1' && atMs > 40_000);
    for (const { outMs, atMs } of pictures.slice(1))
      expect(outMs - pictures[0]!.outMs).toBeCloseTo(atMs - pictures[0]!.atMs, -2);
  });
});

describe('an input clock that runs at the right rate', () => {
  it('is followed exactly, in bursts of any length and speed, with missing audio and jitter', () => {
    const input = fc.record({
      burstMs: fc.integer({ min: 1, max: 12_000 }),
      /** Time in which one second of media arrives. */
      msPerSecond: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 900 })),
      seed: fc.integer({ min: 1, max: 1e9 }),
      jitterMs: fc.constantFrom(0, 40, 300),
      /** Share of the audio that is missing, at random and in one piece. */
      lost: fc.constantFrom(0, 0, 0.05, 0.5, 0.8),
      gap: fc.tuple(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: 0, max: 8000 })),
      audio: fc.boolean(),
    });
    fc.assert(
      fc.property(input, ({ burstMs, msPerSecond, seed, jitterMs, lost, gap, audio }) => {
        const arrival = delayed(seed, jitterMs);
        let state = seed;
        const units: Unit[] = [];
        for (const { id, atMs } of content(30, audio ? ['v1', 'a1'] : ['v1'])) {
          state = (state * 16_807) % 2_147_483_647;
          const isMissing = id === 'a1' && (state / 2_147_483_647 < lost || (atMs >= gap[0] && atMs < gap[0] + gap[1]));
          const start = Math.floor(atMs / burstMs) * burstMs;
          const arrivalMs = arrival(start + ((atMs - start) * msPerSecond) / 1000);
          if (!isMissing) units.push({ id, atMs, stampMs: atMs, arrivalMs });
        }
        const played = play(units, audio ? [madeVideo('v1', 0, 25), madeAudio()] : [madeVideo('v1', 0, 25)]);
        const pictures = played.filter(({ id }) => id === 'v1');
        expect(pictures.filter(({ verdict }) => verdict === 'drop')).toEqual([]);
        if (pictures.some(({ isDiscontinuity }) => isDiscontinuity)) return;
        const steps = pictures.slice(1).map(({ outMs }, index) => outMs - pictures[index]!.outMs);
        expect(Math.max(...steps)).toBeLessThan(42);
        expect(Math.min(...steps)).toBeGreaterThan(38);
      }),
      { numRuns: RUNS },
    );
  });
});
