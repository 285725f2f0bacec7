import { expect, it } from 'vitest';
import { ThreadLoad } from './thread-load.ts';

/** Keeps this thread busy until it has taken so much of the processor, in milliseconds. */
function work(ms: number): void {
  const before = process.threadCpuUsage();
  for (;;) {
    const { user, system } = process.threadCpuUsage(before);
    if (user + system >= ms * 1000) return;
  }
}

it('gives the share of a core that the thread took since it was measured last', () => {
  const load = new ThreadLoad(1000);
  work(50);
  const share = load.measure(1100);
  expect(share).toBeGreaterThanOrEqual(0.5);
  expect(share).toBeLessThanOrEqual(1);
  // What was counted once is not counted again.
  expect(load.measure(1100 + 3_600_000)).toBeLessThan(50 / 3_600_000);
  work(20);
  expect(load.measure(3_601_100 + 200)).toBeGreaterThanOrEqual(0.1);
});

it('is never more than one core, also where no time has passed', () => {
  const load = new ThreadLoad(1000);
  work(20);
  expect(load.measure(1010)).toBe(1);
  work(20);
  expect(load.measure(1010)).toBe(1);
});

it('is what it was before, where the clock was set back', () => {
  const load = new ThreadLoad(1_000_000);
  work(20);
  const before = load.measure(1_000_100);
  expect(before).toBeLessThan(1);
  work(20);
  expect(load.measure(10_000)).toBe(before);
  // From there on it is measured again.
  work(20);
  expect(load.measure(10_000 + 3_600_000)).toBeLessThan(before);
});
