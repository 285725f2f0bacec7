import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLIP_FILES_MAX } from '../../../src-preload/contract/operations/clip-calls.ts';
import type { ClipJobBody } from '../../../src-preload/contract/api/file-processor-object.ts';
import { CollectionStage } from '../../../tests/helpers/collection-stage.ts';
import { forCaller } from '../../../tests/helpers/for-caller.ts';
import { clipCalls, type ClipCallsDeps } from './clip-calls.ts';
import type { ShownClipJob } from './clip-port.ts';

const folder = mkdtempSync(join(tmpdir(), 'airdesk-clip-calls-'));
const [first, second] = [join(folder, 'first'), join(folder, 'second')];
let stage: CollectionStage;
let deps: ClipCallsDeps;
const jobs: (readonly [ClipJobBody, string])[] = [];

const JOB: ShownClipJob = {
  id: 'j1',
  by: 'ana',
  status: 'running',
  createdMs: 1,
  startedMs: 2,
  finishedMs: null,
  failure: null,
  files: [],
  request: {
    inputFiles: ['ads/a.mov'],
    filters: [],
    leadInMs: 0,
    location: 'ads',
    outputFile: 'a_processed_1.mp4',
  },
};

beforeAll(async () => {
  mkdirSync(join(first, 'sub'), { recursive: true });
  mkdirSync(second);
  writeFileSync(join(first, 'a.mov'), 'abc');

  writeFileSync(join(second, 'b.mov'), 'abcd');
  for (const path of [join(first, 'a.mov'), join(second, 'b.mov')]) utimesSync(path, 0, 1_795_000_000);
  writeFileSync(join(second, '.hidden'), '');
  stage = await CollectionStage.start(
    `http 80; vod ads { storage ${first}; storage ${second}; } vod far { storage s3://bucket; } file_processor { path ads; } stream cam { input fake://; }`,
  );
  const clips: ClipCallsDeps['clips'] = {
    ...stage.clipCalls.clips,
    list: () => [JOB, { ...JOB, id: 'j2' }],
    progress: () => ({ part: 0.5 }),
    create: (body, by) => {
      jobs.push([body, by]);
      return Promise.resolve(JOB);
    },
  };
  deps = { ...stage.clipCalls, clips };
});
afterAll(async () => {
  await stage.close();
  rmSync(folder, { recursive: true });
});

const calls = () => forCaller(clipCalls(deps), { mayRead: true, mayWrite: true, who: 'ana', address: '' });
const files = (location: string, below = '', after = ''): ReturnType<ReturnType<typeof calls>['clips.files']> =>
  calls()['clips.files']({ location, folder: below, after });

describe('the clip calls about files of VOD locations', () => {
  it('list the files of all local storages together', async () => {
    expect(await calls()['clips.locations']({})).toEqual({ locations: ['ads'], target: 'ads' });
    expect(await files('ads')).toEqual({
      files: [
        { name: 'a.mov', path: 'ads/a.mov', isFolder: false, sizeBytes: 3, modifiedAt: 1_795_000_000_000 },
        { name: 'b.mov', path: 'ads/b.mov', isFolder: false, sizeBytes: 4, modifiedAt: 1_795_000_000_000 },
        { name: 'sub', path: 'ads/sub', isFolder: true, sizeBytes: 0, modifiedAt: null },
      ],
      isMore: false,
    });
    expect(await files('ads', 'sub')).toEqual({ files: [], isMore: false });
  });

  it('return pages, with each file once', async () => {
    for (let index = 0; index < CLIP_FILES_MAX + 5; index++)
      writeFileSync(join(first, 'sub', `${1000 + index}.mp4`), '');
    const page = await files('ads', 'sub');
    const rest = await files('ads', 'sub', page.files.at(-1)?.name);
    expect([page.files.length, page.isMore, rest.files.length, rest.isMore]).toEqual([CLIP_FILES_MAX, true, 5, false]);
  });

  it('refuse other locations and folders', async () => {
    for (const [location, below, code] of [
      ['none', '', 'vod_not_found'],
      ['far', '', 'vod_not_found'],
      ['ads', 'none', 'vod_path_not_found'],
      ['ads', '../second', 'vod_path_not_found'],
    ] as const)
      await expect(files(location, below), `${location} ${below}`).rejects.toMatchObject({ code });
  });
});

describe('the clip calls about jobs', () => {
  it('list jobs with their progress, newest first', async () => {
    const { jobs } = await calls()['clips.jobs']({});
    expect(jobs.map(({ id, progress }) => [id, progress])).toEqual([
      ['j2', 50],
      ['j1', 50],
    ]);
  });

  it('refuse to conform a clip to a stream that is not on air', async () => {
    const conform = calls()['clips.conform'];
    await expect(conform({ path: 'ads/a.mov', name: 'cam' })).rejects.toMatchObject({ code: 'stream_not_running' });
    await expect(conform({ path: 'ads/a.mov', name: 'none' })).rejects.toMatchObject({ code: 'stream_not_running' });
  });

  it('conform a clip to the format of the stream, and cut it at the in and out points', async () => {
    const track = { id: 'v1', content: 'video', codec: 'h264', width: 640, height: 360, sarWidth: 1, sarHeight: 1 };
    const entry = { status: { tracks: [{ track, bitrate: 900_000 }] } };
    // Nothing else of a stream is read.
    deps = { ...deps, streams: { get: () => entry } as unknown as ClipCallsDeps['streams'] };
    const request = { path: 'ads/sub/Summer 1.mov.mp4', name: 'cam' };
    expect(await calls()['clips.conform']({ ...request, startMs: 1000, stopMs: 3000 })).toMatchObject({ id: 'j1' });
    const [body, by] = jobs.at(-1) ?? [];
    expect([by, body?.input_files, body?.output_file]).toEqual(['ana', ['ads/sub/Summer 1.mov.mp4'], 'Summer 1']);
    expect(body?.filters).toMatchObject([
      { group: 'transcoder', transcoder: { tracks: [{ track_id: 'v1', width: 640, bitrate: 900 }] } },
      { group: 'crop', crop: { start: 0, stop: 1000 } },
      { group: 'crop', crop: { start: 3000, stop: 3_600_000 } },
    ]);
    await expect(calls()['clips.conform']({ ...request, startMs: 5, stopMs: 5 })).rejects.toMatchObject({
      code: 'bad_value',
    });
  });
});
