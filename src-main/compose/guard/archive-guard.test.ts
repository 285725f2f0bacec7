import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FakeClock } from '../../../tests/helpers/fake-clock.ts';
import { until } from '../../../tests/helpers/until.ts';
import { blockPath } from '../../dvr/block-path.ts';
import { systemDiskFiles } from '../../dvr/disk-files.ts';
import { ArchiveEpisodes } from '../../dvr/keep/archive-episodes.ts';
import { ArchiveLocks } from '../../dvr/keep/archive-locks.ts';
import { Recordings } from '../../dvr/recordings.ts';
import { silentLog } from '../../lib/log.ts';
import { openArchiveGuard, type ArchiveGuardUnit } from './archive-guard.ts';
import { openStorage } from '../storage.ts';

const LOCK = { startMs: 1000, endMs: 2000, note: '', by: '', atMs: 0 };
let folder = '';
const open: { close(): unknown }[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'airdesk-guard-'));
});

afterEach(async () => {
  await stop();
  rmSync(folder, { recursive: true });
});

async function stop(): Promise<void> {
  for (const one of open.splice(0).reverse()) await one.close();
}

/** Starts what of a server guards its archives. */
async function start(): Promise<{ unit: ArchiveGuardUnit; locks: ArchiveLocks; emitted: string[] }> {
  const clock = new FakeClock();
  const options = { clock, log: silentLog, dataFolder: join(folder, 'data') };
  mkdirSync(options.dataFolder, { recursive: true });
  const storage = openStorage(options);
  const none = (): undefined => undefined;
  const reports = { finished: none, hole: none, late: none, unread: none, returned: none };
  const recordings = new Recordings({ files: systemDiskFiles, clock, reports });
  const emitted: string[] = [];
  let areStreamsOpen = false;
  const unit = openArchiveGuard({
    ...{
      options,
      recordings,
      folders: () => {
        if (!areStreamsOpen) throw new Error('the streams are not open');
        return [join(folder, 'disk')];
      },
      hasRecordings: async () => Promise.resolve(false),
    },
    ...{ protection: storage.archiveProtection, locks: storage.archiveLocks, episodes: storage.episodes },
    events: { emit: (kind) => void emitted.push(kind) },
  });
  open.push(storage, recordings, unit);
  if (!unit.stores.locks || !unit.stores.episodes) throw new Error('no database');
  const [locks, episodes] = [new ArchiveLocks(unit.stores.locks), new ArchiveEpisodes(unit.stores.episodes)];
  unit.start(locks, episodes);
  // As the server does, in the same turn.
  areStreamsOpen = true;
  await until(
    'the check of the locks',
    () => {
      clock.advance(100);
      return unit.guard.mayDelete() || unit.guard.holds.length > 0;
    },
    30_000,
  );
  return { unit, locks, emitted };
}

function record(): void {
  const path = join(folder, 'disk', blockPath('cam', 1_700_000_000_000));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, 'block');
}

it('lets a new server clean its archives', async () => {
  const { unit } = await start();
  expect(unit.guard.mayDelete()).toBe(true);
  expect(unit.alerts).toEqual({});
});

it('cleans archives after each normal start', async () => {
  for (let run = 0; run < 3; run++) {
    const { unit } = await start();
    expect(unit.guard.mayDelete()).toBe(true);
    expect(unit.alerts).toEqual({});
    record();
    await stop();
  }
});

it.each([
  [
    'removed',
    (path: string) => {
      rmSync(path);
    },
  ],
  [
    'emptied',
    (path: string) => {
      writeFileSync(path, '');
    },
  ],
  [
    'damaged',
    (path: string) => {
      writeFileSync(path, Buffer.alloc(readFileSync(path).length, 7));
    },
  ],
])('deletes nothing after the database was %s, and has its locks again', async (_, harm) => {
  record();
  // The first start of a server on an archive of another one.
  (await start()).unit.guard.confirm();
  await stop();
  const { locks, unit } = await start();
  expect(unit.guard.mayDelete()).toBe(true);
  locks.add('cam', LOCK);
  await stop();
  expect(existsSync(join(folder, 'disk/.airdesk/locks.jsonl'))).toBe(true);

  for (const companion of ['-wal', '-shm']) rmSync(join(folder, `data/airdesk.db${companion}`), { force: true });
  harm(join(folder, 'data/airdesk.db'));
  const after = await start();
  expect(after.unit.guard.mayDelete()).toBe(false);
  expect(after.unit.alerts).toEqual({ archive_hold_locks: { fault: 'deletion_held_locks', facts: { count: 1 } } });
  expect(after.emitted).toContain('dvr_deletion_held');
  expect([...after.locks.all()]).toEqual([{ stream: 'cam', ...LOCK }]);
  await stop();
  const again = await start();
  expect(again.unit.guard.mayDelete()).toBe(false);
  again.unit.guard.confirm();
  await stop();
  const last = await start();
  expect(last.unit.guard.mayDelete()).toBe(true);
  expect([...last.locks.all()]).toHaveLength(1);
});

it('deletes nothing where its own state is gone and there are copies of its locks', async () => {
  const { locks } = await start();
  locks.add('cam', LOCK);
  await stop();
  rmSync(join(folder, 'data/archive-guard.json'));
  expect((await start()).unit.guard.holds).toMatchObject([{ reason: 'state' }]);
});
