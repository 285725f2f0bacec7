import { expect, it } from 'vitest';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { MemoryBlocks } from '../../tests/helpers/memory-blocks.ts';
import { settled } from '../../tests/helpers/settled.ts';
import { Recordings } from './recordings.ts';

it('a disk counts as slow after ten seconds without an answer, unless the process or the clock stopped meanwhile', async () => {
  const clock = new FakeClock();
  const disks = new MemoryBlocks();
  const none = (): undefined => undefined;
  const reports = { finished: none, gap: none, late: none, unread: none, returned: none };
  const recordings = new Recordings({ files: disks, clock, reports });
  let release = (): void => undefined;
  const work = recordings.onDisk('/d', async () => new Promise<void>((resolve) => (release = resolve)));
  await settled();
  const choose = (): unknown => recordings.choose({ storage: null, disks: ['/d'] });
  clock.advance(3000);
  clock.stall(60_000);
  expect(choose()).toMatchObject({ folder: '/d' });
  clock.advance(4000);
  expect(choose()).toMatchObject({ folder: '/d' });
  clock.stall(-3_600_000);
  clock.advance(3_600_000 + 8000);
  expect(choose()).toMatchObject({ code: 'disk_slow' });
  release();
  await work;
  await recordings.close();
});
