import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathWithSuffix } from '../../src-main/dvr/block-path.ts';
import { Recordings } from '../../src-main/dvr/recordings.ts';
import type { AccessUnit } from '../../src-main/media/access-unit.ts';
import { FakeClock } from './fake-clock.ts';
import { MemoryBlocks } from './memory-blocks.ts';
import { settled } from './settled.ts';
import { StreamRun } from './stream-run.ts';
import { testMedia, type TestMedia } from './test-media.ts';

const DISK = '/disk';
/** Duration played in one call, in 90 kHz ticks: disks in memory keep up with ten seconds. */
const SLICE_TICKS = 900_000;

/** Consecutive part of a recorded archive. */
export type ArchiveStep =
  /**
   * Encoder with a picture height, or with several renditions; default: 180 lines. Consecutive encoders are a switch of
   * inputs.
   */
  | { readonly seconds: number; readonly lines?: number | readonly number[] }
  /** Time without media. */
  | { readonly idleMs: number };

/**
 * Writes an archive as a server would have recorded it: real H.264 and AAC with 5 pictures per second, some hundreds of
 * times as fast.
 *
 * @param folder of the disk
 * @param startMs its start in epoch milliseconds
 * @param steps or seconds of one encoder
 */
export async function writeArchive(
  folder: string,
  stream: string,
  startMs: number,
  steps: number | readonly ArchiveStep[],
): Promise<void> {
  const run = new StreamRun({ segmentMs: 2000, segmentCount: 5 }, new FakeClock(startMs));
  const disks = new MemoryBlocks();
  const reports = { finished: () => 0, gap: () => 0, late: () => 0, unread: () => 0, returned: () => 0 };
  const recordings = new Recordings({ files: disks, clock: run.clock, reports });
  recordings.record(stream, run.run, { storage: null, disks: [DISK] });
  await settled();
  for (const step of typeof steps === 'number' ? [{ seconds: steps }] : steps) {
    if ('idleMs' in step) {
      run.idle(0);
      await settled();
      run.clock.advance(step.idleMs);
      await settled();
    } else await playStep(run, step);
  }
  run.close();
  await recordings.close();
  for (const [path, bytes] of disks.files) {
    const target = freePath(join(folder, path.slice(DISK.length)));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, bytes);
  }
}

/** Path beside the blocks of earlier archives of the stream, which may end in the minute in which this one starts. */
function freePath(path: string): string {
  for (let suffix = 0; ; suffix++) {
    const free = suffix === 0 ? path : pathWithSuffix(path, suffix);
    if (!existsSync(free)) return free;
  }
}

async function playStep(
  run: StreamRun,
  { seconds, lines = 180 }: Extract<ArchiveStep, { readonly seconds: number }>,
): Promise<void> {
  const renditions = [lines].flat().map((height, at) => {
    const media = testMedia({ width: (height * 16) / 9, height, fpsNumerator: 5, gopFrames: 10 });
    return { media, id: `v${at + 1}` };
  });
  const [first] = renditions;
  if (!first) return;
  const tracks = [...renditions.map(({ media, id }) => ({ ...media.video, id })), first.media.audio];
  let slice: AccessUnit[] = [];
  let endTicks = SLICE_TICKS;
  const openedMs = run.clock.now();
  const play = async (): Promise<void> => {
    run.playUnits(tracks, slice);
    await settled();
    // The clock follows the encoder; otherwise the timeline would slow down the encoder.
    run.clock.advance(Math.max(0, openedMs + Math.min(endTicks / 90, seconds * 1000) - run.clock.now()));
    await settled();
  };
  for (const unit of merged(renditions.map(({ media, id }, at) => unitsOf(media, seconds, id, at === 0)))) {
    if (unit.dtsTicks >= endTicks) {
      await play();
      slice = [];
      endTicks += SLICE_TICKS;
    }
    slice.push(unit);
  }
  await play();
}

/** Pictures of a rendition, by the id of its track, and the audio if requested. */
function* unitsOf(media: TestMedia, seconds: number, id: string, hasSound: boolean): Generator<AccessUnit> {
  for (const unit of media.units(seconds))
    if (unit.trackId === media.video.id) yield { ...unit, trackId: id };
    else if (hasSound) yield unit;
}

/** Access units in decoding order. */
function* merged(all: readonly Generator<AccessUnit>[]): Generator<AccessUnit> {
  const next = all.map((units) => units.next());
  for (;;) {
    const open = next.flatMap(({ value, done }, at) => (done === true ? [] : [{ at, unit: value }]));
    const first = open.sort((a, b) => a.unit.dtsTicks - b.unit.dtsTicks)[0];
    if (!first) return;
    yield first.unit;
    next[first.at] = all[first.at]?.next() ?? { value: undefined, done: true };
  }
}
