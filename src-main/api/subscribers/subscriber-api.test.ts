import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CollectionStage } from '../../../tests/helpers/collection-stage.ts';
import { PORTALS_PREFIX, StagedPortal } from '../../../tests/helpers/portal-stage.ts';
import type { OperationExport } from '../../../src-preload/contract/api/subscribers/operation-export-objects.ts';
import { until } from '../../../tests/helpers/until.ts';
import type { OperationType } from '../../../src-preload/contract/api/subscribers/operation-object.ts';

const ID = /^[A-Za-z0-9+/]{11}=$/;
const ORIGIN = { keyName: 'billing' };
const ANNA = { name: 'Anna', phoneCountryCode: '49', phone: '301234567' };

let stage: CollectionStage;
beforeAll(async () => {
  stage = await CollectionStage.start('http 80;\n');
});
afterAll(() => stage.close());

/**
 * Rows of the specification's table of states, each with the request that causes the operation and the recorded
 * operation.
 */
interface Row {
  readonly row: OperationType;
  /** Creates the preconditions. */
  readonly given?: (portal: StagedPortal) => Promise<Readonly<Record<string, string>>>;
  readonly request: (ids: Readonly<Record<string, string>>) => readonly [method: string, path: string, body?: unknown];
  readonly status: number;
  readonly payload: object;
}

const anna = async (portal: StagedPortal): Promise<Readonly<Record<string, string>>> => ({
  subscriber: await portal.make('subscribers', ANNA),
});
const news = async (portal: StagedPortal): Promise<Readonly<Record<string, string>>> => ({
  package: await portal.make('packages', { name: 'News', streams: ['news', 'live/'] }),
});
const both = async (portal: StagedPortal): Promise<Readonly<Record<string, string>>> => ({
  ...(await anna(portal)),
  ...(await news(portal)),
});
const NEWS = { packageName: 'News', isFree: false, streams: ['news', 'live/'], maxSessions: null };
const LINK = { packageName: 'News', subscriberName: 'Anna' };

const ROWS: readonly Row[] = [
  { row: 'createSubscriber', request: () => ['POST', '/subscribers', ANNA], status: 201, payload: ANNA },
  {
    row: 'autoCreateSubscriber',
    request: () => ['POST', '/subscribers/login', { phoneCountryCode: '49', phone: '7' }],
    status: 201,
    payload: { name: '7', phoneCountryCode: '49', phone: '7' },
  },
  {
    row: 'disableSubscriber',
    given: anna,
    request: (ids) => ['POST', `/subscribers/${ids['subscriber']}/disable`, { reason: 'not paid' }],
    status: 200,
    payload: { ...ANNA, reason: 'not paid' },
  },
  {
    row: 'enableSubscriber',
    given: async (portal) => {
      const ids = await anna(portal);
      await portal.request('POST', `/subscribers/${ids['subscriber']}/disable`);
      return ids;
    },
    request: (ids) => ['POST', `/subscribers/${ids['subscriber']}/enable`],
    status: 200,
    payload: ANNA,
  },
  {
    row: 'updateSubscriber',
    given: anna,
    request: (ids) => ['PUT', `/subscribers/${ids['subscriber']}`, { name: 'Anne' }],
    status: 200,
    payload: { ...ANNA, name: 'Anne' },
  },
  {
    row: 'deleteSubscriber',
    given: anna,
    request: (ids) => ['DELETE', `/subscribers/${ids['subscriber']}`],
    status: 204,
    payload: ANNA,
  },
  {
    row: 'createPackageSubscriber',
    given: both,
    request: (ids) => ['PUT', `/subscribers/${ids['subscriber']}/packages/${ids['package']}`],
    status: 201,
    payload: LINK,
  },
  {
    row: 'deletePackageSubscriber',
    given: async (portal) => {
      const ids = await both(portal);
      await portal.request('PUT', `/subscribers/${ids['subscriber']}/packages/${ids['package']}`);
      return ids;
    },
    request: (ids) => ['DELETE', `/subscribers/${ids['subscriber']}/packages/${ids['package']}`],
    status: 204,
    payload: LINK,
  },
  {
    row: 'createPackage',
    request: () => ['POST', '/packages', { name: 'News', streams: ['news', 'live/'] }],
    status: 201,
    payload: NEWS,
  },
  {
    row: 'updatePackage',
    given: news,
    request: (ids) => ['PUT', `/packages/${ids['package']}`, { isFree: true, maxSessions: 2 }],
    status: 200,
    payload: { ...NEWS, isFree: true, maxSessions: 2 },
  },
  {
    row: 'deletePackage',
    given: news,
    request: (ids) => ['DELETE', `/packages/${ids['package']}`],
    status: 204,
    payload: { packageName: 'News' },
  },
];

describe('the API of subscribers', () => {
  it.each(ROWS)('records the operation $row', async ({ row, given, request, status, payload }) => {
    const portal = await StagedPortal.make(stage, `row ${row}`, { isAutoRegistration: true });
    const ids = (await given?.(portal)) ?? {};
    const before = await portal.operations();
    stage.clock.advance(1000);
    const reply = await portal.request(...request(ids));
    expect(reply.status).toBe(status);
    const [operation, ...more] = (await portal.operations()).slice(before.length);
    expect(more).toEqual([]);
    const { subscriberId, packageId } = {
      subscriberId: ids['subscriber'],
      packageId: ids['package'],
      ...(reply.body as object),
    };
    const at = new Date(stage.clock.now()).toISOString();
    expect(operation).toEqual({
      operationId: expect.stringMatching(ID) as string,
      type: row,
      portalId: portal.portalId,
      subscriberId: subscriberId ?? null,
      packageId: packageId ?? null,
      createdAt: at,
      updatedAt: at,
      payload: { ...payload, ...ORIGIN },
    });
    const { operationId } = operation ?? { operationId: '' };
    expect((await portal.request('GET', `/operations/${encodeURIComponent(operationId)}`)).body).toEqual(operation);
    // A repeated request changes nothing and records no operation; a removed object is not found, and a duplicate is
    // refused.
    const again = await portal.request(...request(ids));
    expect([200, 404, 409]).toContain(again.status);
    expect(await portal.operations()).toHaveLength(before.length + 1);
  });

  it('cancels all subscriptions of a removed subscriber, with one operation each', async () => {
    const portal = await StagedPortal.make(stage, 'cascade');
    const ids = await both(portal);
    const sport = await portal.make('packages', { name: 'Sport' });
    for (const id of [ids['package'], sport])
      await portal.request('PUT', `/subscribers/${ids['subscriber']}/packages/${id}`);
    expect(await portal.refusal('DELETE', `/packages/${sport}`)).toEqual([409, 'package_in_use', undefined]);
    await portal.request('DELETE', `/subscribers/${ids['subscriber']}`);
    const ended = (await portal.operations()).slice(-3).map(({ type, packageId }) => [type, packageId]);
    expect(ended).toEqual([
      ['deletePackageSubscriber', ids['package']],
      ['deletePackageSubscriber', sport],
      ['deleteSubscriber', null],
    ]);
    expect((await portal.request('GET', '/subscriptions')).body).toEqual({ subscriptions: [], next: null });
    expect((await portal.request('DELETE', `/packages/${sport}`)).status).toBe(204);
  });

  it('attaches free packages at the first login only', async () => {
    const portal = await StagedPortal.make(stage, 'login', { isAutoRegistration: true });
    await portal.make('packages', { name: 'Paid' });
    const free = await portal.make('packages', { name: 'Free', isFree: true });
    const number = { phoneCountryCode: '1', phone: '5550100' };
    const first = await portal.request('POST', '/subscribers/login', number);
    expect([first.status, first.body]).toMatchObject([201, { packageIds: [free], name: '5550100' }]);
    expect((await portal.request('POST', '/subscribers/login', number)).status).toBe(200);
    expect((await portal.operations()).slice(2).map(({ type }) => type)).toEqual([
      'autoCreateSubscriber',
      'createPackageSubscriber',
    ]);
    await stage.request('PUT', `${PORTALS_PREFIX}/portals/${portal.portalId}`, { isAutoRegistration: false });
    const other = { ...number, phone: '5550101' };
    expect(await portal.refusal('POST', '/subscribers/login', other)).toEqual([404, 'subscriber_not_found', undefined]);
  });

  it('filters operations by all conditions together, in pages, in both orders', async () => {
    const portal = await StagedPortal.make(stage, 'filters');
    const ids = await both(portal);
    const bert = await portal.make('subscribers', { name: 'Bert' });
    stage.clock.advance(86_400_000);
    // The kept-alive connection was idle for a day and is closed by the server.
    await portal.request('GET', '/packages').catch(() => undefined);
    for (const id of [ids['subscriber'], bert])
      await portal.request('PUT', `/subscribers/${id}/packages/${ids['package']}`);
    stage.clock.advance(5000);
    await portal.request('DELETE', `/subscribers/${bert}/packages/${ids['package']}`);
    const all = await portal.operations();
    expect(all).toHaveLength(6);
    const types = async (query: string): Promise<readonly string[]> =>
      (await portal.operations(query, 2)).map(({ type }) => type);
    expect(await portal.operations('', 1)).toEqual(all);
    expect(await portal.operations('&order=desc', 2)).toEqual(all.toReversed());
    expect(await types(`&subscriberId=${bert}`)).toHaveLength(3);
    expect(await types(`&subscriberId=${bert}&subscriberId=${ids['subscriber']}`)).toHaveLength(5);
    expect(await types(`&packageId=${ids['package']}`)).toHaveLength(4);
    expect(await types('&type=createSubscriber&type=createPackage')).toHaveLength(3);
    expect(await types(`&packageId=${ids['package']}&type=deletePackageSubscriber`)).toHaveLength(1);
    expect(await types(`&packageId=${ids['package']}&subscriberId=${bert}&type=createPackageSubscriber`)).toHaveLength(
      1,
    );
    const last = all.at(-1)?.createdAt ?? '';
    const second = `${last.slice(0, 19)}Z`;
    expect(await types(`&created_at_lt=${last.slice(0, 10)}`)).toHaveLength(3);
    expect(await types(`&created_at_gte=${last.slice(0, 10)}`)).toHaveLength(3);
    // The lower limit is exclusive, the upper inclusive, to the second.
    expect(await types(`&created_at_lt=${second}`)).toHaveLength(5);
    expect(await types(`&created_at_gte=${second}`)).toEqual(['deletePackageSubscriber']);
  });

  it('lists subscribers, packages and subscriptions by filters, in pages', async () => {
    const portal = await StagedPortal.make(stage, 'lists');
    const ids = await both(portal);
    const bert = await portal.make('subscribers', { name: 'Bert', phone: '5' });
    for (const id of [bert, ids['subscriber']])
      await portal.request('PUT', `/subscribers/${id}/packages/${ids['package']}`);
    const names = async (query: string): Promise<unknown> => {
      const { status, body } = await portal.request('GET', `/subscribers?${query}`);
      return [
        status,
        (body as { readonly subscribers: readonly { readonly name: string }[] }).subscribers.map(({ name }) => name),
      ];
    };
    expect(await names('')).toEqual([200, ['Anna', 'Bert']]);
    expect(await names('phone=5')).toEqual([200, ['Bert']]);
    expect(await names('phone=301234567&phoneCountryCode=49')).toEqual([200, ['Anna']]);
    expect(await names('phone=301234567&phoneCountryCode=1')).toEqual([200, []]);
    expect(await names(`packageId=${ids['package']}`)).toEqual([200, ['Anna', 'Bert']]);
    const first = await portal.request('GET', `/subscribers?packageId=${ids['package']}&limit=1`);
    const { next } = first.body as { readonly next: string };
    expect(await names(`packageId=${ids['package']}&limit=1&cursor=${next}`)).toEqual([200, ['Bert']]);
    expect((await portal.request('GET', `/subscriptions?subscriberId=${bert}`)).body).toMatchObject({
      subscriptions: [{ subscriberId: bert, packageId: ids['package'] }],
    });
    expect((await portal.request('GET', '/packages')).body).toMatchObject({ packages: [{ name: 'News' }], next: null });
    expect(await portal.refusal('GET', '/subscribers?phoneCountryCode=49')).toEqual([
      400,
      'bad_query',
      { parameter: 'phoneCountryCode' },
    ]);
  });

  it('exports filtered operations to a file at a secret address', async () => {
    const portal = await StagedPortal.make(stage, 'exports');
    const other = await StagedPortal.make(stage, 'exports of another');
    await both(portal);
    const created = await portal.request('POST', '/exports', { format: 'jsonl', types: ['createSubscriber'] });
    expect(created.status).toBe(202);
    const { exportId } = created.body as { readonly exportId: string };
    const done = await until(
      'the export',
      async () => {
        const { body } = await portal.request('GET', `/exports/${exportId}`);
        const shown = body as OperationExport;
        return shown.status === 'done' ? shown : undefined;
      },
      30_000,
    );
    expect(done).toMatchObject({ operations: 1, request: { format: 'jsonl', types: ['createSubscriber'] } });
    const file = await portal.request('GET', `/exports/${exportId}/file`);
    expect(file.headers.get('content-disposition')).toMatch(/filename="operations-.*\.jsonl"/);
    const [operation] = await portal.operations('&type=createSubscriber');
    expect(JSON.parse(String(file.body))).toEqual(operation);
    // The address of the file needs no key of the portal.
    const opened = await stage.request('GET', done.file ?? '');
    expect(opened.body).toEqual(file.body);
    expect(await stage.refusal('GET', `${PORTALS_PREFIX}/exports/${exportId}/file?key=x`)).toEqual([
      401,
      'portal_key_invalid',
      undefined,
    ]);
    expect(await other.refusal('GET', `/exports/${exportId}`)).toEqual([404, 'job_not_found', undefined]);
    expect((await other.request('GET', '/exports')).body).toEqual({ exports: [] });
    expect(await portal.refusal('POST', '/exports', { format: 'xml' })).toEqual([
      400,
      'bad_value',
      { pointer: '/format' },
    ]);
    expect((await portal.request('DELETE', `/exports/${exportId}`)).status).toBe(204);
    expect((await portal.request('GET', '/exports')).body).toEqual({ exports: [] });
  });

  it('finds operations by their base64 ids, with plain or escaped slashes', async () => {
    const portal = await StagedPortal.make(stage, 'slashes');
    let id = '';
    for (let at = 0; !id.includes('/'); at++) {
      await portal.make('subscribers', { name: `s${at}` });
      id = (await portal.operations()).at(-1)?.operationId ?? '';
    }
    const inPaths = id.replaceAll('+', '-').replaceAll('/', '_').replace('=', '.');
    for (const path of [id, encodeURIComponent(id), inPaths]) {
      const reply = await fetch(`${stage.url}${PORTALS_PREFIX}/operations/${path}`, {
        headers: { 'x-auth-token': portal.token },
      });
      expect([path, reply.status, await reply.json()]).toEqual([
        path,
        200,
        expect.objectContaining({ operationId: id }) as object,
      ]);
    }
  });

  it('refuses invalid requests, with the parameter or pointer of the error', async () => {
    const portal = await StagedPortal.make(stage, 'refusals');
    const refused = async (query: string): Promise<unknown> => portal.refusal('GET', `/operations?${query}`);
    for (const [query, parameter] of [
      ['created_at_gte=2026-02-30', 'created_at_gte'],
      ['created_at_lt=2026-02-03T04:05:06', 'created_at_lt'],
      ['created_at_lt=2026-02-03T24:05:06Z', 'created_at_lt'],
      ['type=buySubscriber', 'type'],
      ['packageId=x', 'packageId'],
      ['packageId=AAAAAAAAAAA.&packageId=AAAAAAAAAAA.', 'packageId'],
      ['subscriberId=AAAAAAAAAAA', 'subscriberId'],
      ['limit=0', 'limit'],
      ['limit=1001', 'limit'],
      ['limit=1e2', 'limit'],
      ['page=2', 'page'],
    ])
      expect(await refused(query ?? ''), query).toEqual([400, 'bad_query', { parameter }]);
    expect(await portal.refusal('GET', '/operations/AAAAAAAAAAA.')).toEqual([404, 'operation_not_found', undefined]);
    expect(await portal.refusal('POST', '/subscribers', { name: 'x', phone: '+49' })).toEqual([
      400,
      'bad_value',
      { pointer: '/phone' },
    ]);
    expect(await portal.refusal('POST', '/subscribers', { name: 'x', card: 1 })).toEqual([
      400,
      'unknown_key',
      { pointer: '/card' },
    ]);
    await portal.make('subscribers', ANNA);
    expect(await portal.refusal('POST', '/subscribers', ANNA)).toEqual([
      409,
      'subscriber_exists',
      { pointer: '/phone' },
    ]);
  });

  it('has cursors that are valid only for their filters, list and portal', async () => {
    const portal = await StagedPortal.make(stage, 'cursors');
    const other = await StagedPortal.make(stage, 'cursors of another');
    for (const name of ['a', 'b', 'c']) await portal.make('subscribers', { name });
    const { body } = await portal.request('GET', '/operations?limit=1&type=createSubscriber&type=createPackage');
    const { next } = body as { readonly next: string };
    const bad = [400, 'bad_cursor', { parameter: 'cursor' }];
    // The order of values and the limit do not matter.
    expect(
      (await portal.request('GET', `/operations?type=createPackage&type=createSubscriber&cursor=${next}`)).status,
    ).toBe(200);
    for (const path of ['/operations?', '/operations?type=createSubscriber&', '/subscribers?'])
      expect(await portal.refusal('GET', `${path}cursor=${next}`)).toEqual(bad);
    expect(await other.refusal('GET', `/operations?type=createSubscriber&type=createPackage&cursor=${next}`)).toEqual(
      bad,
    );
    expect(await portal.refusal('GET', '/operations?cursor=AAAA')).toEqual(bad);
  });
});

describe('keys of portals', () => {
  it('are required and limited to their scope and portal; rotation and revocation leave no gap', async () => {
    const portal = await StagedPortal.make(stage, 'keys');
    const keys = `${PORTALS_PREFIX}/portals/${portal.portalId}/keys`;
    expect(await portal.refusal('GET', '/operations', undefined, { 'x-auth-token': 'x' })).toEqual([
      401,
      'portal_key_invalid',
      undefined,
    ]);
    expect((await stage.request('GET', `${PORTALS_PREFIX}/operations`)).status).toBe(401);
    const { body } = await stage.request('POST', keys, { name: 'log', scopes: ['operations'] });
    const { token, keyId } = body as { readonly token: string; readonly keyId: string };
    const keyHeaders = { 'x-auth-token': token };
    expect((await portal.request('GET', '/operations', undefined, keyHeaders)).status).toBe(200);
    expect(await portal.refusal('GET', '/subscribers', undefined, keyHeaders)).toEqual([403, 'forbidden', undefined]);
    const rotated = await stage.request('POST', `${keys}/${keyId}/rotate`, { graceSeconds: 60 });
    const { token: newer } = rotated.body as { readonly token: string };
    for (const one of [token, newer])
      expect((await portal.request('GET', '/operations', undefined, { 'x-auth-token': one })).status).toBe(200);
    stage.clock.advance(60_000);
    expect((await portal.request('GET', '/operations', undefined, keyHeaders)).status).toBe(401);
    const listed = await stage.request('GET', keys);
    expect(JSON.stringify(listed.body)).not.toContain(newer);
    expect(listed.body).toMatchObject({
      keys: [{ name: 'billing' }, { name: 'log', scopes: ['operations'], previousUntil: null }],
    });
    expect((await stage.request('DELETE', `${keys}/${keyId}`)).status).toBe(204);
    expect((await portal.request('GET', '/operations', undefined, { 'x-auth-token': newer })).status).toBe(401);
    await stage.request('PUT', `${PORTALS_PREFIX}/portals/${portal.portalId}`, { isDisabled: true });
    expect((await portal.request('GET', '/operations')).status).toBe(401);
  });
});

describe('wrong keys of portals', () => {
  it('are delayed after ten different ones, while the correct key is accepted', async () => {
    const portal = await StagedPortal.make(stage, 'guesses');
    const status = async (token: string): Promise<number> =>
      (await portal.request('GET', '/operations', undefined, { 'x-auth-token': token })).status;
    stage.clock.advance(60_000);
    for (let guess = 0; guess < 10; guess++) expect(await status(`guess ${guess}`)).toBe(401);
    expect(await status('guess 9')).toBe(401);
    const refused = await portal.request('GET', '/operations', undefined, { 'x-auth-token': 'guess 10' });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '6']);
    expect(await status(portal.token)).toBe(200);
    stage.clock.advance(6000);
    expect([await status('guess 10'), await status('guess 11')]).toEqual([401, 429]);
    const { address = '' } = stage.keyRefusals.at(-1) ?? {};
    stage.keyRefusals.length = 0;
    stage.clock.advance(60_000);
    for (let guess = 0; guess < 10; guess++) await status('guess 9');
    expect(stage.keyRefusals).toEqual([{ address, portalId: undefined, isSlowed: false }]);
    await stage.request('PUT', `${PORTALS_PREFIX}/portals/${portal.portalId}`, { isDisabled: true });
    for (let guess = 0; guess < 3; guess++) await status(portal.token);
    expect(stage.keyRefusals.slice(1)).toEqual([{ address, portalId: portal.portalId, isSlowed: false }]);
  });
});

describe('requests with an Idempotency-Key', () => {
  it('are executed once', async () => {
    const portal = await StagedPortal.make(stage, 'idempotent');
    const headers = { 'idempotency-key': 'one', 'x-manager-email': 'manager@example.org' };
    const first = await portal.request('POST', '/subscribers', ANNA, headers);
    const again = await portal.request('POST', '/subscribers', ANNA, headers);
    expect([again.status, again.body, again.headers.get('idempotent-replayed')]).toEqual([201, first.body, 'true']);
    expect(await portal.refusal('POST', '/subscribers', { ...ANNA, name: 'Eva' }, headers)).toEqual([
      409,
      'idempotency_key_reused',
      { parameter: 'Idempotency-Key' },
    ]);
    const operations = await portal.operations();
    expect(operations).toHaveLength(1);
    expect(operations[0]?.payload).toEqual({ ...ANNA, ...ORIGIN, managerEmail: 'manager@example.org' });
    const other = await StagedPortal.make(stage, 'idempotent too');
    expect((await other.request('POST', '/subscribers', ANNA, headers)).body).not.toEqual(first.body);
  });
});
