import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CollectionStage } from '../../../tests/helpers/collection-stage.ts';
import { PORTALS_PREFIX, StagedPortal } from '../../../tests/helpers/portal-stage.ts';
import { until } from '../../../tests/helpers/until.ts';

/** Limit for hanging tests only, in milliseconds. */
const LIMIT_MS = 60_000;
const RUNS = Number(process.env['AIRDESK_FUZZ_RUNS'] ?? 100);

/** Ids of one portal, by their kind. */
interface Ids {
  readonly subscriber: string;
  readonly package: string;
  readonly operation: string;
  readonly token: string;
  readonly export: string;
  readonly key: string;
  readonly webhook: string;
  /** `next` cursor of each list. */
  readonly cursors: Readonly<Record<(typeof LISTS)[number], string>>;
}

const LISTS = ['operations', 'subscribers', 'packages', 'subscriptions'] as const;

type Request = readonly [method: string, path: string, body?: unknown];

/** Every request that takes an id. */
const REQUESTS: readonly ((ids: Ids) => Request)[] = [
  ({ operation }) => ['GET', `/operations/${operation}`],
  ({ subscriber }) => ['GET', `/operations?subscriberId=${subscriber}`],
  ({ subscriber, package: id }) => ['GET', `/operations?subscriberId=${subscriber}&packageId=${id}&order=desc`],
  ({ package: id }) => ['GET', `/operations?packageId=${id}&type=createPackage`],
  ({ subscriber }) => ['GET', `/subscribers/${subscriber}`],
  ({ subscriber }) => ['PUT', `/subscribers/${subscriber}`, { name: 'x' }],
  ({ subscriber }) => ['POST', `/subscribers/${subscriber}/disable`, { reason: 'x' }],
  ({ subscriber }) => ['POST', `/subscribers/${subscriber}/enable`],
  ({ subscriber }) => ['DELETE', `/subscribers/${subscriber}`],
  ({ subscriber }) => ['GET', `/subscribers/${subscriber}/tokens`],
  ({ subscriber }) => ['POST', `/subscribers/${subscriber}/tokens`],
  ({ subscriber, token }) => ['DELETE', `/subscribers/${subscriber}/tokens/${token}`],
  ({ package: id }) => ['GET', `/subscribers?packageId=${id}`],
  ({ package: id }) => ['GET', `/packages/${id}`],
  ({ package: id }) => ['PUT', `/packages/${id}`, { isFree: true }],
  ({ package: id }) => ['DELETE', `/packages/${id}`],
  ({ subscriber, package: id }) => ['GET', `/subscriptions?subscriberId=${subscriber}&packageId=${id}`],
  ({ subscriber, package: id }) => ['PUT', `/subscribers/${subscriber}/packages/${id}`],
  ({ subscriber, package: id }) => ['DELETE', `/subscribers/${subscriber}/packages/${id}`],
  ({ export: id }) => ['GET', `/exports/${id}`],
  ({ export: id }) => ['GET', `/exports/${id}/file`],
  ({ export: id }) => ['GET', `/exports/${id}/file?key=00112233445566778899aabbccddeeff`],
  ({ export: id }) => ['DELETE', `/exports/${id}`],
  ...LISTS.map((list) => ({ cursors }: Ids): Request => ['GET', `/${list}?limit=1&cursor=${cursors[list]}`]),
];
/** Every operator request that takes an id below a portal. */
const MANAGED: readonly ((ids: Ids) => Request)[] = [
  ({ key }) => ['POST', `/keys/${key}/rotate`, {}],
  ({ key }) => ['DELETE', `/keys/${key}`],
  ({ webhook }) => ['PUT', `/webhooks/${webhook}`, { isDisabled: true }],
  ({ webhook }) => ['POST', `/webhooks/${webhook}/rotate`, {}],
  ({ webhook }) => ['DELETE', `/webhooks/${webhook}`],
  ({ webhook }) => ['GET', `/webhooks/${webhook}/log`],
  ({ webhook }) => ['POST', `/webhooks/${webhook}/test`],
  ({ webhook }) => ['POST', `/webhooks/${webhook}/replay`, { isDeadLetters: true }],
  ({ webhook, operation }) => ['POST', `/webhooks/${webhook}/replay`, { operationIds: [operation] }],
  ({ webhook }) => ['GET', `/webhooks/${webhook}/dead-letters`],
  ({ webhook }) => ['DELETE', `/webhooks/${webhook}/dead-letters`],
  ({ webhook, operation }) => ['DELETE', `/webhooks/${webhook}/dead-letters/${operation}`],
];

let stage: CollectionStage;
beforeAll(async () => {
  stage = await CollectionStage.start('http 80;\n');
});
afterAll(() => stage.close());

/** Waits for the end of an export, because a running export changes its state; returns the export. */
async function finishedExport(portal: StagedPortal, exportId: string): Promise<unknown> {
  return until(
    'export',
    async () => {
      const { body } = await portal.request('GET', `/exports/${exportId}`);
      return (body as { readonly status: string }).status === 'done' && body;
    },
    LIMIT_MS,
  );
}

async function filled(name: string): Promise<{ readonly portal: StagedPortal; readonly ids: Ids }> {
  const portal = await StagedPortal.make(stage, name);
  const number = { phoneCountryCode: '49', phone: '1' };
  const subscriber = await portal.make('subscribers', { name: 'Anna', ...number });
  const packageId = await portal.make('packages', { name: 'News' });
  await portal.request('PUT', `/subscribers/${subscriber}/packages/${packageId}`);
  // Each list has a second page.
  const other = await portal.make('subscribers', { name: 'Berta' });
  await portal.make('packages', { name: 'Series' });
  await portal.request('PUT', `/subscribers/${other}/packages/${packageId}`);
  const [first] = await portal.operations();
  const create = async (path: string, body?: object): Promise<Record<string, string>> =>
    (await portal.request('POST', path, body)).body as Record<string, string>;
  const managed = async (path: string, body: object): Promise<Record<string, string>> =>
    (await stage.request('POST', `${PORTALS_PREFIX}/portals/${portal.portalId}${path}`, body)).body as Record<
      string,
      string
    >;
  const next = async (list: string): Promise<[string, string]> => {
    const { body } = await portal.request('GET', `/${list}?limit=1`);
    return [list, (body as { readonly next: string }).next];
  };
  const token = await create(`/subscribers/${subscriber}/tokens`);
  const exported = await create('/exports', { format: 'csv' });
  await finishedExport(portal, exported['exportId'] ?? '');
  const key = await managed('/keys', { name: 'other' });
  // The webhook sends no request, because no receiver is allowed.
  const webhook = await managed('/webhooks', { url: 'http://127.0.0.1:9/' });
  const ids = {
    subscriber,
    package: packageId,
    operation: first?.operationId ?? '',
    token: token['tokenId'] ?? '',
    export: exported['exportId'] ?? '',
    key: key['keyId'] ?? '',
    webhook: webhook['webhookId'] ?? '',
    cursors: Object.fromEntries(await Promise.all(LISTS.map(next))) as Ids['cursors'],
  };
  // A missing object could not be compared with an unknown one.
  expect(JSON.stringify(ids)).not.toMatch(/""|null/);
  return { portal, ids };
}

/** Ids that never existed. */
function neverIds(never: bigint): Ids {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(never);
  const gone = bytes.toString('base64').replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '.');
  const cursor = Buffer.concat([bytes, createHash('sha256').update(bytes).digest().subarray(0, 10)]);
  const text = cursor.toString('base64url');
  return {
    subscriber: gone,
    package: gone,
    operation: gone,
    token: gone,
    key: gone,
    webhook: gone,
    export: createHash('md5').update(bytes).digest('hex'),
    cursors: { operations: text, subscribers: text, packages: text, subscriptions: text },
  };
}

describe('objects of a portal', () => {
  it('look like missing objects to other portals, and cannot be changed by them', async () => {
    const a = await filled('one');
    const b = await filled('another');
    const things = ['exports', `subscribers/${b.ids.subscriber}/tokens`];
    const logs = async (): Promise<unknown> => [
      await a.portal.operations(),
      await b.portal.operations(),
      ...(await Promise.all(things.map(async (path) => (await b.portal.request('GET', `/${path}`)).body))),
      ...(await Promise.all(
        ['keys', 'webhooks'].map(
          async (path) => (await stage.request('GET', `${PORTALS_PREFIX}/portals/${b.portal.portalId}/${path}`)).body,
        ),
      )),
    ];
    const before = await logs();
    const requests = [
      ...REQUESTS.map((of) => ({ of, isManaged: false })),
      ...MANAGED.map((of) => ({ of, isManaged: true })),
    ];
    const isOther = { subscriber: true, package: true };
    const each = requests.map((request) => ({ request, isOther, never: 5n, headers: {} }));
    // Some ids of a request belong to the other portal, and in its twin never existed; the rest are ids of the own
    // portal.
    const requestCase = fc.record({
      request: fc.constantFrom(...requests),
      isOther: fc.record({ subscriber: fc.boolean(), package: fc.boolean() }),
      never: fc.bigInt({ min: 1n, max: 2n ** 62n }),
      headers: fc.constantFrom({}, { 'x-manager-email': 'm@example.org' }),
    });
    const isolated = fc.asyncProperty(requestCase, async ({ request, isOther, never, headers }) => {
      const gone = neverIds(never);
      const mixed = (other: Ids): Ids => ({
        ...other,
        subscriber: isOther.subscriber || !isOther.package ? other.subscriber : a.ids.subscriber,
        package: isOther.package ? other.package : a.ids.package,
      });
      const replyTo = async (other: Ids): Promise<unknown> => {
        const [method, path, body] = request.of(mixed(other));
        // A request with ids of the own portal only tests nothing.
        const others = Object.values({ ...other, ...other.cursors }).map(String);
        if (!others.some((id) => (path + JSON.stringify(body ?? '')).includes(id))) return undefined;
        stage.queryNames.length = 0;
        const {
          status,
          body: answer,
          headers: lines,
        } = request.isManaged
          ? await stage.request(method, `${PORTALS_PREFIX}/portals/${a.portal.portalId}${path}`, body)
          : await a.portal.request(method, path, body, headers);
        expect(status).toBeLessThan(500);
        // Both requests search for the same ids, so they take the same time. The key need not be searched each time.
        return [
          status,
          answer,
          [...lines].filter(([name]) => name !== 'date'),
          stage.queryNames.filter((name) => name !== 'open'),
        ];
      };
      const twin = await replyTo(gone);
      expect(await replyTo(b.ids)).toEqual(twin);
    });
    await fc.assert(isolated, { numRuns: RUNS, examples: each.map((one) => [one]) });
    expect(await logs()).toEqual(before);
  });

  it('are absent from exports of other portals', async () => {
    const a = await filled('fifth');
    const b = await filled('sixth');
    for (const filter of [{ subscriberIds: [b.ids.subscriber] }, { packageId: b.ids.package }]) {
      const { body } = await a.portal.request('POST', '/exports', { format: 'jsonl', ...filter });
      const { exportId } = body as { readonly exportId: string };
      expect(await finishedExport(a.portal, exportId)).toMatchObject({ operations: 0 });
      expect((await a.portal.request('GET', `/exports/${exportId}/file`)).body).toBe('');
    }
  });

  it('may have the same names, numbers and idempotency keys in other portals', async () => {
    const a = await filled('third');
    const b = await filled('fourth');
    expect(a.ids.subscriber).not.toBe(b.ids.subscriber);
    expect(await a.portal.refusal('POST', '/packages', { name: 'News' })).toEqual([
      409,
      'package_exists',
      { pointer: '/name' },
    ]);
    const key = { 'idempotency-key': 'same' };
    const created = await a.portal.request('POST', '/packages', { name: 'Sport' }, key);
    const other = await b.portal.request('POST', '/packages', { name: 'Film' }, key);
    expect([created.status, other.status]).toEqual([201, 201]);
  });
});
