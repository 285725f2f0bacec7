import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AirdeskProcess } from '../../helpers/airdesk-process.ts';
import { EncoderProcess } from '../../helpers/encoder-process.ts';
import { until } from '../../helpers/until.ts';

// Files of the data folder that are lost or damaged between two starts.

const LIMIT_MS = 60_000;
const API = '/streamer/api-v4';

let server: AirdeskProcess;

beforeAll(async () => {
  server = await AirdeskProcess.start('live studio { dvr records; segment_duration 1; }');
  const encoder = EncoderProcess.publish({ url: `${server.rtmpUrl}/studio/a`, isEndless: true });
  await until(
    'a recording of five seconds',
    async () => (await depth()) >= 5,
    LIMIT_MS,
    () => server.printed,
  );
  await encoder.stop();
  // A stop of the server completes the last block.
  await server.restart();
}, 120_000);
afterAll(async () => {
  await server?.dispose();
});

async function depth(): Promise<number> {
  const answered = await fetch(`${server.url}/streamer/api/v3/streams/studio%2Fa`);
  if (answered.status !== 200) return 0;
  const { stats } = (await answered.json()) as { stats: { dvr_info: { depth: number } | null } };
  return stats.dvr_info?.depth ?? 0;
}

async function json<T>(path: string): Promise<T> {
  return (await (await fetch(`${server.url}${API}${path}`)).json()) as T;
}

const inData = (name: string): string => join(server.folder, 'data', name);

async function startAfter(damage: () => void): Promise<void> {
  await server.stop();
  damage();
  await server.crash();
}

describe('a catalog of recordings', () => {
  it.each([
    ['missing', undefined],
    ['empty', () => Buffer.alloc(0)],
    ['damaged from its beginning on', (bytes: Buffer) => bytes.fill(7)],
    ['damaged after its first page', (bytes: Buffer) => bytes.fill(7, 4096)],
  ])('that is %s is rebuilt from the disks, and nothing is deleted meanwhile', async (_, change) => {
    const from = server.printed.length;
    const blocks = await json<{ streams: unknown }>('/dvr/catalog');
    await startAfter(() => {
      for (const companion of ['-wal', '-shm']) rmSync(inData(`catalog.db${companion}`), { force: true });
      if (change) writeFileSync(inData('catalog.db'), change(readFileSync(inData('catalog.db'))));
      else rmSync(inData('catalog.db'));
    });
    const printed = (): string => server.printed.slice(from);
    await until('the hold', () => printed().includes('nothing is deleted'), LIMIT_MS, printed);
    expect(printed()).toMatch(/nothing is deleted.*catalog/);
    await until(
      'deletion',
      async () => (await json<{ reasons: unknown[] }>('/dvr/hold')).reasons.length === 0,
      LIMIT_MS,
      printed,
    );
    expect(await json('/dvr/rebuild-index')).toMatchObject({ status: 'done', fault_count: 0 });
    expect(await json('/dvr/catalog')).toEqual(blocks);
    await until('the stream of the archive', async () => (await depth()) >= 5, LIMIT_MS, printed);
  });
});

describe('a key file', () => {
  const PORTALS = '/tv-management/api/v1';
  let portalId = '';
  let token = '';

  const request = async (method: string, path: string, body?: object): Promise<{ status: number; body: unknown }> => {
    const answered = await fetch(server.url + path, {
      method,
      headers: { 'x-auth-token': token, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await answered.text();
    return { status: answered.status, body: text === '' ? null : JSON.parse(text) };
  };
  const holdOf = async (): Promise<unknown> => (await request('GET', `${API}/keys/hold`)).body;
  const faults = async (): Promise<(string | null)[]> =>
    (await server.call('alarms.list', {})).alarms.flatMap(({ fault, cleared_at: cleared }) =>
      cleared === null ? [fault] : [],
    );
  const untilFault = async (fault: string, isThere: boolean): Promise<void> => {
    const isReported = async (): Promise<boolean> => (await faults()).includes(fault) === isThere;
    await until(`${fault}: ${isThere}`, isReported, LIMIT_MS, () => server.printed);
  };
  /** Creates a webhook, whose secret is encrypted with `airdesk.key`. */
  const makeWebhook = async (): Promise<{ status: number; body: unknown }> =>
    request('POST', `${PORTALS}/portals/${portalId}/webhooks`, { url: 'http://127.0.0.1:9/', isPrivateAllowed: true });
  /** Verifies the operations log, whose digests are signed with `subscribers.key`. */
  const verify = async (): Promise<{ status: number; body: unknown }> => request('GET', `${PORTALS}/log/verify`);

  /** Exports the log of advertisements, which is signed with `as-run.key`. */
  const exportAsRun = async (): Promise<{ status: number; body: unknown }> => {
    const answered = await fetch(`${server.url}/streamer/api/v3/ads/as_run/export?format=csv`);
    return { status: answered.status, body: answered.ok ? null : await answered.json() };
  };

  beforeAll(async () => {
    const portal = await request('POST', `${PORTALS}/portals`, { name: 'city' });
    ({ portalId } = portal.body as { portalId: string });
    const key = await request('POST', `${PORTALS}/portals/${portalId}/keys`, { name: 'billing' });
    ({ token } = key.body as { token: string });
    expect(await makeWebhook()).toMatchObject({ status: 201 });
    expect(await verify()).toMatchObject({ status: 200 });
  });

  it.each([
    ['airdesk.key', 'seal_key_lost', 'removed', makeWebhook, 201],
    ['airdesk.key', 'seal_key_lost', 'damaged', makeWebhook, 201],
    ['subscribers.key', 'log_key_lost', 'damaged', verify, 200],
    ['as-run.key', 'log_key_lost', 'removed', exportAsRun, 200],
    ['as-run.key', 'log_key_lost', 'damaged', exportAsRun, 200],
  ] as const)('%s raises %s if it was %s, until a new key is confirmed', async (file, fault, how, use, status) => {
    await startAfter(() => {
      // The log of advertisements must exist; an empty file is a database without rows.
      if (file === 'as-run.key' && !existsSync(inData('as-run.db'))) writeFileSync(inData('as-run.db'), '');
      if (how === 'removed') rmSync(inData(file), { force: true });
      else writeFileSync(inData(file), 'no key');
    });
    await untilFault(fault, true);
    expect(await use()).toMatchObject({ status: 503, body: { error: 'key_lost' } });
    expect(await holdOf()).toEqual({ files: [file] });
    expect(how === 'damaged' ? readFileSync(inData(file), 'utf8') : existsSync(inData(file))).toBe(
      how === 'damaged' ? 'no key' : false,
    );
    expect(await request('DELETE', `${API}/keys/hold`)).toMatchObject({ status: 204 });
    expect(await holdOf()).toEqual({ files: [] });
    expect(await use()).toMatchObject({ status });
    await untilFault(fault, false);
    await server.restart();
    expect(await use()).toMatchObject({ status });
    expect(await holdOf()).toEqual({ files: [] });
  });

  it('that is restored from a backup is used at once', async () => {
    const backup = readFileSync(inData('airdesk.key'));
    await startAfter(() => {
      rmSync(inData('airdesk.key'));
    });
    expect(await makeWebhook()).toMatchObject({ status: 503 });
    writeFileSync(inData('airdesk.key'), backup, { mode: 0o600 });
    expect(await makeWebhook()).toMatchObject({ status: 201 });
    await untilFault('seal_key_lost', false);
  });

  it('can be confirmed on the desk', async () => {
    await startAfter(() => {
      rmSync(inData('airdesk.key'));
    });
    await untilFault('seal_key_lost', true);
    await server.call('system.confirm_keys', {});
    expect(await makeWebhook()).toMatchObject({ status: 201 });
    await untilFault('seal_key_lost', false);
  });
});
