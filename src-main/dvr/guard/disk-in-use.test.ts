import { expect, it } from 'vitest';
import { FakeClock } from '../../../tests/helpers/fake-clock.ts';
import { MemoryBlocks } from '../../../tests/helpers/memory-blocks.ts';
import { settled } from '../../../tests/helpers/settled.ts';
import { Recordings } from '../recordings.ts';

it('a disk is neither written nor cleaned while another server uses it', async () => {
  const clock = new FakeClock();
  const files = new MemoryBlocks();
  const none = (): undefined => undefined;
  const returned: string[] = [];
  let owner: string | undefined = 'process 7 on studio';
  const reports = {
    finished: none,
    gap: none,
    late: none,
    unread: none,
    returned: (one: string) => returned.push(one),
  };
  const recordings = new Recordings({
    files,
    clock,
    reports,
    claim: async (folder) => Promise.resolve(folder === '/a' ? owner : undefined),
  });
  const work = async (folder: string): Promise<string> =>
    recordings.onDisk(folder, async () => Promise.resolve('done'));
  await expect(work('/a')).rejects.toMatchObject({ code: 'disk_in_use', message: /process 7 on studio/ });
  expect(await work('/b')).toBe('done');
  expect(recordings.choose({ storage: null, disks: ['/a'] })).toMatchObject({ code: 'disk_in_use' });
  expect(recordings.choose({ storage: null, disks: ['/a', '/b'] })).toMatchObject({ folder: '/b' });

  owner = undefined;
  clock.advance(6000);
  await settled();
  expect(await work('/a')).toBe('done');
  expect(returned).toEqual(['/a']);

  owner = 'process 8 on studio';
  clock.advance(6000);
  await settled();
  await expect(work('/a')).rejects.toMatchObject({ code: 'disk_in_use' });
  await recordings.close();
});
