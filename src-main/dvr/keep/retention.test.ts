import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../tests/helpers/fake-clock.ts';
import { ListEpisodes } from '../../../tests/helpers/list-episodes.ts';
import { ListLocks } from '../../../tests/helpers/list-locks.ts';
import { MemoryBlocks } from '../../../tests/helpers/memory-blocks.ts';
import { settled } from '../../../tests/helpers/settled.ts';
import { blockPath } from '../block-path.ts';
import { Recordings, type RecordingSettings } from '../recordings.ts';
import { Retention, type DeletedBlocks } from './retention.ts';
import { ArchiveEpisodes, lockedByAny } from './archive-episodes.ts';
import { ArchiveLocks } from './archive-locks.ts';
import type { RetainedStorage, UsedBytes } from './retained-archives.ts';

const HOUR_MS = 3_600_000;

/** Disks with blocks of a given size, one per minute up to now, and the retention that cleans them. */
class RetentionStage {
  readonly clock = new FakeClock();
  readonly disks = new MemoryBlocks();
  readonly deleted: DeletedBlocks[] = [];
  readonly locks = new ArchiveLocks(new ListLocks());
  readonly episodes = new ArchiveEpisodes(new ListEpisodes());
  storages: RetainedStorage[] = [];
  /** Copies on another disk, by path. */
  readonly copies = new Map<string, string>();
  readonly removed: string[] = [];
  readonly failed: unknown[] = [];
  /** Whether deletion is allowed; called before each block. */
  mayDelete = (): boolean => true;
  readonly retention: Retention;
  readonly recordings: Recordings;

  constructor(kept: Readonly<Record<string, RecordingSettings>>) {
    const none = (): undefined => undefined;
    const reports = { finished: none, gap: none, late: none, unread: none, returned: none };
    this.recordings = new Recordings({ files: this.disks, clock: this.clock, reports });
    this.retention = new Retention({
      files: this.disks,
      clock: this.clock,
      retained: () => Object.entries(kept).map(([stream, settings]) => ({ stream, settings })),
      onDisk: async (folder, work) => this.recordings.onDisk(folder, work),
      deleted: (deleted) => this.deleted.push(deleted),
      storages: () => this.storages,
      used: async () => Promise.resolve(this.used()),
      locks: lockedByAny([this.locks, this.episodes]),
      mayDelete: () => this.mayDelete(),
      copiesOf: async (_, { disk, path }) => {
        const copy = this.copies.get(disk);
        return Promise.resolve(copy === undefined ? [] : [{ disk: copy, path }]);
      },
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

  /** Usage as a catalog would report it. */
  used(): UsedBytes[] {
    const sums = new Map<string, UsedBytes>();
    for (const [path, { length }] of this.disks.files) {
      const [, folder = '', stream = ''] = /^(\/[^/]+)\/(.+?)\/[0-9]{4}\//.exec(path) ?? [];
      const { bytes = 0 } = sums.get(`${folder} ${stream}`) ?? {};
      sums.set(`${folder} ${stream}`, { stream, folder, bytes: bytes + length });
    }
    return [...sums.values()];
  }

  async close(): Promise<void> {
    this.retention.close();
    await this.recordings.close();
  }
}

describe('Retention', () => {
  it('deletes the expired blocks of each stream, and leaves other files', async () => {
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
    const counts = stage.deleted.map(({ count }) => count);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(140);
    expect(Math.max(...counts)).toBeLessThanOrEqual(32);
    expect(stage.deleted[0]).toEqual({ stream: 'a', storage: 'main', count: 32, bytes: 320, reason: 'age' });
    await stage.close();
  });

  it.each([
    ['the expiration', { expirationMs: HOUR_MS }],
    ['the size limit', { limitBytes: 100 }],
    ['the disk limit', { maxUsedPercent: 10 }],
  ])('deletes nothing beyond %s while deletion is on hold', async (_, limits) => {
    const stage = new RetentionStage({ a: { storage: 'main', disks: ['/d'], ...limits } });
    stage.add('/d', 'a', 200);
    stage.mayDelete = () => false;
    expect(await stage.retention.round()).toEqual({ count: 0, bytes: 0, failures: 0 });
    expect(stage.paths('a')).toHaveLength(200);
    stage.mayDelete = () => stage.removed.length < 5;
    await stage.retention.round();
    expect(stage.paths('a')).toHaveLength(195);
    await stage.close();
  });

  it('deletes blocks recorded with a clock far ahead as soon as they expire by the corrected clock', async () => {
    const stage = new RetentionStage({ a: { storage: 'main', disks: ['/d'], expirationMs: HOUR_MS } });
    const days = 8 * 24 * HOUR_MS;
    stage.clock.step(days);
    stage.add('/d', 'a', 5);
    await stage.retention.round();
    stage.clock.step(-days);
    stage.add('/d', 'a', 200);
    await stage.retention.round();
    expect(stage.paths('a')).toHaveLength(65);
    stage.clock.advance(HOUR_MS);
    await stage.retention.round();
    expect(stage.paths('a')).toHaveLength(5);
    await stage.close();
  });

  it('keeps an episode until it expires', async () => {
    const stage = new RetentionStage({ a: { storage: 'main', disks: ['/d'], expirationMs: HOUR_MS } });
    stage.add('/d', 'a', 200);
    const now = stage.clock.now();
    const time = { startMs: now - 2.5 * HOUR_MS, endMs: now - 2 * HOUR_MS, expiresMs: now + 30_000 };
    stage.episodes.put({ id: 'e', stream: 'a', title: '', note: '', by: '', atMs: now, ...time });
    await stage.retention.round();
    // The blocks at both ends of the episode stay complete.
    expect(stage.paths('a').length - 60).toBeGreaterThanOrEqual(30);
    expect(stage.paths('a').length - 60).toBeLessThanOrEqual(32);
    expect(stage.episodes.expire(now + 29_999)).toEqual([]);
    expect(stage.episodes.expire(now + 30_000)).toHaveLength(1);
    stage.retention.checkAgain();
    await stage.retention.round();
    expect(stage.paths('a')).toHaveLength(60);
    await stage.close();
  });

  it('frees space by deleting copies on other disks too, but does not delete copies of expired blocks with them', async () => {
    const stage = new RetentionStage({
      a: { storage: 'main', disks: ['/d'], maxUsedPercent: 81 },
      b: { storage: 'main', disks: ['/e'] },
    });
    stage.copies.set('/d', '/c');
    for (const disk of ['/d', '/c']) stage.add(disk, 'a', 100);
    const count = (disk: string): number => stage.paths('a').filter((path) => path.startsWith(disk)).length;
    stage.disks.diskSpace = async () => Promise.resolve({ totalBytes: 1000, freeBytes: 1000 - 10 * count('/d') });
    await stage.retention.round();
    expect(count('/d')).toBeLessThanOrEqual(80);
    expect(count('/c')).toBe(count('/d'));
    expect(stage.removed).toHaveLength(2 * (100 - count('/d')));
    expect(stage.deleted.every(({ reason }) => reason === 'disk')).toBe(true);
    await stage.close();
  });

  it('frees a disk above its limit, deleting the oldest blocks of all streams first', async () => {
    const stage = new RetentionStage({
      a: { storage: 'main', disks: ['/d'], maxUsedPercent: 81 },
      b: { storage: 'main', disks: ['/d'] },
    });
    stage.add('/d', 'a', 50);
    stage.add('/d', 'b', 100);
    Object.defineProperty(stage.disks, 'space', {
      get: () => ({ totalBytes: 1000, freeBytes: 1000 - 10 * stage.disks.files.size }),
    });
    await stage.retention.round();
    // At most 80 of 150 blocks are left. One turn deletes up to 32 blocks.
    expect(stage.disks.files.size).toBeLessThanOrEqual(80);
    expect(stage.disks.files.size).toBeGreaterThan(80 - 32);
    const [a, b] = [stage.paths('a').length, stage.paths('b').length];
    expect(Math.abs(a - b)).toBeLessThanOrEqual(1);
    await stage.close();
  });

  it('keeps each stream and each storage within its byte limit, deleting the oldest blocks of all disks first, also of removed streams', async () => {
    const disks = ['/d', '/e'];
    const stage = new RetentionStage({
      a: { storage: 'main', disks, limitBytes: 605 },
      b: { storage: 'main', disks },
    });
    stage.storages = [{ name: 'main', disks, limitBytes: 1450, expirationMs: HOUR_MS }];
    stage.add('/d', 'a', 50);
    stage.add('/e', 'a', 50);
    stage.add('/d', 'b', 50);
    stage.add('/e', 'gone', 70);
    stage.add('/other', 'gone', 70);
    const { count, bytes, failures } = await stage.retention.round();
    expect(stage.paths('a')).toHaveLength(60);
    expect(stage.used().filter(({ folder, stream }) => folder === '/e' && stream === 'a')[0]?.bytes).toBe(300);
    // One hour of the removed stream is left, further reduced by the limit of the storage.
    const inStorage = stage.used().filter(({ folder }) => folder !== '/other');
    expect(inStorage.reduce((sum, one) => sum + one.bytes, 0)).toBe(1450);
    const [b, gone] = ['b', 'gone'].map((name) => inStorage.find(({ stream }) => stream === name)?.bytes ?? 0);
    expect([b, gone]).toEqual([420, 430]);
    expect(stage.paths('gone')).toHaveLength(70 + 43);
    expect({ count, bytes, failures }).toEqual({ count: 40 + 10 + 25, bytes: 750, failures: 0 });
    expect(new Set(stage.deleted.map(({ reason }) => reason))).toEqual(new Set(['age', 'size']));
    await stage.close();
  });

  it('never deletes locked blocks', async () => {
    const stage = new RetentionStage({
      a: { storage: null, disks: ['/d'], expirationMs: 2 * HOUR_MS, limitBytes: 10 },
    });
    stage.add('/d', 'a', 400);
    const [, ...rest] = stage.paths('a');
    const now = stage.clock.now();
    const lock = { startMs: now - 5 * HOUR_MS, endMs: now - 3 * HOUR_MS - 1, note: '', by: '', atMs: 0 };
    stage.locks.add('a', lock);
    // The first block starts in the minute of the lock.
    const first = blockPath('a', lock.startMs);
    await stage.retention.round();
    await stage.retention.round();
    const kept = stage.paths('a').map((path) => path.slice(3));
    expect(kept.length).toBeGreaterThanOrEqual(120);
    expect(kept.length).toBeLessThanOrEqual(122);
    expect(kept[0]).toBe(first);
    expect(rest.map((path) => path.slice(3))).toEqual(expect.arrayContaining(kept));
    stage.locks.remove('a', lock);
    stage.retention.checkAgain();
    await stage.retention.round();
    expect(stage.paths('a').length).toBeLessThanOrEqual(1);
    await stage.close();
  });

  it('runs once a minute, and reports a disk that it cannot clean', async () => {
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
    // Ten blocks were too old at the start, and two minutes have passed since.
    expect(stage.paths('a').length).toBe(58);
    await stage.close();
  });
});
