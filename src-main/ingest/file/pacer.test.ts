import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../tests/helpers/fake-clock.ts';
import { Pacer } from './pacer.ts';

/** Whether the pacer lets the unit pass without waiting. */
function isFree(wait: Promise<void> | undefined): boolean {
  return wait === undefined;
}

describe('Pacer', () => {
  it('passes the first unit, and holds the next unit until it is due', async () => {
    const clock = new FakeClock();
    const pacer = new Pacer(clock);
    expect(isFree(pacer.pace(900_000, 1))).toBe(true);
    let isOver = false;
    const wait = pacer.pace(900_000 + 40 * 90, 1)?.then(() => {
      isOver = true;
    });
    clock.advance(39);
    await Promise.resolve();
    expect(isOver).toBe(false);
    clock.advance(1);
    await wait;
    expect(isOver).toBe(true);
  });

  it('rests after 100 ms of media or 1000 units while it is late', () => {
    const clock = new FakeClock();
    const pacer = new Pacer(clock);
    void pacer.pace(0, 1);
    clock.advance(5000);
    expect(isFree(pacer.pace(99 * 90, 1))).toBe(true);
    expect(isFree(pacer.pace(100 * 90, 1))).toBe(false);
    clock.advance(10);
    expect(isFree(pacer.pace(199 * 90, 1))).toBe(true);
    expect(isFree(pacer.pace(199 * 90, 1000))).toBe(false);
  });

  it('restarts when the times jump in either direction', () => {
    const clock = new FakeClock();
    const pacer = new Pacer(clock);
    void pacer.pace(0, 1);
    expect(isFree(pacer.pace(3600 * 90_000, 1))).toBe(true);
    expect(isFree(pacer.pace(0, 1))).toBe(true);
    expect(isFree(pacer.pace(40 * 90, 1))).toBe(false);
  });

  it('ends every wait when it is closed', async () => {
    const pacer = new Pacer(new FakeClock());
    void pacer.pace(0, 1);
    const wait = pacer.pace(9000, 1);
    expect(isFree(wait)).toBe(false);
    pacer.close();
    await wait;
    expect(isFree(pacer.pace(18_000, 1))).toBe(true);
  });
});
