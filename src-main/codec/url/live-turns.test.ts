import { beforeEach, describe, expect, it } from 'vitest';
import { LiveTurns, type NextRead } from './live-turns.ts';

let turns: LiveTurns;
let nowMs: number;

beforeEach(() => {
  turns = new LiveTurns();
  nowMs = 1000;
});

/** A read that takes so long. */
function read(ms: number): NextRead {
  const startMs = nowMs;
  nowMs += ms;
  return turns.ended(startMs, nowMs);
}

describe('a live source', () => {
  it('is waited for beside the event loop until its packets are steady', () => {
    expect(turns.isDirect).toBe(false);
    expect(read(5000)).toBe('at-once');
    expect(turns.isDirect).toBe(false);
    expect(read(3)).toBe('at-once');
    expect(turns.isDirect).toBe(true);
  });

  it('is read until a packet had to be waited for, and then after a pause', () => {
    read(3);
    expect([read(0.1), read(0.1), read(14)]).toEqual(['at-once', 'at-once', { pauseMs: 20 }]);
    nowMs += 20;
    expect([read(0.1), read(0.1), read(2)]).toEqual(['at-once', 'at-once', { pauseMs: 20 }]);
    expect(turns.isDirect).toBe(true);
  });

  it('that is silent is waited for beside the event loop again', () => {
    read(3);
    expect(read(150)).toBe('at-once');
    expect(turns.isDirect).toBe(false);
  });

  it('that sends without an end lets others be heard, and does not pause', () => {
    read(3);
    const next = Array.from({ length: 100 }, () => read(0.5));
    expect(next.filter((one) => one === 'behind-others')).toHaveLength(2);
    expect(next.filter((one) => one === 'at-once')).toHaveLength(98);
  });
});
