import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../tests/helpers/fake-clock.ts';
import { MemoryBlocks } from '../../tests/helpers/memory-blocks.ts';
import { settled } from '../../tests/helpers/settled.ts';
import { blockPath } from './block-path.ts';
import { Recordings, type RecordingSettings } from './recordings.ts';
import { Retention } from './retention.ts';

const HOUR_MS = 3_600_000;

/** Disks with blocks of so many bytes, a minute apart up to now, and what cleans them. */
class RetentionStage {
  readonly clock = new FakeClock();
  readonly disks = new MemoryBlocks();
  readonly deleted: unknown[] = [];
  readonly removed: string[] = [];
  readonly failed: unknown[] = [];
  readonly retention: Retention;
  readonly recordings: Recordings;

  constructor(kept: Readonly<Record<string, RecordingSettings>>) {
    const none = (): undefined => undefined;
    const reports = { finished: none, hole: none, late: none, unread: none };
    this.recordings = new Recordings({ files: this.disks, clock: this.clock, reports });
    this.retention = new Retention({
      files: this.disks,
      clock: this.clock,
      kept: () => Object.entries(kept).map(([stream, settings]) => ({ stream, settings })),
      onDisk: async (folder, work) => this.recordings.onDisk(folder, work),
      deleted: (...fields) => this.deleted.push(fields),
      removed: (folder, path) => this.removed.push(`${folder}/${path}`),
      failed: (...fields) => this.failed.push(fields),
    });
  }

  add(folder: string, stream: string, minutes: number, bytes = 10): void {
    for (let minute = 1; minute <= minutes; minute++)
      this.disks.files.set(`${folder}/${blockPath(stream, this.clock.now() - minute * 60_000)}`, new Uint8Array(bytes));
  }

  paths(stream: string): string[] {
    return [...this.disks.files.keys()].filter((path) => path.includes(`/${stream}/`)).sort();
  }

  async close(): Promise<void> {
    this.retention.close();
    await this.recordings.close();
  }
}

describe('Retention', () => {
  it('deletes what is past its time, of each stream by itself, and leaves what is no block', async () => {
    const stage = new RetentionStage({
      a: { storage: 'main', disks: ['/d'], expirationMs: HOUR_MS },
      'a/b': { storage: null, disks: ['/d'] },
    });
    stage.add('/d', 'a', 200);
    stage.add('/d', 'a/b', 200);
    stage.disks.files.set('/d/a/2026/notes.txt', new Uint8Array(1));
    const before = [...stage.disks.files.keys()];
    await stage.retention.round();
    expect(stage.removed.toSorted()).toEqual(before.filter((path) => !stage.disks.files.has(path)).toSorted());
    expect(stage.paths('a').filter((path) => !path.includes('/b/') && path.endsWith('.mp4'))).toHaveLength(60);
    expect(stage.paths('a/b')).toHaveLength(200);
    expect(stage.disks.files.has('/d/a/2026/notes.txt')).toBe(true);
    const counts = stage.deleted.map((fields) => (fields as readonly [string, string, number, number])[2]);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(140);
    expect(Math.max(...counts)).toBeLessThanOrEqual(32);
    expect(stage.deleted[0]).toEqual(['a', 'main', 32, 320]);
    await stage.close();
  });

  it('frees a disk that is fuller than its limit, the oldest of all streams first', async () => {
    const stage = new RetentionStage({
      a: { storage: 'main', disks: ['/d'], mostUsedPercent: 81 },
      b: { storage: 'main', disks: ['/d'] },
    });
    stage.add('/d', 'a', 50);
    stage.add('/d', 'b', 100);
    Object.defineProperty(stage.disks, 'space', {
      get: () => ({ totalBytes: 1000, freeBytes: 1000 - 10 * stage.disks.files.size }),
    });
    await stage.retention.round();
    // 80 of 150 blocks are left at most; turns delete 32 at once.
    expect(stage.disks.files.size).toBeLessThanOrEqual(80);
    expect(stage.disks.files.size).toBeGreaterThan(80 - 32);
    const [a, b] = [stage.paths('a').length, stage.paths('b').length];
    expect(Math.abs(a - b)).toBeLessThanOrEqual(1);
    await stage.close();
  });

  it('runs once a minute, and reports a disk that cannot be cleaned', async () => {
    const stage = new RetentionStage({ a: { storage: null, disks: ['/d'], expirationMs: HOUR_MS } });
    stage.add('/d', 'a', 70);
    stage.disks.before = (operation) => {
      if (operation === 'remove') throw new Error('read only');
    };
    stage.retention.start();
    stage.clock.advance(60_000);
    await settled();
    expect(stage.failed).toMatchObject([['/d', { message: 'read only' }]]);
    stage.disks.before = () => undefined;
    stage.clock.advance(60_000);
    await settled();
    // Ten were too old when it began, and two minutes have passed since.
    expect(stage.paths('a').length).toBe(58);
    await stage.close();
  });
});
