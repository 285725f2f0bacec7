import { describe, expect, it } from 'vitest';
import { FairTurns } from './fair-turns.ts';

describe('FairTurns', () => {
  it('alternates between callers, and keeps the order of each', () => {
    const turns = new FairTurns<string>();
    for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) turns.add(item.charAt(0), item);
    expect(turns.size).toBe(6);
    const callers = Array.from({ length: 6 }, () => turns.take());
    expect(callers).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
    expect(turns.size).toBe(0);
    expect(turns.take()).toBeUndefined();
  });
});
