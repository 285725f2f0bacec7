import { afterEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../../tests/helpers/fake-clock.ts';
import { ListEpisodes } from '../../../tests/helpers/list-episodes.ts';
import { ListLocks } from '../../../tests/helpers/list-locks.ts';
import { MemoryBlocks } from '../../../tests/helpers/memory-blocks.ts';
import { ArchiveEpisodes } from '../keep/archive-episodes.ts';
import { ArchiveLocks } from '../keep/archive-locks.ts';
import { Recordings } from '../recordings.ts';
import { LockCopies, type LockIdentity } from './lock-copies.ts';

const COPY = '/d/.airdesk/locks.jsonl';
const LOCK = { startMs: 1000, endMs: 2000, note: 'case 12', by: 'anna', atMs: 5 };
const EPISODE = { id: 'e', stream: 'a/b', title: 'News', expiresMs: null, ...LOCK };

const open: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

/** Server with its own database, on disks that outlive the server. */
function serverOn(disks: MemoryBlocks, id = 'one', generation = 0) {
  const clock = new FakeClock();
  const none = (): undefined => undefined;
  const reports = { finished: none, gap: none, late: none, unread: none, returned: none };
  const recordings = new Recordings({ files: disks, clock, reports });
  const [locks, episodes] = [new ArchiveLocks(new ListLocks()), new ArchiveEpisodes(new ListEpisodes())];
  const identity: { -readonly [K in keyof LockIdentity]: LockIdentity[K] } = { id, generation };
  const restored: [string, number][] = [];
  const failed: unknown[] = [];
  const copies = new LockCopies({
    files: disks,
    clock,
    locks,
    episodes,
    identity: () => identity,
    onDisk: async (folder, work) => recordings.onDisk(folder, work),
    found: none,
    restored: (...what) => restored.push(what),
    failed: (...what) => failed.push(what),
  });
  open.push(copies, recordings);
  return {
    copies,
    locks,
    episodes,
    restored,
    failed,
    /** Adds a lock and an episode, as two changes of the database. */
    async protect() {
      locks.add('a', LOCK);
      episodes.put(EPISODE);
      identity.generation += 2;
      await copies.settled();
    },
    change() {
      identity.generation++;
      copies.changed();
    },
  };
}

describe('LockCopies', () => {
  it('creates no file without locks, and one on each disk after the first lock', async () => {
    const disks = new MemoryBlocks();
    const server = serverOn(disks);
    await server.copies.check(['/d', '/e']);
    await server.copies.settled();
    expect([...disks.files.keys()]).toEqual([]);
    await server.protect();
    expect([...disks.files.keys()]).toEqual([COPY, '/e/.airdesk/locks.jsonl']);
    expect(server.failed).toEqual([]);
  });

  it.each([
    ['a new database', 'two', 0],
    ['an older backup', 'one', 1],
  ])(
    'restores locks and episodes missing from %s, keeps existing ones, and rewrites the copy',
    async (_, id, generation) => {
      const disks = new MemoryBlocks();
      const before = serverOn(disks);
      await before.copies.check(['/d']);
      await before.protect();
      const after = serverOn(disks, id, generation);
      const ownLock = { ...LOCK, startMs: 5000, endMs: 6000, note: 'own' };
      after.locks.add('a', ownLock);
      await after.copies.check(['/d']);
      expect(after.restored).toEqual([['/d', 2]]);
      expect([...after.locks.all()]).toEqual([
        { stream: 'a', ...LOCK },
        { stream: 'a', ...ownLock },
      ]);
      expect(after.episodes.find('e')).toEqual(EPISODE);
      after.change();
      await after.copies.settled();
      const [header, ...lines] = Buffer.from(disks.files.get(COPY) ?? [])
        .toString()
        .trim()
        .split('\n');
      expect(JSON.parse(header ?? '')).toEqual({ form: 1, id, generation: generation + 1 });
      expect(lines).toHaveLength(4);
      expect(disks.files.has('/d/.airdesk/locks-restored.jsonl')).toBe(true);
    },
  );

  it('restores nothing from a copy of the same database, so that removed locks stay removed', async () => {
    const disks = new MemoryBlocks();
    const before = serverOn(disks);
    await before.copies.check(['/d']);
    await before.protect();
    const after = serverOn(disks, 'one', 7);
    await after.copies.check(['/d']);
    expect([...after.locks.all()]).toEqual([]);
    expect(after.restored).toEqual([]);
  });

  it('reports and replaces a truncated copy, and keeps an unreadable copy until the disk returns', async () => {
    const disks = new MemoryBlocks();
    const before = serverOn(disks);
    await before.copies.check(['/d']);
    await before.protect();
    const original = disks.files.get(COPY) ?? new Uint8Array();
    disks.files.set(COPY, original.slice(0, -5));
    const after = serverOn(disks, 'two', 3);
    await after.copies.check(['/d']);
    await after.copies.settled();
    expect(after.failed).toHaveLength(1);
    expect([...after.locks.all()]).toEqual([]);
    expect(disks.files.has('/d/.airdesk/locks-damaged.jsonl')).toBe(true);
    expect(Buffer.from(disks.files.get(COPY) ?? []).toString()).toContain('"id":"two"');

    disks.files.set(COPY, original);
    disks.before = (operation) => {
      if (operation === 'open') throw Object.assign(new Error('EIO'), { code: 'EIO' });
    };
    const third = serverOn(disks, 'three', 3);
    await third.copies.check(['/d']);
    await third.copies.settled();
    expect(disks.files.get(COPY)).toEqual(original);
    disks.before = () => undefined;
    third.copies.forget('/d');
    await third.copies.check(['/d']);
    expect(third.restored).toEqual([['/d', 2]]);
  });

  it('stores thousands of locks in one copy', async () => {
    const disks = new MemoryBlocks();
    const before = serverOn(disks);
    await before.copies.check(['/d']);
    for (let at = 0; at < 4000; at++)
      before.locks.add(`s${at % 50}`, { ...LOCK, startMs: at * 10, endMs: at * 10 + 5 });
    await before.protect();
    const after = serverOn(disks, 'two');
    await after.copies.check(['/d']);
    expect(after.restored).toEqual([['/d', 4002]]);
  });
});
