import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Operation } from '../../../src-preload/contract/api/operation-object.ts';
import type { Subscriber } from '../../../src-preload/contract/api/subscriber-objects.ts';
import { AirdeskProcess } from '../../helpers/airdesk-process.ts';
import { replay } from '../../helpers/portal-replay.ts';
import { until } from '../../helpers/until.ts';

const PREFIX = '/tv-management/api/v1';
const ROUNDS = 2;
const AT_ONCE = 40;

let server: AirdeskProcess;
let token = '';
/** Operations that came by webhook, in the order in which each came first. */
const posted = new Set<string>();
const receiver = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => {
    posted.add((JSON.parse(body) as Operation).operationId);
    response.writeHead(204).end();
  });
});

beforeAll(async () => {
  server = await AirdeskProcess.start(
    `stream news { input fake://; on_play subscribers://city; }
auth_backend any { backend subscribers://city; backend http://127.0.0.1:9/; }
stream sport { input fake://; on_play auth://any; }
`,
  );
  const { portalId } = (await ask('POST', '/portals', { name: 'city' })).body as { readonly portalId: string };
  ({ token } = (await ask('POST', `/portals/${portalId}/keys`, { name: 'billing' })).body as {
    readonly token: string;
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const made = await ask('POST', `/portals/${portalId}/webhooks`, { url, isPrivateAllowed: true });
  expect(made.status).toBe(201);
});
afterAll(async () => {
  await server?.dispose();
  receiver.closeAllConnections();
  receiver.close();
});

async function ask(
  method: string,
  path: string,
  body?: object,
  key?: string,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const response = await fetch(server.url + PREFIX + path, {
    method,
    headers: {
      'x-auth-token': token,
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: response.status, body: await response.json() };
}

/** A whole list, portion by portion. */
async function list<T>(name: string): Promise<readonly T[]> {
  const found: T[] = [];
  for (let cursor = ''; ;) {
    const { status, body } = await ask('GET', `/${name}?limit=1000${cursor}`);
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)} ${server.printed}`);
    const { [name]: items, next } = body as Record<string, readonly T[]> & { readonly next: string | null };
    found.push(...(items ?? []));
    if (next === null) return found;
    cursor = `&cursor=${next}`;
  }
}

describe('a server that is killed', () => {
  it('has every change that it answered, each with its operation, and makes a repeated one once', async () => {
    const answered = new Map<string, string>();
    for (let round = 0; round < ROUNDS; round++) {
      const first = Promise.withResolvers<undefined>();
      let count = 0;
      const keys = Array.from({ length: AT_ONCE }, (_, index) => `${round} ${index}`.replace(' ', '-'));
      const create = async (key: string): Promise<void> => {
        const made = await ask(
          'POST',
          '/subscribers',
          { name: key, phoneCountryCode: '1', phone: key.replace('-', '0') },
          key,
        );
        if (made.status !== 201) throw new Error(JSON.stringify(made));
        const { subscriberId } = made.body as Subscriber;
        // A repetition has the first answer.
        expect(answered.get(key) ?? subscriberId).toBe(subscriberId);
        answered.set(key, subscriberId);
        if (++count === 3 + round) first.resolve(undefined);
      };
      const sent = Promise.allSettled(keys.map(create));
      await Promise.race([first.promise, sent]);
      await server.crash();
      await sent;
      const operations = await list<Operation>('operations');
      const subscribers = await list<Subscriber>('subscribers');
      expect(subscribers.map(({ subscriberId }) => subscriberId)).toEqual([...replay(operations).subscribers.keys()]);
      const there = new Set(subscribers.map(({ subscriberId }) => subscriberId));
      expect([...answered.values()].filter((id) => !there.has(id))).toEqual([]);
      await Promise.all(keys.map(create));
    }
    const operations = await list<Operation>('operations');
    expect(operations).toHaveLength(ROUNDS * AT_ONCE);
    await until(
      'every operation by webhook',
      () => posted.size >= operations.length,
      20_000,
      () => server.printed,
    );
    expect([...posted]).toEqual(operations.map(({ operationId }) => operationId));
    expect(await list<Subscriber>('subscribers')).toHaveLength(ROUNDS * AT_ONCE);
  });
});

describe('viewers with a token of a subscriber', () => {
  /** Status and code of the playlist. */
  async function played(viewer: string, name = 'news'): Promise<string> {
    const response = await fetch(`${server.url}/${name}/index.m3u8${viewer}`, { redirect: 'manual' });
    const text = await response.text();
    return response.ok ? '200' : `${response.status} ${/"error":"(\w+)"/.exec(text)?.[1] ?? text}`;
  }
  const becomes = async (viewer: string, expected: string): Promise<void> => {
    let last = '';
    const isSo = async (): Promise<boolean> => (last = await played(viewer)) === expected;
    await until(`${expected} for ${viewer}`, isSo, 30_000, () => last);
  };

  it('play what its packages have, in their limit, until it is disabled or detached', async () => {
    const { subscriberId } = (await ask('POST', '/subscribers', { name: 'Anna' })).body as Subscriber;
    const pack = { name: 'News', streams: ['news', 'sport'], maxSessions: 2 };
    const { packageId } = (await ask('POST', '/packages', pack)).body as { readonly packageId: string };
    const path = `/subscribers/${subscriberId}`;
    const viewer = async (): Promise<string> =>
      `?token=${((await ask('POST', `${path}/tokens`)).body as { readonly token: string }).token}`;
    const [phone, television] = [await viewer(), await viewer()];
    expect([await played(''), await played('?token=none')]).toEqual(['403 token_required', '403 playback_denied']);
    expect(await played(phone)).toBe('403 playback_denied');

    await ask('PUT', `${path}/packages/${packageId}`, {});
    await becomes(phone, '200');
    const endless = await fetch(`${server.url}/news/mpegts${phone}`);
    expect(endless.status).toBe(200);
    // It is the third, and the first has to go.
    await becomes(television, '200');
    expect(await played(phone)).toBe('403 session_banned');

    const ended = endless.arrayBuffer().then(
      () => 'ended',
      () => 'ended',
    );
    // Through one of several backends too, of which another gives no answer.
    await until('the backend that has the package', async () => (await played(television, 'sport')) === '200', 30_000);
    await ask('POST', `${path}/disable`);
    await until('its refusal', async () => (await played(television, 'sport')) === '403 playback_denied', 30_000);
    await becomes(television, '403 playback_denied');
    expect(await ended).toBe('ended');
    await ask('POST', `${path}/enable`);
    await becomes(television, '200');
    const detached = `${PREFIX}${path}/packages/${packageId}`;
    await fetch(server.url + detached, { method: 'DELETE', headers: { 'x-auth-token': token } });
    await becomes(television, '403 playback_denied');
  });
});
