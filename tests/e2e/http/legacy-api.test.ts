import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  legacyClusterServersSchema,
  legacyDvrStatusSchema,
  legacyFilesSchema,
  legacyHealthSchema,
  legacyListFilesSchema,
  legacyMediaInfoSchema,
  legacyMediaSchema,
  legacyNoTranscoderSchema,
  legacyPlaylistSchema,
  legacyServerSchema,
  legacySessionsSchema,
  legacyTrueSchema,
} from '../../../src-preload/contract/api/legacy.ts';
import { dvrTotalsSchema } from '../../../src-preload/contract/api/dvr-object.ts';
import { AirdeskProcess } from '../../helpers/airdesk-process.ts';
import { ffmpeg, testSources } from '../../helpers/ffmpeg-media.ts';
import { until } from '../../helpers/until.ts';

const folder = mkdtempSync(join(tmpdir(), 'airdesk-clips-'));
const CONFIG = `
allowed_paths ${folder};
stream north/cam { input fake:// width=320 height=180; input fake:// width=160 height=90; input udp://127.0.0.1:9; }
stream channel { input playlist://${folder}/list.m3u; }
stream quiet { input publish://; dvr /mnt/archive 7d; }
vod clips { storage ${folder}; }
dvr main { root archive; disk a; }
peer south.example.org { api_url http://192.0.2.7:8080; cluster_key hidden; }
`;

let server: AirdeskProcess;

beforeAll(async () => {
  mkdirSync(join(folder, 'ads'));
  writeFileSync(
    join(folder, 'clip.ts'),
    ffmpeg([
      ...testSources(2, 1),
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-g',
      '25',
      '-c:a',
      'aac',
      '-f',
      'mpegts',
    ]),
  );
  writeFileSync(join(folder, 'list.m3u'), `${folder}/clip.ts\n`);
  server = await AirdeskProcess.start(CONFIG);
  await server.streamWhere(
    'north/cam',
    'frames',
    ({ alive, media_info: media }) => alive && media !== null && media.streams.length === 2,
  );
  await server.streamWhere('channel', 'an entry', ({ playlist }) => playlist !== undefined);
  await server.text('/north/cam/index.m3u8');
});
afterAll(async () => {
  await server?.dispose();
  rmSync(folder, { recursive: true });
});

interface Row {
  /** Row of the table in the specification. */
  readonly row: string;
  readonly path?: string;
  readonly body?: string;
  readonly type?: string;
  readonly status?: number;
  readonly schema: z.ZodType;
  readonly like?: unknown;
}

const error = (code: string): Pick<Row, 'schema' | 'like'> => ({
  schema: z.looseObject({
    errors: z.array(z.looseObject({ code: z.string(), status: z.string(), title: z.string() })),
    error: z.string(),
  }),
  like: { error: code },
});
const done: Pick<Row, 'schema' | 'like'> = {
  schema: z.strictObject({ success: z.literal(true) }),
  like: { success: true },
};
const config = z.looseObject({
  http: z.array(z.unknown()),
  streams: z.record(z.string(), z.looseObject({ name: z.string(), urls: z.array(z.looseObject({ url: z.string() })) })),
  lives: z.record(z.string(), z.looseObject({ prefix: z.string() })),
});
const files = `prefix=clips&path=${encodeURIComponent(folder)}`;
const FORM = 'application/x-www-form-urlencoded';

/** Every row of the legacy API, in an order in which the requests work. */
const ROWS: readonly Row[] = [
  { row: 'GET /server', schema: legacyServerSchema.strict(), like: { total_streams: 3 } },
  { row: 'GET /media', schema: z.array(legacyMediaSchema.strict()).length(3) },
  {
    row: 'GET /media',
    path: '/media?name=channel,nobody',
    schema: z.array(legacyMediaSchema.strict()).length(1),
    like: [{ entry: 'stream', value: { name: 'channel', stats: { running: true, hls: true } } }],
  },
  {
    row: 'GET /media_info/{name}',
    path: '/media_info/north/cam',
    schema: legacyMediaInfoSchema.strict(),
    like: {
      width: 320,
      height: 180,
      streams: [
        { content: 'audio', track_id: 'a1' },
        { content: 'video', track_id: 'v1', size: '320x180' },
      ],
    },
  },
  { row: 'GET /media_info/{name}', path: '/media_info/north%2Fcam', schema: legacyMediaInfoSchema.strict() },
  {
    row: 'GET /input_media_info/{name}',
    path: '/input_media_info/north/cam',
    schema: legacyNoTranscoderSchema.strict(),
    like: { error: 'no_transcoder' },
  },
  { row: 'GET /stream_health/{name}', path: '/stream_health/north/cam', schema: legacyHealthSchema.strict() },
  { row: 'GET /stream_health/{name}', path: '/stream_health/quiet', status: 424, ...error('stream_no_frames') },
  { row: 'GET /files', schema: legacyFilesSchema.strict(), like: { files: [] } },
  {
    row: 'GET /sessions',
    schema: legacySessionsSchema.strict().extend({ sessions: legacySessionsSchema.shape.sessions.min(1) }),
  },
  {
    row: 'GET /sessions',
    path: '/sessions?name=north/cam',
    schema: legacySessionsSchema.strict(),
    like: { name: 'north/cam', sessions: [{ name: 'north/cam', type: 'hls', ip: '127.0.0.1' }] },
  },
  { row: 'POST /close_sessions', body: 'nobody\nelse', schema: legacyTrueSchema },
  {
    row: 'GET /playlist/{name}',
    path: '/playlist/channel',
    schema: legacyPlaylistSchema.strict(),
    like: { current_entry: `${folder}/clip.ts`, current_type: 'file' },
  },
  { row: 'GET /playlist/{name}', path: '/playlist/north/cam', status: 404, ...error('playlist_not_open') },
  {
    row: 'GET /dvr_status/{year}/{month}/{day}/{name}',
    path: '/dvr_status/2026/11/21/north/cam',
    schema: legacyDvrStatusSchema,
    like: [],
  },
  {
    row: 'POST /dvr/delete',
    body: '{"stream":"quiet","from":1,"duration":60}',
    type: 'application/json',
    like: true,
    schema: legacyTrueSchema,
  },
  {
    row: 'GET /list_files',
    path: `/list_files?${files}&subpath=/`,
    schema: legacyListFilesSchema.strict(),
    like: {
      files: [
        { name: 'ads', type: 'directory', prefix: 'clips' },
        { name: 'clip.ts', type: 'file' },
        { name: 'list.m3u', type: 'file' },
      ],
    },
  },
  { row: 'GET /list_files', path: `/list_files?${files}&subpath=/..`, status: 404, ...error('vod_path_not_found') },
  {
    row: 'GET /cluster_servers',
    schema: legacyClusterServersSchema,
    like: { 'south.example.org': { is_peer: true, key: '********', ports: { http: 8080 } } },
  },
  { row: 'GET /read_config', schema: config },
  {
    row: 'GET /read_config',
    path: '/read_config?skip_streams=true&runtime=true',
    schema: z.looseObject({ version: z.string(), cpu_usage: z.number(), dvr: z.object({ stats: dvrTotalsSchema }) }),
    like: {
      total_streams: 3,
      dvrs: {
        main: { root: 'archive', disks: [{ path: 'a', stats: { migration_speed: null } }], stats: { streams: 0 } },
      },
    },
  },
  {
    row: 'POST /config/stream_create',
    body: 'stream made { input fake:// width=160 height=90; }',
    schema: done.schema,
    like: done.like,
  },
  {
    row: 'POST /modify_config',
    body: '{"streams":{"made":{"title":"A title"}}}',
    type: 'application/json',
    schema: config,
    like: { streams: { made: { title: 'A title' } } },
  },
  { row: '/stream_restart/{name}', path: '/stream_restart/north%2Fcam', schema: legacyTrueSchema },
  { row: '/stream_restart/{name}', path: '/stream_restart/nobody', status: 404, ...error('stream_not_found') },
  {
    row: '/stream_switch_source/{name}',
    path: '/stream_switch_source/north/cam?url=fake://',
    schema: legacyTrueSchema,
  },
  { row: '/stream_switch_source/{name}', path: '/stream_switch_source/north/cam', status: 400, ...error('bad_query') },
  {
    row: '/stream_switch_source/{name}',
    path: '/stream_switch_source/north/cam?url=udp://127.0.0.1:10',
    status: 404,
    ...error('input_not_found'),
  },
  { row: '/dvr_enable/{name}', path: '/dvr_enable/north/cam', status: 409, ...error('archive_not_kept') },
  { row: '/dvr_disable/{name}', path: '/dvr_disable/quiet', status: 200, schema: legacyTrueSchema },
  { row: 'POST /config/stream_delete', body: 'made', schema: done.schema, like: done.like },
  { row: '/reload', schema: legacyTrueSchema },
];

/** Table of the specification: methods and paths. */
const SPECIFIED = [
  ...[
    '/server',
    '/media',
    '/media_info/{name}',
    '/input_media_info/{name}',
    '/stream_health/{name}',
    '/files',
    '/sessions',
    '/playlist/{name}',
    '/dvr_status/{year}/{month}/{day}/{name}',
    '/list_files',
    '/cluster_servers',
    '/read_config',
  ].map((path) => `GET ${path}`),
  ...[
    '/close_sessions',
    '/dvr/delete',
    '/config/stream_delete',
    '/config/stream_create',
    '/modify_config',
    '/update_config',
    '/save_config',
  ].map((path) => `POST ${path}`),
  '/reload',
  '/stream_restart/{name}',
  '/stream_switch_source/{name}',
  '/dvr_enable/{name}',
  '/dvr_disable/{name}',
];

async function request(
  method: string,
  path: string,
  { body, type = FORM }: Pick<Row, 'body' | 'type'> = {},
): Promise<{ readonly status: number; readonly body: unknown }> {
  const response = await fetch(`${server.url}${path}`, {
    method,
    // Actions by GET require the header with which a browser proves a user action.
    headers: { 'sec-fetch-site': 'none', ...(body === undefined ? {} : { 'content-type': type }) },
    ...(body === undefined ? {} : { body }),
  });
  return { status: response.status, body: await response.json() };
}

describe('the legacy API', () => {
  const both = (row: string): readonly string[] => (row.startsWith('/') ? ['POST', 'GET'] : [row.split(' ')[0] ?? '']);

  it.each(ROWS)(
    'answers $row $path',
    async ({ row, path = row.replace(/^\w+ /, ''), status = 200, schema, like, ...rest }) => {
      for (const prefix of ['/mediaserver/api', '/flussonic/api']) {
        for (const method of both(row)) {
          // Each change is made only once.
          if (prefix.startsWith('/flussonic') && row.includes('/config/')) continue;
          const answer = await request(method, `${prefix}${path}`, rest);
          expect([method, prefix, answer.status, schema.safeParse(answer.body).error?.issues]).toEqual([
            method,
            prefix,
            status,
            undefined,
          ]);
          if (like !== undefined)
            expect(like === true ? { is: answer.body } : answer.body).toMatchObject(
              like === true ? { is: true } : (like as object),
            );
        }
      }
    },
  );

  it('applies complete texts, and writes them to the file', async () => {
    const text = await (
      await fetch(`${server.url}/mediaserver/api/v3/config`, { headers: { accept: 'text/plain' } })
    ).text();
    expect(text).toContain('stream channel');
    expect(
      await request('POST', '/mediaserver/api/update_config', {
        body: `${text}\nstream passing { }\n`,
        type: 'text/plain',
      }),
    ).toEqual({ status: 200, body: true });
    expect((await request('GET', '/mediaserver/api/media_info/passing')).status).toBe(200);
    expect(await request('POST', '/mediaserver/api/save_config', { body: text, type: 'text/plain' })).toEqual({
      status: 200,
      body: true,
    });
    expect((await request('GET', '/mediaserver/api/media_info/passing')).status).toBe(404);
    tried.push('POST /update_config', 'POST /save_config');
  });

  const tried: string[] = [];
  it('is tested with every row of the table', () => {
    expect([...new Set([...ROWS.map(({ row }) => row), ...tried])].sort()).toEqual([...SPECIFIED].sort());
  });

  it('disconnects sessions, and replies as documented', async () => {
    const { sessions } = legacySessionsSchema.parse(
      (await request('GET', '/mediaserver/api/sessions?name=north/cam')).body,
    );
    const ids = sessions.map(({ session_id: id }) => id);
    expect(ids.length).toBeGreaterThan(0);
    await request('POST', '/mediaserver/api/close_sessions', { body: ids.join('\n'), type: 'text/plain' });
    const left = legacySessionsSchema.parse(
      (await request('GET', '/mediaserver/api/sessions?name=north/cam')).body,
    ).sessions;
    expect(left.filter(({ session_id: id }) => ids.includes(id))).toEqual([]);
    await request('POST', '/mediaserver/api/stream_switch_source/north/cam', { body: 'url=udp://127.0.0.1:9' });
    await server.streamWhere('north/cam', 'the chosen input', ({ selected_input: selected }) => selected === 2);
    await request('POST', '/mediaserver/api/stream_restart/north/cam');
    await server.streamWhere(
      'north/cam',
      'a new start',
      ({ alive, selected_input: selected }) => alive && selected === null,
    );
    const rates = await until(
      'rates',
      async () => {
        const figures = legacyServerSchema.parse((await request('GET', '/mediaserver/api/server')).body);
        return figures.input_kbit > 0 && figures.online_streams >= 2 ? figures : undefined;
      },
      20_000,
    );
    expect(rates.uptime).toBeGreaterThan(0);
  });
});
