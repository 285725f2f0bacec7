import { afterEach, describe, expect, it } from 'vitest';
import { ListCatalog } from '../../../tests/helpers/list-catalog.ts';
import { RecordingStage } from '../../../tests/helpers/recording-stage.ts';
import { settled } from '../../../tests/helpers/settled.ts';
import { ArchiveCatalog } from '../catalog/archive-catalog.ts';
import { endOf } from '../recovery.ts';
import { ArchiveJob, type ArchiveJobState } from '../archive-job.ts';
import { settleCuts } from '../block-cut.ts';
import { ArchiveCopies } from './archive-copies.ts';
import type { CopiedStorage, DiskMode } from './copy-plan.ts';

const PLAIN = { video: { fps: 25, gopFrames: 25, bFrames: 0 }, audio: { sampleRate: 48_000, lateMs: 0 } };
const EVER = { startMs: 0, endMs: 1e13 };
let stage: CopyStage | undefined;

afterEach(async () => {
  await stage?.close();
  stage = undefined;
});

/** Server that records a stream to a storage and copies its blocks. */
class CopyStage {
  readonly recording: RecordingStage;
  readonly store = new ListCatalog();
  readonly catalog: ArchiveCatalog;
  readonly removed: string[] = [];
  storage: CopiedStorage;
  copies: ArchiveCopies;
  /** Current pass, or the last one. */
  job: ArchiveJob | undefined;

  constructor(storage: Partial<CopiedStorage>, written: readonly string[] = ['/a', '/b']) {
    this.storage = { name: 'main', disks: disks({ '/a': 'normal', '/b': 'normal' }), ...storage };
    this.recording = new RecordingStage({ segmentMs: 2000 }, { storage: 'main', disks: written });
    const { clock } = this.recording.stream;
    this.catalog = new ArchiveCatalog({
      store: this.store,
      clock,
      open: () => [],
      failed(error) {
        throw error;
      },
    });
    this.copies = this.open();
  }

  /** Starts a server. */
  open(): ArchiveCopies {
    const { disks: files, stream } = this.recording;
    return new ArchiveCopies({
      files,
      clock: stream.clock,
      catalog: this.catalog,
      storages: () => [this.storage],
      onDisk: async (folder, work) => this.recording.recordings.onDisk(folder, work),
      target: ({ disks: all }, taken) =>
        this.recording.recordings.choose({
          storage: 'main',
          disks: all.filter(({ folder, mode }) => mode === 'normal' && !taken.has(folder)).map(({ folder }) => folder),
        }),
      removed: (folder, path) => this.removed.push(folder + '/' + path),
    });
  }

  /** Records some seconds, and adds the finished blocks to the catalog. */
  async record(seconds: number): Promise<void> {
    await this.recording.record();
    await this.recording.play({ ...PLAIN, seconds });
    this.recording.recordings.stop('c/03');
    await this.pass(2000);
    for (const block of this.recording.blocks) {
      this.catalog.add(block);
      this.copies.recorded(block, 'main', endOf(block.head, block.index));
    }
    await this.catalog.settled();
  }

  /** Advances the time. */
  async pass(ms: number): Promise<void> {
    for (let at = 0; at < ms; at += 100) {
      this.recording.stream.clock.advance(100);
      await settled();
    }
  }

  /** One pass over everything. */
  async run(): Promise<ArchiveJobState> {
    const { promise, resolve } = Promise.withResolvers<ArchiveJobState>();
    const job = new ArchiveJob(this.recording.stream.clock, async (one) => this.copies.pass(one), resolve);
    this.job = job;
    job.start();
    let isOver = false;
    void promise.then(() => (isOver = true));
    while (!isOver) await this.pass(100);
    return promise;
  }

  /** Files of a disk, by path below it. */
  on(disk: string): Map<string, string> {
    const diskFiles = [...this.recording.disks.files].filter(([path]) => path.startsWith(`${disk}/`));
    return new Map(
      diskFiles.map(([path, bytes]) => [path.slice(disk.length + 1), Buffer.from(bytes).toString('base64')]),
    );
  }

  /** Catalog entries as `disk/path`. */
  get listed(): string[] {
    return this.store.entries.map(({ disk, path }) => `${disk}/${path}`).sort();
  }

  async close(): Promise<void> {
    await this.copies.close();
    await this.recording.close();
  }
}

function disks(modes: Readonly<Record<string, DiskMode>>): CopiedStorage['disks'] {
  return Object.entries(modes).map(([folder, mode]) => ({ folder, mode }));
}

function open(storage: Partial<CopiedStorage>, written?: readonly string[]): CopyStage {
  stage = new CopyStage(storage, written);
  return stage;
}

describe('archive copies', () => {
  it('of new blocks are on another disk within seconds, byte for byte, and a copied block counts once', async () => {
    const copied = open({ copies: 1 });
    await copied.record(130);
    await copied.pass(10_000);
    const [a, b] = [copied.on('/a'), copied.on('/b')];
    expect(a.size).toBe(3);
    expect(b).toEqual(a);
    await copied.catalog.settled();
    expect(copied.listed).toHaveLength(6);
    expect(await copied.catalog.blocks('c/03', EVER, 100)).toHaveLength(3);
    expect((await copied.catalog.ranges('c/03', EVER, 100)).ranges).toHaveLength(1);
    const [first] = copied.store.entries;
    if (!first) throw new Error('no block');
    const other = await copied.copies.copiesOf('c/03', first, Math.floor(first.startMs / 60_000) * 60_000);
    expect(other.map(({ disk }) => disk)).toEqual([first.disk === '/a' ? '/b' : '/a']);
    expect(copied.copies.uncopied).toBe('');
    expect(copied.recording.disks.opened).toBe(0);
  });

  it('on a returned disk are found before the catalog knows them', async () => {
    const copied = open({ copies: 1 });
    await copied.record(130);
    await copied.pass(10_000);
    const [a, b] = [copied.on('/a'), copied.on('/b')];
    // The catalog has lost the blocks of `/b`, which have other names on `/a`.
    for (const path of b.keys()) copied.catalog.remove('/b', path);
    const { files } = copied.recording.disks;
    for (const path of a.keys()) {
      const renamed = path.replace('.mp4', '-1.mp4');
      const bytes = files.get(`/a/${path}`);
      const entry = copied.store.entries.find((one) => one.disk === '/a' && one.path === path);
      if (!bytes || !entry) throw new Error('no block');
      files.delete(`/a/${path}`);
      files.set(`/a/${renamed}`, bytes);
      Object.assign(entry, { path: renamed });
    }
    await copied.catalog.settled();
    expect(await copied.run()).toMatchObject({ status: 'done', faultCount: 0 });
    expect(copied.on('/b')).toEqual(b);
    await copied.catalog.settled();
    expect(copied.listed).toHaveLength(6);
  });

  it('that were lost are made again, also on a replacement disk', async () => {
    const copied = open({ copies: 1 });
    await copied.record(130);
    await copied.pass(10_000);
    const before = copied.on('/a');
    for (const path of before.keys()) copied.recording.disks.files.delete(`/a/${path}`);
    expect(await copied.run()).toMatchObject({ status: 'done', blocks: 3, faultCount: 0, progress: 100 });
    expect(copied.on('/a')).toEqual(before);
    expect(await copied.run()).toMatchObject({ status: 'done', blocks: 0 });
  });

  it('continue after a server crash, without leaving partial files', async () => {
    const copied = open({ copies: 1 });
    await copied.record(130);
    let writes = 0;
    copied.recording.disks.before = (operation, path) => {
      if (operation === 'write' && path.endsWith('.copy') && ++writes === 2) return new Promise<void>(() => undefined);
    };
    await copied.pass(20_000);
    expect([...copied.recording.disks.files.keys()].filter((path) => path.endsWith('.copy'))).toHaveLength(1);
    copied.recording.disks.before = () => undefined;
    // A new process without the state of the old one.
    copied.recording.recordings = copied.recording.open();
    copied.copies = copied.open();
    expect(await copied.run()).toMatchObject({ status: 'done', blocks: 2 });
    expect(copied.on('/b')).toEqual(copied.on('/a'));
  });

  it('left incomplete by a crash are removed when their folder is checked', async () => {
    const { recording } = open({});
    recording.disks.files.set('/a/c/03/2027/01/15/08/00.mp4.copy', new Uint8Array(3));
    const disk = { folder: '/a', making: new Set<string>() };
    const left = await settleCuts(recording.disks, disk, 'c/03/2027/01/15/08', ['00.mp4.copy', '01.mp4']);
    expect([left, recording.disks.files.size]).toEqual([['01.mp4'], 0]);
  });

  it('of a block deleted meanwhile are removed', async () => {
    const copied = open({ copies: 1 });
    await copied.record(30);
    const [block] = copied.store.entries;
    copied.recording.disks.before = (operation, path) => {
      if (operation !== 'write' || !path.endsWith('.copy') || !block) return;
      copied.recording.disks.files.delete(`${block.disk}/${block.path}`);
      copied.catalog.remove(block.disk, block.path);
      copied.copies.forget(block.disk, block.path);
    };
    await copied.pass(10_000);
    expect(copied.recording.disks.files.size).toBe(0);
    await copied.catalog.settled();
    expect(copied.listed).toEqual([]);
  });

  it('that the disk returns with different bytes do not count, and are reported', async () => {
    const copied = open({ copies: 1 });
    await copied.record(30);
    const { disks: files } = copied.recording;
    files.before = (operation, path) => {
      const bytes = files.files.get(path);
      if (operation === 'read' && path.endsWith('.copy') && bytes) bytes[100] = 255 - (bytes[100] ?? 0);
    };
    await copied.pass(10_000);
    expect(copied.listed).toHaveLength(1);
    expect(files.files.size).toBe(1);
    expect((await copied.run()).faults).toMatchObject([{ kind: 'uncopied', detail: /copy_differs/ }]);
  });

  it('that no disk accepts are reported with a code and an alert until a disk accepts them', async () => {
    const copied = open({ copies: 1, disks: disks({ '/a': 'normal' }) }, ['/a']);
    await copied.record(130);
    expect(await copied.run()).toMatchObject({
      status: 'error',
      error: 'main: no_disk: No disk of the storage can be written',
      faultCount: 1,
      faults: [{ disk: '/a', kind: 'uncopied' }],
    });
    expect(copied.copies.uncopied).toContain('main (no_disk: No disk of the storage can be written)');
    copied.storage = { ...copied.storage, disks: disks({ '/a': 'normal', '/b': 'normal' }) };
    expect(await copied.run()).toMatchObject({ status: 'done', blocks: 3 });
    expect(copied.copies.uncopied).toBe('');
  });
});

describe('a disk taken out of use', () => {
  it('is emptied to other disks by migrate, which can be stopped and resumed', async () => {
    const copied = open({}, ['/a']);
    await copied.record(190);
    const before = copied.on('/a');
    copied.storage = { ...copied.storage, disks: disks({ '/a': 'migrate', '/b': 'normal' }) };
    copied.recording.disks.before = (operation, path) => {
      if (operation === 'rename' && path.includes('01.mp4')) void copied.job?.stop();
    };
    const stopped = await copied.run();
    expect(stopped).toMatchObject({ status: 'stopped', blocks: 2 });
    const left = copied.on('/a').size;
    expect(left + copied.on('/b').size).toBe(4);
    const ended = await copied.run();
    expect(ended).toMatchObject({ status: 'done', faultCount: 0 });
    expect(ended.blocks + stopped.blocks).toBe(4);
    expect(copied.on('/a').size).toBe(0);
    expect(copied.on('/b')).toEqual(before);
    await copied.catalog.settled();
    expect(copied.listed).toEqual([...before.keys()].map((path) => `/b/${path}`));
    expect(copied.removed).toHaveLength(4);
    expect(copied.copies.leaving('/a')).toMatchObject({ leftBytes: 0 });
  });

  it('gives its blocks new names if the other disk has blocks of the same minute', async () => {
    const copied = open({}, ['/a']);
    await copied.record(30);
    copied.recording.disks.files.set('/b/c/03/2027/01/15/08/00.mp4', new Uint8Array(9));
    copied.storage = { ...copied.storage, disks: disks({ '/a': 'migrate', '/b': 'normal' }) };
    await copied.run();
    expect([...copied.on('/b').keys()]).toEqual(['c/03/2027/01/15/08/00.mp4', 'c/03/2027/01/15/08/00-1.mp4']);
  });

  it('keeps its blocks while the other disk accepts none', async () => {
    const copied = open({}, ['/a']);
    await copied.record(30);
    const before = copied.on('/a');
    copied.storage = { ...copied.storage, disks: disks({ '/a': 'migrate', '/b': 'normal' }) };
    copied.recording.disks.before = (operation, path) => {
      if (operation === 'sync' && path.startsWith('/b')) throw Object.assign(new Error('gone'), { code: 'EIO' });
    };
    const ended = await copied.run();
    expect(ended.faults).toMatchObject([{ disk: '/a', kind: 'uncopied', detail: 'EIO: gone' }]);
    expect(copied.on('/a')).toEqual(before);
    expect(copied.on('/b').size).toBe(0);
  });

  it('deletes a block only if its existing copy has the same bytes', async () => {
    const copied = open({ copies: 1 });
    await copied.record(30);
    await copied.pass(10_000);
    const [path = ''] = copied.on('/b').keys();
    const bytes = copied.recording.disks.files.get(`/b/${path}`);
    if (bytes) bytes[100] = 255 - (bytes[100] ?? 0);
    copied.storage = { name: 'main', disks: disks({ '/a': 'migrate', '/b': 'normal' }) };
    expect((await copied.run()).faults).toMatchObject([{ detail: 'copy_differs: /b has different bytes for it' }]);
    expect(copied.on('/a').size).toBe(1);
    if (bytes) bytes[100] = 255 - (bytes[100] ?? 0);
    expect((await copied.run()).faults).toEqual([]);
    expect([copied.on('/a').size, copied.on('/b').size]).toEqual([0, 1]);
  });

  it('is copied by rescue and keeps its files, and unreadable files are listed', async () => {
    const copied = open({}, ['/a']);
    await copied.record(130);
    const before = copied.on('/a');
    const [bad = ''] = before.keys();
    copied.storage = { ...copied.storage, disks: disks({ '/a': 'rescue', '/b': 'normal' }) };
    copied.recording.disks.before = (operation, path) => {
      if (operation === 'read' && path === `/a/${bad}`) throw Object.assign(new Error('bad sector'), { code: 'EIO' });
    };
    const ended = await copied.run();
    expect(ended).toMatchObject({ status: 'done', blocks: 2, faultCount: 1 });
    expect(ended.faults).toMatchObject([{ disk: '/a', path: bad, detail: 'EIO: bad sector' }]);
    expect(copied.on('/a')).toEqual(before);
    expect(copied.on('/b').size).toBe(2);
  });

  it('is copied by rescue to the only other disk, even if no disk is left for the second copy', async () => {
    const copied = open({ copies: 1, disks: disks({ '/a': 'normal' }) }, ['/a']);
    await copied.record(130);
    const before = copied.on('/a');
    copied.storage = { ...copied.storage, disks: disks({ '/a': 'rescue', '/b': 'normal' }) };
    expect(await copied.run()).toMatchObject({
      status: 'error',
      error: 'main: no_disk: No disk of the storage can be written',
      blocks: 3,
      faultCount: 1,
    });
    expect(copied.on('/b')).toEqual(before);
    expect(copied.copies.uncopied).toContain('no_disk');
  });

  it('is ignored after abandon and keeps its files, and its copies are made again on other disks', async () => {
    const copied = open({ copies: 1 });
    await copied.record(130);
    await copied.pass(10_000);
    const before = copied.on('/a');
    copied.storage = { ...copied.storage, disks: disks({ '/a': 'abandon', '/b': 'normal', '/c': 'normal' }) };
    expect(await copied.run()).toMatchObject({ status: 'done', blocks: 3 });
    await copied.catalog.settled();
    expect(copied.listed.filter((path) => path.startsWith('/a'))).toEqual([]);
    expect(copied.on('/a')).toEqual(before);
    expect(copied.on('/c')).toEqual(copied.on('/b'));
  });
});
