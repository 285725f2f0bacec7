import { expect, it } from 'vitest';
import { TokenBucket } from './token-bucket.ts';

it('gives a number at once, and then so many a second', () => {
  const bucket = new TokenBucket(3, 2);
  const taken = (nowMs: number, times: number) =>
    Array.from({ length: times }, () => bucket.take(nowMs)).filter(Boolean).length;
  expect(taken(1000, 5)).toBe(3);
  expect(taken(1400, 1)).toBe(0);
  expect(taken(1500, 2)).toBe(1);
  expect(taken(2500, 5)).toBe(2);
  expect(taken(60_000, 9)).toBe(3);
  expect(taken(0, 1)).toBe(0);
});
