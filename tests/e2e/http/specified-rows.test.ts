import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AirdeskProcess } from '../../helpers/airdesk-process.ts';
import { AnswerCheck } from '../../helpers/answer-check.ts';
import { until } from '../../helpers/until.ts';

const API = '/mediaserver/api/v3';
const LOG = '/tv-management/api/v1';
const CONFIG = `
dvr main { root archive; }
stream cam { title Gate; provider city; input fake:// width=320 height=180; dvr @main 7d; }
stream north/cam { position 1; input fake:// width=320 height=180; }
stream quiet { position 2; input publish://; }
`;

let server: AirdeskProcess;
let check: AnswerCheck;
let key = '';
let subscriberId = '';
let operationId = '';
/** Time of the archive in epoch seconds that is recorded. */
let recorded = 0;

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: unknown;
}

/** Request whose reply is compared with the OpenAPI document. */
async function request(method: string, path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(path.startsWith(LOG) && !path.includes('/portals') ? { 'x-auth-token': key } : {}),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const type = response.headers.get('content-type') ?? '';
  const bytes = Buffer.from(await response.arrayBuffer());
  const parsed: unknown = type.startsWith('application/json') ? JSON.parse(bytes.toString()) : bytes.toString();
  check.verify(method, path.replace(API, ''), response.status, type === '' ? null : type, parsed);
  return { status: response.status, type, body: parsed };
}

beforeAll(async () => {
  server = await AirdeskProcess.start(CONFIG);
  check = AnswerCheck.of(await (await fetch(`${server.url}${API}/schema`)).text());
  for (const name of ['cam', 'north/cam'])
    await server.streamWhere(
      name,
      'frames',
      ({ alive, media_info: media }) => alive && media !== null && media.streams.length === 2,
    );
  const create = async (path: string, body: object): Promise<Record<string, string>> =>
    (await request('POST', `${LOG}${path}`, body)).body as Record<string, string>;
  const { portalId = '' } = await create('/portals', { name: 'city' });
  ({ token: key = '' } = await create(`/portals/${portalId}/keys`, { name: 'billing' }));
  ({ subscriberId = '' } = await create('/subscribers', { name: 'Ann', phone: '123', phoneCountryCode: '49' }));
  await create('/packages', { name: 'Base', streams: ['cam'] });
  const { operations } = (await request('GET', `${LOG}/operations`)).body as {
    readonly operations: readonly { readonly operationId: string }[];
  };
  operationId = encodeURIComponent(operations[0]?.operationId ?? '');
  recorded = await until(
    'a recording',
    async () => {
      const { ranges } = (await request('GET', `${API}/streams/cam/dvr/ranges`)).body as {
        readonly ranges: readonly { readonly from: number; readonly duration: number }[];
      };
      const [range] = ranges;
      return range && range.duration >= 6 ? range.from + 2 : undefined;
    },
    60_000,
  );
});
afterAll(() => server?.dispose());

interface Row {
  /** Row of the table in the specification. */
  readonly row: string;
  /** Path of the request; by default the path of the row. */
  readonly path?: string | (() => string);
  readonly sent?: unknown;
  readonly status?: number;
  readonly like?: object | (() => object);
  readonly type?: RegExp;
}

const names = (...list: readonly string[]): object => ({ streams: list.map((name) => ({ name })) });
const refused = (parameter: string, error = 'bad_query'): Pick<Row, 'status' | 'like'> => ({
  status: 400,
  like: { error, errors: [{ code: error, status: '400', source: { parameter } }] },
});
const list = (query: string): Pick<Row, 'row' | 'path'> => ({ row: 'GET /streams', path: `${API}/streams?${query}` });
const ADDRESS = { row: 'GET /streams/{name}', path: `${API}/streams/north%2Fcam` } as const;
const PUT = { row: 'PUT /streams/{name}', path: `${API}/streams/made%2Fone` } as const;
const operations = (query: string): Pick<Row, 'row' | 'path'> => ({
  row: 'GET /operations',
  path: () => `${LOG}/operations?${query.replace('SUBSCRIBER', subscriberId)}`,
});

/** Every row of the tables, with the rules below them; the requests run in this order. */
const ROWS: readonly Row[] = [
  { row: 'GET /schema', path: `${API}/schema`, like: { openapi: '3.1.0' } },
  { row: 'GET /schema', path: `${API}/schema.json`, like: { openapi: '3.1.0' } },
  { ...list(''), like: { ...names('cam', 'north/cam', 'quiet'), next: null, prev: null, estimated_count: 3 } },
  { ...list('name=nobody'), like: { streams: [], next: null, prev: null, estimated_count: 0 } },
  { ...list('provider=a,city'), like: { ...names('cam'), estimated_count: 1 } },
  { ...list('stats.alive=true&position_gte=1'), like: names('north/cam') },
  { ...list('position_lt=1'), like: names('cam') },
  { ...list('position_lte=1'), like: names('cam', 'north/cam') },
  { ...list('position_gt=1'), like: names('quiet') },
  { ...list('provider_is=null'), like: names('north/cam', 'quiet') },
  { ...list('provider_is_not=null'), like: names('cam') },
  { ...list('name_like=nor'), like: names('north/cam') },
  { ...list('name_like=cam'), like: names('cam') },
  { ...list('stats.delay_lt=60000&stats.bitrate_gte=0&stats.clients_count=0&stats.ts_delay_is_not=null'), like: {} },
  { ...list('sort=-position&select=name'), like: names('quiet', 'north/cam', 'cam') },
  { ...list('sort=stats.alive,-name&select=name&limit=1'), like: { ...names('quiet'), estimated_count: 3 } },
  { ...list('limit=0'), ...refused('limit') },
  { ...list('limit=1001'), ...refused('limit') },
  { ...list('colour=red'), ...refused('colour') },
  { ...list('position=red'), ...refused('position') },
  { ...list('sort=colour'), ...refused('sort') },
  { ...list('select=colour'), ...refused('select') },
  { ...list('format=xml'), ...refused('format') },
  { ...list('cursor=abc'), ...refused('cursor', 'bad_cursor') },
  { ...ADDRESS, like: { name: 'north/cam', named_by: 'config', position: 1, static: true } },
  { ...ADDRESS, like: { effective: { name: 'north/cam', position: 1, section: 'stream', static: true } } },
  { ...ADDRESS, path: `${API}/streams/nobody`, status: 404, like: { error: 'stream_not_found' } },
  { ...PUT, sent: { inputs: [{ url: 'publish://' }], title: 'Made' }, like: { name: 'made/one', title: 'Made' } },
  { ...PUT, sent: { title: null, inputs: [{ $index: 0, priority: 3 }] }, like: { inputs: [{ priority: 3 }] } },
  { ...PUT, sent: { inputs: [{ url: 'udp://127.0.0.1:9' }] }, like: { inputs: [{ priority: 3 }, {}] } },
  { ...PUT, sent: { inputs: [{ $index: 0, $delete: true }] }, like: { inputs: [{ url: 'udp://127.0.0.1:9' }] } },
  { ...PUT, sent: {}, like: { inputs: [{ url: 'udp://127.0.0.1:9' }] } },
  { ...PUT, sent: { inputs: [{}] }, status: 400, like: { errors: [{ source: { pointer: '/inputs/0/url' } }] } },
  { ...PUT, sent: { colour: 1 }, status: 400, like: { error: 'unknown_key' } },
  { ...PUT, sent: [], status: 400, like: { error: 'bad_request' } },
  { ...PUT, row: 'DELETE /streams/{name}', status: 204 },
  { ...PUT, row: 'DELETE /streams/{name}', status: 404, like: { error: 'stream_not_found' } },
  { row: 'GET /config', path: `${API}/config`, like: { streams: { quiet: { name: 'quiet' } } } },
  { row: 'GET /dvrs', path: `${API}/dvrs`, like: { dvrs: [{ name: 'main' }], next: null, estimated_count: 1 } },
  { row: 'GET /dvrs/{name}', path: `${API}/dvrs/main`, like: { name: 'main', root: 'archive' } },
  { row: 'GET /dvrs/{name}', path: `${API}/dvrs/none`, status: 404 },
  { row: 'GET /rproxy', path: `${API}/rproxy`, like: { stats: null } },
  { row: 'GET /monitoring/readiness', path: `${API}/monitoring/readiness`, like: { status: 'running' } },
  { row: 'GET /{name}/info.json', path: '/north%2Fcam/info.json', like: { stats: { media_info: { width: 320 } } } },
  { row: 'GET /{name}/index.m3u8', path: '/north/cam/index.m3u8', type: /mpegurl/ },
  { row: 'GET /{name}/index.m3u8', path: '/north%2Fcam/index.m3u8', type: /mpegurl/ },
  { row: 'GET /{name}/index.m3u8', path: '/nobody/index.m3u8', status: 404, like: { error: 'stream_not_found' } },
  { row: 'GET /{name}/{from}-preview.jpg', path: () => `/cam/${recorded}-preview.jpg`, type: /image\/jpeg/ },
  { row: 'GET /{name}/{from}-preview.jpg', path: '/cam/1-preview.jpg', status: 404 },
  { row: 'GET /{name}/media_info.json', path: '/cam/media_info.json', like: { width: 320, streams: [{}, {}] } },
  { row: 'GET /{name}/media_info.json', path: '/quiet/media_info.json', like: { streams: [] } },
  { row: 'GET /{name}/embed.html', path: '/cam/embed.html', type: /text\/html/ },
  { ...operations(''), like: { operations: [{ type: 'createSubscriber' }, { type: 'createPackage' }], next: null } },
  { ...operations('subscriberId=SUBSCRIBER'), like: () => ({ operations: [{ subscriberId, packageId: null }] }) },
  { ...operations('type=createPackage&type=deletePackage'), like: { operations: [{ type: 'createPackage' }] } },
  { ...operations('type=createPackage&subscriberId=SUBSCRIBER'), like: { operations: [] } },
  { ...operations('created_at_gte=2020-01-01&created_at_lt=2020-01-02T00:00:00Z'), like: { operations: [] } },
  { ...operations('created_at_gte=2020-01-01'), like: { operations: [{}, {}] } },
  { ...operations('limit=1'), like: { operations: [{}], next: expect.any(String) as unknown } },
  { ...operations('created_at_lt=yesterday'), ...refused('created_at_lt') },
  { ...operations('type=colour'), ...refused('type') },
  { ...operations('cursor=abc'), ...refused('cursor', 'bad_cursor') },
  {
    row: 'GET /operations/{operationId}',
    path: () => `${LOG}/operations/${operationId}`,
    like: () => ({ type: 'createSubscriber', subscriberId, packageId: null, payload: { name: 'Ann', phone: '123' } }),
  },
  { row: 'GET /operations/{operationId}', path: `${LOG}/operations/AAAAAAAAAAA=`, status: 404 },
  {
    row: 'GET /subscribers',
    path: `${LOG}/subscribers`,
    like: () => ({ subscribers: [{ subscriberId, name: 'Ann', phoneCountryCode: '49', phone: '123' }] }),
  },
];

/** Tables of the specification: collection paths, playback, and the operations log. */
const SPECIFIED = [
  'GET /schema',
  'GET /streams',
  'GET /streams/{name}',
  'PUT /streams/{name}',
  'DELETE /streams/{name}',
  'GET /config',
  'GET /dvrs',
  'GET /dvrs/{name}',
  'GET /rproxy',
  'GET /monitoring/readiness',
  'GET /{name}/info.json',
  'GET /{name}/index.m3u8',
  'GET /{name}/{from}-preview.jpg',
  'GET /{name}/media_info.json',
  'GET /{name}/embed.html',
  'GET /operations',
  'GET /operations/{operationId}',
  'GET /subscribers',
];

describe('the specification', () => {
  it.each(ROWS)('%# $row', async ({ row, path = row.replace(/^\w+ /, ''), sent, status = 200, like, type }) => {
    const answer = await request(row.split(' ')[0] ?? '', typeof path === 'string' ? path : path(), sent);
    expect(answer.status).toBe(status);
    if (like) expect(answer.body).toMatchObject(typeof like === 'function' ? (like as () => object)() : like);
    if (type) expect(answer.type).toMatch(type);
  });

  it('has no rows without a test', () => {
    expect([...new Set(ROWS.map(({ row }) => row))].sort()).toEqual([...SPECIFIED].sort());
  });
});
