import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { QualityHistory, type QualitySample } from './quality-history.ts';
import type { StreamEntry } from './stream-entry.ts';

const HOUR_MS = 3_600_000;
const entry = (): StreamEntry => ({}) as StreamEntry;
const sample = (more: Partial<QualitySample> = {}): QualitySample => ({
  bitrate: 2000,
  fps: 25,
  errors: 0,
  latency: 500,
  viewers: 3,
  ...more,
});

describe('QualityHistory: the last hour of a stream', () => {
  it('keeps the worst value of each ten seconds', () => {
    const history = new QualityHistory();
    const one = entry();
    for (const [second, more] of [
      [0, {}],
      [1, { errors: 7, fps: 12, latency: 2000 }],
      [9, { viewers: 5, bitrate: 1500, fps: null }],
      [10, { fps: null, latency: null }],
    ] as const)
      history.add(one, sample(more), HOUR_MS + second * 1000);
    const shown = history.of(one, HOUR_MS + 15_000);
    expect([shown.from_at, shown.step_ms, shown.fps.length]).toEqual([10_000 + 10_000, 10_000, 360]);
    expect([shown.bitrate, shown.fps, shown.errors, shown.latency, shown.viewers].map((all) => all.slice(-3))).toEqual([
      [null, 1500, 2000],
      [null, 12, null],
      [null, 7, 0],
      [null, 2000, null],
      [null, 5, 3],
    ]);
  });

  it('is empty for a stream that was never on air, and shows an outage', () => {
    const history = new QualityHistory();
    const one = entry();
    history.add(one, sample({ bitrate: 0 }), HOUR_MS);
    expect(history.of(one, HOUR_MS).bitrate.every((value) => value === null)).toBe(true);
    history.add(one, sample(), HOUR_MS + 10_000);
    history.add(one, sample({ bitrate: 0, fps: 0, latency: null }), HOUR_MS + 20_000);
    expect(history.of(one, HOUR_MS + 20_000).bitrate.slice(-3)).toEqual([null, 2000, 0]);
  });

  it('returns each value at its position, for any gaps, and no values older than an hour', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 40 }), (gaps) => {
        const history = new QualityHistory();
        const one = entry();
        let step = 1000;
        const seen = new Map<number, number>();
        for (const gap of gaps) {
          step += gap;
          seen.set(step, gap);
          history.add(one, sample({ bitrate: gap }), step * 10_000 + 5000);
        }
        const { bitrate, from_at: from } = history.of(one, step * 10_000 + 9999);
        for (const [index, value] of bitrate.entries()) expect(value).toBe(seen.get(from / 10_000 + index) ?? null);
      }),
    );
  });
});
