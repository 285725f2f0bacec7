import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CollectionStage } from '../../../tests/helpers/collection-stage.ts';
import { until } from '../../../tests/helpers/until.ts';
import { WINDOW_USER } from '../../operators/caller.ts';
import { forCaller } from '../../../tests/helpers/for-caller.ts';
import { portalOperations } from './portal-operations.ts';
import { subscriberOperations } from './subscriber-operations.ts';

let stage: CollectionStage;
let calls: ReturnType<typeof makeCalls>;
let portalId: string;

beforeAll(async () => {
  stage = await CollectionStage.start('http 80;');
  calls = makeCalls(stage);
  ({ portalId } = await calls['portals.create']({ name: 'North' }));
});
afterAll(() => stage.close());

function makeCalls({ subscriberServices }: CollectionStage) {
  const caller = { ...WINDOW_USER, who: 'login desk' };
  return {
    ...forCaller(portalOperations(subscriberServices!), caller),
    ...forCaller(subscriberOperations(subscriberServices!), caller),
  };
}

const make = async (name: string, phone = ''): Promise<string> => {
  const change = { type: 'createSubscriber', name, phone } as const;
  return String((await calls['subscribers.change']({ portalId, change })).madeId);
};
const find = async (text: string): Promise<{ names: string[]; isMore: boolean }> => {
  const { subscribers, isMore } = await calls['subscribers.list']({ portalId, text });
  return { names: subscribers.map(({ name }) => name), isMore };
};

describe('the subscriber calls of the desk', () => {
  it('find subscribers by the start of a name or number, in any case, and not by inner parts', async () => {
    await make('Ana Berg', '5550101');
    await make('anatol', '555020');
    await make('Berta', '4440');
    expect(await find('ANA')).toEqual({ names: ['Ana Berg', 'anatol'], isMore: false });
    expect(await find('555')).toEqual({ names: ['Ana Berg', 'anatol'], isMore: false });
    expect(await find('5550101')).toEqual({ names: ['Ana Berg'], isMore: false });
    expect((await find('Berg')).names).toEqual([]);
    expect((await find('%')).names).toEqual([]);
    expect((await find('')).names).toEqual(['Ana Berg', 'anatol', 'Berta']);
  });

  it('import the rows of a list one by one, with their packages', async () => {
    const { portalId: other } = await calls['portals.create']({ name: 'Imported' });
    const { madeId: packageId } = await calls['subscribers.change']({
      portalId: other,
      change: { type: 'createPackage', name: 'News' },
    });
    const row = (fields: object, subscriberId?: string) => ({
      fields,
      packageIds: [String(packageId)],
      ...(subscriberId === undefined ? {} : { subscriberId }),
    });
    const rows = [
      row({ name: 'Ana Berg', customerNumber: 'C-1', phoneCountryCode: '44', phone: '1' }),
      row({ name: 'Bo Lind', customerNumber: 'C-1' }),
      row({}),
    ];
    const { failures } = await calls['subscribers.import']({ portalId: other, rows });
    expect(failures.map((failure) => failure?.code)).toEqual([undefined, 'subscriber_exists', 'bad_request']);
    const keys = [{ customerNumber: 'C-1' }, { phoneCountryCode: '44', phone: '1' }, { phone: '1' }, {}];
    const { subscribers } = await calls['subscribers.find']({ portalId: other, keys });
    expect(subscribers.map(({ ofNumber, ofPhone }) => [ofNumber?.name, ofPhone?.packageIds])).toEqual([
      ['Ana Berg', undefined],
      [undefined, [packageId]],
      [undefined, undefined],
      [undefined, undefined],
    ]);
    const again = row({ note: 'calls on Mondays' }, subscribers[0]?.ofNumber?.subscriberId);
    expect(await calls['subscribers.import']({ portalId: other, rows: [again] })).toEqual({ failures: [null] });
    const found = await calls['subscribers.list']({ portalId: other, text: 'C-1' });
    expect(found.subscribers).toMatchObject([{ name: 'Ana Berg', note: 'calls on Mondays' }]);
  });

  it('return a hundred subscribers per page', async () => {
    const { portalId: other } = await calls['portals.create']({ name: 'Many' });
    for (let index = 0; index < 130; index++)
      await calls['subscribers.change']({
        portalId: other,
        change: { type: 'createSubscriber', name: `Many ${String(index).padStart(3, '0')}` },
      });
    const first = await calls['subscribers.list']({ portalId: other, text: '' });
    expect([first.subscribers.length, first.isMore]).toEqual([100, true]);
    const afterId = first.subscribers.at(-1)?.subscriberId;
    const rest = await calls['subscribers.list']({ portalId: other, text: '', afterId });
    expect([rest.subscribers.length, rest.isMore, rest.subscribers[0]?.name]).toEqual([30, false, 'Many 100']);
    const found = await calls['subscribers.list']({ portalId: other, text: 'many' });
    expect([found.subscribers.length, found.isMore]).toEqual([100, true]);
    const { next: after = null } = found;
    const others = await calls['subscribers.list']({ portalId: other, text: 'many', ...(after ? { after } : {}) });
    expect([others.subscribers.length, others.isMore, others.next]).toEqual([30, false, null]);
    expect((await find('Many')).names).toEqual([]);
  });

  it('record each change with its login, and return the log newest first', async () => {
    const subscriberId = await make('Cleo');
    const created = await calls['subscribers.change']({ portalId, change: { type: 'createPackage', name: 'News' } });
    const packageId = String(created.madeId);
    await calls['subscribers.change']({ portalId, change: { type: 'attach', subscriberId, packageId } });
    await calls['subscribers.change']({
      portalId,
      change: { type: 'disableSubscriber', subscriberId, reason: 'not paid' },
    });
    expect(await calls['subscribers.get']({ portalId, subscriberId })).toMatchObject({
      isDisabled: true,
      packageIds: [packageId],
    });
    const { operations } = await calls['subscribers.operations']({ portalId, subscriberId });
    expect(operations.map(({ type }) => type)).toEqual([
      'disableSubscriber',
      'createPackageSubscriber',
      'createSubscriber',
    ]);
    expect(operations[0]?.payload).toMatchObject({
      reason: 'not paid',
      keyName: 'desk',
      managerEmail: 'login desk',
    });
    expect((await calls['subscribers.packages']({ portalId })).packages).toMatchObject([{ name: 'News' }]);
    for (const [input, count] of [
      [{ text: 'nE' }, 1],
      [{ text: 'x' }, 0],
      [{ ids: [packageId, portalId] }, 1],
      [{ ids: [] }, 0],
      [{ afterId: packageId }, 0],
    ] as const)
      expect(
        (await calls['subscribers.packages']({ portalId, ...input, ids: 'ids' in input ? [...input.ids] : undefined }))
          .packages,
      ).toHaveLength(count);
    await expect(
      calls['subscribers.change']({ portalId, change: { type: 'deletePackage', packageId } }),
    ).rejects.toMatchObject({ code: 'package_in_use', message: '1 subscriber has it', details: { count: 1 } });
    for (const type of ['enableSubscriber', 'deleteSubscriber'] as const)
      expect(await calls['subscribers.change']({ portalId, change: { type, subscriberId } })).toEqual({ madeId: null });
    await expect(calls['subscribers.get']({ portalId, subscriberId })).rejects.toMatchObject({
      code: 'subscriber_not_found',
    });
    expect((await calls['portals.verify']({ portalId, isNew: true })).report).toBeNull();
    const verify = async () => (await calls['portals.verify']({ portalId, isNew: false })).report ?? undefined;
    expect(await until('the verification', verify, 30_000)).toMatchObject({ isIntact: true, faultCount: 0 });
    // Polling again gives the same result. A new verification may start.
    expect(await verify()).toMatchObject({ isIntact: true });
    expect((await calls['portals.verify']({ portalId, isNew: true })).report).toBeNull();
  });

  it('return the filtered part of the log', async () => {
    const subscriberId = await make('Dora');
    const { madeId } = await calls['subscribers.change']({
      portalId,
      change: { type: 'createPackage', name: 'Films' },
    });
    const packageId = String(madeId);
    await calls['subscribers.change']({ portalId, change: { type: 'attach', subscriberId, packageId } });
    const typesOf = async (filter: { packageId?: string; subscriberId?: string; fromMs?: number; beforeMs?: number }) =>
      (await calls['subscribers.operations']({ portalId, ...filter })).operations.map(({ type }) => type);
    expect(await typesOf({ packageId })).toEqual(['createPackageSubscriber', 'createPackage']);
    expect(await typesOf({ packageId, subscriberId })).toEqual(['createPackageSubscriber']);
    const { operations } = await calls['subscribers.operations']({ portalId, packageId });
    const lastMs = Date.parse(operations[0]!.createdAt);
    expect(await typesOf({ packageId, subscriberId, fromMs: lastMs })).toEqual(['createPackageSubscriber']);
    expect(await typesOf({ packageId, subscriberId, beforeMs: lastMs })).toEqual([]);
  });

  it('create viewer tokens that are shown once, and revoke them', async () => {
    const one = { portalId, subscriberId: await make('Emil') };
    const { token, tokenId } = await calls['subscribers.create_token']({ ...one, name: 'phone' });
    const { tokens } = await calls['subscribers.tokens'](one);
    expect(tokens).toMatchObject([{ tokenId, name: 'phone' }]);
    expect(JSON.stringify(tokens)).not.toContain(token);
    await calls['subscribers.remove_token']({ ...one, tokenId });
    expect((await calls['subscribers.tokens'](one)).tokens).toEqual([]);
    await expect(calls['subscribers.remove_token']({ ...one, tokenId })).rejects.toMatchObject({
      code: 'viewer_token_not_found',
    });
  });

  it('show the secret of a portal key once', async () => {
    const { token, keyId } = await calls['portals.create_key']({ portalId, name: 'billing' });
    expect(token).toMatch(/^airdesk_portal_/);
    expect(JSON.stringify(await calls['portals.keys']({ portalId }))).not.toContain(token);
    expect((await calls['portals.rotate_key']({ portalId, keyId })).token).not.toBe(token);
    await calls['portals.remove_key']({ portalId, keyId });
    expect((await calls['portals.keys']({ portalId })).keys).toEqual([]);
  });

  it('create, change and remove webhooks, and show their secret once', async () => {
    const url = 'https://hooks.example/a';
    const { secret, webhookId } = await calls['portals.create_webhook']({ portalId, url });
    const one = { portalId, webhookId };
    expect(await calls['portals.update_webhook']({ ...one, isDisabled: true })).toMatchObject({
      url,
      isDisabled: true,
    });
    expect((await calls['portals.rotate_webhook'](one)).secret).not.toBe(secret);
    expect(JSON.stringify(await calls['portals.webhooks']({ portalId }))).not.toContain('whsec_');
    expect(await calls['portals.webhook_log'](one)).toEqual({ attempts: [], deadLetters: [] });
    expect(await calls['portals.dead_letters']({ ...one, limit: 100 })).toEqual({ deadLetters: [], next: null });
    expect(await calls['portals.discard_dead_letters'](one)).toEqual({ count: 0 });
    expect(
      (await calls['portals.replay_webhook']({ ...one, from: '2000-01-01T00:00:00Z', isPreview: true })).count,
    ).toBeGreaterThan(0);
    expect(await calls['portals.test_webhook'](one)).toMatchObject({ isTaken: false });
    expect(await calls['portals.remove_webhook'](one)).toEqual({});
    expect((await calls['portals.webhooks']({ portalId })).webhooks).toEqual([]);
    await expect(calls['portals.update_webhook'](one)).rejects.toMatchObject({ code: 'webhook_not_found' });
  });

  it('refuse a missing portal', async () => {
    const gone = { portalId: 'AAAAAAAAAAA.' };
    await expect(calls['portals.verify']({ ...gone, isNew: true })).rejects.toMatchObject({ code: 'portal_not_found' });
    for (const call of ['portals.keys', 'portals.webhooks', 'subscribers.packages'] as const)
      await expect(calls[call](gone)).rejects.toMatchObject({ code: 'portal_not_found' });
    await expect(calls['subscribers.operations'](gone)).rejects.toMatchObject({ code: 'portal_not_found' });
  });
});
