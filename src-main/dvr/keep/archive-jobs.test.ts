import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { ListCatalog } from '../../../tests/helpers/list-catalog.ts';
import { RecordingStage } from '../../../tests/helpers/recording-stage.ts';
import { settled } from '../../../tests/helpers/settled.ts';
import { ArchiveCatalog } from '../catalog/archive-catalog.ts';
import type { Disk } from '../disk.ts';
import type { ArchiveJobState } from '../archive-job.ts';
import { ArchiveJobs, type ArchiveJobName } from './archive-jobs.ts';

const PLAIN = { video: { fps: 25, gopFrames: 25, bFrames: 0 }, audio: { sampleRate: 48_000, lateMs: 0 } };
const EVER = { startMs: 0, endMs: 1e13 };
let stage: RecordingStage | undefined;

afterEach(async () => {
  await stage?.recordings.close();
  stage = undefined;
});

class JobStage {
  readonly recording: RecordingStage;
  readonly store = new ListCatalog();
  readonly catalog: ArchiveCatalog;
  readonly jobs: ArchiveJobs;
  readonly ended: [ArchiveJobName, ArchiveJobState][] = [];
  rounds = 0;

  constructor(recording: RecordingStage) {
    this.recording = recording;
    const { clock } = recording.stream;
    const { store } = this;
    this.catalog = new ArchiveCatalog({
      store,
      clock,
      open: () => [],
      failed(error) {
        throw error;
      },
    });
    this.jobs = new ArchiveJobs({
      files: recording.disks,
      clock,
      store,
      catalog: this.catalog,
      retention: {
        round: async () => Promise.resolve({ count: this.rounds-- > 0 ? 5 : 0, bytes: 50, failures: 0 }),
      },
      disks: () => ['/a', '/b'],
      copies: { pass: async () => Promise.resolve() },
      onDisk: async <T>(folder: string, work: (disk: Disk) => Promise<T>): Promise<T> =>
        recording.recordings.onDisk(folder, work),
      ended: (...how) => this.ended.push(how),
    });
  }

  async run(name: ArchiveJobName, isDeep = false): Promise<ArchiveJobState> {
    const before = this.ended.length;
    expect(this.jobs.start(name, { isDeep })?.status).toBe('running');
    while (this.ended.length === before) {
      this.recording.stream.clock.advance(100);
      await settled();
    }
    const state = this.jobs.state(name);
    if (!state) throw new Error('no state');
    return state;
  }
}

/** Several finished streams of some minutes on two disks. */
async function recorded(): Promise<RecordingStage> {
  const recording = new RecordingStage({ segmentMs: 2000 }, { storage: null, disks: ['/a'] });
  stage = recording;
  await recording.record();
  recording.recordings.record('gone', recording.stream.run, { storage: null, disks: ['/b'] });
  await recording.play({ ...PLAIN, seconds: 130 });
  recording.recordings.stop('c/03');
  recording.recordings.stop('gone');
  for (let turn = 0; turn < 20; turn++) {
    recording.stream.clock.advance(100);
    await settled();
  }
  return recording;
}

describe('the rebuild job', () => {
  it('restores the same catalog, whatever the damaged catalog contains', async () => {
    const recording = await recorded();
    const original = new JobStage(recording);
    for (const block of recording.blocks) original.catalog.add(block);
    const expected = await Promise.all(['c/03', 'gone'].map(async (name) => original.catalog.ranges(name, EVER, 100)));
    const list = original.store.list();
    const damage = fc.record({
      lost: fc.array(fc.nat({ max: recording.blocks.length - 1 })),
      invented: fc.array(fc.constantFrom('c/03', 'gone', 'never'), { maxLength: 3 }),
      disk: fc.constantFrom('/a', '/b', '/none'),
    });
    await fc.assert(
      fc.asyncProperty(damage, async ({ lost, invented, disk }) => {
        const again = new JobStage(recording);
        for (const [at, block] of recording.blocks.entries()) if (!lost.includes(at)) again.catalog.add(block);
        await again.catalog.settled();
        const [block] = original.store.entries;
        if (!block) throw new Error('no block');
        for (const [at, stream] of invented.entries())
          await again.store.write([
            {
              type: 'add',
              block: { ...block, stream, disk, path: `${stream}/2001/02/03/04/0${at}.mp4`, storedRanges: [block] },
            },
          ]);
        const state = await again.run('rebuild');
        expect(state).toMatchObject({ status: 'done', progress: 100, error: null, blocks: recording.blocks.length });
        await again.catalog.settled();
        expect(again.store.list()).toEqual(list);
        const answers = ['c/03', 'gone'].map(async (name) => again.catalog.ranges(name, EVER, 100));
        expect(await Promise.all(answers)).toEqual(expected);
      }),
      { numRuns: 20 },
    );
  });

  it('removes catalog entries without a file, also in months and years after the last recorded one', async () => {
    const recording = await recorded();
    const jobs = new JobStage(recording);
    for (const block of recording.blocks) jobs.catalog.add(block);
    await jobs.catalog.settled();
    const list = jobs.store.list();
    const [block] = jobs.store.entries;
    if (!block) throw new Error('no block');
    for (const folder of ['2999/01', '9999/12']) {
      const path = `${block.stream}/${folder}/01/00/00.mp4`;
      await jobs.store.write([{ type: 'add', block: { ...block, path, storedRanges: [block] } }]);
    }
    const state = await jobs.run('rebuild');
    expect(state.faults.map(({ kind }) => kind)).toEqual(['gone', 'gone']);
    await jobs.catalog.settled();
    expect(jobs.store.list()).toEqual(list);
  });

  it('ignores the open block, can be stopped, and runs only once at a time', async () => {
    const recording = new RecordingStage({ segmentMs: 2000 });
    stage = recording;
    await recording.record();
    await recording.play({ ...PLAIN, seconds: 100 });
    const jobs = new JobStage(recording);
    expect((await jobs.run('rebuild')).blocks).toBe(recording.blocks.length);
    jobs.jobs.start('rebuild', { isDeep: false });
    expect(jobs.jobs.start('rebuild', { isDeep: false })).toBeUndefined();
    expect(jobs.jobs.start('check', { isDeep: false })).toBeUndefined();
    const stopped = jobs.jobs.stop('rebuild');
    for (let turn = 0; turn < 30; turn++) {
      recording.stream.clock.advance(100);
      await settled();
    }
    expect(await stopped).toBe(true);
    expect(jobs.jobs.state('rebuild')?.status).toBe('stopped');
    expect(await jobs.jobs.stop('rebuild')).toBe(false);
    expect(jobs.jobs.state('check')).toBeUndefined();
  });
});

it('the check job lists damaged, missing, gone, different and misplaced blocks, and changes nothing', async () => {
  const recording = await recorded();
  const [one, two, three] = recording.blocks.filter(({ disk }) => disk === '/a').map(({ path }) => path);
  if (!one || !two || !three) throw new Error('too few blocks');
  const jobs = new JobStage(recording);
  for (const block of recording.blocks)
    if (block.path !== one || block.disk !== '/a') jobs.catalog.add({ ...block, sizeBytes: block.sizeBytes });
  await jobs.catalog.settled();
  const { files } = recording.disks;
  expect(await jobs.run('check')).toMatchObject({
    status: 'done',
    faultCount: 1,
    faults: [{ disk: '/a', path: one, kind: 'missing' }],
  });
  const bytes = Buffer.from(files.get(`/a/${two}`) ?? []);
  bytes[Math.floor(bytes.length / 2)] = (bytes[Math.floor(bytes.length / 2)] ?? 0) ^ 1;
  files.set(`/a/${two}`, bytes);
  files.set(`/a/${three}`, new Uint8Array(100));
  files.set(`/a/other/2001/02/03/04/05.mp4`, files.get(`/a/${one}`) ?? new Uint8Array());
  const [last] = recording.blocks.filter(({ disk }) => disk === '/b').slice(-1);
  files.delete(`/b/${last?.path ?? ''}`);
  const before = jobs.store.list();
  const found = async (isDeep: boolean): Promise<string[]> =>
    (await jobs.run('check', isDeep)).faults.map(({ path, kind }) => `${kind} ${path}`).toSorted();
  const always = [
    `damaged ${three}`,
    `gone ${last?.path ?? ''}`,
    `misplaced other/2001/02/03/04/05.mp4`,
    `missing ${one}`,
  ];
  expect(await found(false)).toEqual(always.toSorted());
  expect(await found(true)).toEqual([...always, `damaged ${two}`].toSorted());
  expect(jobs.store.list()).toEqual(before);
  // An empty folder may be a disk that is not mounted, so its blocks are not reported.
  for (const path of files.keys()) if (path.startsWith('/b/')) files.delete(path);
  const state = await jobs.run('rebuild');
  expect(state.faults).toContainEqual(expect.objectContaining({ disk: '/b', path: '', kind: 'unread' }));
  await jobs.catalog.settled();
  expect(jobs.store.entries.some(({ disk }) => disk === '/b')).toBe(true);
});

it('the cleanup job repeats its rounds until no limit is exceeded', async () => {
  const recording = new RecordingStage();
  stage = recording;
  const jobs = new JobStage(recording);
  jobs.rounds = 3;
  expect(await jobs.run('cleanup')).toMatchObject({ status: 'done', blocks: 15, bytes: 200 });
});
