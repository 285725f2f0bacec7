import { describe, expect, it } from 'vitest';
import type { MadeInput } from '../../tests/helpers/made-input.ts';
import { RecordingStage } from '../../tests/helpers/recording-stage.ts';
import { PoolShare } from './pool-share.ts';
import type { RecordingSettings } from './recordings.ts';

const PLAIN: MadeInput = {
  video: { fps: 5, gopFrames: 5, bFrames: 0 },
  audio: { sampleRate: 8000, lateMs: 0 },
  seconds: 10,
};

function stageOf(settings: Partial<RecordingSettings>): RecordingStage {
  return new RecordingStage({}, { storage: 'main', disks: ['/a', '/b', '/c'], ...settings });
}

/** Disks that contain files. */
function used({ disks }: RecordingStage): string[] {
  return [...new Set([...disks.files.keys()].map((path) => path.slice(0, 2)))].sort();
}

describe('a storage with a number of active disks', () => {
  it('writes to that number of disks, and starts using another disk when one fails', async () => {
    const stage = stageOf({ maxActive: 1 });
    const others = Array.from({ length: 5 }, (_, index) => `other${index}`);
    await stage.record();
    for (const name of others) stage.recordings.record(name, stage.stream.run, stage.settings);
    await stage.play({ ...PLAIN, seconds: 130 });
    const [first = ''] = used(stage);
    expect(used(stage)).toHaveLength(1);
    stage.disks.before = (operation, path) => {
      if (path.startsWith(first) && operation === 'write') throw Object.assign(new Error('gone'), { code: 'EIO' });
      if (path.startsWith(first) && operation === 'diskSpace') throw Object.assign(new Error('gone'), { code: 'EIO' });
    };
    await stage.play({ ...PLAIN, seconds: 30 });
    await stage.close();
    expect(used(stage)).toHaveLength(2);
    expect(stage.gaps.filter(({ toMs }) => toMs === undefined)).toHaveLength(6);
    expect(stage.gaps.filter(({ toMs }) => toMs !== undefined)).toHaveLength(6);
  });
});

describe('a mounted disk', () => {
  it('is not written while its required mount is missing', async () => {
    const stage = stageOf({ disks: ['/a'], mustBeMounted: true });
    await stage.record();
    await stage.play(PLAIN);
    expect(stage.disks.files.size).toBe(0);
    expect(stage.gaps).toMatchObject([{ failure: { code: 'not_mounted', detail: '/a is not mounted' } }]);
    stage.disks.mounted.add('/a');
    await stage.play({ ...PLAIN, seconds: 30 });
    await stage.close();
    expect(stage.disks.files.size).toBeGreaterThan(0);
    expect(stage.gaps.at(-1)?.toMs).toBeDefined();
  });

  it('is not written after its mount has disappeared, even if the mount is not required', async () => {
    const stage = stageOf({ disks: ['/a', '/b'] });
    stage.disks.mounted.add('/a').add('/b');
    await stage.record();
    await stage.play(PLAIN);
    const [first = ''] = used(stage);
    stage.disks.mounted.delete(first);
    const before = stage.disks.files.size;
    await stage.play({ ...PLAIN, seconds: 130 });
    await stage.close();
    expect([...stage.disks.files.keys()].filter((path) => path.startsWith(first))).toHaveLength(before);
    expect(used(stage)).toEqual(['/a', '/b']);
    for (const { fromMs, toMs = fromMs } of stage.gaps) expect(toMs - fromMs).toBeLessThan(4000);
  });

  it('is recorded to again when its mount returns, and interrupted blocks are repaired', async () => {
    const stage = stageOf({ disks: ['/a'] });
    stage.disks.mounted.add('/a');
    await stage.record();
    await stage.play(PLAIN);
    const [path = ''] = stage.disks.files.keys();
    // The disk is pulled: open files fail, and cached data is lost.
    stage.disks.mounted.delete('/a');
    stage.disks.before = (operation) => {
      if (operation === 'write' || operation === 'truncate')
        throw Object.assign(new Error('no such device'), { code: 'ENODEV' });
    };
    await stage.play(PLAIN);
    const cut = stage.disks.files.get(path) ?? new Uint8Array();
    stage.disks.files.set(path, cut.subarray(0, cut.length - 100));
    expect([stage.blocks, stage.returned]).toEqual([[], []]);
    stage.disks.mounted.add('/a');
    stage.disks.before = () => undefined;
    await stage.play({ ...PLAIN, seconds: 30 });
    await stage.close();
    expect(stage.returned).toEqual(['/a']);
    const scanned = await stage.scan();
    expect(scanned.map(({ isFinished }) => isFinished)).toEqual([true, true]);
    expect(stage.blocks.map(({ path: one }) => `/a/${one}`).sort()).toEqual(scanned.map((one) => one.path).sort());
    expect(stage.gaps.at(-1)?.toMs).toBeDefined();
  });

  it('is detected when another disk replaces it', async () => {
    const stage = stageOf({ disks: ['/a'] });
    stage.disks.space = { ...stage.disks.space, device: 1 };
    await stage.record();
    await stage.play(PLAIN);
    expect(stage.returned).toEqual([]);
    stage.disks.space = { ...stage.disks.space, device: 2 };
    await stage.play(PLAIN);
    await stage.close();
    expect(stage.returned).toEqual(['/a']);
  });

  it('is not expected at a folder that never was a mount point', async () => {
    const stage = stageOf({ disks: ['/a'] });
    await stage.record();
    await stage.play(PLAIN);
    await stage.close();
    expect([stage.disks.files.size, stage.gaps]).toEqual([1, []]);
  });
});

describe('a recording schedule', () => {
  /** The clock of the stage starts at 08:00. */
  it.each<[string, RecordingSettings['schedule'], number[]]>([
    ['with one range', [[481, 482]], [481]],
    [
      'with two ranges',
      [
        [470, 481],
        [482, 483],
      ],
      [480, 482],
    ],
    ['with a range past midnight', [[1320, 481]], [480]],
    ['without ranges', [], [480, 481, 482, 483]],
  ])('%s starts and ends blocks on time', async (_, schedule = [], minutes) => {
    const stage = stageOf({ disks: ['/a'], schedule });
    await stage.record();
    await stage.play({ ...PLAIN, seconds: 235 });
    await stage.close();
    expect(stage.blocks.map(({ head }) => Math.floor(head.startMs / 60_000) % 1440)).toEqual(minutes);
    expect(stage.gaps).toEqual([]);
    for (const { index } of stage.blocks.slice(1)) expect(index.segments[0]?.isDiscontinuity).toBe(schedule.length > 0);
    stage.stream.window.clear();
    expect(stage.stream.pool.inUse).toBe(0);
  });
});

describe('disks that hang', () => {
  it('occupy a limited number of pool threads, so that other disks work while a thread is free', async () => {
    const hung = ['/a', '/b', '/c'];
    for (const share of [3, 4]) {
      const stage = stageOf({ disks: ['/d', ...hung] });
      stage.recordings = stage.open(new PoolShare(share));
      let underWay = 0;
      stage.disks.before = (_, path) => {
        if (!hung.some((folder) => path.startsWith(folder))) return;
        underWay++;
        return new Promise<void>(() => undefined);
      };
      for (const folder of hung) void stage.recordings.onDisk(folder, async () => Promise.resolve());
      await stage.record();
      await stage.play({ ...PLAIN, seconds: 40 });
      expect(underWay).toBe(3);
      expect(used(stage)).toEqual(share === 4 ? ['/d'] : []);
      expect(stage.stream.window.segments('v1').length).toBeGreaterThan(10);
    }
  });
});
