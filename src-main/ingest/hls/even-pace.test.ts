import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../tests/helpers/fake-clock.ts';
import { EvenPace } from './even-pace.ts';

const SECOND = 90_000;

function paced(): { clock: FakeClock; pace: EvenPace } {
  const clock = new FakeClock();
  const pace = new EvenPace(clock);
  expect(pace.waitMs(SECOND)).toBe(0);
  return { clock, pace };
}

describe('EvenPace', () => {
  it('passes the first unit at once, and later ones when they are due', () => {
    const { clock, pace } = paced();
    expect(pace.waitMs(SECOND + 3600)).toBe(40);
    clock.advance(40);
    expect(pace.waitMs(SECOND + 3600)).toBe(0);
    // A wait is never so short that every frame wakes the thread.
    expect(pace.waitMs(SECOND + 4500)).toBe(20);
  });

  it('catches up after a short delay, and shifts its schedule after a long delay', () => {
    const { clock, pace } = paced();
    clock.advance(200);
    expect(pace.waitMs(SECOND + 900)).toBe(0);
    expect(pace.waitMs(SECOND + 27_000)).toBe(100);
    clock.advance(3000);
    expect(pace.waitMs(SECOND + 27_000)).toBe(0);
    // From here on the schedule is later by the missing time.
    expect(pace.waitMs(SECOND + 27_000 + 9000)).toBe(100);
  });

  it('does not shift its schedule for a track that lags', () => {
    const { clock, pace } = paced();
    clock.advance(1000);
    expect(pace.waitMs(2 * SECOND)).toBe(0);
    expect(pace.waitMs(SECOND + 9000)).toBe(0);
    expect(pace.waitMs(2 * SECOND + 9000)).toBe(100);
  });

  it('does not wait for a jump of the timestamps', () => {
    const { pace } = paced();
    expect(pace.waitMs(60 * SECOND)).toBe(0);
    expect(pace.waitMs(60 * SECOND + 3600)).toBe(40);
    expect(pace.waitMs(0)).toBe(0);
    expect(pace.waitMs(3600)).toBe(40);
  });

  it('runs faster while too much media is queued', () => {
    const { clock, pace } = paced();
    pace.settle(12_000, 6000, 2000);
    expect(pace.isCatchingUp).toBe(true);
    expect(pace.waitMs(2 * SECOND)).toBe(800);
    clock.advance(800);
    expect(pace.waitMs(2 * SECOND)).toBe(0);
    pace.settle(8000, 6000, 2000);
    expect(pace.isCatchingUp).toBe(true);
    pace.settle(7000, 6000, 2000);
    expect(pace.isCatchingUp).toBe(false);
    expect(pace.waitMs(3 * SECOND)).toBe(1000);
    pace.settle(8900, 6000, 2000);
    expect(pace.isCatchingUp).toBe(false);
  });

  it('rests if many units arrive with the same timestamp', () => {
    const { pace } = paced();
    const waits = Array.from({ length: 2000 }, () => pace.waitMs(SECOND));
    expect(waits.filter((ms) => ms > 0)).toEqual([10, 10]);
  });
});
