import fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';
import { ListCatalog } from '../../../tests/helpers/list-catalog.ts';
import { RecordingStage, fileOf } from '../../../tests/helpers/recording-stage.ts';
import { settled } from '../../../tests/helpers/settled.ts';
import { ticksToMs } from '../../media/timing/ticks.ts';
import { trackNumber } from '../../media/track.ts';
import { scanBlock } from '../block/block-scan.ts';
import { ArchiveCatalog } from '../catalog/archive-catalog.ts';
import type { TimeRange } from '../catalog/catalog-store.ts';
import type { Disk } from '../disk.ts';
import { reconcile } from '../catalog/reconciliation.ts';
import { ArchiveDeletion } from './archive-deletion.ts';

const PLAIN = { video: { fps: 25, gopFrames: 25, bFrames: 0 }, audio: { sampleRate: 48_000, lateMs: 0 } };
const KEEP_NOTHING = (): boolean => false;
let stage: RecordingStage | undefined;

afterEach(async () => {
  await stage?.recordings.close();
  stage = undefined;
});

/** Segment as a player receives it: time and bytes. */
interface Played extends TimeRange {
  readonly track: number;
  readonly bytes: string;
}

/** Deletion of the archive of a stage. */
function deletionOf(recording: RecordingStage): {
  deletion: ArchiveDeletion;
  catalog: ArchiveCatalog;
  store: ListCatalog;
} {
  const { disks: files, recordings } = recording;
  const { clock } = recording.stream;
  const store = new ListCatalog();
  const catalog = new ArchiveCatalog({
    store,
    clock,
    open: () => [],
    failed(error) {
      throw error;
    },
  });
  const onDisk = async <T>(folder: string, work: (disk: Disk) => Promise<T>): Promise<T> =>
    recordings.onDisk(folder, work);
  const deletion = new ArchiveDeletion({
    files,
    clock,
    catalog,
    onDisk,
    disks: () => ['/a'],
    reconcile: async (stream, folder, time) => {
      await reconcile({ files, clock, store, catalog, onDisk, isRunning: () => true }, stream, folder, time);
    },
    cut: async (stream, beforeMs) => recordings.cut(stream, beforeMs),
  });
  return { deletion, catalog, store };
}

/** Playable segments, read from the files alone. */
async function played({ disks }: RecordingStage): Promise<Played[]> {
  const found: Played[] = [];
  for (const [path, bytes] of disks.files) {
    const block = path.endsWith('.mp4') ? await scanBlock(fileOf(bytes), bytes.length) : undefined;
    for (const { trackNumber: track, startTicks, durationTicks, pieces } of block?.index.segments ?? []) {
      const timescale = block?.head.tracks.find(({ id }) => trackNumber(id) === track)?.timescale ?? 1;
      const data = pieces.map(({ offset, sizeBytes }) => bytes.subarray(offset, offset + sizeBytes));
      found.push({
        track,
        startMs: ticksToMs(startTicks, timescale),
        endMs: ticksToMs(startTicks + durationTicks, timescale),
        bytes: Buffer.concat(data).toString('base64'),
      });
    }
  }
  return found.sort((a, b) => a.track - b.track || a.startMs - b.startMs);
}

/** Advances the clock until `work` is done. */
async function done<T>(recording: RecordingStage, work: Promise<T>): Promise<T> {
  let isOver = false;
  const watched = work.finally(() => (isOver = true));
  watched.catch(() => undefined);
  while (!isOver) {
    recording.stream.clock.advance(100);
    await settled();
  }
  return watched;
}

async function recorded(seconds: number): Promise<RecordingStage> {
  const recording = new RecordingStage({ segmentMs: 2000 });
  stage = recording;
  await recording.record();
  await recording.play({ ...PLAIN, seconds });
  recording.recordings.stop('c/03');
  await done(recording, Promise.resolve());
  recording.stream.clock.advance(2000);
  await settled();
  return recording;
}

it('deletes every segment that overlaps a time range, and no other, after any earlier deletions', async () => {
  const recording = await recorded(130);
  const original = new Map(recording.disks.files);
  const all = await played(recording);
  const rangeStartMs = Math.min(...all.map(({ startMs }) => startMs));
  const time = fc.tuple(fc.nat({ max: 140_000 }), fc.integer({ min: 1, max: 90_000 }));
  await fc.assert(
    fc.asyncProperty(fc.array(time, { minLength: 1, maxLength: 3 }), async (times) => {
      recording.disks.files.clear();
      for (const [path, bytes] of original) recording.disks.files.set(path, bytes);
      const { deletion, catalog, store } = deletionOf(recording);
      let expected = all;
      // A deletion adds the blocks of the hours it reads to the catalog. Recording starts on the hour.
      let isKnown = false;
      for (const [from, length] of times) {
        const cut = { startMs: rangeStartMs - 2000 + from, endMs: rangeStartMs - 2000 + from + length };
        isKnown ||= cut.endMs > rangeStartMs;
        const sizeOf = (): number => [...recording.disks.files.values()].reduce((sum, bytes) => sum + bytes.length, 0);
        const before = sizeOf();
        const { bytes, failures } = await done(recording, deletion.remove('c/03', cut, KEEP_NOTHING));
        expected = expected.filter(({ startMs, endMs }) => endMs <= cut.startMs || startMs >= cut.endMs);
        expect(failures).toEqual([]);
        expect(before - sizeOf()).toBe(bytes);
      }
      expect(await played(recording)).toEqual(expected);
      await catalog.settled();
      expect(store.entries.map(({ disk, path }) => `${disk}/${path}`).toSorted()).toEqual(
        isKnown ? [...recording.disks.files.keys()].toSorted() : [],
      );
      for (const { disk, path, sizeBytes } of store.entries)
        expect(recording.disks.files.get(`${disk}/${path}`)?.length).toBe(sizeBytes);
      expect(recording.disks.opened).toBe(0);
    }),
    { numRuns: 25, examples: [[[[0, 1]]], [[[0, 2001]]]] },
  );
});

it('keeps all segments outside the deleted range if the disk fails or the server crashes at any step', async () => {
  const recording = await recorded(70);
  const original = new Map(recording.disks.files);
  const all = await played(recording);
  const rangeStartMs = Math.min(...all.map(({ startMs }) => startMs));
  const cut = { startMs: rangeStartMs + 10_000, endMs: rangeStartMs + 20_000 };
  const kept = all.filter(({ startMs, endMs }) => endMs <= cut.startMs || startMs >= cut.endMs);
  for (let failing = 0, hasFailed = true; hasFailed; failing++) {
    recording.disks.files.clear();
    for (const [path, bytes] of original) recording.disks.files.set(path, bytes);
    const { deletion, catalog } = deletionOf(recording);
    let operations = 0;
    hasFailed = false;
    recording.disks.before = (operation) => {
      if (['list', 'diskSpace', 'removeFolder'].includes(operation) || operations++ < failing) return;
      // Nothing is executed from here on, as after a crash.
      hasFailed = true;
      throw Object.assign(new Error('gone'), { code: 'EIO' });
    };
    await done(recording, deletion.remove('c/03', cut, KEEP_NOTHING)).catch(() => undefined);
    recording.disks.before = () => undefined;
    await done(
      recording,
      deletionOf(recording).deletion.remove('c/03', { startMs: 0, endMs: 1e13 }, () => true),
    );
    const left = await played(recording);
    const isCut = left.length === kept.length;
    expect(left, `operation ${failing}`).toEqual(isCut ? kept : all);
    expect([...recording.disks.files.keys()].every((path) => path.endsWith('.mp4'))).toBe(true);
    await catalog.settled();
  }
});

it('ends the open block, deletes from it, and recording continues', async () => {
  const recording = new RecordingStage({ segmentMs: 2000 });
  stage = recording;
  await recording.record();
  const play = recording.stream.playing({ ...PLAIN, seconds: 60 });
  let ms = 0;
  const step = async (): Promise<void> => {
    play((ms += 200));
    await settled();
  };
  while (ms < 30_000) await step();
  const { deletion } = deletionOf(recording);
  const { startMs, endMs } = recording.recordings.unfinished('c/03') ?? { startMs: 0, endMs: 0 };
  const cut = { startMs: startMs + 5000, endMs: endMs - 5000 };
  let isOver = false;
  const removed = deletion.remove('c/03', cut, KEEP_NOTHING).finally(() => (isOver = true));
  while (!isOver) await step();
  expect((await removed).count).toBe(1);
  while (ms < 60_000) await step();
  recording.recordings.stop('c/03');
  for (let more = 0; more < 20; more++) await step();
  const left = await played(recording);
  expect(left.filter((one) => one.endMs > cut.startMs && one.startMs < cut.endMs)).toEqual([]);
  const video = left.filter(({ track }) => track === trackNumber('v1'));
  const recordedMs = video.reduce((sum, one) => sum + one.endMs - one.startMs, 0);
  expect(recordedMs).toBeGreaterThan(60_000 - (cut.endMs - cut.startMs) - 2 * 2000 - 4000);
});

it('keeps protected times', async () => {
  const recording = await recorded(70);
  const all = await played(recording);
  const { deletion } = deletionOf(recording);
  const { count, bytes } = await done(
    recording,
    deletion.remove('c/03', { startMs: 0, endMs: 1e13 }, () => true),
  );
  expect({ count, bytes }).toEqual({ count: 0, bytes: 0 });
  expect(await played(recording)).toEqual(all);
});
