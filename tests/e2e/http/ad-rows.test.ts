import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AdExplanation } from '../../../src-preload/contract/api/ad-objects.ts';
import type { ClipJobObject } from '../../../src-preload/contract/api/file-processor-object.ts';
import type { MediaInfo } from '../../../src-preload/contract/media-info.ts';
import { AirdeskProcess } from '../../helpers/airdesk-process.ts';
import { allow, AuthBackend } from '../../helpers/auth-backend.ts';
import { until } from '../../helpers/until.ts';

// Every row of the specification of advertisements against the running server.

const API = '/streamer/api/v3';
const LIMIT_MS = 60_000;
const CLIP_SECONDS = 3;

const folder = mkdtempSync(join(tmpdir(), 'airdesk-ad-rows-'));
let server: AirdeskProcess;
let backend: AuthBackend;
let target: MediaInfo;
let job: ClipJobObject;
let number = 0;

beforeAll(async () => {
  const sources = [
    ...['-f', 'lavfi', '-i', `testsrc=size=400x300:rate=30:duration=${CLIP_SECONDS}`],
    ...['-f', 'lavfi', '-i', `sine=frequency=300:sample_rate=44100:duration=${CLIP_SECONDS}`],
  ];
  execFileSync('ffmpeg', [
    '-v',
    'error',
    '-nostdin',
    ...sources,
    '-c:v',
    'mpeg4',
    '-c:a',
    'mp3',
    join(folder, 'raw.mkv'),
  ]);
  writeFileSync(join(folder, 'answer.json'), JSON.stringify({ ad_inject: { v: 1, preroll: 'ads/a.mp4' } }));
  backend = await AuthBackend.start();
  server = await AirdeskProcess.start(
    `vod ads { storage ${folder}; }\nstream cam { input fake://?width=320&height=180&bitrate=300; segment_duration 1; on_play ${backend.url}/cam; }\nstream tried { input copy://cam; segment_duration 1; on_play ${folder}/answer.json; }\n`,
  );
  target = await until(
    'media info',
    async () => {
      const { stats } = await read<{ stats: { media_info: MediaInfo | null } }>(`${API}/streams/cam`);
      return stats.media_info?.tracks.length === 2 ? stats.media_info : undefined;
    },
    LIMIT_MS,
  );
  expect((await send('PUT', `${API}/file_processor`, { path: 'ads' })).status).toBe(200);
  const filters = [{ group: 'transcoder', transcoder: target }];
  const made = await send('POST', `${API}/file_processor/jobs`, {
    input_files: ['raw.mkv'],
    output_file: 'one',
    filters,
  });
  expect(made.status).toBe(201);
  // What the interface answers by its document.
  job = (await made.json()) as ClipJobObject;
  await until('the file that grows', () => existsSync(join(folder, `${job.output_file}.tmp`)), LIMIT_MS);
  job = await until(
    'the clip',
    async () => {
      const now = await read<ClipJobObject>(`${API}/file_processor/jobs/${job.id}`);
      return now.status === 'done' || now.status === 'error' ? now : undefined;
    },
    LIMIT_MS,
  );
  for (const name of ['a.mp4', 'b.mp4']) copyFileSync(join(folder, job.output_file), join(folder, name));
  // A clip is left out as long as it may still be written, and its index is not made.
  for (const path of ['ads/a.mp4', 'ads/b.mp4'])
    await until(path, async () => (await new Viewer({ v: 1, preroll: [path] }).explain()).shown.length > 0, LIMIT_MS);
});

afterAll(async () => {
  await server.dispose();
  await backend.close();
  rmSync(folder, { recursive: true });
});

async function read<Body>(path: string): Promise<Body> {
  // What the interface answers by its document.
  return (await (await fetch(`${server.url}${path}`)).json()) as Body;
}

async function send(method: string, path: string, body: object): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return fetch(`${server.url}${path}`, { method, headers, body: JSON.stringify(body) });
}

/** A viewer with a decision of their own. */
class Viewer {
  readonly token = `row-${number++}`;

  constructor(answer: object) {
    backend.byToken.set(this.token, allow({}, JSON.stringify({ ad_inject: answer })));
  }

  async load(path: string): Promise<string> {
    const separator = path.includes('?') ? '&' : '?';
    return (await fetch(`${server.url}/cam/${path}${separator}token=${this.token}`)).text();
  }

  async explain(): Promise<AdExplanation> {
    await this.load('index.m3u8');
    await this.load('v1/index.m3u8');
    const id = backend.askedAbout(this.token).at(-1)?.facts['session_id'] ?? '';
    return read<AdExplanation>(`${API}/streams/cam/ads/explain?session=${id}`);
  }

  /** What is planned, once it is so much. */
  async shown(count: number): Promise<AdExplanation['shown']> {
    return until(
      `${count} clips`,
      async () => {
        const { shown } = await this.explain();
        return shown.length >= count ? shown : undefined;
      },
      LIMIT_MS,
    );
  }
}

async function faultsOf(answer: object): Promise<string[]> {
  return (await new Viewer(answer).explain()).faults;
}

function paths(shown: AdExplanation['shown']): string[] {
  return shown.map(({ path, placement }) => `${placement} ${path}`);
}

async function playlistOf(answer: object): Promise<string> {
  const viewer = new Viewer(answer);
  await viewer.shown(1);
  return viewer.load('v1/index.m3u8');
}

async function splice(): Promise<void> {
  const made = await send('POST', `${API}/streams/cam/ads/splice_insert`, { duration: 8 });
  expect(made.status).toBeLessThan(300);
}

/** What the specification says, in its order, and what shows that it is so. */
const ROWS: readonly (readonly [row: string, check: () => Promise<void>])[] = [
  [
    'inserts on the server side, driven by the answer of the authorization backend',
    async () => {
      expect(paths(await new Viewer({ preroll: ['ads/a.mp4'] }).shown(1))).toContain('preroll ads/a.mp4');
      expect((await new Viewer({}).explain()).shown).toEqual([]);
    },
  ],
  [
    'inserts by an interval or by SCTE-35 marks',
    async () => {
      const interval = new Viewer({ midroll: 'ads/a.mp4', midroll_interval: 1 });
      const splicing = new Viewer({ midroll: 'ads/a.mp4', midroll_insert_by: 'splicing' });
      await splicing.explain();
      expect(paths(await interval.shown(1))[0]).toBe('midroll ads/a.mp4');
      expect((await splicing.explain()).shown).toEqual([]);
      await splice();
      expect((await splicing.shown(2)).length).toBeGreaterThanOrEqual(2);
    },
  ],
  [
    'plays over HLS and DASH only',
    async () => {
      const viewer = new Viewer({ v: 1, preroll: 'ads/a.mp4' });
      expect(await viewer.load('index.mpd')).toContain('<Period');
      expect((await viewer.explain()).shown).toHaveLength(1);
      const other = new Viewer({ preroll: 'ads/a.mp4' });
      const abort = new AbortController();
      const answered = await fetch(`${server.url}/cam/mpegts?token=${other.token}`, { signal: abort.signal });
      const id = backend.askedAbout(other.token).at(-1)?.facts['session_id'] ?? '';
      expect((await read<AdExplanation>(`${API}/streams/cam/ads/explain?session=${id}`)).shown).toEqual([]);
      expect(answered.status).toBe(200);
      abort.abort();
    },
  ],
  [
    'takes clips of VOD locations only',
    async () => {
      expect(await faultsOf({ preroll: 'http://ads.example/a.mp4' })).toHaveLength(1);
      expect(await faultsOf({ preroll: `${folder}/a.mp4` })).toHaveLength(1);
      expect((await new Viewer({ preroll: 'none/a.mp4' }).explain()).clips).toMatchObject([
        { state: 'clip_not_found' },
      ]);
    },
  ],
  [
    'the preview plays no ads; embed.html is checked with',
    async () => {
      const viewer = new Viewer({ preroll: 'ads/a.mp4' });
      expect(await viewer.load('embed.html')).toContain('</html>');
    },
  ],
  [
    'v: 1 or 2',
    async () => {
      expect(await faultsOf({ v: 3, preroll: 'ads/a.mp4' })).toHaveLength(1);
      expect(await playlistOf({ v: 1, preroll: 'ads/a.mp4' })).toMatch(/^[a-z0-9]+-\d+\.m4s/m);
      expect(await playlistOf({ preroll: 'ads/a.mp4' })).not.toMatch(/^[a-z0-9]+-\d+\.m4s/m);
    },
  ],
  [
    'preroll: list of clips',
    async () => {
      expect(paths(await new Viewer({ v: 1, preroll: ['ads/a.mp4', 'ads/b.mp4'] }).shown(2))).toEqual([
        'preroll ads/a.mp4',
        'preroll ads/b.mp4',
      ]);
      expect(await faultsOf({ preroll: Array.from({ length: 101 }, () => 'ads/a.mp4') })).toHaveLength(1);
    },
  ],
  [
    'preroll as a single string: accepted',
    async () => {
      expect(await faultsOf({ preroll: 'ads/a.mp4' })).toEqual([]);
    },
  ],
  [
    'midroll: list of clips, in their order',
    async () => {
      const viewer = new Viewer({ v: 1, midroll: ['ads/b.mp4', 'ads/a.mp4'], midroll_interval: 1 });
      expect(paths(await viewer.shown(2)).slice(0, 2)).toEqual(['midroll ads/b.mp4', 'midroll ads/a.mp4']);
    },
  ],
  [
    'midroll_insert_by: splicing, all clips in a circle until the end',
    async () => {
      const viewer = new Viewer({ v: 1, midroll: ['ads/a.mp4', 'ads/b.mp4'], midroll_insert_by: 'splicing' });
      await viewer.explain();
      await splice();
      expect(paths(await viewer.shown(3)).slice(0, 3)).toEqual(
        ['ads/a.mp4', 'ads/b.mp4', 'ads/a.mp4'].map((path) => `midroll ${path}`),
      );
    },
  ],
  [
    'midroll_insert_by: interval where it is absent',
    async () => {
      const { notes } = await new Viewer({ midroll: 'ads/a.mp4' }).explain();
      expect(notes).toEqual([expect.stringContaining('midroll_interval')]);
      expect(await faultsOf({ midroll: 'ads/a.mp4', midroll_insert_by: 'cue' })).toHaveLength(1);
    },
  ],
  [
    'midroll_interval: whole seconds',
    async () => {
      expect(await faultsOf({ midroll: 'ads/a.mp4', midroll_interval: 1.5 })).toHaveLength(1);
      expect(await faultsOf({ midroll: 'ads/a.mp4', midroll_interval: 0 })).toHaveLength(1);
    },
  ],
  [
    'a clip whose media info differs is not inserted',
    async () => {
      const source = ['-f', 'lavfi', '-i', 'testsrc=size=64x64:rate=25:duration=2'];
      const coding = ['-c:v', 'libx264', '-g', '25', '-pix_fmt', 'yuv420p', join(folder, 'odd.mp4')];
      execFileSync('ffmpeg', ['-v', 'error', '-nostdin', ...source, ...coding]);
      const { clips, shown } = await new Viewer({ preroll: 'ads/odd.mp4' }).explain();
      expect(clips).toMatchObject([{ state: 'clip_differs' }]);
      expect(shown).toEqual([]);
    },
  ],
  [
    'the GOP of a clip is one second',
    async () => {
      const probe = ['-v', 'error', '-select_streams', 'v', '-show_entries', 'packet=pts_time,flags', '-of', 'csv=p=0'];
      const packets = execFileSync('ffprobe', [...probe, join(folder, 'a.mp4')], { encoding: 'utf8' });
      const keys = packets.split('\n').filter((line) => line.includes('K'));
      expect(keys.map((line) => Math.round(Number(line.split(',')[0])))).toEqual([0, 1, 2]);
      return Promise.resolve();
    },
  ],
  [
    'GET /{name}/info.json and the stream: the media info',
    async () => {
      const info = await new Viewer({}).load('info.json');
      expect(JSON.parse(info)).toMatchObject({ stats: { media_info: { tracks: target.tracks.map(() => ({})) } } });
      expect(target.tracks).toHaveLength(2);
    },
  ],
  [
    'PUT file_processor: path is the name of a location',
    async () => {
      expect((await send('PUT', `${API}/file_processor`, { path: 'none' })).status).toBe(404);
      expect(await (await send('PUT', `${API}/file_processor`, { path: 'ads' })).json()).toEqual({ path: 'ads' });
    },
  ],
  [
    'POST file_processor/jobs: input_files, output_file with a suffix, filters',
    async () => {
      expect(job).toMatchObject({ status: 'done', differences: [] });
      expect(job.output_file).toMatch(/^one_processed_\d{10}\.mp4$/);
      expect(existsSync(join(folder, job.output_file))).toBe(true);
      expect((await send('POST', `${API}/file_processor/jobs`, { output_file: 'x', filters: [] })).status).toBe(400);
      return Promise.resolve();
    },
  ],
  [
    'a .tmp file while a job runs, the clip when it ends',
    async () => {
      expect(existsSync(join(folder, `${job.output_file}.tmp`))).toBe(false);
      return Promise.resolve();
    },
  ],
  [
    'a static JSON file as a backend',
    async () => {
      await until(
        'a clip in the playlist',
        async () => {
          await fetch(`${server.url}/tried/index.m3u8?token=file`);
          const playlist = await (await fetch(`${server.url}/tried/v1/index.m3u8?token=file`)).text();
          return /^[a-z0-9]+-\d+\.m4s/m.test(playlist);
        },
        LIMIT_MS,
      );
    },
  ],
  [
    'event ad_inject for ads that are shown',
    async () => {
      const viewer = new Viewer({ v: 1, preroll: 'ads/a.mp4' });
      const [name = ''] =
        /[a-z0-9]+-\d+\.m4s/.exec(
          await until(
            'a clip',
            async () => {
              await viewer.explain();
              const text = await viewer.load('v1/index.m3u8');
              return /[a-z0-9]+-\d+\.m4s/.test(text) ? text : undefined;
            },
            LIMIT_MS,
          ),
        ) ?? [];
      const [line = ''] = new RegExp(`^.*${name}.*$`, 'm').exec(await viewer.load('v1/index.m3u8')) ?? [];
      expect((await (await fetch(`${server.url}/cam/v1/${line}`)).arrayBuffer()).byteLength).toBeGreaterThan(0);
      await until(
        'the row of the log',
        async () => {
          const id = backend.askedAbout(viewer.token).at(-1)?.facts['session_id'] ?? '';
          const { as_run: rows } = await read<{ as_run: { path: string }[] }>(`${API}/ads/as_run?session_id=${id}`);
          return rows[0]?.path === 'ads/a.mp4';
        },
        LIMIT_MS,
      );
    },
  ],
];

it.each(ROWS)('%s', async (_row, check) => {
  await check();
});
