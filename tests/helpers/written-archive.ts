import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Recordings } from '../../src-main/dvr/recordings.ts';
import type { AccessUnit } from '../../src-main/media/access-unit.ts';
import { FakeClock } from './fake-clock.ts';
import { MemoryBlocks } from './memory-blocks.ts';
import { settled } from './settled.ts';
import { StreamRun } from './stream-run.ts';
import { testMedia } from './test-media.ts';

const DISK = '/disk';
/** So much is played at once, in ticks of 90 kHz: disks in memory keep up with ten seconds. */
const SLICE_TICKS = 900_000;

/**
 * Writes an archive as a server would have recorded it: real H.264 and AAC, some hundreds of times as fast.
 *
 * @param folder of the disk
 * @param startMs when it begins, in epoch milliseconds
 */
export async function writeArchive(folder: string, stream: string, startMs: number, seconds: number): Promise<void> {
  const run = new StreamRun({ segmentMs: 2000, segmentCount: 5 }, new FakeClock(startMs));
  const disks = new MemoryBlocks();
  const reports = { finished: () => 0, hole: () => 0, late: () => 0, unread: () => 0, returned: () => 0 };
  const recordings = new Recordings({ files: disks, clock: run.clock, reports });
  recordings.record(stream, run.run, { storage: null, disks: [DISK] });
  await settled();
  const media = testMedia({ width: 320, height: 180, fpsNumerator: 5, gopFrames: 10 });
  let slice: AccessUnit[] = [];
  let endTicks = SLICE_TICKS;
  const play = async (): Promise<void> => {
    run.playUnits([media.video, media.audio], slice);
    await settled();
  };
  for (const unit of media.units(seconds)) {
    if (unit.dtsTicks >= endTicks) {
      await play();
      slice = [];
      endTicks += SLICE_TICKS;
    }
    slice.push(unit);
  }
  await play();
  run.close();
  await recordings.close();
  for (const [path, bytes] of disks.files) {
    const target = join(folder, path.slice(DISK.length));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, bytes);
  }
}
