import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExportJobObject } from '../../../src-preload/contract/api/export-job-object.ts';
import { AirdeskProcess } from '../../helpers/airdesk-process.ts';
import { checkSums } from '../../helpers/check-sums.ts';
import { decodedFrames, decodeTogether } from '../../helpers/decoded-frames.ts';
import { until } from '../../helpers/until.ts';

// Archive ranges exported as files, as specified by `dvr_export_jobs`.

const JOBS = '/streamer/api/v3/dvr_export_jobs';
let server: AirdeskProcess;
/** Start of the first segment in epoch milliseconds. */
let fromMs = 0;

beforeAll(async () => {
  server = await AirdeskProcess.start(
    'dvr main { root archive; }\nvod clips { storage clips; }\nstream other { input copy://cam; segment_duration 1; dvr @main; }\nstream cam { input fake://?width=320&height=180&bitrate=200; segment_duration 1; dvr @main; }',
  );
  await until(
    '10 recorded seconds',
    async () => {
      const { ranges } = (await (await fetch(`${server.url}/streamer/api/v3/streams/cam/dvr/ranges`)).json()) as {
        ranges: { from: number; duration: number }[];
      };
      fromMs = (ranges[0]?.from ?? 0) * 1000;
      return (ranges[0]?.duration ?? 0) >= 10;
    },
    60_000,
  );
});

afterAll(async () => {
  await server.dispose();
});

interface ExportBody {
  readonly status: number;
  readonly body: ExportJobObject & {
    readonly error: string | null;
    readonly errors?: { source?: { pointer?: string } }[];
  };
  readonly headers: Headers;
}

async function startExport(body: object, headers: Readonly<Record<string, string>> = {}): Promise<ExportBody> {
  const response = await fetch(`${server.url}${JOBS}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });
  return { status: response.status, body: (await response.json()) as ExportBody['body'], headers: response.headers };
}

async function over(id: string): Promise<ExportJobObject> {
  return until(
    'the end of the export',
    async () => {
      const response = await fetch(`${server.url}${JOBS}/${id}`).catch(() => undefined);
      const job = response?.ok ? ((await response.json()) as ExportJobObject) : undefined;
      return job?.status === 'done' || job?.status === 'failed' ? job : undefined;
    },
    60_000,
  );
}

function dataFolder(): string {
  return join(server.folder, 'data');
}

/** Pictures that ffmpeg decodes from an address. */
function shownPictures(address: string): string[] {
  const args = [
    '-v',
    'error',
    '-nostdin',
    '-i',
    address,
    '-map',
    '0:v:0',
    '-fps_mode',
    'passthrough',
    '-f',
    'framemd5',
    '-',
  ];
  const lines = execFileSync('ffmpeg', args, { encoding: 'utf8', maxBuffer: 64 << 20 }).split('\n');
  return lines.flatMap((line) => (line === '' || line.startsWith('#') ? [] : [line.split(',')[5]?.trim() ?? '']));
}

/** Pictures of all blocks on the disk. */
function recordedPictures(): string[] {
  const folder = join(dataFolder(), 'archive');
  const blocks = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /[0-9]{2}\.mp4$/.test(path),
  );
  const files = blocks
    .filter((path) => path.startsWith('cam'))
    .sort()
    .map((path) => ({ bytes: readFileSync(join(folder, path)), format: 'mp4' as const }));
  decodeTogether(files);
  return files.flatMap(({ bytes, format }) => decodedFrames(bytes, format).video);
}

describe('dvr_export_jobs', () => {
  it.each([
    ['a VOD location, as MP4', { packing: 'mp4', path: 'clips/day/one.mp4' }, /\/clips\/day\/one\.mp4$/],
    ['a VOD location, as MPEG-TS, without the ending', { packing: 'ts', path: 'clips/two' }, /\/clips\/two\.ts$/],
    ['the export folder of the archive', {}, /\/archive\/\.exports\/cam\/cam-[0-9TZ-]+-4s\.mp4$/],
  ] as const)('exports to %s: the pictures of the archive, with size and hash', async (_, where, path) => {
    const created = await startExport({ name: 'cam', from: fromMs + 2000, duration: 4000, ...where });
    expect([created.status, created.headers.get('location')]).toEqual([201, `${JOBS}/${created.body.id}`]);
    const job = await over(created.body.id);
    expect(job).toMatchObject({ status: 'done', error: null, progress: null, name: 'cam', created_by: 'local' });
    const [file] = job.files;
    expect(file?.path).toMatch(path);
    const bytes = readFileSync(file?.path ?? '');
    expect([file?.bytes, file?.sha256]).toEqual([bytes.length, createHash('sha256').update(bytes).digest('hex')]);
    const { video } = decodedFrames(bytes, job.packing);
    const all = recordedPictures();
    const at = all.indexOf(video[0] ?? '');
    expect(video.length).toBeGreaterThanOrEqual(100);
    expect(video).toEqual(all.slice(at, at + video.length));
    expect(readdirSync(join(file?.path ?? '', '..')).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('serves a file with a login, completely and from a byte position', async () => {
    const { body } = await startExport({ name: 'cam', from: fromMs + 2000, duration: 1000, path: 'clips/loaded.mp4' });
    const [file] = (await over(body.id)).files;
    const bytes = readFileSync(file?.path ?? '');
    const response = await fetch(`${server.url}${JOBS}/${body.id}/files/0`);
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="?loaded\.mp4"?$/);
    expect(Buffer.compare(Buffer.from(await response.arrayBuffer()), bytes)).toBe(0);
    const rest = await fetch(response.url, { headers: { range: 'bytes=1000-' } });
    expect([rest.status, Buffer.compare(Buffer.from(await rest.arrayBuffer()), bytes.subarray(1000))]).toEqual([
      206, 0,
    ]);
    const tar = await fetch(`${server.url}${JOBS}/${body.id}/files.tar`);
    expect(tar.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''loaded.tar");
    const archive = Buffer.from(await tar.arrayBuffer());
    expect(archive.length).toBe(Number(tar.headers.get('content-length')));
    const unpacked = execFileSync('tar', ['-xO', 'loaded/loaded.mp4'], { input: archive, maxBuffer: 1 << 28 });
    expect(Buffer.compare(unpacked, bytes)).toBe(0);
    const part = await fetch(tar.url, {
      headers: { range: 'bytes=700-', 'if-range': tar.headers.get('etag') ?? '' },
    });
    expect([part.status, part.headers.get('content-range')]).toEqual([
      206,
      `bytes 700-${archive.length - 1}/${archive.length}`,
    ]);
    expect(Buffer.compare(Buffer.from(await part.arrayBuffer()), archive.subarray(700))).toBe(0);
    const others = await Promise.all(
      [{ range: 'bytes=700-', 'if-range': '"other"' }, { range: `bytes=${archive.length}-` }].map(
        async (headers) => (await fetch(tar.url, { headers })).status,
      ),
    );
    expect(others).toEqual([200, 416]);
    const missing = await Promise.all(
      [`${JOBS}/${body.id}/files/1`, `${JOBS}/x/files/0`, '/-/download/x'].map(
        async (path) => (await fetch(server.url + path)).status,
      ),
    );
    expect(missing).toEqual([404, 404, 404]);
  });

  it('cuts exactly at the requested frames, and encodes only as much as needed', async () => {
    const created = await startExport({
      name: 'cam',
      from: fromMs + 2400,
      duration: 3000,
      exact: true,
      path: 'clips/exact.mp4',
    });
    const job = await over(created.body.id);
    expect([job.status, job.error, job.exact]).toEqual(['done', null, true]);
    const { video } = decodedFrames(readFileSync(job.files[0]?.path ?? ''), 'mp4');
    expect(video).toHaveLength(75);
    const all = recordedPictures();
    // There is a key frame each second: the pictures of whole seconds between the cuts are unchanged.
    expect(video.filter((picture) => all.includes(picture)).length).toBeGreaterThanOrEqual(50);
  });

  it('exports files that a VOD location plays with every picture', () => {
    for (const name of ['day/one.mp4', 'two.ts', 'exact.mp4']) {
      const { video } = decodedFrames(
        readFileSync(join(dataFolder(), 'clips', name)),
        name.endsWith('ts') ? 'ts' : 'mp4',
      );
      for (const form of ['v1/index.m3u8', 'index.mpd'])
        expect([name, form, shownPictures(`${server.url}/clips/${name}/${form}`)]).toEqual([name, form, video]);
    }
  });

  it('writes a file for each of several streams', async () => {
    const created = await startExport({
      names: ['cam', 'other'],
      from: fromMs + 3000,
      duration: 3000,
      path: 'clips/case',
    });
    const job = await over(created.body.id);
    expect([job.status, job.error, job.files.map(({ name }) => name)]).toEqual(['done', null, ['cam', 'other']]);
    expect(job.files.map(({ path }) => basename(dirname(path)))).toEqual(['cam', 'other']);
    const left = readdirSync(join(dataFolder(), 'clips', 'case'), { recursive: true, encoding: 'utf8' });
    expect(left.filter((path) => path.includes('.'))).toHaveLength(2);
    for (const { path, bytes, sha256 } of job.files) {
      const file = readFileSync(path);
      expect([bytes, sha256]).toEqual([file.length, createHash('sha256').update(file).digest('hex')]);
      expect(decodedFrames(file, 'mp4').video.length).toBeGreaterThanOrEqual(75);
    }
  });

  it('removes the files of a cancelled job in any state, and continues with the next job', async () => {
    const cancelled = Array.from({ length: 6 }, (_, index) => `clips/cancelled/${index}.mp4`);
    for (const [index, path] of cancelled.entries()) {
      const { body } = await startExport({ name: 'cam', from: fromMs, duration: 9000, exact: true, path });
      const address = `${server.url}${JOBS}/${body.id}`;
      // Some jobs are waiting, others have started.
      if (index % 2 === 0)
        await until(
          'the start of the export',
          async () => ((await (await fetch(address)).json()) as ExportJobObject).status !== 'queued',
          60_000,
        );
      expect((await fetch(address, { method: 'DELETE' })).status).toBe(204);
      expect((await fetch(address)).status).toBe(404);
    }
    const created = await startExport({ name: 'cam', from: fromMs, duration: 2000, path: 'clips/cancelled/last.mp4' });
    expect(await over(created.body.id)).toMatchObject({ status: 'done', error: null });
    const left = readdirSync(join(dataFolder(), 'clips', 'cancelled'));
    expect(left.filter((name) => name.endsWith('.tmp'))).toEqual([]);
    // A job that was done before its DELETE keeps its complete file.
    for (const name of left) decodedFrames(readFileSync(join(dataFolder(), 'clips', 'cancelled', name)), 'mp4');
  });

  it.each([
    ['nothing recorded', { name: 'cam', from: 1000, duration: 1000 }, [404, 'archive_empty', undefined]],
    ['an unknown stream', { name: 'none', from: 1000, duration: 1000 }, [404, 'archive_empty', undefined]],
    ['the future', { name: 'cam', from: 4_000_000_000_000, duration: 1 }, [404, 'archive_not_yet', '/duration']],
    ['no stream', { from: 1000, duration: 1000 }, [400, 'bad_value', '/name']],
    ['both', { name: 'cam', names: ['cam'], from: 1000, duration: 1 }, [400, 'bad_value', '/name']],
    ['an unknown key', { name: 'cam', from: 1, duration: 1, speed: 3 }, [400, 'unknown_key', '/speed']],
    [
      'missing tracks',
      { name: 'cam', from: 1, duration: 1, filter: { tracks: 'x1' } },
      [400, 'bad_value', '/filter/tracks'],
    ],
  ])('refuses %s', async (_, body, expected) => {
    const { status, body: answer } = await startExport(body);
    expect([status, answer.error, answer.errors?.[0]?.source?.pointer]).toEqual(expected);
  });

  it('refuses paths outside the location, and overwrites no file', async () => {
    mkdirSync(join(server.folder, 'outside'));
    symlinkSync(join(server.folder, 'outside'), join(dataFolder(), 'clips', 'link'));
    const paths: readonly (readonly [string, unknown])[] = [
      ['clips/../outside/a.mp4', [403, 'path_not_allowed']],
      ['clips/link/a.mp4', [403, 'path_not_allowed']],
      ['clips/.hidden.mp4', [403, 'path_not_allowed']],
      ['clips/day/one.mp4', [409, 'export_file_exists']],
      ['clips/a.ts', [400, 'bad_value']],
      ['elsewhere/a.mp4', [404, 'vod_not_found']],
    ];
    for (const [path, expected] of paths) {
      const { status, body } = await startExport({ name: 'cam', from: fromMs, duration: 1000, path });
      expect([path, [status, body.error]]).toEqual([path, expected]);
    }
    expect(readdirSync(join(server.folder, 'outside'))).toEqual([]);
  });

  it('runs a request with an Idempotency-Key once, lists jobs, and removes a job by DELETE', async () => {
    const body = { name: 'cam', from: fromMs, duration: 1000, path: 'clips/once.mp4' };
    const first = await startExport(body, { 'idempotency-key': 'one' });
    const again = await startExport(body, { 'idempotency-key': 'one' });
    expect([again.status, again.body.id, again.headers.get('idempotent-replayed')]).toEqual([
      201,
      first.body.id,
      'true',
    ]);
    const { id } = await over(first.body.id);
    const list = (await (await fetch(`${server.url}${JOBS}?status=done&sort=-created_at&limit=1`)).json()) as {
      dvr_export_jobs: ExportJobObject[];
    };
    expect(list.dvr_export_jobs.map((job) => job.id)).toEqual([id]);
    const remove = async (): Promise<number> =>
      (await fetch(`${server.url}${JOBS}/${id}`, { method: 'DELETE' })).status;
    expect([await remove(), await remove()]).toEqual([204, 404]);
    expect(existsSync(join(dataFolder(), 'clips', 'once.mp4'))).toBe(true);
  });

  it('exports a case into a folder: clips and stills of several streams, a manifest, and the hash of each file', async () => {
    const cases = `${server.url}/streamer/api/v3/dvr_cases`;
    const post = async (path: string, body: object): Promise<{ readonly id: string; readonly error?: string }> => {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${cases}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      return (await answer.json()) as { readonly id: string };
    };
    const { id } = await post('', { title: 'Goal / or not?', note: 'asked by the referee' });
    expect((await post(`/${id}/export`, {})).error).toBe('bad_value');
    const items = [
      { kind: 'clip', name: 'other', from: fromMs + 3400, to: fromMs + 5400, text: 'from the other side' },
      { kind: 'still', name: 'cam', from: fromMs + 4210 },
      { kind: 'mark', name: 'cam', from: fromMs + 4500, text: 'offside' },
      { kind: 'clip', name: 'cam', from: fromMs + 2400, to: fromMs + 5400 },
      { kind: 'clip', name: 'cam', from: fromMs - 3_600_000, to: fromMs - 3_599_000, text: 'before all of it' },
    ];
    for (const item of items) await post(`/${id}/items`, item);
    expect((await post(`/${id}/export`, { path: 'clips/day' })).error).toBe('export_file_exists');
    const job = await over((await post(`/${id}/export`, { path: 'clips/goal' })).id);
    expect(job).toMatchObject({ status: 'done', error: null, case: { id, title: 'Goal / or not?' } });
    const folder = join(dataFolder(), 'clips', 'goal');
    const names = readdirSync(folder).sort();
    expect(names).toHaveLength(6);
    expect(names.map((name) => name.replace(/-[0-9]{4}-[0-9]{2}-[0-9]{2}T.*(?=\.)/, ''))).toEqual([
      '001-other.mp4',
      '002-cam.jpg',
      '004-cam.mp4',
      'MISSING.txt',
      'SHA256SUMS',
      'manifest.json',
    ]);
    expect(checkSums(folder)).toHaveLength(5);
    expect(readFileSync(join(folder, 'MISSING.txt'), 'utf8')).toMatch(
      /^005 clip cam .* before all of it: Nothing was recorded/,
    );
    for (const { path, bytes, sha256 } of job.files) {
      const file = readFileSync(path);
      expect([bytes, sha256]).toEqual([file.length, createHash('sha256').update(file).digest('hex')]);
    }
    const frames = (start: string): number =>
      decodedFrames(readFileSync(join(folder, names.find((name) => name.startsWith(start)) ?? '')), 'mp4').video.length;
    expect([frames('001'), frames('004')]).toEqual([50, 75]);
    const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as {
      readonly items: readonly { readonly kind: string; readonly files: readonly { readonly name: string }[] }[];
    };
    expect(manifest.items.map(({ kind, files }) => [kind, ...files.map(({ name }) => name.slice(0, 3))])).toEqual([
      ['clip', '001'],
      ['still', '002'],
      ['mark'],
      ['clip', '004'],
      ['clip'],
    ]);
    const { id: none } = await post('', { title: 'nothing of it' });
    await post(`/${none}/items`, { kind: 'still', name: 'cam', from: fromMs - 3_600_000 });
    expect((await post(`/${none}/export`, {})).error).toBe('archive_empty');
  });

  it('continues after a crash of the server, and leaves no unfinished file', async () => {
    const created = await Promise.all(
      ['k1', 'k2', 'k3'].map((name) =>
        startExport({
          name: 'cam',
          from: fromMs + 1400,
          duration: 8000,
          exact: true,
          path: `clips/killed/${name}.mp4`,
        }),
      ),
    );
    const address = `${server.url}${JOBS}/${created[0]?.body.id ?? ''}`;
    const isRunning = async (): Promise<boolean> =>
      ((await (await fetch(address)).json()) as ExportJobObject).status !== 'queued';
    await until('the start of the export', isRunning, 60_000);
    await server.crash();
    for (const { body } of created) {
      const job = await over(body.id);
      expect(job).toMatchObject({ status: 'done', error: null, detail: null });
      const bytes = readFileSync(job.files[0]?.path ?? '');
      expect(job.files[0]?.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
      expect(decodedFrames(bytes, 'mp4').video).toHaveLength(200);
    }
    expect(readdirSync(join(dataFolder(), 'clips', 'killed')).sort()).toEqual(['k1.mp4', 'k2.mp4', 'k3.mp4']);
  });
});
