import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { RtmpEncoder } from '../tests/helpers/rtmp-encoder.ts';
import { sourceServer } from '../tests/helpers/source-server.ts';
import type { ServerInfo } from '../src-preload/contract/index.ts';
import type { Caller } from './operators/caller.ts';
import type { RunningServer } from './compose/server-options.ts';
import type { AirdeskServer } from './server.ts';

const CONFIGURATION = `http 127.0.0.1:0; rtmp 127.0.0.1:0; edit_auth boss hidden;
live load { }
stream other { input publish://; }
`;
const LOCAL: Caller = { mayRead: true, mayWrite: true, who: 'local', address: '127.0.0.1' };
const folder = mkdtempSync(join(tmpdir(), 'airdesk-writes-'));
const file = join(folder, 'airdesk.conf');
let server: AirdeskServer;
let running: RunningServer;
let port: number;
let encoders = 0;
/** Name of the published stream, and start of its run. */
let name: string;
let encoder: RtmpEncoder;
let openedAt: unknown;

beforeAll(async () => {
  server = sourceServer(folder, CONFIGURATION);
  running = await server.start();
  const info = await running.desk.call('server.info', {}, LOCAL);
  const { rtmp_url: address } = (info as { readonly value: ServerInfo }).value;
  port = Number(/:(\d+)$/.exec(address ?? '')?.[1]);
});
beforeEach(async () => {
  name = `cam${encoders++}`;
  encoder = await RtmpEncoder.publish(port, 'load', name);
  await encoder.untilStatus('NetStream.Publish.Start');
  openedAt = await opened();
});
afterEach(() => {
  encoder.socket.destroy();
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Reply {
  readonly status: number;
  readonly body: { readonly error?: string; readonly stats?: Readonly<Record<string, unknown>> };
}

/** Sends one request. `{cam}` in its address and body is replaced by the name of the published stream. */
async function request(
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const reply = await fetch(`${running.url}mediaserver/api/v3${path.replace('{cam}', name)}`, {
    method,
    headers: {
      authorization: `Basic ${Buffer.from('boss:hidden').toString('base64')}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body).replace('{cam}', name) }),
  });
  const text = await reply.text();
  return { status: reply.status, body: (text === '' ? {} : JSON.parse(text)) as Reply['body'] };
}

/** Start of the run of the published stream. It changes with a restart; undefined if the stream no longer exists. */
async function opened(): Promise<unknown> {
  const { body } = await request('GET', '/streams/load%2F{cam}');
  return body.stats?.['opened_at'];
}

async function expectOnAir(): Promise<void> {
  expect(openedAt).toBeTypeOf('number');
  expect(await opened()).toBe(openedAt);
  expect(encoder.socket.destroyed).toBe(false);
}

describe('a published stream', () => {
  const CAM = '/streams/load%2F{cam}';

  it.each([
    ['a value of another type', 'PUT', CAM, { title: ['a'] }, {}, 400],
    ['an unknown setting', 'PUT', CAM, { titel: 'a' }, {}, 400],
    ['an unknown option of an input', 'PUT', CAM, { inputs: [{ url: 'udp://239.0.0.1:1', tll: 3 }] }, {}, 400],
    ['a missing template', 'PUT', CAM, { template: 'none' }, {}, 400],
    ['a value out of its range', 'PUT', CAM, { segment_duration: -1 }, {}, 400],
    ['an If-Match header with another tag', 'PUT', CAM, { title: 'a' }, { 'if-match': '"another"' }, 412],
    ['an If-None-Match header for an existing stream', 'PUT', CAM, { title: 'a' }, { 'if-none-match': '*' }, 412],
    ['an error in a new object', 'POST', '/streams', { name: 'load/other', template: 'none' }, {}, 400],
    ['its name for a new stream', 'POST', '/streams', { name: 'load/{cam}' }, {}, 409],
    ['its removal with another tag', 'DELETE', CAM, undefined, { 'if-match': '"another"' }, 412],
    ['its name for another stream', 'PUT', '/streams/other', { name: 'load/{cam}' }, {}, 409],
    ['a missing input', 'POST', `${CAM}/inputs/7/select`, undefined, {}, 404],
    ['a dry run of a stop', 'POST', `${CAM}/stop?validate=true`, undefined, {}, 400],
    ['a configuration with an error', 'PUT', '/config', { streams: { 'load/{cam}': { template: 'none' } } }, {}, 400],
    ['a missing version of the configuration', 'POST', '/config/versions/99999/restore', undefined, {}, 404],
  ])('is not disturbed by a refused change: %s', async (_, method, path, body, headers, status) => {
    expect((await request(method, path, body, headers)).status).toBe(status);
    await expectOnAir();
  });

  it.each([
    ['PUT', { title: 'a' }],
    ['DELETE', undefined],
  ])('is not disturbed by a dry run of %s', async (method, body) => {
    expect((await request(method, `${CAM}?validate=true`, body)).status).toBeLessThan(300);
    await expectOnAir();
  });

  it('is not disturbed by a failed save of the configuration', async () => {
    writeFileSync(file, `${CONFIGURATION}# edited by hand\n`);
    const { status, body } = await request('PUT', CAM, { title: 'a' });
    expect([status, body.error]).toEqual([409, 'config_file_changed']);
    await expectOnAir();
    const added = await running.desk.call('streams.add', { name: `load/${name}`, input_url: 'publish://' }, LOCAL);
    expect(added).toMatchObject({ error: { code: 'config_file_changed' } });
    await expectOnAir();
    writeFileSync(file, CONFIGURATION);
  });

  it('stays on air when its settings are saved over HTTP', async () => {
    expect(await request('PUT', CAM, { title: 'Camera' })).toMatchObject({ status: 200, body: { named_by: 'config' } });
    await expectOnAir();
  });

  it('stays on air when a stream with its name is added on the desk', async () => {
    const added = await running.desk.call('streams.add', { name: `load/${name}`, input_url: 'publish://' }, LOCAL);
    expect(added).toMatchObject({ value: { name: `load/${name}` } });
    await expectOnAir();
  });
});
