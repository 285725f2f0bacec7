import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../../tests/helpers/fake-clock.ts';
import { systemClock } from '../../lib/clock.ts';
import { silentLog, type Log } from '../../lib/log.ts';
import type { ArchiveBlock } from '../archive-block.ts';
import type { ArchiveChange } from '../archive-block-writer.ts';
import { CatalogOnThread } from './catalog-on-thread.ts';
import { DatabaseWorker, type DatabaseWorkerOptions } from './database-worker.ts';

const MORTAL = new URL('../../../tests/helpers/mortal-database-thread.ts', import.meta.url);
const FIRST = { startMs: -1, blockId: -1 };
const open: DatabaseWorker[] = [];
const folders: string[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map(async (worker) => worker.close()));
  await Promise.all(folders.splice(0).map(async (folder) => rm(folder, { recursive: true })));
});

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'airdesk-db-'));
  folders.push(folder);
  return folder;
}

function workerOf(options: Partial<DatabaseWorkerOptions> = {}): DatabaseWorker {
  const worker = new DatabaseWorker({ entry: MORTAL, clock: systemClock, log: silentLog, ...options });
  open.push(worker);
  return worker;
}

async function catalogIn(folder: string, options: Partial<DatabaseWorkerOptions> = {}): Promise<CatalogOnThread> {
  const worker = workerOf(options);
  await worker.open('catalog-open', join(folder, 'catalog.db'));
  return new CatalogOnThread(worker);
}

function block(stream: string, minute: number): ArchiveChange {
  const [startMs, endMs] = [minute * 60_000, minute * 60_000 + 60_000];
  return {
    type: 'add',
    block: {
      stream,
      disk: '/d',
      path: `${stream}/${minute}.mp4`,
      startMs,
      endMs,
      sizeBytes: minute,
      isDiscontinuity: false,
      tracks: '[]',
      packedIndex: Uint8Array.of(minute),
      storedRanges: [{ startMs, endMs }],
    },
  };
}

async function minutes(catalog: CatalogOnThread, stream: string): Promise<number[]> {
  const rows = await catalog.storedRanges(stream, FIRST, 1e12, 1000);
  return [...rows].flatMap((startMs, at) => (at % 3 === 0 ? [startMs / 60_000] : []));
}

describe('the database thread', () => {
  it.each([
    ['in a thread of its own', MORTAL],
    ['in the calling thread', undefined],
  ])('%s answers like the catalog, after earlier writes', async (_, entry) => {
    const catalog = await catalogIn(await temporaryFolder(), { entry });
    const writing = catalog.write([block('a', 1), block('a', 2), block('b', 1)]);
    expect(await minutes(catalog, 'a')).toEqual([1, 2]);
    await writing;
    const rows = await catalog.storedRanges('a', FIRST, 1e12, 1000);
    const [found, none] = await catalog.blocks([rows[2] ?? 0, 77]);
    expect(none).toBeUndefined();
    expect({ ...found, packedIndex: [...(found?.packedIndex ?? [])] }).toEqual({
      stream: 'a',
      disk: '/d',
      path: 'a/1.mp4',
      startMs: 60_000,
      endMs: 120_000,
      sizeBytes: 1,
      isDiscontinuity: false,
      tracks: '[]',
      packedIndex: [1],
    } satisfies { [Key in keyof ArchiveBlock]: unknown });
    expect(await catalog.paths('a', '/d', 'a/', 'a/:', 10)).toEqual(['a/1.mp4', 'a/2.mp4']);
    expect(await catalog.find('/d', 'a/2.mp4')).toEqual({ startMs: 120_000, endMs: 180_000, sizeBytes: 2 });
    expect(await catalog.find('/d', 'a/3.mp4')).toBeUndefined();
    expect(await catalog.usage({ stream: '', disk: '' }, 10)).toHaveLength(2);
    expect(await catalog.extents(['a', 'nothing'])).toEqual([
      { blocks: 2, bytes: 3, startMs: 60_000, endMs: 180_000 },
      undefined,
    ]);
    await catalog.write([{ type: 'remove', disk: '/d', path: 'a/1.mp4' }]);
    expect(await minutes(catalog, 'a')).toEqual([2]);
  });

  it('is restarted when it dies, without losing a change or query', async () => {
    const folder = await temporaryFolder();
    const died: string[] = [];
    const log: Log = { ...silentLog, error: (message) => died.push(message) };
    const catalog = await catalogIn(folder, { log });
    const done: number[] = [];
    for (let minute = 0; minute < 30; minute++) {
      const changes = [block('a', minute)];
      if (minute === 7 || minute === 19) changes.push(block(`exit ${join(folder, String(minute))}`, minute));
      void catalog.write(changes).then(() => done.push(minute));
    }
    // Requested while the thread dies with the earlier writes.
    expect((await minutes(catalog, 'a')).length).toBeGreaterThan(0);
    await catalog.write([]);
    expect(done.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, minute) => minute));
    expect(await minutes(catalog, 'a')).toEqual(done.toSorted((a, b) => a - b));
    expect(died).toEqual(Array.from({ length: 2 }, () => 'the database thread died; it is started again'));
  });

  it.each([
    ['missing', undefined],
    ['empty', 0],
    ['damaged from its start on', 1],
    ['damaged after its first page', 4096],
  ])('rebuilds a catalog that is %s, and reports this before the first answer', async (_, damagedFrom) => {
    const folder = await temporaryFolder();
    const first = await catalogIn(folder);
    await first.write(Array.from({ length: 200 }, (_unused, minute) => block('a', minute)));
    await open.pop()?.close();
    const path = join(folder, 'catalog.db');
    if (damagedFrom === undefined) await rm(path);
    else {
      const bytes = await readFile(path);
      await writeFile(path, damagedFrom === 0 ? '' : bytes.fill(7, damagedFrom - 1));
    }
    const reports: string[] = [];
    const catalog = await catalogIn(folder, { onCatalogCreated: () => reports.push('created') });
    expect(await catalog.usage({ stream: '', disk: '' }, 10)).toEqual([]);
    expect(reports).toEqual(['created']);
    await catalog.write([block('a', 1)]);
    expect(await minutes(catalog, 'a')).toEqual([1]);
    expect(reports).toEqual(['created']);
  });

  it('does not report an existing catalog as new', async () => {
    const folder = await temporaryFolder();
    const reports: string[] = [];
    const catalog = await catalogIn(folder, { onCatalogCreated: () => reports.push('created') });
    await catalog.write([block('a', 1)]);
    await open.pop()?.close();
    const again = await catalogIn(folder, { onCatalogCreated: () => reports.push('again') });
    expect(await minutes(again, 'a')).toEqual([1]);
    expect(reports).toEqual(['created']);
  });

  it('fails a request that kills the thread repeatedly, and serves other requests', async () => {
    const catalog = await catalogIn(await temporaryFolder());
    await catalog.write([block('a', 1)]);
    await expect(catalog.write([block('exit always', 1)])).rejects.toMatchObject({ code: 'database_unavailable' });
    await catalog.write([block('a', 2)]);
    expect(await minutes(catalog, 'a')).toEqual([1, 2]);
  });

  it('reports errors of SQLite, and a file that cannot be opened', async () => {
    const folder = await temporaryFolder();
    const catalog = await catalogIn(folder);
    await expect(catalog.write([block('a', 1), block('a', 'x' as unknown as number)])).rejects.toMatchObject({
      code: 'SQLITE_CONSTRAINT_NOTNULL',
    });
    const other = workerOf();
    await expect(other.open('catalog-open', join(folder, 'none', 'catalog.db'))).rejects.toMatchObject({
      code: 'database_unavailable',
    });
    await expect(new CatalogOnThread(other).extents(['a'])).rejects.toMatchObject({ code: 'database_unavailable' });
  });

  it('fails each query after 15 s while it hangs, and closes in bounded time', async () => {
    const clock = new FakeClock();
    const worker = workerOf({ clock });
    await worker.open('catalog-open', join(await temporaryFolder(), 'catalog.db'));
    const catalog = new CatalogOnThread(worker);
    const writing = catalog.write([block('hang', 1)]).catch((error: unknown) => error);
    const query = catalog.extents(['a']).catch((error: unknown) => error);
    clock.advance(15_000);
    expect(await query).toMatchObject({ code: 'database_unavailable' });
    const closing = worker.close();
    clock.advance(2000);
    await closing;
    expect(await writing).toMatchObject({ code: 'database_unavailable' });
    await expect(catalog.extents(['a'])).rejects.toMatchObject({ code: 'database_unavailable' });
  });
});
