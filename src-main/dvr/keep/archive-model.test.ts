import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FakeClock } from '../../../tests/helpers/fake-clock.ts';
import { ListCatalog } from '../../../tests/helpers/list-catalog.ts';
import { ListLocks } from '../../../tests/helpers/list-locks.ts';
import { MemoryBlocks } from '../../../tests/helpers/memory-blocks.ts';
import { fileOf } from '../../../tests/helpers/recording-stage.ts';
import { settled } from '../../../tests/helpers/settled.ts';
import type { VideoTrack } from '../../media/track.ts';
import { copyBlock, type BlockContent } from '../block/block-copy.ts';
import { packIndex } from '../block/block-index.ts';
import { scanBlock } from '../block/block-scan.ts';
import { blockPath } from '../block-path.ts';
import { ArchiveCatalog } from '../catalog/archive-catalog.ts';
import type { TimeRange } from '../catalog/catalog-store.ts';
import { reconcile } from '../catalog/reconciliation.ts';
import type { Disk } from '../disk.ts';
import { Recordings, type RecordingSettings } from '../recordings.ts';
import { Retention } from './retention.ts';
import { ArchiveDeletion } from './archive-deletion.ts';
import { ArchiveJobs } from './archive-jobs.ts';
import { ArchiveLocks } from './archive-locks.ts';

const SEGMENT_MS = 10_000;
const MINUTE_MS = 60_000;
const STREAMS = ['a', 'a/b'];
const DISKS = ['/d', '/e'];
const MINUTES = 40;
const TRACK: VideoTrack = {
  id: 'v1',
  content: 'video',
  codec: 'h264',
  timescale: 1000,
  codecString: 'avc1.640028',
  width: 640,
  height: 360,
  decoderConfig: new Uint8Array([1, 100, 0, 40, 255, 225, 0, 0, 1, 0, 0]),
  sarWidth: 1,
  sarHeight: 1,
  profile: 'High',
  level: '4',
};

interface ModelSegment extends TimeRange {
  readonly stream: string;
  readonly disk: string;
  /** Minute of the block that contains the segment. */
  readonly minuteMs: number;
}

/** An archive, and a model of it: a plain list of segments, searched linearly. */
class Model {
  readonly clock = new FakeClock();
  readonly files = new MemoryBlocks();
  readonly locks = new ArchiveLocks(new ListLocks());
  readonly settings: RecordingSettings = { storage: 'main', disks: DISKS, expirationMs: 30 * MINUTE_MS };
  readonly recordings: Recordings;
  readonly retention: Retention;
  store = new ListCatalog();
  catalog = this.#openCatalog();
  segments: ModelSegment[] = [];
  readonly locked: (TimeRange & { readonly stream: string })[] = [];
  readonly beginMs: number;

  constructor() {
    const { clock, files } = this;
    this.beginMs = Math.floor(clock.now() / MINUTE_MS) * MINUTE_MS;
    const none = (): undefined => undefined;
    this.recordings = new Recordings({
      files,
      clock,
      reports: { finished: none, gap: none, late: none, unread: none, returned: none },
    });
    this.retention = new Retention({
      files,
      clock,
      locks: this.locks,
      onDisk: this.onDisk,
      deleted: none,
      retained: () => STREAMS.map((stream) => ({ stream, settings: this.settings })),
      find: async (folder, path) => this.catalog.find(folder, path),
      removed: (folder, path) => {
        this.catalog.remove(folder, path);
      },
      failed(_, error) {
        throw error;
      },
    });
  }

  readonly onDisk = async <T>(folder: string, work: (disk: Disk) => Promise<T>): Promise<T> =>
    this.recordings.onDisk(folder, work);

  #openCatalog(): ArchiveCatalog {
    return new ArchiveCatalog({
      store: this.store,
      clock: this.clock,
      open: () => [],
      failed(error) {
        throw error;
      },
    });
  }

  /** Advances the time. Both streams get another block of one minute. */
  async minute(minute: number): Promise<void> {
    for (const [at, stream] of STREAMS.entries()) {
      const disk = DISKS[(minute + at) % DISKS.length] ?? '';
      const minuteMs = this.beginMs + minute * MINUTE_MS;
      const path = blockPath(stream, minuteMs);
      const block = await madeBlock(stream, minuteMs);
      this.files.files.set(`${disk}/${path}`, block.bytes);
      this.catalog.add({ ...block, disk, path, packedIndex: packIndex(block.index), sizeBytes: block.bytes.length });
      for (let startMs = minuteMs; startMs < minuteMs + MINUTE_MS; startMs += SEGMENT_MS)
        this.segments.push({ stream, disk, minuteMs, startMs, endMs: startMs + SEGMENT_MS });
    }
    while (this.clock.now() < this.beginMs + (minute + 1) * MINUTE_MS) this.clock.advance(1000);
    await settled();
  }

  isLocked({ stream, startMs, endMs }: TimeRange & { readonly stream: string }): boolean {
    return this.locked.some((lock) => lock.stream === stream && lock.startMs < endMs && lock.endMs > startMs);
  }

  async done<T>(work: Promise<T>): Promise<T> {
    let isOver = false;
    const watched = work.finally(() => (isOver = true));
    watched.catch(() => undefined);
    while (!isOver) {
      this.clock.advance(0);
      for (const disk of this.recordings.disks.values()) disk.notify();
      await settled();
    }
    return watched;
  }

  async retain(): Promise<void> {
    this.retention.checkAgain();
    await this.done(this.retention.round());
    const oldestMs = this.clock.now() - 30 * MINUTE_MS;
    const blocks = Map.groupBy(this.segments, ({ stream, minuteMs }) => `${stream} ${minuteMs}`);
    for (const segments of blocks.values()) {
      const [first] = segments;
      if (!first || first.minuteMs + MINUTE_MS > oldestMs) continue;
      const block = { ...first, startMs: segments[0]?.startMs ?? 0, endMs: segments.at(-1)?.endMs ?? 0 };
      if (!this.isLocked(block)) this.segments = this.segments.filter((segment) => !segments.includes(segment));
    }
  }

  lock(stream: string, time: TimeRange, isLocked: boolean): void {
    if (isLocked) {
      this.locks.add(stream, { ...time, note: '', by: '', atMs: 0 });
      this.locked.push({ stream, ...time });
      return;
    }
    this.locks.remove(stream, time);
    const others = this.locked.splice(0);
    for (const lock of others) {
      if (lock.stream !== stream || lock.startMs >= time.endMs || lock.endMs <= time.startMs) this.locked.push(lock);
      else
        this.locked.push(
          ...[
            { ...lock, endMs: time.startMs },
            { ...lock, startMs: time.endMs },
          ].filter((one) => one.startMs < one.endMs),
        );
    }
  }

  async remove(stream: string, time: TimeRange): Promise<void> {
    const { files, clock, catalog, store, onDisk } = this;
    const deletion = new ArchiveDeletion({
      files,
      clock,
      catalog,
      onDisk,
      disks: () => DISKS,
      reconcile: async (name, folder, when) => {
        await reconcile({ files, clock, store, catalog, onDisk, isRunning: () => true }, name, folder, when);
      },
      cut: async () => Promise.resolve(),
    });
    const { failures } = await this.done(deletion.remove(stream, time, () => false));
    expect(failures).toEqual([]);
    this.segments = this.segments.filter(
      (segment) => segment.stream !== stream || segment.startMs >= time.endMs || segment.endMs <= time.startMs,
    );
  }

  /** Loses the catalog and rebuilds it. */
  async rebuild(): Promise<void> {
    const { files, clock, onDisk } = this;
    this.store = new ListCatalog();
    this.catalog = this.#openCatalog();
    const jobs = new ArchiveJobs({
      files,
      clock,
      onDisk,
      store: this.store,
      catalog: this.catalog,
      disks: () => DISKS,
      retention: this.retention,
      copies: { pass: async () => Promise.resolve() },
      ended: () => undefined,
    });
    jobs.start('rebuild', { isDeep: false });
    while (jobs.state('rebuild')?.status === 'running') {
      for (const disk of this.recordings.disks.values()) disk.notify();
      clock.advance(0);
      await settled();
    }
    expect(jobs.state('rebuild')).toMatchObject({ status: 'done', faults: [] });
  }

  /** Checks that the catalog and the disks match the list. */
  async verify(): Promise<void> {
    await this.catalog.settled();
    const ever = { startMs: 0, endMs: 1e13 };
    const found: string[] = [];
    for (const [path, bytes] of this.files.files) {
      const block = await scanBlock(fileOf(bytes), bytes.length);
      for (const { startTicks } of block?.index.segments ?? [])
        found.push(`${block?.head.stream ?? ''} ${path.slice(0, 2)} ${startTicks}`);
    }
    const expected = this.segments.map(({ stream, disk, startMs }) => `${stream} ${disk} ${startMs}`);
    expect(found.toSorted()).toEqual(expected.toSorted());
    for (const stream of STREAMS) {
      const segments = this.segments
        .filter((segment) => segment.stream === stream)
        .sort((a, b) => a.startMs - b.startMs);
      const ranges: { startMs: number; endMs: number }[] = [];
      for (const { startMs, endMs } of segments) {
        const last = ranges.at(-1);
        if (last?.endMs === startMs) last.endMs = endMs;
        else ranges.push({ startMs, endMs });
      }
      expect((await this.catalog.ranges(stream, ever, 1000)).ranges).toEqual(ranges);
    }
  }
}

/** Block of six segments with a few bytes of media. */
async function madeBlock(stream: string, minuteMs: number): Promise<BlockContent & { readonly bytes: Uint8Array }> {
  const segments = Array.from({ length: MINUTE_MS / SEGMENT_MS }, (_, at) => ({
    trackNumber: 1,
    startTicks: minuteMs + at * SEGMENT_MS,
    durationTicks: SEGMENT_MS,
    isIndependent: true,
    hasCaptions: at % 2 > 0,
    isDiscontinuity: false,
    isGap: false,
    isComplete: true,
    pieces: [{ offset: at * 8, sizeBytes: 8 }],
  }));
  const head = { stream, startMs: minuteMs, tracks: [TRACK] };
  let bytes = Buffer.alloc(0);
  const target = {
    write: async (runs: readonly Uint8Array[]) => {
      bytes = Buffer.concat([bytes, ...runs]);
      return Promise.resolve();
    },
  };
  const steps = copyBlock(fileOf(new Uint8Array(64)), { head, index: { segments, splices: [] } }, target);
  for (;;) {
    const step = await steps.next();
    if (step.done) return { head, index: step.value.index, bytes };
  }
}

const time = fc
  .tuple(fc.nat({ max: MINUTES * 60 }), fc.integer({ min: 1, max: 600 }))
  .map(([from, length]) => ({ fromMs: from * 1000, toMs: (from + length) * 1000 }));
const step = fc.record({
  what: fc.constantFrom('lock', 'unlock', 'remove', 'retain', 'rebuild', 'minutes'),
  stream: fc.constantFrom(...STREAMS),
  time,
});

it('the archive matches a plain list of segments after any sequence of recording, locking, deletion, expiry and rebuilding', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      const model = new Model();
      let minute = 0;
      const more = async (count: number): Promise<void> => {
        for (const end = minute + count; minute < end; minute++) await model.minute(minute);
      };
      await more(MINUTES);
      for (const { what, stream, time: range } of steps) {
        const when = { startMs: model.beginMs + range.fromMs, endMs: model.beginMs + range.toMs };
        if (what === 'retain') await model.retain();
        else if (what === 'rebuild') await model.rebuild();
        else if (what === 'minutes') await more(3);
        else if (what === 'remove') await model.remove(stream, when);
        else model.lock(stream, when, what === 'lock');
        await model.verify();
      }
      await model.recordings.close();
    }),
    { numRuns: 15 },
  );
});
