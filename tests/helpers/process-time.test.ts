import { expect, it } from 'vitest';
import { processTimeMs, threadTimesMs } from './process-time.ts';

it('processTimeMs and threadTimesMs count the work of this process', () => {
  const before = processTimeMs(process.pid);
  const largest = (): number => Math.max(...threadTimesMs(process.pid).values());
  const largestBefore = largest();
  // Uses the time of this thread, because other threads of the process may collect garbage meanwhile.
  const used = process.threadCpuUsage();
  let usedMs = 0;
  while (usedMs < 60) {
    const { user, system } = process.threadCpuUsage(used);
    usedMs = (user + system) / 1000;
  }
  expect(processTimeMs(process.pid) - before).toBeGreaterThanOrEqual(50);
  expect(largest() - largestBefore).toBeGreaterThanOrEqual(50);
});
