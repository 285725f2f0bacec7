import { expect, it } from 'vitest';
import { FakeClock } from '../../../tests/helpers/fake-clock.ts';
import { ExportService } from './export-service.ts';

const RECORDED_MS = 600_000;

it('ExportService refuses future times, except recordings from before the clock was set back', async () => {
  const clock = new FakeClock();
  const recorded = { startMs: clock.now() - RECORDED_MS, endMs: clock.now() };
  const service = new ExportService({
    clock,
    jobs: undefined,
    catalog: {
      ranges: async (_, { startMs, endMs }) =>
        Promise.resolve({
          ranges: [{ startMs: Math.max(startMs, recorded.startMs), endMs: Math.min(endMs, recorded.endMs) }],
        }),
      extent: async () => Promise.resolve({ ...recorded, blocks: 10, bytes: 1000 }),
    },
    locks: () => [],
    locate: () => {
      throw new Error('accepted');
    },
    folderOf: async () => Promise.resolve(undefined),
  });
  const create = async (fromMs: number, duration: number): Promise<unknown> =>
    service.create({ name: 'cam', from: fromMs, duration, path: 'files/x' }, 'admin');
  const still = { code: 'archive_not_yet' };
  await expect(create(recorded.startMs, RECORDED_MS)).rejects.toThrow('accepted');
  await expect(create(recorded.startMs, RECORDED_MS + 1)).rejects.toMatchObject(still);
  clock.step(-3_600_000);
  await expect(create(recorded.startMs, RECORDED_MS)).rejects.toThrow('accepted');
  await expect(create(recorded.startMs, RECORDED_MS + 1)).rejects.toMatchObject(still);
  // The time is being recorded again from now on.
  await expect(create(clock.now() - 1, recorded.endMs - clock.now())).rejects.toMatchObject(still);
});
