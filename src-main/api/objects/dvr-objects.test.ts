import { expect, it } from 'vitest';
import { RecordingStage } from '../../../tests/helpers/recording-stage.ts';
import { ArchiveFigures } from '../../control/archive/archive-figures.ts';
import { withStats } from './dvr-objects.ts';

it('the fault of a disk has a code and a detail, and no other fields', async () => {
  const stage = new RecordingStage({}, { storage: 'far', disks: [] });
  const figures = new ArchiveFigures({
    clock: stage.stream.clock,
    recordings: stage.recordings,
    storages: () => [{ name: 'far', maxUsedPercent: 100, disks: [{ path: '.', folder: null, isWritten: true }] }],
    usage: async () => Promise.resolve([]),
  });
  const [far] = figures.state.storages;
  const error = { code: 'no_disk', detail: expect.any(String) as string };
  expect(far && withStats({ name: 'far', disks: [{ path: '.' }] }, far)).toMatchObject({
    stats: { error: expect.toSatisfy((one: object) => Object.keys(one).join() === 'code,detail') as object },
    disks: [{ stats: { error } }],
  });
  await stage.close();
});
