import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { configOf } from '../../tests/helpers/config-of.ts';
import { ListEpisodes } from '../../tests/helpers/list-episodes.ts';
import { ListLocks } from '../../tests/helpers/list-locks.ts';
import { StreamRun } from '../../tests/helpers/stream-run.ts';
import { until } from '../../tests/helpers/until.ts';
import { silentLog } from '../lib/log.ts';
import { StreamEntry } from '../streams/stream-entry.ts';
import { openArchive } from './archive.ts';

const folder = mkdtempSync(join(tmpdir(), 'airdesk-archive-'));
const PLAIN = { video: { fps: 25, gopFrames: 25, bFrames: 0 }, audio: { sampleRate: 48_000, lateMs: 0 } };

afterAll(() => {
  rmSync(folder, { recursive: true });
});

it('the archive records a stream while its configuration has dvr, and alerts while no disk is writable', async () => {
  const config = configOf('stream cam { input fake://; dvr records; }');
  const settings = config.streams.get('cam');
  if (!settings) throw new Error('no stream');
  const entry = new StreamEntry('cam', settings, true);
  const run = new StreamRun({ segmentMs: 1000 });
  const emitted: string[] = [];
  const archive = openArchive({
    options: { clock: run.clock, log: silentLog, dataFolder: folder, exportThreadEntry: new URL('file:///none') },
    config,
    store: undefined,
    onCatalogCreated: () => undefined,
    locks: new ListLocks(),
    episodes: new ListEpisodes(),
    protection: { isNew: false, read: () => ({ id: 'this', generation: 0 }) },
    exportJobs: undefined,
    cutPictures: () => Promise.reject(new Error('no codec process')),
    pictures: { exact: () => Promise.resolve(undefined), of: () => Promise.reject(new Error('no codec process')) },
    events: { emit: (kind) => void emitted.push(kind) },
    // Only the list of streams is used.
    streams: () => ({
      streams: {
        applied: Promise.resolve(),
        get: () => undefined,
        outputs: new Map(),
        list: () => [entry],
        ensureArchiveStream: async () => Promise.resolve(undefined),
        dropArchive: async () => Promise.resolve(),
      },
    }),
  });
  Object.defineProperty(entry, 'run', { get: () => run.run });
  // A file is at the path of the archive folder.
  writeFileSync(join(folder, 'records'), '');
  archive.follow(entry);
  const play = run.playing({ ...PLAIN, seconds: 60 });
  let ms = 0;
  const step = (): void => play((ms += 100));
  const later = async <T>(what: string, condition: () => T | undefined | false): Promise<T> =>
    until(what, () => (step(), condition()), 20_000);
  await later('the alert', () => JSON.stringify(archive.alerts).includes('cam'));
  expect(emitted).toEqual(['dvr_drop_write']);
  expect(entry.isRecording).toBe(false);
  rmSync(join(folder, 'records'));
  mkdirSync(join(folder, 'records'));
  await later('the recording', () => archive.alerts['archive'] === undefined && entry.isRecording);
  // The archive was opened without a catalog.
  expect(archive.alerts).toEqual({ archive_catalog: { fault: 'catalog_closed', facts: {} } });
  expect(emitted).toEqual(['dvr_drop_write', 'dvr_drop_write']);

  archive.switch(entry, false);
  expect(entry.isRecording).toBe(false);
  step();
  archive.switch(entry, true);
  await later('the recording that was switched on again', () => entry.isRecording);

  entry.configure({ ...settings, dvr: null });
  await archive.apply({ ...config });
  expect(entry.isRecording).toBe(false);
  await archive.close();
  expect(emitted.at(-1)).toBe('dvr_new_fragment');
  expect(
    readdirSync(join(folder, 'records/cam'), { recursive: true }).some((name) => String(name).endsWith('.mp4')),
  ).toBe(true);
});
