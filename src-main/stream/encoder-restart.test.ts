import { describe, expect, it } from 'vitest';
import { madeAudio, madeVideo } from '../../tests/helpers/made-input.ts';
import { Timeline } from './timeline.ts';

const NOW = 1_800_000_000_000;

describe('an encoder that restarts its time stamps at 0 on a running connection', () => {
  it.each([
    ['in the order of its times', 0],
    ['with sound that arrives 100 ms after the picture', 100],
    ['with sound that arrives 500 ms after the picture', 500],
    ['with sound that arrives 100 ms before the picture', -100],
  ])('is one declared discontinuity, and no more than the tail of a lagging track is lost: %s', (_, lateMs) => {
    const frameMs = { v1: 40, a1: 1024 / 48 } as const;
    const units = (['v1', 'a1'] as const)
      .flatMap((id) =>
        Array.from({ length: Math.floor(20_000 / frameMs[id]) }, (__, index) => ({ id, atMs: index * frameMs[id] })),
      )
      .map((unit) => ({ ...unit, arrivesMs: unit.atMs + (unit.id === 'a1' ? lateMs : 0) }))
      .sort((a, b) => a.arrivesMs - b.arrivesMs);
    const line = new Timeline();
    line.setTracks([madeVideo('v1', 0, 25), madeAudio()], true);
    let breaks = 0;
    const last = { v1: -1, a1: -1 };
    const lost: number[] = [];
    for (const { id, atMs, arrivesMs } of units) {
      const ticks = Math.round((atMs < 10_000 ? atMs + 3_600_000 : atMs - 10_000) * 90);
      const unit = { trackId: id, dtsTicks: ticks, ptsTicks: ticks, isRandomAccess: true, data: new Uint8Array() };
      const { verdict, isDiscontinuity, dtsTicks } = line.place(unit, NOW + arrivesMs);
      if (isDiscontinuity) breaks++;
      if (verdict === 'drop') {
        lost.push(atMs);
        continue;
      }
      expect(dtsTicks).toBeGreaterThan(last[id]);
      last[id] = dtsTicks;
      const outMs = dtsTicks / (id === 'v1' ? 90 : 48) - NOW;
      if (atMs > 10_600) expect(Math.abs(outMs - atMs)).toBeLessThan(700);
    }
    expect(breaks).toBe(1);
    // Output of the time of the tail already exists when it arrives.
    expect(lost.filter((atMs) => atMs >= 10_000 || atMs < 10_000 - Math.abs(lateMs))).toEqual([]);
  });
});
