import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AD_API, AD_CLIP_SECONDS, AdStage, isOfClip } from '../../helpers/ad-stage.ts';
import { allow, deny } from '../../helpers/auth-backend.ts';
import { undisturbed } from '../../helpers/machine-stalls.ts';
import { until } from '../../helpers/until.ts';

// Every row of the specification of advertisements, checked against the running server: heading, number or name, and
// text.

const LIMIT_MS = 60_000;
const ADS_A = 'ads/a.mp4';
const ADS_B = 'ads/b.mp4';
let stage: AdStage;

beforeAll(async () => {
  stage = await AdStage.start();
});
afterAll(async () => {
  await stage.close();
});

async function splice(seconds = 8): Promise<void> {
  const { status } = await stage.call('POST', `${AD_API}/streams/cam/ads/splice_insert`, { duration: seconds });
  expect(status).toBeLessThan(300);
}

/** File that differs from the clips in the given ffmpeg options. */
function otherClip(name: string, coding: readonly string[]): void {
  const level = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', ...coding, join(stage.folder, name)];
  execFileSync('ffmpeg', ['-v', 'error', '-nostdin', '-i', join(stage.folder, 'a.mp4'), ...level]);
}

/** Differences of a clip from the stream. */
async function differences(path: string): Promise<string[]> {
  // A viewer waits at most a second for a clip, and a busy machine may index the clip later.
  const { clips, shown } = await until(
    'a clip that is indexed',
    async () => {
      const explained = await stage.viewer({ preroll: path }).explain();
      return explained.clips.every(({ state }) => state !== 'clip_not_ready') && explained;
    },
    LIMIT_MS,
  );
  expect(shown).toEqual([]);
  expect(clips).toMatchObject([{ path, state: 'clip_differs' }]);
  return clips.flatMap((clip) => clip.differences.map(({ field }) => field));
}

async function refuses(fault: object): Promise<void> {
  expect(await stage.faults({ preroll: ADS_A, ...fault })).toHaveLength(1);
}

/** Times of the key frames of a clip, in whole seconds. */
function keySeconds(name: string): number[] {
  const probe = ['-v', 'error', '-select_streams', 'v', '-show_entries', 'packet=pts_time,flags', '-of', 'csv=p=0'];
  return execFileSync('ffprobe', [...probe, join(stage.folder, name)], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes('K'))
    .map((line) => Math.round(Number(line.split(',')[0])));
}

type Row = readonly [section: string, row: string, check: () => Promise<void> | void];

const SERVICE: readonly Row[] = [
  [
    'What the service does',
    '1: inserts on the server side, driven by the JSON of the authorization backend of the stream',
    async () => {
      expect(await stage.viewer({ preroll: [ADS_A] }).paths(1)).toEqual([`preroll ${ADS_A}`]);
      expect((await stage.viewer({}).explain()).shown).toEqual([]);
    },
  ],
  [
    'What the service does',
    '2: on a schedule (interval) or on SCTE-35 marks',
    () =>
      // The break starts immediately; after a stall of the machine it may have started already.
      undisturbed(async () => {
        const splicing = stage.viewer({ midroll: ADS_A, midroll_insert_by: 'splicing' });
        await splicing.explain();
        expect(await stage.viewer({ midroll: ADS_A, midroll_interval: 1 }).paths(1)).toEqual([`midroll ${ADS_A}`]);
        expect((await splicing.explain()).shown).toEqual([]);
        await splice(3);
        expect(await splicing.paths(1)).toEqual([`midroll ${ADS_A}`]);
      }),
  ],
  [
    'What the service does',
    '3: plays only over HLS and DASH',
    async () => {
      const dash = stage.viewer({ v: 1, preroll: ADS_A });
      expect(await dash.load('index.mpd')).toContain('<Period');
      expect((await dash.explained()).shown).toHaveLength(1);
      expect(await stage.viewer({ preroll: ADS_A }).paths(1)).toHaveLength(1);
      const other = stage.viewer({ preroll: ADS_A });
      const abort = new AbortController();
      const { signal } = abort;
      const answered = await fetch(`${stage.server.url}/cam/mpegts?token=${other.token}`, { signal });
      expect(answered.status).toBe(200);
      expect((await other.explained()).shown).toEqual([]);
      abort.abort();
    },
  ],
  [
    'What the service does',
    '4: clips of VOD locations only; no HTTP addresses, no paths of the file system',
    async () => {
      await refuses({ preroll: 'http://ads.example/a.mp4' });
      await refuses({ midroll: ['https://ads.example/a.mp4'] });
      await refuses({ preroll: `${stage.folder}/a.mp4` });
      for (const path of ['none/a.mp4', 'ads/../a.mp4', 'ads/%2e%2e/a.mp4'])
        expect((await stage.viewer({ preroll: path }).explain()).clips).toMatchObject([{ state: 'clip_not_found' }]);
    },
  ],
  [
    'What the service does',
    '5: the preview plays no ads; HLS, DASH and embed.html do',
    async () => {
      // Each viewer that the backend admits gets advertisements. The desk is admitted without the backend.
      stage.backend.byPath.set('/cam', allow({}, JSON.stringify({ ad_inject: { v: 1, preroll: ADS_A } })));
      const { view_query: query = '' } = await stage.server.call('server.info', {});
      expect(query).not.toBe('');
      const playlist = async (address: string): Promise<string> => {
        await fetch(`${stage.server.url}/cam/index.m3u8?${address}`);
        return (await fetch(`${stage.server.url}/cam/v1/index.m3u8?${address}`)).text();
      };
      expect(await playlist(query)).not.toMatch(/^[a-z0-9]+-\d+\.m4s/m);
      const page = await (await fetch(`${stage.server.url}/cam/embed.html?token=page`)).text();
      expect(page).toContain('</html>');
      expect(await playlist('token=page')).toMatch(/^[a-z0-9]+-\d+\.m4s/m);
    },
  ],
  [
    'What the service does',
    '6: plug-ins of browsers that hide ads: nothing in an address says that it is one',
    async () => {
      for (const v of [1, 2])
        for (const address of await stage.viewer({ v, preroll: ADS_A }).addresses())
          expect(address).toMatch(/^(?:[a-z0-9]+-)?\d+\.m4s\?token=viewer-\d+$/);
    },
  ],
];

const FIELDS: readonly Row[] = [
  [
    'ad_inject',
    'v: 1, separate segments, or 2, in segments of the main stream',
    async () => {
      expect((await stage.viewer({ v: 1, preroll: ADS_A }).addresses()).filter(isOfClip)).not.toEqual([]);
      expect((await stage.viewer({ v: 2, preroll: ADS_A }).addresses()).filter(isOfClip)).toEqual([]);
      for (const v of [0, 3, '1', null]) await refuses({ v });
    },
  ],
  [
    'ad_inject',
    'preroll: list of clips before viewing, as VOD location and file name',
    async () => {
      const decision = { v: 1, preroll: [ADS_B, ADS_A] };
      expect(await stage.viewer(decision).paths(2)).toEqual([`preroll ${ADS_B}`, `preroll ${ADS_A}`]);
      await refuses({ preroll: ['a.mp4'] });
      await refuses({ preroll: [1] });
    },
  ],
  [
    'ad_inject',
    'midroll: list of clips, in their order',
    async () => {
      const decision = { v: 1, midroll: [ADS_B, ADS_A], midroll_interval: 1 };
      expect(await stage.viewer(decision).paths(2)).toEqual([`midroll ${ADS_B}`, `midroll ${ADS_A}`]);
      await refuses({ midroll: ['a.mp4'] });
    },
  ],
  [
    'ad_inject',
    'midroll_insert_by: splicing or interval',
    async () => {
      for (const by of ['splicing', 'interval'])
        expect(await stage.faults({ midroll: ADS_A, midroll_interval: 60, midroll_insert_by: by })).toEqual([]);
      await refuses({ midroll_insert_by: 'cue' });
    },
  ],
  [
    'ad_inject',
    'midroll_interval: seconds between blocks of midrolls',
    async () => {
      const shown = await stage.viewer({ midroll: ADS_A, midroll_interval: 2 }).shown(2);
      const [first, second] = shown;
      expect((second?.at ?? 0) - (first?.at ?? 0)).toBe((AD_CLIP_SECONDS + 2) * 1000);
    },
  ],
];

const RULES: readonly Row[] = [
  [
    'Rules',
    '1: with splicing all midrolls play in a circle until the end of the block',
    () =>
      undisturbed(async () => {
        const viewer = stage.viewer({ v: 1, midroll: [ADS_A, ADS_B], midroll_insert_by: 'splicing' });
        await viewer.explain();
        await splice();
        const played = await until(
          'four clips of a break',
          async () => (await viewer.explain()).breaks.find(({ clips }) => clips.length === 4)?.clips,
          LIMIT_MS,
          async () => JSON.stringify(await viewer.explained()),
        );
        expect(played.map(({ path }) => path)).toEqual([ADS_A, ADS_B, ADS_A, ADS_B]);
      }),
  ],
  [
    'Rules',
    '2: with interval, after the preroll, the midrolls play every interval in their order',
    async () => {
      const viewer = stage.viewer({ preroll: ADS_A, midroll: [ADS_B, ADS_A], midroll_interval: 1 });
      const shown = await viewer.shown(4);
      expect(shown.slice(0, 4).map(({ path, placement }) => `${placement} ${path}`)).toEqual([
        `preroll ${ADS_A}`,
        `midroll ${ADS_B}`,
        `midroll ${ADS_A}`,
        `midroll ${ADS_B}`,
      ]);
      const from = shown[0]?.at ?? 0;
      // Expects a clip, a second of the stream, two clips, and a second of the stream.
      expect(shown.slice(0, 4).map(({ at }) => at - from)).toEqual([0, 3000, 5000, 8000]);
    },
  ],
  [
    'Rules',
    '3: preroll as a single string, not shown: accepted',
    async () => {
      const viewer = stage.viewer({ preroll: ADS_A });
      expect(await viewer.paths(1)).toEqual([`preroll ${ADS_A}`]);
      const rowOf = async (): Promise<Record<string, unknown> | undefined> =>
        stage.answerEvents().find(({ detail }) => String(detail).startsWith('preroll is a text'));
      const event = await until('the event', rowOf, LIMIT_MS);
      expect(event).toMatchObject({ media: 'cam', is_refused: false });
    },
  ],
  [
    'Rules',
    '4: midroll_insert_by that is absent, not shown: interval',
    async () => {
      const viewer = stage.viewer({ midroll: ADS_A });
      expect((await viewer.explain()).notes).toContainEqual(expect.stringContaining('midroll_interval'));
      expect(await stage.viewer({ midroll: ADS_A, midroll_interval: 1 }).paths(1)).toEqual([`midroll ${ADS_A}`]);
    },
  ],
  [
    'Rules',
    '5: a static JSON file as a test backend, without checking of tokens',
    async () => {
      for (const token of ['file', 'another'])
        await until(
          'a clip in the playlist',
          async () => {
            await fetch(`${stage.server.url}/tried/index.m3u8?token=${token}`);
            const playlist = await (await fetch(`${stage.server.url}/tried/v1/index.m3u8?token=${token}`)).text();
            return /^[a-z0-9]+-\d+\.m4s/m.test(playlist);
          },
          LIMIT_MS,
        );
    },
  ],
];

const CLIPS: readonly Row[] = [
  [
    'Ad clip requirements',
    '1: a clip whose media info is not that of the stream is ignored',
    async () => {
      otherClip('wide.mp4', ['-g', '25', '-s', '360x180', '-c:a', 'copy']);
      expect(await differences('ads/wide.mp4')).toContain('v1.width');
    },
  ],
  [
    'Ad clip requirements',
    '2: the GOP of a clip is one second',
    () => {
      expect(keySeconds('a.mp4')).toEqual(Array.from({ length: AD_CLIP_SECONDS }, (_, second) => second));
    },
  ],
  [
    'Ad clip requirements',
    '3: black frames at the begin of a preroll',
    async () => {
      const { stderr } = spawnSync(
        'ffmpeg',
        ['-nostdin', '-i', join(stage.folder, 'a.mp4'), '-vf', 'blackdetect=d=0.5', '-an', '-f', 'null', '-'],
        { encoding: 'utf8' },
      );
      expect(stderr).toMatch(/black_start:0 black_end:(?:1|0\.9\d*) /);
      // The viewer starts with the preroll.
      const [first = ''] = await stage.viewer({ v: 1, preroll: ADS_A }).addresses();
      expect(isOfClip(first)).toBe(true);
    },
  ],
  [
    'VOD location',
    'created with a name and a path on disk; clip names begin with its name',
    async () => {
      const location = { storages: [{ url: stage.folder }] };
      expect((await stage.call('PUT', `${AD_API}/vods/made`, location)).status).toBeLessThan(300);
      expect(await stage.viewer({ preroll: 'made/a.mp4' }).paths(1)).toEqual(['preroll made/a.mp4']);
    },
  ],
  [
    'VOD location',
    'a path in the cloud is taken, and its clips are said to be missing: such storages are not read',
    async () => {
      const location = { storages: [{ url: 's3://bucket/ads' }] };
      expect((await stage.call('PUT', `${AD_API}/vods/far`, location)).status).toBeLessThan(300);
      expect((await stage.viewer({ preroll: 'far/a.mp4' }).explain()).clips).toMatchObject([
        { state: 'clip_not_found' },
      ]);
    },
  ],
];

const PROCESSOR: readonly Row[] = [
  [
    'file_processor',
    'path: name of the VOD location of the results',
    async () => {
      expect(await stage.read(`${AD_API}/file_processor`)).toEqual({ path: 'ads' });
      expect((await stage.call('PUT', `${AD_API}/file_processor`, { path: 'none' })).status).toBe(404);
    },
  ],
  [
    'file_processor',
    'input_files: list of source files',
    async () => {
      const job = { output_file: 'x', filters: [{ group: 'transcoder', transcoder: stage.target }] };
      expect(stage.job).toMatchObject({ input_files: ['raw.mkv'] });
      for (const [input, status] of [
        [{}, 400],
        [{ input_files: [] }, 400],
        [{ input_files: 'raw.mkv' }, 400],
        [{ input_files: ['none.mkv'] }, 404],
      ] as const)
        expect((await stage.call('POST', `${AD_API}/file_processor/jobs`, { ...job, ...input })).status).toBe(status);
    },
  ],
  [
    'file_processor',
    'output_file: base name; the answer has the final one, with a processed-and-timestamp suffix, which the backend names',
    () => {
      expect(stage.job?.output_file).toMatch(/^one_processed_\d{10}\.mp4$/);
      expect(stage.job).toMatchObject({ clip: `ads/${stage.job?.output_file ?? ''}` });
    },
  ],
  [
    'file_processor',
    'filters: group transcoder with the media info of the stream',
    async () => {
      expect(stage.job).toMatchObject({ status: 'done', differences: [] });
      const job = { input_files: ['raw.mkv'], output_file: 'x' };
      for (const filters of [undefined, [], [{ group: 'transcoder' }], [{ group: 'none' }]])
        expect((await stage.call('POST', `${AD_API}/file_processor/jobs`, { ...job, filters })).status).toBe(400);
    },
  ],
  [
    'file_processor',
    'a temporary file .tmp while the job runs; the final one appears when it ends',
    () => {
      const name = join(stage.folder, stage.job?.output_file ?? '');
      expect([stage.hadUnfinished, existsSync(name), existsSync(`${name}.tmp`)]).toEqual([true, true, false]);
    },
  ],
];

const ENDPOINTS: readonly Row[] = [
  [
    'Endpoints',
    'GET /{name}/info.json or the stream of the collection API: stats.media_info',
    async () => {
      const info = JSON.parse(await stage.viewer({}).load('info.json')) as object;
      const media = { tracks: stage.target.tracks.map(({ content, codec }) => ({ content, codec })) };
      expect(media.tracks).toHaveLength(2);
      expect(info).toMatchObject({ stats: { media_info: media } });
      expect(await stage.read(`${AD_API}/streams/cam`)).toMatchObject({ stats: { media_info: media } });
    },
  ],
  [
    'Endpoints',
    'PUT {api}/file_processor, answers the processor',
    async () => {
      const put = await stage.call('PUT', `${AD_API}/file_processor`, { path: 'ads' });
      expect(put).toEqual({ status: 200, body: { path: 'ads' } });
    },
  ],
  [
    'Endpoints',
    'POST {api}/file_processor/jobs, answers JSON with output_file',
    async () => {
      const job = { input_files: ['raw.mkv'], output_file: 'two.mp4' };
      const { status, body } = await stage.call('POST', `${AD_API}/file_processor/jobs`, {
        ...job,
        filters: [{ group: 'transcoder', transcoder: stage.target }],
      });
      expect([status, body]).toMatchObject([201, { output_file: /^two_processed_\d{10}\.mp4$/ }]);
      const { id } = body as { id: string };
      expect((await stage.call('DELETE', `${AD_API}/file_processor/jobs/${id}`)).status).toBe(204);
    },
  ],
  [
    'Endpoints',
    'the backend address that the stream has: JSON with ad_inject',
    async () => {
      const viewer = stage.viewer({ preroll: ADS_A });
      expect((await viewer.explain()).answer).toEqual({ preroll: ADS_A });
    },
  ],
  [
    'Endpoints',
    'a stream with a fake source and a backend of its own is created and inserts',
    async () => {
      const stream = {
        inputs: [{ url: 'copy://cam' }],
        on_play: { url: `${stage.backend.url}/made` },
        segment_duration: 1,
      };
      stage.backend.byPath.set('/made', allow({}, JSON.stringify({ ad_inject: { v: 1, preroll: ADS_A } })));
      expect((await stage.call('PUT', `${AD_API}/streams/made`, stream)).status).toBeLessThan(300);
      await until(
        'a clip in the playlist',
        async () => {
          await fetch(`${stage.server.url}/made/index.m3u8?token=made`);
          return /^[a-z0-9]+-\d+\.m4s/m.test(
            await (await fetch(`${stage.server.url}/made/v1/index.m3u8?token=made`)).text(),
          );
        },
        LIMIT_MS,
      );
      expect(stage.backend.requestsAbout('made').map(({ path }) => path)).toContain('/made');
    },
  ],
  [
    'Endpoints',
    'the request to the backend, not shown: GET with the facts of the session',
    async () => {
      const viewer = stage.viewer({});
      await viewer.load('index.m3u8');
      expect(stage.backend.requestsAbout(viewer.token)[0]?.facts).toMatchObject({
        name: 'cam',
        proto: 'hls',
        ip: '127.0.0.1',
        token: viewer.token,
        request_type: 'new_session',
        session_id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      });
    },
  ],
  [
    'Endpoints',
    'further fields of file_processor, not shown: a job says how it does',
    () => {
      expect(stage.job).toMatchObject({ id: expect.any(String) as string, status: 'done', lead_in: 1000 });
    },
  ],
];

const REST: readonly Row[] = [
  [
    'Authentication',
    '1: the backend also authorizes sessions by their token',
    async () => {
      const viewer = stage.viewer({ preroll: ADS_A });
      stage.backend.byToken.set(viewer.token, deny());
      const { status } = await fetch(`${stage.server.url}/cam/index.m3u8?token=${viewer.token}`);
      expect(status).toBe(403);
    },
  ],
  [
    'Authentication',
    '2: administrative calls take the Basic credentials of the administrator',
    async () => {
      for (const [method, path, body] of [
        ['PUT', '/file_processor', { path: 'ads' }],
        ['POST', '/file_processor/jobs', {}],
        ['GET', '/streams/cam', undefined],
      ] as const)
        expect((await stage.call(method, AD_API + path, body, 'admin:wrong')).status).toBe(401);
      expect((await stage.call('GET', `${AD_API}/streams/cam`)).status).toBe(200);
    },
  ],
  [
    'Events',
    '1: an event ad_inject for ads that viewers are shown, which a sink logs',
    async () => {
      const viewer = stage.viewer({ v: 1, preroll: ADS_A });
      const address = (await viewer.addresses()).find(isOfClip) ?? '';
      expect(stage.shownEvents().filter(({ session_id: id }) => id === viewer.sessionId)).toEqual([]);
      const answered = await fetch(`${stage.server.url}/cam/v1/${address}`);
      expect((await answered.arrayBuffer()).byteLength).toBeGreaterThan(0);
      // A browser that shows the clip again requests it again.
      const ofSome = await fetch(`${stage.server.url}/cam/tracks-v1/v1/${address}`);
      for (const { headers } of [answered, ofSome]) expect(headers.get('cache-control')).toBe('private, no-store');
      await ofSome.arrayBuffer();
      await until(
        'the event',
        () => stage.shownEvents().some(({ session_id: id }) => id === viewer.sessionId),
        LIMIT_MS,
      );
    },
  ],
  [
    'Events',
    '2: its fields, not shown: path, placement, duration, session, time, country and user',
    () => {
      expect(stage.shownEvents()[0]).toMatchObject({
        event: 'ad_inject',
        media: 'cam',
        path: ADS_A,
        placement: 'preroll',
        duration: AD_CLIP_SECONDS,
        midroll_insert_by: null,
        country: null,
        user_id: null,
        user_name: null,
        dts: expect.any(Number) as number,
      });
    },
  ],
  [
    'Limits',
    'GOP of a clip: one second; another one is not inserted',
    async () => {
      otherClip('rare.mp4', ['-g', '60', '-keyint_min', '60', '-sc_threshold', '0', '-c:a', 'copy']);
      expect(await differences('ads/rare.mp4')).toContain('gop_ms');
      // Pictures before a key frame that reference it, the default of x265.
      const open = 'open-gop=1:keyint=25:min-keyint=25:scenecut=0:bframes=4:b-adapt=0:log-level=none';
      otherClip('open.mp4', ['-vf', 'loop=1:50', '-c:v', 'libx265', '-x265-params', open, '-tag:v', 'hvc1', '-an']);
      expect(await differences('ads/open.mp4')).toContain('gop');
    },
  ],
  [
    'Limits',
    'begin of a preroll that players skip, 1 to 5 seconds: as much black can be put before it',
    async () => {
      const job = {
        input_files: ['raw.mkv'],
        output_file: 'x',
        filters: [{ group: 'transcoder', transcoder: stage.target }],
      };
      const created = await stage.call('POST', `${AD_API}/file_processor/jobs`, { ...job, lead_in: 5000 });
      expect(created).toMatchObject({ status: 201, body: { lead_in: 5000 } });
      const { id } = created.body as { id: string };
      expect((await stage.call('DELETE', `${AD_API}/file_processor/jobs/${id}`)).status).toBe(204);
    },
  ],
  [
    'Limits',
    'midroll_interval: whole seconds',
    async () => {
      for (const interval of [0, -1, 1.5, '60', 86_401]) await refuses({ midroll: ADS_A, midroll_interval: interval });
      for (const interval of [1, 86_400])
        expect(await stage.faults({ midroll: ADS_A, midroll_interval: interval })).toEqual([]);
    },
  ],
  [
    'Limits',
    'most clips of a list, not shown: 100',
    async () => {
      const clips = (length: number): string[] => Array.from({ length }, () => ADS_A);
      expect(await stage.faults({ preroll: clips(100), midroll: clips(100), midroll_interval: 60 })).toEqual([]);
      await refuses({ preroll: clips(101) });
      await refuses({ midroll: clips(101) });
    },
  ],
  [
    'Versioning',
    '1: v selects the mode; absent, not shown: 2',
    async () => {
      expect((await stage.viewer({ preroll: ADS_A }).addresses()).filter(isOfClip)).toEqual([]);
    },
  ],
];

it.each([...SERVICE, ...FIELDS, ...RULES, ...CLIPS, ...PROCESSOR, ...ENDPOINTS, ...REST])(
  '%s, %s',
  async (_section, _row, check) => {
    await check();
  },
);
