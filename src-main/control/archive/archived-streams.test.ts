import { beforeEach, describe, expect, it } from 'vitest';
import { configOf } from '../../../tests/helpers/config-of.ts';
import { FakeClock } from '../../../tests/helpers/fake-clock.ts';
import { ListCatalog } from '../../../tests/helpers/list-catalog.ts';
import { StagedEngine } from '../../../tests/helpers/staged-engine.ts';
import { until } from '../../../tests/helpers/until.ts';
import { ArchiveCatalog } from '../../dvr/catalog/archive-catalog.ts';
import { silentLog } from '../../lib/log.ts';
import { nextTurn } from '../../lib/turns.ts';
import { Streams } from '../../streams/streams.ts';
import { ArchivedStreams } from './archived-streams.ts';

const CONFIG = configOf('live studio { dvr records; } stream cam { input publish://; dvr records; }');

const LIMIT_MS = 30_000;

let clock: FakeClock;
let store: ListCatalog;
let catalog: ArchiveCatalog;
let streams: Streams;
let archived: ArchivedStreams;
let added: (readonly [name: string, endMs: number])[];
let failures: unknown[];
let fullAt: number[];
/** Streams whose data is still being written to disk. */
let written: Set<string>;

function open(max?: number): void {
  archived = new ArchivedStreams(
    {
      clock,
      catalog,
      streams: () => streams,
      recordings: { isOver: (name) => !written.has(name) },
      streamAdded: ({ name }, endMs) => void added.push([name, endMs]),
      failed: (error) => void failures.push(error),
      full: (most) => void fullAt.push(most),
    },
    max,
  );
}

beforeEach(async () => {
  clock = new FakeClock();
  store = new ListCatalog();
  added = [];
  failures = [];
  fullAt = [];
  written = new Set();
  catalog = new ArchiveCatalog({
    store,
    clock,
    open: () => [],
    failed: (error) => void failures.push(error),
    removed: (path) => {
      archived.removed(path);
    },
  });
  streams = new Streams(CONFIG, {
    clock,
    log: silentLog,
    engine: () => new StagedEngine().engine,
    hasArchive: async (name) => archived.has(name),
  });
  await streams.apply(CONFIG);
  open();
});

function names(): string[] {
  return streams.list().map(({ name }) => name);
}

function record(stream: string, minute = 0): string {
  const path = `${stream}/2026/11/22/18/0${minute}.mp4`;
  const startMs = Date.UTC(2026, 10, 22, 18, minute);
  const time = { startMs, endMs: startMs + 60_000 };
  const block = { stream, disk: '/d', path, ...time, sizeBytes: 1, isDiscontinuity: false, tracks: '[]' };
  void store.write([{ type: 'add', block: { ...block, packedIndex: new Uint8Array(), storedRanges: [time] } }]);
  return path;
}

describe('archives found at server start', () => {
  it('become streams where encoders publish, each with the end of its archive', async () => {
    for (const name of ['studio/a', 'studio/deep/b', 'gone/c', 'cam']) record(name);
    record('studio/a', 1);
    await archived.find();
    expect(names()).toEqual(['cam', 'studio/a', 'studio/deep/b']);
    expect(added).toEqual([
      ['studio/a', Date.UTC(2026, 10, 22, 18, 2)],
      ['studio/deep/b', Date.UTC(2026, 10, 22, 18, 1)],
    ]);
    expect(streams.get('cam')?.isArchiveOnly).toBe(false);
    expect(failures).toEqual([]);
  });

  it('are found completely, for any page size of the catalog, with few queries', async () => {
    for (let at = 0; at < 1200; at++) record(`studio/${String(at).padStart(4, '0')}`);
    let questions = 0;
    const { extents } = store;
    store.extents = async (streamNames) => {
      questions++;
      return extents.call(store, streamNames);
    };
    await archived.find();
    expect(names()).toHaveLength(1201);
    expect(questions).toBeLessThanOrEqual(4);
    await archived.find();
    expect(names()).toHaveLength(1201);
  });

  it('are limited in number', async () => {
    for (const name of ['studio/a', 'studio/b', 'studio/c']) record(name);
    open(3);
    await archived.find();
    expect(names()).toEqual(['cam', 'studio/a', 'studio/b']);
    expect(fullAt).toEqual([3]);
  });

  it('remain streams if the catalog cannot be read', async () => {
    record('studio/a');
    await archived.find();
    const fault = new Error('the disk is gone');
    store.usage = async () => Promise.reject(fault);
    await archived.find();
    expect([names(), failures]).toEqual([['cam', 'studio/a'], [fault]]);
    store.extents = async () => Promise.reject(fault);
    expect(await archived.has('studio/a')).toBe(true);
  });
});

describe('an archive that changes', () => {
  it('becomes a stream with its first block, and is removed with its last block', async () => {
    record('studio/a');
    record('studio/a', 1);
    archived.added('studio/a');
    await until('the stream studio/a', () => (clock.advance(1000), names().includes('studio/a')), LIMIT_MS);
    catalog.remove('/d', 'studio/a/2026/11/22/18/00.mp4');
    clock.advance(2000);
    await nextTurn();
    await archived.find();
    expect(names()).toEqual(['cam', 'studio/a']);
    catalog.remove('/d', 'studio/a/2026/11/22/18/01.mp4');
    await until(
      'the removal of the stream studio/a',
      () => (clock.advance(1000), !names().includes('studio/a')),
      LIMIT_MS,
    );
    expect(failures).toEqual([]);
  });

  it('exists while its last block is being written, but not if nothing was recorded', async () => {
    written.add('studio/a');
    expect([await archived.has('studio/a'), await archived.has('studio/b')]).toEqual([true, false]);
    record('studio/b');
    expect(await archived.has('studio/b')).toBe(true);
  });
});
