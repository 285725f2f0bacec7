import { describe, expect, it } from 'vitest';
import { RETRY_WAITS_MS, retryWaitMs } from './webhook.ts';

const HOUR_MS = 3_600_000;

describe('retryWaitMs of a webhook', () => {
  it('follows the schedule of Standard Webhooks, and ends with the tenth failure', () => {
    const waits = Array.from({ length: 10 }, (_, index) => retryWaitMs(index + 1, undefined, 0));
    const hours = [2, 5, 10, 14, 20, 24].map((count) => count * HOUR_MS);
    expect(waits).toEqual([5000, 300_000, 1_800_000, ...hours, undefined]);
  });

  it('adds up to a tenth at random', () => {
    for (const [index, waitMs] of RETRY_WAITS_MS.entries()) {
      expect(retryWaitMs(index + 1, undefined, 0.5)).toBeCloseTo(waitMs * 1.05, 3);
      expect(retryWaitMs(index + 1, undefined, 1)).toBeCloseTo(waitMs * 1.1, 3);
    }
  });

  it('obeys a longer Retry-After of the receiver, up to a day', () => {
    expect(retryWaitMs(1, 60_000, 0)).toBe(60_000);
    expect(retryWaitMs(2, 60_000, 0)).toBe(300_000);
    expect(retryWaitMs(1, 48 * HOUR_MS, 0)).toBe(24 * HOUR_MS);
    expect(retryWaitMs(10, 60_000, 0)).toBeUndefined();
  });
});
