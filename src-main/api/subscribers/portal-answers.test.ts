import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listedOperations, type ListedOperation } from '../../../tests/helpers/api-operations.ts';
import { CollectionStage } from '../../../tests/helpers/collection-stage.ts';
import { PORTALS_PREFIX, StagedPortal } from '../../../tests/helpers/portal-stage.ts';
import { until } from '../../../tests/helpers/until.ts';

const CANARY = 'CANARY';
const CONFIG = `http 80;
edit_auth boss${CANARY} word${CANARY};
view_auth guest${CANARY} look${CANARY};
cluster_key cluster${CANARY};
stream news { input rtsp://u${CANARY}:p${CANARY}@192.0.2.1/c${CANARY}; password s${CANARY}; comment c${CANARY}; }
auth_backend door${CANARY} { backend https://192.0.2.2/${CANARY}; backend subscribers://one; }
event_sink sink${CANARY} { url https://192.0.2.3/${CANARY}; }
dvr disk${CANARY} { root /srv/disk${CANARY}; }
`;
/** Limit for hanging tests only, in milliseconds. */
const LIMIT_MS = 60_000;

/** Values of path parameters, query and body for an operation. */
interface GivenValues {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: object;
}

let stage: CollectionStage;
let ownPortal: StagedPortal;
/** Texts that no answer may contain: ids, keys, names and numbers of the other portal, and secrets of this portal. */
const hidden: string[] = [];
let operationId = '';
let exportId = '';
/** Number in the name of the next created object. No two requests share an object, so a removal disturbs no other request. */
let count = 0;

const OPERATIONS = listedOperations();
const REQUESTED = OPERATIONS.filter(({ access }) => access === 'portal_key');

/**
 * Requests that succeed, by operation; several if parameters select different answers. Each new operation needs an
 * entry.
 */
const REQUESTS: Readonly<Record<string, readonly (() => GivenValues | Promise<GivenValues>)[]>> = {
  operations_list: [() => ({ query: 'limit=1000&order=desc' })],
  operation_get: [() => ({ params: { operationId } })],
  log_verify: [() => ({})],
  log_export: ['jsonl', 'csv'].map((format) => () => ({ query: `format=${format}` })),
  log_public_key: [() => ({})],
  operation_export_create: ['jsonl', 'csv'].map((format) => () => ({ body: { format } })),
  operation_exports_list: [() => ({})],
  operation_export_get: [() => ({ params: { exportId } })],
  operation_export_file: [() => ({ params: { exportId } })],
  operation_export_remove: [async () => ({ params: { exportId: await exported('csv') } })],
  subscribers_list: [() => ({ query: 'limit=1000' })],
  subscriber_create: [() => ({ body: { name: `S${++count}` } })],
  subscriber_login: [
    () => ({ body: { phoneCountryCode: '49', phone: String(++count) } }),
    async () => {
      const number = { phoneCountryCode: '49', phone: String(++count) };
      await subscriber(number);
      return { body: number };
    },
  ],
  subscriber_get: [async () => ({ params: { subscriberId: await subscriber() } })],
  subscriber_save: [async () => ({ params: { subscriberId: await subscriber() }, body: { name: 'New' } })],
  subscriber_delete: [async () => ({ params: { subscriberId: await subscriber() } })],
  subscriber_disable: [async () => ({ params: { subscriberId: await subscriber() }, body: { reason: 'x' } })],
  subscriber_enable: [async () => ({ params: { subscriberId: await disabled() } })],
  viewer_tokens_list: [async () => ({ params: { subscriberId: (await viewer()).subscriberId } })],
  viewer_token_create: [async () => ({ params: { subscriberId: await subscriber() }, body: { name: 'phone' } })],
  viewer_token_remove: [async () => ({ params: { ...(await viewer()) } })],
  packages_list: [() => ({ query: 'limit=1000' })],
  package_create: [() => ({ body: { name: `P${++count}`, streams: ['news'] } })],
  package_get: [async () => ({ params: { packageId: await pack() } })],
  package_save: [async () => ({ params: { packageId: await pack() }, body: { isFree: true } })],
  package_delete: [async () => ({ params: { packageId: await pack() } })],
  subscriptions_list: [() => ({ query: 'limit=1000' })],
  subscription_attach: [async () => ({ params: { subscriberId: await subscriber(), packageId: await pack() } })],
  subscription_detach: [async () => ({ params: await subscription() })],
};

function subscriber(fields: object = {}): Promise<string> {
  return ownPortal.make('subscribers', { name: `S${++count}`, ...fields });
}

function pack(): Promise<string> {
  return ownPortal.make('packages', { name: `P${++count}`, streams: ['news'] });
}

async function disabled(): Promise<string> {
  const id = await subscriber();
  await ownPortal.request('POST', `/subscribers/${id}/disable`, {});
  return id;
}

async function subscription(): Promise<{ readonly subscriberId: string; readonly packageId: string }> {
  const ids = { subscriberId: await subscriber(), packageId: await pack() };
  await ownPortal.request('PUT', `/subscribers/${ids.subscriberId}/packages/${ids.packageId}`);
  return ids;
}

async function viewer(): Promise<{ readonly subscriberId: string; readonly tokenId: string }> {
  const subscriberId = await subscriber();
  const { body } = await ownPortal.request('POST', `/subscribers/${subscriberId}/tokens`, { name: 'phone' });
  const { token, tokenId } = body as { readonly token: string; readonly tokenId: string };
  hidden.push(token);
  return { subscriberId, tokenId };
}

/** Starts an export. Returns its id when it is done. */
async function exported(format: string): Promise<string> {
  const { body } = await ownPortal.request('POST', '/exports', { format });
  const { exportId: id } = body as { readonly exportId: string };
  return until(
    'export',
    async () =>
      ((await ownPortal.request('GET', `/exports/${id}`)).body as { readonly status: string }).status === 'done' && id,
    LIMIT_MS,
  );
}

/** Fills the other portal; all its texts are hidden. */
async function other(): Promise<void> {
  const portal = await StagedPortal.make(stage, 'NEIGHBOURportal');
  const subscriberId = await portal.make('subscribers', {
    name: 'NEIGHBOURname',
    phoneCountryCode: '49',
    phone: '777888999',
  });
  const packageId = await portal.make('packages', { name: 'NEIGHBOURpackage', streams: ['NEIGHBOURstream'] });
  await portal.request('PUT', `/subscribers/${subscriberId}/packages/${packageId}`, undefined, {
    'x-manager-email': 'NEIGHBOUR@example.org',
  });
  const { body: token } = await portal.request('POST', `/subscribers/${subscriberId}/tokens`, {
    name: 'NEIGHBOURphone',
  });
  const { body: job } = await portal.request('POST', '/exports', { format: 'jsonl' });
  const ids = [token as Record<string, string>, job as Record<string, string>].flatMap((body) => [
    body['tokenId'],
    body['token'],
    body['exportId'],
  ]);
  const operations = (await portal.operations()).map((operation) => operation.operationId);
  hidden.push(
    ...['NEIGHBOUR', '777888999', portal.portalId, portal.token, subscriberId, packageId, ...operations],
    ...ids.filter((id) => id !== undefined),
  );
}

beforeAll(async () => {
  stage = await CollectionStage.start('http 80;\n');
  ownPortal = await StagedPortal.make(stage, 'one', { isAutoRegistration: true });
  hidden.push(ownPortal.token);
  // Keys and webhooks of a portal are managed by operators only.
  const managed = `${PORTALS_PREFIX}/portals/${ownPortal.portalId}`;
  const { body: key } = await stage.request('POST', `${managed}/keys`, { name: 'OTHERKEY' });
  const { body: hook } = await stage.request('POST', `${managed}/webhooks`, { url: 'https://192.0.2.9/OTHERHOOK' });
  hidden.push('OTHERKEY', 'OTHERHOOK', (key as { token: string }).token, (hook as { secret: string }).secret);
  await other();
  await subscription();
  await viewer();
  operationId = (await ownPortal.operations())[0]?.operationId ?? '';
  exportId = await exported('jsonl');
  await stage.configuration.changes.replace(CONFIG, { who: 'test', fromWhere: 'test' });
  expect(stage.text).toBe(CONFIG);
  hidden.push(CANARY, tmpdir(), process.cwd());
  // An empty text would occur in every answer.
  expect(hidden.filter((text) => text.length < 4)).toEqual([]);
});
afterAll(() => stage.close());

function addressOf({ address }: ListedOperation, { params = {}, query }: GivenValues): string {
  const path = address.replace(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(params[name] ?? '-'));
  return query === undefined ? path : `${path}?${query}`;
}

/** Hidden texts and paths on disk in an answer. */
function leaks(answer: string): readonly string[] {
  const paths = [...answer.matchAll(/"((?:\/|[A-Z]:\\)[^"]*)"/g)].map(([, path = '']) => path);
  return [
    ...hidden.filter((text) => answer.includes(text)),
    ...paths.filter((path) => !path.startsWith(`${PORTALS_PREFIX}/exports/`)),
  ];
}

describe('successful answers to the key of a portal', () => {
  it('are covered for every operation', () => {
    expect(REQUESTED.length).toBeGreaterThan(20);
    expect(Object.keys(REQUESTS).sort()).toEqual(REQUESTED.map(({ id }) => id).sort());
  });

  it.each(REQUESTED)('contain no data of other portals, of the server and of its disk: $id', async (operation) => {
    for (const make of REQUESTS[operation.id] ?? []) {
      const given = await make();
      const { status, body, headers } = await stage.request(operation.method, addressOf(operation, given), given.body, {
        'x-auth-token': ownPortal.token,
      });
      expect([status, body]).toEqual([expect.toBeOneOf([200, 201, 202, 204]), body]);
      expect(leaks(JSON.stringify([body, ...headers]))).toEqual([]);
      // Text bodies are not escaped.
      if (typeof body === 'string') expect(leaks(body)).toEqual([]);
    }
  });

  it('that contain hidden texts would be detected by this test', () => {
    expect(leaks('{"file":"/var/lib/airdesk/exports/1.csv","name":"NEIGHBOURname"}')).toEqual([
      'NEIGHBOUR',
      '/var/lib/airdesk/exports/1.csv',
    ]);
  });
});

describe('the key of a portal', () => {
  it('gives access to no operation for operators', async () => {
    const others = OPERATIONS.filter(({ access }) => access !== 'portal_key');
    expect(others.length).toBeGreaterThan(200);
    const opened: string[] = [];
    for (const operation of others) {
      const statusOf = async (headers: Readonly<Record<string, string>>): Promise<number> => {
        const reply = await fetch(stage.url + addressOf(operation, {}), { method: operation.method, headers });
        await reply.body?.cancel();
        return reply.status;
      };
      const [without, withKey] = [await statusOf({}), await statusOf({ 'x-auth-token': ownPortal.token })];
      const bearer = await statusOf({ authorization: `Bearer ${ownPortal.token}` });
      if (withKey !== without || (bearer < 400 && without >= 400))
        opened.push(`${operation.id} ${without} ${withKey} ${bearer}`);
    }
    expect(opened).toEqual([]);
  });
});
