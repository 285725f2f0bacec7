import { describe, expect, it } from 'vitest';
import { RecordingStage } from '../../../tests/helpers/recording-stage.ts';
import type { StoredUsage } from '../../dvr/catalog/catalog-store.ts';
import { ArchiveFigures, type ShownStorage } from './archive-figures.ts';

const PLAIN = { video: { fps: 25, gopFrames: 25, bFrames: 0 }, audio: { sampleRate: 48_000, lateMs: 0 }, seconds: 20 };
const diskOf = (path: string, isWritten = true): ShownStorage['disks'][number] => ({
  path,
  isWritten,
  folder: `/${path}`,
});
const MAIN: ShownStorage = {
  name: 'main',
  maxUsedPercent: 90,
  disks: [diskOf('a'), diskOf('b'), diskOf('old', false)],
};
const FAR: ShownStorage = { name: 'far', maxUsedPercent: 100, disks: [{ path: '.', folder: null, isWritten: true }] };

function staged(usage: readonly StoredUsage[] = []): {
  readonly stage: RecordingStage;
  readonly figures: ArchiveFigures;
  readonly queryCount: () => number;
} {
  const stage = new RecordingStage({}, { storage: 'main', disks: ['/a', '/b'] });
  let queries = 0;
  const figures = new ArchiveFigures({
    clock: stage.stream.clock,
    recordings: stage.recordings,
    storages: () => [MAIN, FAR],
    usage: async () => Promise.resolve((queries++, usage)),
  });
  stage.recordings.watchDisks(['/a', '/b', '/old']);
  return { stage, figures, queryCount: () => queries };
}

describe('ArchiveFigures', () => {
  it('counts the bytes written to each disk', async () => {
    const { stage, figures } = staged();
    await stage.record();
    await stage.play(PLAIN);
    const [main, far] = figures.state.storages;
    expect([main?.recording, far?.recording]).toEqual([1, 0]);
    expect(main?.disks.reduce((sum, disk) => sum + disk.figures.writtenBytesPerSecond, 0)).toBeGreaterThan(1000);
    await stage.close();
    const { storages, own } = figures.state;
    const disks = storages[0]?.disks ?? [];
    for (const { folder, figures: of } of disks) {
      const lengths = [...stage.disks.files].map(([path, { length }]) =>
        path.startsWith(`${folder ?? ''}/`) ? length : 0,
      );
      expect(of.writtenBytes).toBe(lengths.reduce((sum, length) => sum + length, 0));
    }
    expect(disks.some(({ figures: { writes } }) => writes > 10)).toBe(true);
    expect(disks.map(({ waitingBytes }) => waitingBytes)).toEqual([0, 0, 0]);
    expect(storages[0]?.recording).toBe(0);
    expect(own.disks).toEqual([]);
  });

  it('reports faults of a disk, but not that a playback-only disk is full', async () => {
    const { stage, figures } = staged();
    stage.disks.space = { totalBytes: 1e12, freeBytes: 5e10 };
    stage.disks.before = (_, path) => {
      if (path.startsWith('/b')) throw Object.assign(new Error('gone'), { code: 'EIO' });
    };
    await stage.record();
    await stage.play({ ...PLAIN, seconds: 1 });
    const [main, far] = figures.state.storages;
    expect(main?.disks.map(({ fault }) => fault?.code)).toEqual(['ENOSPC', 'EIO', undefined]);
    expect(main?.disks.map(({ isMounted }) => isMounted)).toEqual([false, false, false]);
    expect(main?.disks[2]?.space?.totalBytes).toBe(1e12);
    expect(far?.disks.map(({ fault }) => fault?.code)).toEqual(['no_disk']);
    await stage.close();
  });

  it('counts blocks that a disk did not store completely', async () => {
    const { stage, figures } = staged();
    await stage.record();
    await stage.play(PLAIN);
    stage.disks.before = (operation) => {
      if (operation === 'write' || operation === 'create') throw Object.assign(new Error('broken'), { code: 'EIO' });
    };
    await stage.play({ ...PLAIN, seconds: 3 });
    const failed = (): number =>
      figures.state.storages[0]?.disks.reduce((sum, disk) => sum + disk.figures.failedBlocks, 0) ?? 0;
    expect(failed()).toBeGreaterThan(0);
    stage.disks.before = () => undefined;
    await stage.close();
  });

  it('sums up stored bytes, which are at most some seconds old', async () => {
    const row = (stream: string, disk: string, blocks: number): StoredUsage => ({
      stream,
      disk,
      blocks,
      bytes: blocks * 1000,
    });
    const rows = [
      row('a', '/a', 1),
      row('a', '/b', 2),
      row('b', '/a', 4),
      row('c', '/own/c', 8),
      row('d', '/own/d', 16),
    ];
    const { stage, figures, queryCount } = staged(rows);
    await figures.refresh();
    const { storages, own, streams } = figures.state;
    expect(storages[0]?.disks.map(({ blocks, bytes }) => [blocks, bytes])).toEqual([
      [5, 5000],
      [2, 2000],
      [0, 0],
    ]);
    expect([storages[0]?.streams, storages[1]?.streams, own.streams, streams]).toEqual([2, 0, 2, 4]);
    expect(own.disks.map(({ folder, blocks }) => [folder, blocks])).toEqual([
      ['/own/c', 8],
      ['/own/d', 16],
    ]);
    await figures.refresh();
    expect(queryCount()).toBe(1);
    stage.stream.clock.advance(5000);
    await Promise.all([figures.refresh(), figures.refresh()]);
    expect(queryCount()).toBe(2);
    await stage.close();
  });

  it('counts finished and missing blocks, and drops removed storages', async () => {
    const { stage, figures } = staged();
    figures.finished('main', 700);
    figures.finished('main', 300);
    figures.countGap('main', undefined);
    figures.countGap('main', 2500);
    figures.countGap(null, undefined);
    figures.finished('gone', 1);
    await figures.refresh();
    const { storages, own } = figures.state;
    expect(storages[0]).toMatchObject({ finishedBlocks: 2, finishedBytes: 1000, gaps: 1, gapMs: 2500 });
    expect(own).toMatchObject({ finishedBlocks: 0, gaps: 1, gapMs: 0 });
    await stage.close();
  });
});
