import { expect, it } from 'vitest';
import { processTimeMs, threadTimesMs } from './process-time.ts';

it('counts what the process does', () => {
  const before = processTimeMs(process.pid);
  const largest = (): number => Math.max(...threadTimesMs(process.pid).values());
  const own = largest();
  const used = process.cpuUsage();
  let usedMs = 0;
  while (usedMs < 60) {
    const { user, system } = process.cpuUsage(used);
    usedMs = (user + system) / 1000;
  }
  expect(processTimeMs(process.pid) - before).toBeGreaterThanOrEqual(50);
  expect(largest() - own).toBeGreaterThanOrEqual(50);
});
