import { expect, it } from 'vitest';
import { ThreadLoad } from './thread-load.ts';

/** Load of a thread whose processor time the test sets. */
function loadOf(nowMs: number): { readonly load: ThreadLoad; readonly work: (ms: number) => void } {
  let usedMs = 5000;
  return {
    load: new ThreadLoad(nowMs, () => usedMs),
    work: (ms) => {
      usedMs += ms;
    },
  };
}

it('ThreadLoad returns the CPU share of the thread since the last measurement', () => {
  const { load, work } = loadOf(1000);
  work(50);
  expect(load.measure(1100)).toBe(0.5);
  // CPU time that was counted once is not counted again.
  expect(load.measure(1200)).toBe(0);
  work(20);
  expect(load.measure(1400)).toBe(0.1);
});

it('ThreadLoad returns at most one core, even if no time has passed', () => {
  const { load, work } = loadOf(1000);
  work(20);
  expect(load.measure(1010)).toBe(1);
  work(20);
  expect(load.measure(1010)).toBe(1);
});

it('ThreadLoad returns its previous value if the clock was set back', () => {
  const { load, work } = loadOf(1_000_000);
  work(20);
  expect(load.measure(1_000_100)).toBe(0.2);
  work(20);
  expect(load.measure(10_000)).toBe(0.2);
  // From here on the load is measured again.
  work(30);
  expect(load.measure(10_100)).toBe(0.3);
});

it('ThreadLoad measures the current thread by default', () => {
  const load = new ThreadLoad(0);
  const { user, system } = process.threadCpuUsage();
  for (let used = 0; used < 2000;) {
    const now = process.threadCpuUsage();
    used = now.user + now.system - user - system;
  }
  expect(load.measure(1000)).toBeGreaterThanOrEqual(0.002);
});
