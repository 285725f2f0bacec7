import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  OPERATION_TYPES,
  type Operation,
  type OperationType,
} from '../../../src-preload/contract/api/subscribers/operation-object.ts';
import type { Subscriber } from '../../../src-preload/contract/api/subscribers/subscriber-objects.ts';
import { AirdeskProcess } from '../../helpers/airdesk-process.ts';
import { replay } from '../../helpers/portal-replay.ts';
import { until } from '../../helpers/until.ts';

const PREFIX = '/tv-management/api/v1';
const KILLS = 3;
const COURSES = 12;

let server: AirdeskProcess;
let token = '';
/** Operations received by webhook, in order of first arrival. */
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
  const { portalId } = (await request('POST', '/portals', { name: 'city', isAutoRegistration: true })).body as {
    readonly portalId: string;
  };
  ({ token } = (await request('POST', `/portals/${portalId}/keys`, { name: 'billing' })).body as {
    readonly token: string;
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const created = await request('POST', `/portals/${portalId}/webhooks`, { url, isPrivateAllowed: true });
  expect(created.status).toBe(201);
});
afterAll(async () => {
  await server?.dispose();
  receiver.closeAllConnections();
  receiver.close();
});

async function request(
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
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
}

/** Complete list, page by page. */
async function list<T>(name: string): Promise<readonly T[]> {
  const found: T[] = [];
  for (let cursor = ''; ;) {
    const { status, body } = await request('GET', `/${name}?limit=1000${cursor}`);
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)} ${server.printed}`);
    const { [name]: items, next } = body as Record<string, readonly T[]> & { readonly next: string | null };
    found.push(...(items ?? []));
    if (next === null) return found;
    cursor = `&cursor=${next}`;
  }
}

/** Change of a course, and the operations that it logs. */
interface Change {
  readonly method: string;
  readonly path: (course: Course) => string;
  readonly body?: (name: string, index: number) => object;
  readonly operations: readonly OperationType[];
}

/** Series of changes of one subscriber and one package, each with its own idempotency key. */
interface Course {
  readonly name: string;
  readonly index: number;
  /** Replies to the changes so far. */
  readonly answers: { readonly status: number; readonly body: unknown }[];
  subscriberId: string;
  packageId: string;
}

const subscriberPath = ({ subscriberId }: Course): string => `/subscribers/${subscriberId}`;
const packagePath = ({ packageId }: Course): string => `/packages/${packageId}`;
const linkPath = (course: Course): string => subscriberPath(course) + packagePath(course);
/**
 * Changes of a course: courses with a login start with a login that creates the subscriber, who gets a free package.
 */
const changesOf = (isLogin: boolean): readonly Change[] => [
  { method: 'POST', path: () => '/packages', body: (name) => ({ name }), operations: ['createPackage'] },
  isLogin
    ? {
        method: 'POST',
        path: () => '/subscribers/login',
        body: (name, index) => ({ name, phoneCountryCode: '1', phone: `9${index}` }),
        operations: ['autoCreateSubscriber', 'createPackageSubscriber'],
      }
    : { method: 'POST', path: () => '/subscribers', body: (name) => ({ name }), operations: ['createSubscriber'] },
  {
    method: 'PUT',
    path: linkPath,
    body: () => ({ startsAt: '2999-01-01T00:00:00Z', endsAt: '2999-02-01T00:00:00Z' }),
    operations: ['planPackageSubscriber'],
  },
  { method: 'PUT', path: linkPath, body: () => ({ endsAt: null }), operations: ['createPackageSubscriber'] },
  {
    method: 'PUT',
    path: subscriberPath,
    operations: ['updateSubscriber'],
    body: (_name, index) => ({ phoneCountryCode: '2', phone: `8${index}` }),
  },
  { method: 'POST', path: (course) => `${subscriberPath(course)}/disable`, operations: ['disableSubscriber'] },
  { method: 'POST', path: (course) => `${subscriberPath(course)}/enable`, operations: ['enableSubscriber'] },
  { method: 'PUT', path: packagePath, body: () => ({ streams: ['news'] }), operations: ['updatePackage'] },
  { method: 'DELETE', path: linkPath, operations: ['deletePackageSubscriber'] },
  { method: 'PUT', path: linkPath, body: () => ({}), operations: ['createPackageSubscriber'] },
  {
    method: 'DELETE',
    path: subscriberPath,
    operations: [
      ...(isLogin ? (['deletePackageSubscriber'] as const) : []),
      ...(['deletePackageSubscriber', 'deleteSubscriber'] as const),
    ],
  },
  { method: 'DELETE', path: packagePath, operations: ['deletePackage'] },
];

describe('a server that is killed', () => {
  /** Makes a change, or repeats it. Throws if the server disappears. */
  async function make(course: Course, at: number): Promise<void> {
    const { method, path, body } = changesOf(course.index % 2 === 1)[at] as Change;
    const answer = await request(method, path(course), body?.(course.name, course.index), `${course.name}-${at}`);
    if (answer.status >= 300) throw new Error(JSON.stringify(answer));
    // A repeated request gets the first reply.
    expect(course.answers[at] ?? answer).toEqual(answer);
    course.answers[at] = answer;
    const created = answer.body as { readonly subscriberId?: string; readonly packageId?: string } | null;
    if (at === 0) course.packageId = created?.packageId ?? '';
    if (at === 1) course.subscriberId = created?.subscriberId ?? '';
  }

  /** Compares the state with the log, and the log with the replies. */
  async function check(courses: readonly Course[]): Promise<readonly Operation[]> {
    const operations = await list<Operation>('operations');
    const replayed = replay(operations);
    const subscribers = await list<Subscriber>('subscribers');
    expect(subscribers.map(({ subscriberId }) => subscriberId)).toEqual([...replayed.subscribers.keys()]);
    for (const { subscriberId, isDisabled } of subscribers)
      expect(replayed.subscribers.get(subscriberId)).toMatchObject({ isDisabled });
    const packages = await list<{ readonly packageId: string }>('packages');
    expect(packages.map(({ packageId }) => packageId)).toEqual([...replayed.packages.keys()]);
    const links = await list<{ readonly subscriberId: string; readonly packageId: string }>('subscriptions');
    expect(new Set(links.map((one) => `${one.subscriberId} ${one.packageId}`))).toEqual(
      new Set(replayed.subscriptions.keys()),
    );
    for (const { name, index, answers } of courses) {
      const logged = operations.filter(({ payload }) =>
        ['name', 'packageName', 'subscriberName'].some((key) => (payload as Record<string, unknown>)[key] === name),
      );
      const expected = changesOf(index % 2 === 1).map((change) => change.operations);
      const types = logged.map(({ type }) => type);
      // The log must contain all confirmed changes, and each unconfirmed change completely or not at all.
      expect([expected.slice(0, answers.length).flat(), expected.slice(0, answers.length + 1).flat()]).toContainEqual(
        types,
      );
    }
    return operations;
  }

  it('keeps every confirmed change with its operations, and makes a repeated change once', async () => {
    await request('POST', '/packages', { name: 'free', isFree: true });
    const courses = Array.from({ length: COURSES }, (_, index): Course => {
      return { name: `course-${index}`, index, answers: [], subscriberId: '', packageId: '' };
    });
    const count = (): number => courses.reduce((sum, { answers }) => sum + answers.length, 0);
    // Some courses are left unfinished.
    const lengthOf = ({ index }: Course): number => changesOf(false).length - (index % 4) * 2;
    const all = courses.reduce((sum, course) => sum + lengthOf(course), 0);
    for (let kill = 1; count() < all; kill++) {
      const killTime = Promise.withResolvers<undefined>();
      const makeRest = async (course: Course): Promise<void> => {
        // The last confirmed changes are repeated.
        for (let at = Math.max(0, course.answers.length - 1); at < lengthOf(course); at++) {
          await make(course, at);
          if (count() >= (all * kill) / (KILLS + 1)) killTime.resolve(undefined);
        }
      };
      const outcomes = Promise.allSettled(courses.map(makeRest));
      await Promise.race([killTime.promise, outcomes]);
      if (kill <= KILLS) await server.crash();
      const failed = (await outcomes).flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
      if (kill > KILLS) expect(failed).toEqual([]);
      else expect(failed.filter((reason) => !reason.includes('fetch failed'))).toEqual([]);
      await check(courses);
    }
    const operations = await check(courses);
    expect(new Set(operations.map(({ type }) => type))).toEqual(new Set(OPERATION_TYPES));
    expect((await request('GET', '/log/verify')).body).toMatchObject({ isIntact: true, records: operations.length });
    await until(
      'every operation by webhook',
      () => posted.size >= operations.length,
      20_000,
      () => server.printed,
    );
    expect([...posted]).toEqual(operations.map(({ operationId }) => operationId));
  });
});

describe('viewers with a token of a subscriber', () => {
  /** Status and error code of the playlist. */
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

  it('play the streams of their packages with a limited number of sessions, until the subscriber is disabled or the package is detached', async () => {
    const { subscriberId } = (await request('POST', '/subscribers', { name: 'Anna' })).body as Subscriber;
    const pack = { name: 'News', streams: ['news', 'sport'], maxSessions: 2 };
    const { packageId } = (await request('POST', '/packages', pack)).body as { readonly packageId: string };
    const path = `/subscribers/${subscriberId}`;
    const viewer = async (): Promise<string> =>
      `?token=${((await request('POST', `${path}/tokens`)).body as { readonly token: string }).token}`;
    const [phone, television] = [await viewer(), await viewer()];
    expect([await played(''), await played('?token=none')]).toEqual(['403 token_required', '403 playback_denied']);
    expect(await played(phone)).toBe('403 playback_denied');

    await request('PUT', `${path}/packages/${packageId}`, {});
    await becomes(phone, '200');
    const endless = await fetch(`${server.url}/news/mpegts${phone}`);
    expect(endless.status).toBe(200);
    // The subscriber has a third session, so the first session is ended.
    await becomes(television, '200');
    expect(await played(phone)).toBe('403 session_banned');

    const ended = endless.arrayBuffer().then(
      () => 'ended',
      () => 'ended',
    );
    // The same is checked with several backends, one of which does not answer.
    await until('the backend that has the package', async () => (await played(television, 'sport')) === '200', 30_000);
    await request('POST', `${path}/disable`);
    await until(
      'the refusal of the disabled subscriber',
      async () => (await played(television, 'sport')) === '403 playback_denied',
      30_000,
    );
    await becomes(television, '403 playback_denied');
    expect(await ended).toBe('ended');
    await request('POST', `${path}/enable`);
    await becomes(television, '200');
    const detached = `${PREFIX}${path}/packages/${packageId}`;
    await fetch(server.url + detached, { method: 'DELETE', headers: { 'x-auth-token': token } });
    await becomes(television, '403 playback_denied');
  });
});
