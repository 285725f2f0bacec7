import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../../tests/helpers/fake-clock.ts';
import { until } from '../../../tests/helpers/until.ts';
import { blockPath } from '../../dvr/block-path.ts';
import { systemDiskFiles } from '../../dvr/disk-files.ts';
import { ArchiveEpisodes } from '../../dvr/keep/archive-episodes.ts';
import type { ArchiveJobState } from '../../dvr/archive-job.ts';
import type { ArchiveJobName } from '../../dvr/keep/archive-jobs.ts';
import { ArchiveLocks } from '../../dvr/keep/archive-locks.ts';
import { Recordings } from '../../dvr/recordings.ts';
import { silentLog } from '../../lib/log.ts';
import { openArchiveGuard, type ArchiveGuardUnit } from './archive-guard.ts';
import { openStorage } from '../storage.ts';

const RUNNING: ArchiveJobState = {
  status: 'running',
  progress: 0,
  startedMs: 0,
  finishedMs: null,
  error: null,
  blocks: 0,
  bytes: 0,
  faultCount: 0,
  faults: [],
};
const DONE: ArchiveJobState = { ...RUNNING, status: 'done', progress: 100, finishedMs: 1 };
const UNREAD = { disk: '/d', path: '', kind: 'unread', detail: 'EIO' } as const;
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

/** Starts the part of a server that guards its archives. */
async function start({ isCatalogNew = false } = {}): Promise<{
  unit: ArchiveGuardUnit;
  locks: ArchiveLocks;
  emitted: string[];
  started: ArchiveJobName[];
  loseCatalog: () => void;
}> {
  const clock = new FakeClock();
  const options = { clock, log: silentLog, dataFolder: join(folder, 'data') };
  mkdirSync(options.dataFolder, { recursive: true });
  const storage = openStorage(options);
  const none = (): undefined => undefined;
  const reports = { finished: none, gap: none, late: none, unread: none, returned: none };
  const recordings = new Recordings({ files: systemDiskFiles, clock, reports });
  const emitted: string[] = [];
  const started: ArchiveJobName[] = [];
  let loseCatalog = none;
  let areStreamsOpen = false;
  const unit = openArchiveGuard({
    options,
    recordings,
    folders: () => {
      if (!areStreamsOpen) throw new Error('the streams are not open');
      return [join(folder, 'disk')];
    },
    onCatalogCreated: (listener) => {
      loseCatalog = () => void listener();
      if (isCatalogNew) listener();
    },
    hasRecordings: async () => Promise.resolve(false),
    protection: storage.archiveProtection,
    locks: storage.archiveLocks,
    episodes: storage.episodes,
    events: { emit: (kind) => void emitted.push(kind) },
  });
  open.push(storage, recordings, unit);
  if (!unit.stores.locks || !unit.stores.episodes) throw new Error('no database');
  const [locks, episodes] = [new ArchiveLocks(unit.stores.locks), new ArchiveEpisodes(unit.stores.episodes)];
  unit.start(locks, episodes, {
    start: (name) => (started.push(name), RUNNING),
    stop: async () => Promise.resolve(false),
  });
  // In the same turn, as in the server.
  areStreamsOpen = true;
  await until(
    'the check of the locks',
    () => {
      clock.advance(100);
      return unit.guard.mayDelete() || unit.guard.holds.length > 0;
    },
    30_000,
  );
  return { unit, locks, emitted, started, loseCatalog: () => loseCatalog() };
}

function record(): void {
  const path = join(folder, 'disk', blockPath('cam', 1_700_000_000_000));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, 'block');
}

it('the archive guard allows a new server to delete from its archives', async () => {
  const { unit } = await start();
  expect(unit.guard.mayDelete()).toBe(true);
  expect(unit.alerts).toEqual({});
});

it('the archive guard allows deletion after each normal start', async () => {
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
])('the archive guard holds deletion after the database was %s, and restores its locks', async (_, damage) => {
  record();
  // First start of a server on the archive of another server.
  (await start()).unit.guard.confirm();
  await stop();
  const { locks, unit } = await start();
  expect(unit.guard.mayDelete()).toBe(true);
  locks.add('cam', LOCK);
  await stop();
  expect(existsSync(join(folder, 'disk/.airdesk/locks.jsonl'))).toBe(true);

  for (const companion of ['-wal', '-shm']) rmSync(join(folder, `data/airdesk.db${companion}`), { force: true });
  damage(join(folder, 'data/airdesk.db'));
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

it('the archive guard holds deletion if its own state is lost but copies of its locks exist', async () => {
  const { locks } = await start();
  locks.add('cam', LOCK);
  await stop();
  rmSync(join(folder, 'data/archive-guard.json'));
  expect((await start()).unit.guard.holds).toMatchObject([{ reason: 'state' }]);
});

describe('a lost archive catalog', () => {
  beforeEach(async () => {
    record();
    // First start on an archive of another server.
    (await start()).unit.guard.confirm();
    await stop();
  });

  it('holds deletion until it is rebuilt', async () => {
    const { unit, emitted, started } = await start({ isCatalogNew: true });
    await until('the rebuild', () => started.length > 0, 30_000);
    expect(started).toEqual(['rebuild']);
    expect(emitted).toContain('dvr_deletion_held');
    expect(unit.alerts).toEqual({ archive_hold_catalog: { fault: 'catalog_being_made', facts: {} } });
    expect(unit.guard.confirm()).toEqual([]);
    expect(unit.guard.mayDelete()).toBe(false);
    unit.rebuilt(DONE);
    expect(unit.guard.mayDelete()).toBe(true);
  });

  it.each([
    ['a disk could not be read', { ...DONE, faultCount: 1, faults: [UNREAD] }],
    ['the rebuild was stopped', { ...DONE, status: 'stopped' as const }],
    ['the rebuild failed', { ...DONE, status: 'error' as const, error: 'EIO' }],
  ])('holds deletion until an operator confirms if %s', async (_, state) => {
    const { unit } = await start({ isCatalogNew: true });
    unit.rebuilt(state);
    expect(unit.guard.mayDelete()).toBe(false);
    expect(unit.alerts).toEqual({ archive_hold_catalog: { fault: 'deletion_held_catalog', facts: { count: 1 } } });
    expect(unit.guard.confirm()).toHaveLength(1);
    expect(unit.guard.mayDelete()).toBe(true);
  });

  it('allows deletion after a rebuild that found differing blocks, which were the reason for the rebuild', async () => {
    const { unit } = await start({ isCatalogNew: true });
    unit.rebuilt({ ...DONE, faultCount: 1, faults: [{ ...UNREAD, kind: 'gone' }] });
    expect(unit.guard.mayDelete()).toBe(true);
  });

  it('is rebuilt at the next start if the server stopped, and deletion remains held', async () => {
    const { unit } = await start({ isCatalogNew: true });
    unit.stop();
    unit.rebuilt({ ...DONE, status: 'stopped' });
    await stop();
    const next = await start();
    await until('the rebuild', () => next.started.length > 0, 30_000);
    expect(next.unit.guard.mayDelete()).toBe(false);
    next.unit.rebuilt(DONE);
    expect(next.unit.guard.mayDelete()).toBe(true);
  });

  it('holds deletion at once if it is lost while the server runs', async () => {
    const { unit, loseCatalog, started } = await start();
    expect(unit.guard.mayDelete()).toBe(true);
    loseCatalog();
    expect(unit.guard.mayDelete()).toBe(false);
    await until('the rebuild', () => started.length > 0, 30_000);
    unit.rebuilt(DONE);
    expect(unit.guard.mayDelete()).toBe(true);
  });
});

it('the archive guard allows a new server with a new catalog to delete from its archives', async () => {
  const { unit, started } = await start({ isCatalogNew: true });
  expect(unit.guard.mayDelete()).toBe(true);
  expect(started).toEqual([]);
});
