import { dirname } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../../tests/helpers/fake-clock.ts';
import { ListCatalog } from '../../../tests/helpers/list-catalog.ts';
import { RecordingStage } from '../../../tests/helpers/recording-stage.ts';
import { settled } from '../../../tests/helpers/settled.ts';
import { ticksToMs } from '../../media/timing/ticks.ts';
import { trackNumber } from '../../media/track.ts';
import { ArchiveCatalog } from './archive-catalog.ts';
import type { TimeRange } from './catalog-store.ts';
import { reconcile } from './reconciliation.ts';

const PLAIN = { video: { fps: 25, gopFrames: 25, bFrames: 0 }, audio: { sampleRate: 48_000, lateMs: 0 } };
const EVER = { startMs: 0, endMs: 1e13 };
let stage: RecordingStage | undefined;

afterEach(async () => {
  await stage?.recordings.close();
  stage = undefined;
});

function catalogOf(
  store: ListCatalog,
  open: readonly TimeRange[] = [],
): { catalog: ArchiveCatalog; failed: unknown[] } {
  const failed: unknown[] = [];
  const catalog = new ArchiveCatalog({
    store,
    clock: new FakeClock(),
    open: () => open,
    failed: (error) => failed.push(error),
  });
  return { catalog, failed };
}

describe('ArchiveCatalog', () => {
  it('returns the recorded ranges of any time', async () => {
    const range = fc.tuple(fc.nat({ max: 60_000 }), fc.integer({ min: 1, max: 3000 }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(range, { maxLength: 40 }),
        fc.array(range, { maxLength: 4 }),
        fc.tuple(fc.nat({ max: 65_000 }), fc.nat({ max: 65_000 })),
        fc.integer({ min: 1, max: 8 }),
        async (times, unfinished, [one, other], max) => {
          const store = new ListCatalog();
          for (const [startMs, length] of times) store.addRange('a', startMs, startMs + length);
          const time = { startMs: Math.min(one, other), endMs: Math.max(one, other) };
          const open = unfinished.map(([startMs, length]) => ({ startMs, endMs: startMs + length }));
          const { catalog } = catalogOf(store, open);
          expect(await catalog.ranges('a', time, max)).toEqual(naive([...times, ...unfinished], time, max));
          expect(await catalogOf(store).catalog.ranges('b', time, max)).toEqual({ ranges: [] });
        },
      ),
      {
        examples: [
          // An empty range within a recorded range.
          [[[0, 10]], [], [9, 9], 1],
          // The clock was set back: the open block starts before the recorded ranges.
          [[[50_000, 1000]], [[10_000, 2000]], [0, 65_000], 8],
        ],
      },
    );
  });

  it('lists every recorded segment of the requested time, and unfinished media as a range', async () => {
    stage = new RecordingStage();
    const store = new ListCatalog();
    await stage.record();
    await stage.play({ ...PLAIN, seconds: 150 });
    const open = stage.recordings.unfinishedTimes('c/03');
    const { catalog } = catalogOf(store, open);
    for (const block of stage.blocks) catalog.add(block);
    const during = await catalog.ranges('c/03', EVER, 10);
    expect(during.ranges).toHaveLength(1);
    expect(during.ranges[0]?.endMs).toBe(open.at(-1)?.endMs);
    await stage.recordings.close();
    expect(stage.recordings.unfinishedTimes('c/03')).toEqual([]);

    const all = new ListCatalog();
    const complete = catalogOf(all).catalog;
    for (const block of stage.blocks) complete.add(block);
    const { ranges } = await complete.ranges('c/03', EVER, 10);
    expect(ranges).toHaveLength(1);
    expect(ranges[0]?.startMs).toBe(during.ranges[0]?.startMs);
    const blocks = await complete.blocks('c/03', EVER, 100);
    expect(blocks.map(({ path }) => path)).toEqual(stage.blocks.map(({ path }) => path));
    expect(blocks.map(({ segments }) => segments)).toEqual(stage.blocks.map(({ index }) => index.segments));
    expect(blocks[0]?.tracks).toEqual(stage.blocks[0]?.head.tracks);
    // A minute in the middle: each segment within it, and no other segment.
    const [from = 0] = ranges.map(({ startMs }) => startMs + 40_000);
    const time = { startMs: from, endMs: from + 60_000 };
    const expected = stage.blocks.flatMap(({ head, index }) =>
      index.segments.filter(({ trackNumber: number, startTicks, durationTicks }) => {
        const timescale = head.tracks.find(({ id }) => trackNumber(id) === number)?.timescale ?? 1;
        const [start, end] = [ticksToMs(startTicks, timescale), ticksToMs(startTicks + durationTicks, timescale)];
        return start < time.endMs && end > time.startMs;
      }),
    );
    expect((await complete.blocks('c/03', time, 100)).flatMap(({ segments }) => segments)).toEqual(expected);
    expect(await complete.blocks('c/03', time, 1)).toHaveLength(1);
  });

  it('is rebuilt from the disks without deleted blocks', async () => {
    stage = new RecordingStage();
    const { recordings, disks } = stage;
    await stage.record();
    await stage.play({ ...PLAIN, seconds: 150 });
    recordings.stop('c/03');
    const first = new ListCatalog();
    const recorded = catalogOf(first).catalog;
    const again = new ListCatalog();
    const { catalog } = catalogOf(again);
    const options = {
      files: disks,
      clock: stage.stream.clock,
      store: again,
      catalog,
      onDisk: async <T>(folder: string, work: Parameters<typeof recordings.onDisk<T>>[1]) =>
        recordings.onDisk(folder, work),
      isRunning: () => true,
    };
    await recordings.close();
    for (const block of stage.blocks) recorded.add(block);
    await recorded.settled();
    const other = (stage.recordings = stage.open());
    const reconcileHour = async (): Promise<number> =>
      reconcile({ ...options, onDisk: async (folder, work) => other.onDisk(folder, work) }, 'c/03', '/a');
    const { stream, blocks } = stage;
    const reconciled = async (): Promise<number> => {
      let added: number | undefined;
      const turned = reconcileHour().then((count) => (added = count));
      while (added === undefined) {
        stream.clock.advance(100);
        await settled();
      }
      return turned;
    };
    expect(await reconciled()).toBe(blocks.length);
    expect(again.list()).toEqual(first.list());
    expect(await reconciled()).toBe(0);
    // Catalog entries whose file exists on no disk, in existing and in missing hours.
    const [block] = again.entries;
    if (!block) throw new Error('no block');
    const hour = dirname(block.path);
    for (const path of [`${hour}/59-9.mp4`, 'c/03/2001/02/03/04/05.mp4', `${dirname(hour)}/00/00.mp4`])
      await again.write([{ type: 'add', block: { ...block, path, storedRanges: [] } }]);
    disks.files.delete(`/a/${block.path}`);
    expect(await reconciled()).toBe(0);
    expect(again.entries.map(({ path }) => path)).toEqual(blocks.slice(1).map(({ path }) => path));
    // An empty folder may be a disk that is not mounted.
    disks.files.clear();
    expect(await reconciled()).toBe(0);
    expect(again.entries).toHaveLength(blocks.length - 1);
  });

  it('includes blocks that wait because the disk of its store is full', async () => {
    stage = new RecordingStage();
    await stage.record();
    await stage.play({ ...PLAIN, seconds: 10 });
    await stage.close();
    const store = new ListCatalog();
    const { catalog } = catalogOf(store);
    const [block] = stage.blocks;
    if (!block) throw new Error('nothing was recorded');
    const { stream } = block.head;
    const read = async (): Promise<unknown> => [
      await catalog.ranges(stream, EVER, 10),
      await catalog.map(
        stream,
        EVER,
        () => undefined,
        (_, { path }) => path,
      ),
    ];
    store.fault = Object.assign(new Error('full'), { code: 'ENOSPC' });
    catalog.add(block);
    const waiting = await read();
    expect(waiting).toEqual([{ ranges: [expect.anything()] }, [block.path]]);
    store.fault = undefined;
    expect(await read()).toEqual(waiting);
    expect(store.entries).toHaveLength(1);
    store.fault = Object.assign(new Error('full'), { code: 'ENOSPC' });
    catalog.add({ ...block, path: 'other' });
    catalog.remove(block.disk, 'other');
    expect(await read()).toEqual(waiting);
  });

  it('reports changes that its store rejects, and stores a limited number of pending changes', async () => {
    stage = new RecordingStage();
    const store = new ListCatalog();
    const { catalog, failed } = catalogOf(store);
    store.fault = new Error('full');
    catalog.remove('/a', 'x');
    await catalog.settled();
    expect(failed).toEqual([store.fault]);
    store.fault = undefined;
    for (let change = 0; change < 20_000; change++) catalog.remove('/a', String(change));
    expect(failed).toHaveLength(1 + 10_000);
    await catalog.settled();
    expect(store.changes).toBe(10_000);
  });
});

/** Expected ranges, computed millisecond by millisecond. */
function naive(
  times: readonly (readonly [startMs: number, length: number])[],
  { startMs, endMs }: TimeRange,
  max: number,
): { ranges: TimeRange[]; nextMs?: number } {
  const isRecorded = new Uint8Array(70_000);
  for (const [from, length] of times) isRecorded.fill(1, from, from + length);
  const ranges: { startMs: number; endMs: number }[] = [];
  for (let ms = startMs; ms < endMs; ms++) {
    if (isRecorded[ms] !== 1) continue;
    const last = ranges.at(-1);
    if (last && ms - last.endMs <= 500) last.endMs = ms + 1;
    else ranges.push({ startMs: ms, endMs: ms + 1 });
  }
  const next = ranges[max];
  return { ranges: ranges.slice(0, max), ...(next ? { nextMs: next.startMs } : {}) };
}
