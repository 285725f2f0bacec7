import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AirdeskProcess } from '../../helpers/airdesk-process.ts';
import { AnswerCheck } from '../../helpers/answer-check.ts';
import { until } from '../../helpers/until.ts';

const PICTURE = 'fake:// width=320 height=180';
const PREFIX = '/mediaserver/api/v3';
const CONFIG = `dvr main { root archive; disk a; disk b keep; }
stream cam { title "Gate"; provider city; input ${PICTURE}; input ${PICTURE} fps=20; }
# left as it is
${Array.from({ length: 30 }, (_, index) => `stream site/${index} { input publish://; position ${index % 3};${index === 1 ? ' dvr @main 7d;' : ''} }`).join('\n')}`;

interface Stream {
  readonly name: string;
  readonly stats: Readonly<Record<string, unknown>> & { readonly alive: boolean; readonly active_input: number | null };
}
interface List {
  readonly streams: readonly Stream[];
  readonly next: string | null;
  readonly prev: string | null;
}

let server: AirdeskProcess;
let check: AnswerCheck;

beforeAll(async () => {
  server = await AirdeskProcess.start(CONFIG);
  check = AnswerCheck.of(await (await fetch(`${server.url}${PREFIX}/schema`)).text());
});
afterAll(() => server?.dispose());

/** Request whose reply is compared with the OpenAPI document. */
async function request(
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number; readonly body: unknown; readonly headers: Headers }> {
  const response = await fetch(`${server.url}${PREFIX}${path}`, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const type = response.headers.get('content-type');
  const text = await response.text();
  const parsed: unknown = type?.startsWith('application/json') ? JSON.parse(text) : text;
  check.verify(method, path, response.status, type, parsed);
  return { status: response.status, body: parsed, headers: response.headers };
}

function streamWhere(name: string, what: string, test: (stream: Stream) => boolean): Promise<Stream> {
  return until(
    `${what} of ${name}`,
    async () => {
      const { status, body } = await request('GET', `/streams/${encodeURIComponent(name)}`);
      return status === 200 && test(body as Stream) && (body as Stream);
    },
    20_000,
  );
}

describe('the collection API', () => {
  it('returns the state of a stream', async () => {
    const { stats } = await streamWhere(
      'cam',
      'frames',
      (stream) => stream.stats.alive && Number(stream.stats['bitrate']) > 0 && stream.stats['media_info'] !== null,
    );
    expect(stats).toMatchObject({
      status: 'running',
      running: true,
      url: 'fake://',
      media_info: { width: 320, height: 180 },
      input_error_rate: 0,
      retry_count: 0,
    });
    expect(Number(stats['bytes_in'])).toBeGreaterThan(0);
    expect(Number(stats['ts_delay'])).toBeLessThan(5000);
    const [opened, started, last] = [
      Number(stats['opened_at']),
      Number(stats['start_running_at']),
      Number(stats['last_dts_at']),
    ];
    expect(opened).toBeLessThanOrEqual(started);
    expect(started).toBeLessThan(last + 1000);
    // A client that only reads playlists is not a viewer yet.
    const segment = await until(
      'a segment',
      // The playlist of a stream that has just started has gaps before its first segment.
      async () => /PART:DURATION=[\d.]+,URI="(\d+)\.0\.m4s"(?!,GAP)/.exec(await server.text('/cam/v1/index.m3u8'))?.[1],
      20_000,
    );
    await fetch(`${server.url}/cam/v1/${segment}.m4s`).then((reply) => reply.arrayBuffer());
    await streamWhere(
      'cam',
      'a viewer',
      (stream) =>
        stream.stats['online_clients'] === 1 &&
        Number(stream.stats['bytes_out']) > 0 &&
        stream.stats['last_access_at'] !== null,
    );
    const { body } = await request('GET', '/sessions?name=cam&select=id,proto');
    expect(body).toMatchObject({ sessions: [{ proto: 'hls' }], estimated_count: 1 });
  });

  it('returns all streams in pages, forward and backward', async () => {
    for (const sort of ['', 'position', '-stats.ts_delay,position', 'stats.alive,-name']) {
      const portions: string[][] = [];
      let page = (await request('GET', `/streams?sort=${sort}&limit=7&select=name`)).body as List;
      for (;;) {
        portions.push(page.streams.map(({ name }) => name));
        if (page.next === null) break;
        page = (await request('GET', `/streams?sort=${sort}&limit=7&select=name&cursor=${page.next}`)).body as List;
      }
      expect(new Set(portions.flat()).size).toBe(31);
      expect(portions.map(({ length }) => length)).toEqual([7, 7, 7, 7, 3]);
      const back = (await request('GET', `/streams?sort=${sort}&limit=7&select=name&cursor=${page.prev ?? ''}`))
        .body as List;
      expect(back.streams.map(({ name }) => name)).toEqual(portions.at(-2));
    }
  });

  it('puts the selected input on air', async () => {
    expect((await request('POST', '/streams/cam/inputs/1/select')).status).toBe(204);
    await streamWhere('cam', 'its second input', ({ stats }) => stats.active_input === 1);
  });

  it('creates running streams, once per idempotency key, and deletes them', async () => {
    const headers = { 'idempotency-key': 'e2e-1' };
    const stream = { inputs: [{ url: 'fake://', width: 320, height: 180 }], title: 'Made' };
    const created = await request('POST', '/streams', stream, headers);
    const again = await request('POST', '/streams', stream, headers);
    expect([created.status, again.body, again.headers.get('idempotent-replayed')]).toEqual([201, created.body, 'true']);
    const { name } = created.body as Stream;
    await streamWhere(name, 'frames', ({ stats }) => stats.alive);
    await server.text(`/${name}/index.m3u8`);
    expect((await request('PUT', `/streams/${name}`, { title: null, comment: 'later' })).body).not.toHaveProperty(
      'title',
    );
    expect(readFileSync(join(server.folder, 'airdesk.conf'), 'utf8')).toMatch(
      new RegExp(
        `# left as it is\\n[^]*stream ${name} \\{\\n\\s*input fake:// width=320 height=180;\\n\\s*comment later;\\n\\}`,
      ),
    );
    expect((await request('DELETE', `/streams/${name}`)).status).toBe(204);
    expect((await request('GET', `/streams/${name}`)).status).toBe(404);
  });

  it('serves readiness probes, OpenMetrics scrapers and players', async () => {
    expect((await request('GET', '/monitoring/readiness')).body).toMatchObject({ status: 'running' });
    const { body } = await request('GET', '/streams', undefined, { accept: 'application/openmetrics-text' });
    expect(body).toMatch(/^airdesk_stream_stats_alive\{name="cam"\} 1$/m);
    expect(String(body).match(/^airdesk_stream_position\{/gm)).toHaveLength(31);
    expect(JSON.parse(await server.text('/cam/info.json'))).toMatchObject({
      name: 'cam',
      title: 'Gate',
      stats: { status: 'running', media_info: { width: 320 } },
    });
    expect(JSON.parse(await server.text('/cam/media_info.json'))).toMatchObject({
      width: 320,
      height: 180,
      streams: [
        { content: 'audio', track_id: 'a1' },
        { content: 'video', track_id: 'v1' },
      ],
    });
  });

  it.each<readonly [method: string, path: string, body: unknown, status: number, like: object | undefined]>([
    ['GET', '/dvrs', undefined, 200, { dvrs: [{ name: 'main', root: 'archive' }], estimated_count: 1 }],
    ['GET', '/dvrs/main', undefined, 200, { disks: [{ path: 'a' }, { path: 'b', mode: 'keep' }] }],
    ['GET', '/dvrs/none', undefined, 404, { error: 'not_found' }],
    ['PUT', '/dvrs/spare', { root: 'spare', raid: 1 }, 200, { name: 'spare', root: 'spare', raid: 1 }],
    ['PUT', '/dvrs/spare', { raid: 'two' }, 400, { error: 'bad_value' }],
    ['DELETE', '/dvrs/spare', undefined, 204, undefined],
    ['GET', '/streams/site%2F1/dvr/ranges', undefined, 200, { ranges: [] }],
    ['GET', '/streams/site%2F1/dvr/locks', undefined, 200, { locks: [] }],
    ['GET', '/episodes', undefined, 200, { episodes: [] }],
    ['PUT', '/episodes/one', { name: 'site/1', from: 1000, to: 2000 }, 200, { id: 'one', name: 'site/1', from: 1000 }],
    ['PUT', '/episodes/two', { name: 'site/1', from: 2000, to: 1000 }, 400, { error: 'bad_value' }],
    ['POST', '/episodes', { id: 'one', name: 'site/1', from: 1000, to: 3000 }, 200, { to: 3000 }],
    ['GET', '/episodes/one', undefined, 200, { id: 'one' }],
    ['DELETE', '/episodes/one', undefined, 204, undefined],
    ['GET', '/episodes/one', undefined, 404, {}],
  ])('returns archives: %s %s', async (method, path, sent, status, like) => {
    const answer = await request(method, path, sent);
    expect(answer).toMatchObject({ status, ...(like && { body: like }) });
  });
});
