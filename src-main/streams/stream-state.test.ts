import { expect, it } from 'vitest';
import { liveLatency } from './stream-state.ts';

const NOW_MS = 1_800_000_000_000;
const latencyAt = (toMs: number | undefined): number | null =>
  liveLatency({ window: { bounds: () => (toMs === undefined ? undefined : { fromMs: 0, toMs }) } as never }, NOW_MS);

it('live latency is the age of the newest media, or null if there is none or its clock runs ahead', () => {
  expect(latencyAt(NOW_MS - 1200.4)).toBe(1200);
  expect(latencyAt(NOW_MS)).toBe(0);
  expect(latencyAt(undefined)).toBeNull();
  expect(latencyAt(NOW_MS + 300)).toBeNull();
});
