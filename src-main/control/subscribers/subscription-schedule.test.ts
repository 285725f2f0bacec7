import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../../tests/helpers/fake-clock.ts';
import { settled } from '../../../tests/helpers/settled.ts';
import { subscribersHere } from '../../../tests/helpers/subscribers-here.ts';
import { openSubscriberDatabase, type SubscriberDatabase } from '../../db/subscribers/subscriber-database.ts';
import { silentLog } from '../../lib/log.ts';
import type { Command } from '../../subscribers/command.ts';
import { PortalService, type PortalCaller } from './portal-service.ts';
import { SubscriptionSchedule } from './subscription-schedule.ts';
import { ViewerAccess } from './viewer-access.ts';
import { ViewerTokenService } from './viewer-token-service.ts';

const HOUR_MS = 3_600_000;

describe('a planned subscription', () => {
  let clock: FakeClock;
  let database: SubscriberDatabase;
  let portals: PortalService;
  let viewers: ViewerAccess;
  let schedule: SubscriptionSchedule;
  let caller: PortalCaller;
  let ids: { readonly subscriberId: string; readonly packageId: string };
  let token: string;
  let changed: (string | undefined)[];

  const newSchedule = (): SubscriptionSchedule =>
    new SubscriptionSchedule({
      store: () => Promise.resolve(subscribersHere(() => database)),
      clock,
      log: silentLog,
      command: async (...call) => portals.command(...call),
    });
  const make = async (command: Command) =>
    portals.command(caller, command, { managerEmail: undefined, idempotency: undefined });
  const inHours = (hours: number): string => new Date(clock.now() + hours * HOUR_MS).toISOString();
  const mayPlay = async (): Promise<boolean> =>
    (await viewers.authorize(caller.portalId, { name: 'news', token })).kind === 'allow';
  /** Types of the operations, with the names of their keys and their planned times. */
  const recorded = async (): Promise<unknown> => {
    const query = {
      subscriberIds: [ids.subscriberId],
      packageId: ids.packageId,
      types: undefined,
      fromMs: undefined,
      beforeMs: undefined,
    };
    const page = await (
      await portals.store()
    ).operations(caller.portalId, { ...query, afterId: undefined, limit: 100, isDescending: false });
    return page.items.map(({ type, payload: { keyName, startsAt, endsAt } }) => [type, keyName, startsAt, endsAt]);
  };
  const states = async (): Promise<unknown> => {
    const { packageIds, plans } = await portals.subscriber(caller, ids.subscriberId);
    return [packageIds.length, plans.map(({ state }) => state)];
  };

  beforeEach(async () => {
    clock = new FakeClock();
    database = openSubscriberDatabase(':memory:', { log: silentLog, now: () => clock.now() });
    const store = () => Promise.resolve(subscribersHere(() => database));
    viewers = new ViewerAccess({ store, clock });
    changed = [];
    viewers.listen((subscriberId) => changed.push(subscriberId));
    schedule = newSchedule();
    portals = new PortalService({
      store,
      clock,
      recorded: (_portal, command) => {
        viewers.commanded(command);
        schedule.commanded(command);
      },
    });
    const { portalId } = await portals.changePortal({ type: 'createPortal', name: 'city', isAutoRegistration: false });
    caller = { portalId, keyName: 'billing' };
    const content = { name: 'News', isFree: false, streams: ['news'], maxSessions: null };
    const { object: made } = await make({ type: 'createPackage', ...content });
    const { object: person } = await make({ type: 'createSubscriber', name: 'A', phoneCountryCode: '', phone: '' });
    ids = {
      packageId: made && 'packageId' in made ? made.packageId : '',
      subscriberId: person && 'subscriberId' in person ? person.subscriberId : '',
    };
    const tokens = new ViewerTokenService({ store, clock, portals, viewers });
    ({ token } = await tokens.create(caller, ids.subscriberId, ''));
  });
  afterEach(async () => {
    await schedule.close();
    database.close();
  });

  it('allows playback from its start to its end, and records both', async () => {
    const [startsAt, endsAt] = [inHours(1), inHours(3)];
    const { object, isNew } = await make({ type: 'attach', ...ids, startsAt, endsAt });
    expect([object, isNew]).toMatchObject([{ startsAt, endsAt, state: 'planned' }, true]);
    await settled();
    expect([await mayPlay(), await states()]).toEqual([false, [0, ['planned']]]);

    clock.advance(HOUR_MS);
    await settled();
    expect([await mayPlay(), await states()]).toEqual([true, [1, ['active']]]);

    changed = [];
    for (let hours = 0; hours < 2; hours++) {
      clock.advance(HOUR_MS);
      await settled();
    }
    expect([await mayPlay(), await states()]).toEqual([false, [0, ['ended']]]);
    // Sessions are checked at once.
    expect(changed).toEqual([ids.subscriberId]);
    expect(await recorded()).toEqual([
      ['planPackageSubscriber', 'billing', startsAt, endsAt],
      ['createPackageSubscriber', 'schedule', startsAt, endsAt],
      ['deletePackageSubscriber', 'schedule', undefined, endsAt],
    ]);
  });

  it('applies at its planned times even if they are not recorded yet', async () => {
    await schedule.close();
    await make({ type: 'attach', ...ids, startsAt: inHours(1), endsAt: inHours(3) });
    clock.advance(HOUR_MS);
    expect(await mayPlay()).toBe(true);
    clock.advance(2 * HOUR_MS);
    expect(await mayPlay()).toBe(false);
  });

  it('is started and ended after a restart that came too late', async () => {
    await schedule.close();
    const [startsAt, endsAt] = [inHours(1), inHours(3)];
    await make({ type: 'attach', ...ids, startsAt, endsAt });
    clock.advance(5 * HOUR_MS);
    schedule = newSchedule();
    schedule.start();
    await settled();
    expect(await recorded()).toEqual([
      ['planPackageSubscriber', 'billing', startsAt, endsAt],
      ['createPackageSubscriber', 'schedule', startsAt, endsAt],
      ['deletePackageSubscriber', 'schedule', undefined, endsAt],
    ]);
  });

  it('can be attached again after it has ended, and blocks the deletion of its package only while planned', async () => {
    await make({ type: 'attach', ...ids, endsAt: inHours(1) });
    await settled();
    clock.advance(HOUR_MS);
    await settled();
    expect(await states()).toEqual([0, ['ended']]);
    await make({ type: 'attach', ...ids });
    expect([await mayPlay(), await states()]).toEqual([true, [1, []]]);
    await make({ type: 'detach', ...ids });
    await make({ type: 'attach', ...ids, startsAt: inHours(1) });
    await expect(make({ type: 'deletePackage', packageId: ids.packageId })).rejects.toThrow('1 subscriber has it');
    await make({ type: 'detach', ...ids });
    await make({ type: 'deletePackage', packageId: ids.packageId });
    expect(await states()).toEqual([0, []]);
  });
});
