import { beforeEach, describe, expect, it } from 'vitest';
import { LiveTurns, type NextRead } from './live-turns.ts';

let turns: LiveTurns;
let nowMs: number;

beforeEach(() => {
  turns = new LiveTurns();
  nowMs = 1000;
});

/** A read that takes `ms`. */
function read(ms: number): NextRead {
  const startMs = nowMs;
  nowMs += ms;
  return turns.ended(startMs, nowMs);
}

describe('LiveTurns', () => {
  it('reads asynchronously until packets arrive steadily', () => {
    expect(turns.isDirect).toBe(false);
    expect(read(5000)).toBe('at-once');
    expect(turns.isDirect).toBe(false);
    expect(read(3)).toBe('at-once');
    expect(turns.isDirect).toBe(true);
  });

  it('reads directly until a packet is not available, and then pauses', () => {
    read(3);
    expect(turns.mayWait).toBe(true);
    expect([read(0.1), read(0.1), read(14)]).toEqual(['at-once', 'at-once', 'pause']);
    expect(turns.isDirect).toBe(true);
    expect(turns.mayWait).toBe(false);
  });

  it('reads as often per turn as before, and once more in each turn until a packet is not available', () => {
    read(3);
    read(0.1);
    read(14);
    const turn = (waitsAt: number): number => {
      for (let count = 1; ; count++) {
        const next = read(count === waitsAt ? 5 : 0.1);
        if (next === 'pause') {
          nowMs += 40;
          return count;
        }
      }
    };
    expect([turn(9), turn(9), turn(9), turn(3), turn(9), turn(9)]).toEqual([1, 2, 3, 3, 2, 3]);
  });

  it('reads asynchronously again after the source became silent', () => {
    read(3);
    expect(read(150)).toBe('at-once');
    expect([turns.isDirect, turns.mayWait]).toEqual([false, true]);
  });

  it('leaves turns for other work, without pauses, if the source sends continuously', () => {
    read(3);
    const next = Array.from({ length: 100 }, () => read(0.5));
    expect(next.filter((one) => one === 'after-turn')).toHaveLength(2);
    expect(next.filter((one) => one === 'at-once')).toHaveLength(98);
  });
});
