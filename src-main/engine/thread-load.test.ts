import { expect, it } from 'vitest';
import { ThreadLoad } from './thread-load.ts';

/** Keeps this thread busy until it has used this much CPU time, in milliseconds. */
function work(ms: number): void {
  const before = process.threadCpuUsage();
  for (;;) {
    const { user, system } = process.threadCpuUsage(before);
    if (user + system >= ms * 1000) return;
  }
}

it('ThreadLoad returns the CPU share of the thread since the last measurement', () => {
  const load = new ThreadLoad(1000);
  work(50);
  const share = load.measure(1100);
  expect(share).toBeGreaterThanOrEqual(0.5);
  expect(share).toBeLessThanOrEqual(1);
  // CPU time that was counted once is not counted again.
  expect(load.measure(1100 + 3_600_000)).toBeLessThan(50 / 3_600_000);
  work(20);
  expect(load.measure(3_601_100 + 200)).toBeGreaterThanOrEqual(0.1);
});

it('ThreadLoad returns at most one core, even if no time has passed', () => {
  const load = new ThreadLoad(1000);
  work(20);
  expect(load.measure(1010)).toBe(1);
  work(20);
  expect(load.measure(1010)).toBe(1);
});

it('ThreadLoad returns its previous value if the clock was set back', () => {
  const load = new ThreadLoad(1_000_000);
  work(20);
  const before = load.measure(1_000_100);
  expect(before).toBeLessThan(1);
  work(20);
  expect(load.measure(10_000)).toBe(before);
  // From here on the load is measured again.
  work(20);
  expect(load.measure(10_000 + 3_600_000)).toBeLessThan(before);
});
