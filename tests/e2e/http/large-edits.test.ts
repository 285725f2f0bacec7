import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AirdeskProcess } from '../../helpers/airdesk-process.ts';
import { processTimeMs } from '../../helpers/process-time.ts';
import { until } from '../../helpers/until.ts';

/**
 * Maximum processor time of the server during one request of a playlist. Usually a request takes some milliseconds; an
 * edit in a single turn of the event loop takes seconds.
 */
const MAX_WAIT_MS = 1000;
/**
 * Minimum number of playlists served during an edit that yields to the event loop, on any machine; during an edit in a
 * single turn only the requests before and after it are served.
 */
const MIN_SERVED = 5;
const EDIT_MS = 120_000;

let server: AirdeskProcess;
beforeAll(async () => {
  server = await AirdeskProcess.start('stream live1 { input fake://?width=320&height=180&bitrate=200; }');
  await until('playlist', async () => (await fetch(`${server.url}/live1/index.m3u8`)).ok, 30_000);
});
afterAll(() => server?.dispose());

function numbered(count: number, item: (index: number) => string): string[] {
  return Array.from({ length: count }, (_, index) => item(index));
}

async function send(method: string, path: string, type: string, body: string): Promise<Response> {
  return fetch(`${server.url}/mediaserver/api/${path}`, { method, headers: { 'content-type': type }, body });
}

const merge = (type: string, body: string): Promise<Response> => send('POST', 'modify_config', type, body);

/** Reply to an edit, and the longest delay of playlists requested meanwhile. */
async function during(
  edit: () => Promise<Response>,
): Promise<{ readonly status: number; readonly body: string; readonly requests: number; readonly slowestMs: number }> {
  let answer: { readonly status: number; readonly body: string } | undefined;
  const edited = edit().then(async (response) => (answer = { status: response.status, body: await response.text() }));
  let slowestMs = 0;
  let requests = 0;
  do {
    const startMs = processTimeMs(server.pid);
    const response = await fetch(`${server.url}/live1/index.m3u8`);
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('#EXTM3U')]);
    slowestMs = Math.max(slowestMs, processTimeMs(server.pid) - startMs);
    requests++;
  } while (!answer);
  return { ...(await edited), requests, slowestMs };
}

const STREAMS = JSON.stringify({
  streams: Object.fromEntries(
    numbered(1000, (index) => `json/${index}`).map((name) => [name, { title: 'x', inputs: [{ url: 'publish://' }] }]),
  ),
});
const INPUTS = numbered(20_000, (index) => `udp://239.0.${index >> 8}.${index & 255}:1`);
const TEXT = numbered(4000, (index) => `stream text/${index} { title x; input publish://; }\n`).join('');

describe('live playlists are served while', () => {
  it.each<[string, () => Promise<Response>]>([
    ['a thousand streams are merged', () => merge('application/json', STREAMS)],
    ['four thousand blocks of text are merged', () => merge('text/plain', TEXT)],
    ['one among five thousand is changed', () => merge('text/plain', 'stream text/7 { title y; input publish://; }')],
  ])(
    '%s',
    async (_name, edit) => {
      const { status, body, requests, slowestMs } = await during(edit);
      process.stdout.write(`${requests} playlists, the slowest during ${slowestMs} ms of server work\n`);
      expect([status, body.slice(0, 1)]).toEqual([200, '{']);
      expect(requests).toBeGreaterThan(MIN_SERVED);
      expect(slowestMs).toBeLessThan(MAX_WAIT_MS);
    },
    EDIT_MS,
  );

  it.each<[string, () => Promise<Response>, string]>([
    [
      'of a PUT',
      () =>
        send('PUT', 'v3/streams/many', 'application/json', JSON.stringify({ inputs: INPUTS.map((url) => ({ url })) })),
      '/inputs',
    ],
    [
      'of JSON that is merged',
      () =>
        merge('application/json', JSON.stringify({ streams: { many: { inputs: INPUTS.map((url) => ({ url })) } } })),
      '/streams/many/inputs',
    ],
    [
      'of a block of text',
      () => merge('text/plain', `stream many { ${INPUTS.map((url) => `input ${url};`).join('\n')} }`),
      '/streams/many/inputs',
    ],
  ])(
    'twenty thousand inputs %s are refused',
    async (_name, edit, pointer) => {
      const { status, body, slowestMs } = await during(edit);
      expect(status).toBe(400);
      const { errors } = JSON.parse(body) as { readonly errors: readonly unknown[] };
      expect(errors[0]).toMatchObject({ code: 'config_bad_value', source: { pointer } });
      expect(slowestMs).toBeLessThan(MAX_WAIT_MS);
    },
    EDIT_MS,
  );
});
