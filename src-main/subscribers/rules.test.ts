import { describe, expect, it } from 'vitest';
import type { Command, PackageFacts, PortalFacts, SubscriberFacts } from './command.ts';
import { decide, type Decision } from './rules.ts';

const ANNA: SubscriberFacts = {
  id: 's1',
  name: 'Anna',
  phoneCountryCode: '49',
  phone: '30',
  customerNumber: 'C-1',
  note: 'calls on Mondays',
  isDisabled: false,
};
const BERT: SubscriberFacts = {
  id: 's2',
  name: 'Bert',
  phoneCountryCode: '49',
  phone: '',
  customerNumber: '',
  note: '',
  isDisabled: true,
};
const NOW_MS = Date.UTC(2026, 0, 1);
const inHours = (hours: number): string => new Date(NOW_MS + hours * 3_600_000).toISOString();
const NEWS: PackageFacts = { id: 'p1', name: 'News', isFree: true, streams: ['news'], maxSessions: 2 };
const FILMS: PackageFacts = { id: 'p2', name: 'Films', isFree: false, streams: ['films/'], maxSessions: null };
const [{ id: _s, isDisabled: _d, ...ANNA_DATA }, { id: _p, ...NEWS_DATA }] = [ANNA, NEWS];

/** Portal with two subscribers and two packages. Anna has the package News. */
function portal(change: Partial<PortalFacts> = {}): PortalFacts {
  const [subscribers, packages] = [
    [ANNA, BERT],
    [NEWS, FILMS],
  ];
  const isAttached = (subscriberId: string, packageId: string): boolean => subscriberId === 's1' && packageId === 'p1';
  return {
    nowMs: NOW_MS,
    isAutoRegistration: true,
    subscriber: (id) => subscribers.find((one) => one.id === id),
    subscriberOfPhone: (code, phone) => subscribers.find((one) => one.phoneCountryCode === code && one.phone === phone),
    subscriberOfNumber: (number) => subscribers.find(({ customerNumber }) => customerNumber === number),
    package: (id) => packages.find((one) => one.id === id),
    packageOfName: (name) => packages.find((one) => one.name === name),
    packageCount: () => packages.length,
    freePackages: () => packages.filter(({ isFree }) => isFree),
    isAttached,
    plan: () => undefined,
    packagesOf: (id) => packages.filter((one) => isAttached(id, one.id)),
    subscriberCount: (id) => (id === 'p1' ? 1 : 0),
    ...change,
  };
}

const decided = (command: Command, change?: Partial<PortalFacts>): Decision =>
  decide(command, portal(change), () => 'new');
/** Types and objects of the operations, and whether the object is new. */
const outcome = (command: Command, change?: Partial<PortalFacts>): unknown => {
  const { operations, subscriberId, packageId, isNew } = decided(command, change);
  return [operations.map((one) => [one.type, one.subscriberId, one.packageId]), subscriberId, packageId, isNew];
};

describe('the command of a portal', () => {
  it.each<[string, Command, unknown]>([
    [
      'creates a subscriber',
      { type: 'createSubscriber', name: 'Cleo', phoneCountryCode: '49', phone: '31' },
      [[['createSubscriber', 'new', null]], 'new', null, true],
    ],
    [
      'creates a second subscriber without a phone',
      { type: 'createSubscriber', name: 'Cleo', phoneCountryCode: '49', phone: '' },
      [[['createSubscriber', 'new', null]], 'new', null, true],
    ],
    [
      'logs a known number in, without an operation',
      { type: 'login', name: 'x', phoneCountryCode: '49', phone: '30' },
      [[], 's1', null, false],
    ],
    [
      'creates the subscriber of an unknown number with the free packages',
      { type: 'login', name: 'Cleo', phoneCountryCode: '43', phone: '30' },
      [
        [
          ['autoCreateSubscriber', 'new', null],
          ['createPackageSubscriber', 'new', 'p1'],
        ],
        'new',
        null,
        true,
      ],
    ],
    [
      'changes a name',
      { type: 'updateSubscriber', subscriberId: 's1', name: 'Ada' },
      [[['updateSubscriber', 's1', null]], 's1', null, false],
    ],
    [
      'leaves equal values unchanged, without an operation',
      { type: 'updateSubscriber', subscriberId: 's1', ...ANNA_DATA },
      nothing('s1'),
    ],
    [
      'disables a subscriber',
      { type: 'disableSubscriber', subscriberId: 's1' },
      [[['disableSubscriber', 's1', null]], 's1', null, false],
    ],
    [
      'disables a disabled subscriber, without an operation',
      { type: 'disableSubscriber', subscriberId: 's2' },
      nothing('s2'),
    ],
    [
      'enables a subscriber',
      { type: 'enableSubscriber', subscriberId: 's2' },
      [[['enableSubscriber', 's2', null]], 's2', null, false],
    ],
    [
      'enables an enabled subscriber, without an operation',
      { type: 'enableSubscriber', subscriberId: 's1' },
      nothing('s1'),
    ],
    [
      'ends the subscriptions before it deletes a subscriber',
      { type: 'deleteSubscriber', subscriberId: 's1' },
      [
        [
          ['deletePackageSubscriber', 's1', 'p1'],
          ['deleteSubscriber', 's1', null],
        ],
        's1',
        null,
        false,
      ],
    ],
    [
      'creates a package',
      { type: 'createPackage', name: 'Sports', isFree: false, streams: [], maxSessions: null },
      [[['createPackage', null, 'new']], null, 'new', true],
    ],
    [
      'changes a package',
      { type: 'updatePackage', packageId: 'p1', maxSessions: null },
      [[['updatePackage', null, 'p1']], null, 'p1', false],
    ],
    [
      'leaves a package with equal values unchanged, without an operation',
      { type: 'updatePackage', packageId: 'p1', ...NEWS_DATA, streams: ['news'] },
      [[], null, 'p1', false],
    ],
    [
      'deletes an unused package',
      { type: 'deletePackage', packageId: 'p2' },
      [[['deletePackage', null, 'p2']], null, 'p2', false],
    ],
    [
      'attaches a package',
      { type: 'attach', subscriberId: 's1', packageId: 'p2' },
      [[['createPackageSubscriber', 's1', 'p2']], 's1', 'p2', true],
    ],
    [
      'accepts an attached package, without an operation',
      { type: 'attach', subscriberId: 's1', packageId: 'p1' },
      [[], 's1', 'p1', false],
    ],
    [
      'detaches a package',
      { type: 'detach', subscriberId: 's1', packageId: 'p1' },
      [[['deletePackageSubscriber', 's1', 'p1']], 's1', 'p1', false],
    ],
  ])('%s', (_, command, expected) => {
    expect(outcome(command)).toEqual(expected);
  });

  it.each<[string, Command, Partial<PortalFacts>, object]>([
    [
      'the phone number of another subscriber',
      { type: 'createSubscriber', name: 'Cleo', phoneCountryCode: '49', phone: '30' },
      {},
      { code: 'subscriber_exists' },
    ],
    [
      'a change to the phone number of another subscriber',
      { type: 'updateSubscriber', subscriberId: 's2', phone: '30' },
      {},
      { code: 'subscriber_exists' },
    ],
    [
      'the customer number of another subscriber',
      { type: 'createSubscriber', name: 'Cleo', phoneCountryCode: '', phone: '', customerNumber: 'C-1' },
      {},
      { code: 'subscriber_exists', details: { pointer: '/customerNumber' } },
    ],
    [
      'a change to the customer number of another subscriber',
      { type: 'updateSubscriber', subscriberId: 's2', customerNumber: 'C-1' },
      {},
      { code: 'subscriber_exists', details: { pointer: '/customerNumber' } },
    ],
    [
      'an unknown number without automatic registration',
      { type: 'login', name: 'x', phoneCountryCode: '43', phone: '30' },
      { isAutoRegistration: false },
      { code: 'subscriber_not_found' },
    ],
    [
      'a change to the name of another package',
      { type: 'updatePackage', packageId: 'p2', name: 'News' },
      {},
      { code: 'package_exists' },
    ],
    ['the name of an existing package', { type: 'createPackage', ...NEWS_DATA }, {}, { code: 'package_exists' }],
    [
      'a package above the limit',
      { type: 'createPackage', ...NEWS_DATA, name: 'Sports' },
      { packageCount: () => 1000 },
      { code: 'too_many_packages' },
    ],
    [
      'the deletion of a package in use',
      { type: 'deletePackage', packageId: 'p1' },
      {},
      { code: 'package_in_use', message: '1 subscriber has it' },
    ],
    [
      'the deletion of a package in use by several',
      { type: 'deletePackage', packageId: 'p1' },
      { subscriberCount: () => 2 },
      { code: 'package_in_use', message: '2 subscribers have it' },
    ],
    [
      'the end of a subscription that does not exist',
      { type: 'detach', subscriberId: 's2', packageId: 'p1' },
      {},
      { code: 'subscription_not_found' },
    ],
    ['an unknown subscriber', { type: 'deleteSubscriber', subscriberId: 's9' }, {}, { code: 'subscriber_not_found' }],
    ['an unknown package', { type: 'attach', subscriberId: 's1', packageId: 'p9' }, {}, { code: 'package_not_found' }],
  ])('refuses %s', (_, command, change, error) => {
    expect(() => decided(command, change)).toThrow(expect.objectContaining(error) as Error);
  });

  describe('to attach a package at planned times', () => {
    const ofAnna = (packageId: string, times: object = {}): Command => ({
      type: 'attach',
      subscriberId: 's1',
      packageId,
      ...times,
    });
    const planned = (startsMs: number | null, endsMs: number | null): Partial<PortalFacts> => ({
      plan: () => ({ startsMs, endsMs }),
    });
    const recorded = (command: Command, facts?: Partial<PortalFacts>): unknown => {
      const { operations, isNew } = decided(command, facts);
      const times = operations.map(({ type, payload }) => {
        const { startsAt, endsAt } = { startsAt: undefined, endsAt: undefined, ...payload };
        return [type, startsAt, endsAt];
      });
      return [times, isNew];
    };
    const applied = (packageId: string, facts: Partial<PortalFacts>): unknown =>
      recorded({ type: 'applyPlan', subscriberId: 's1', packageId }, facts);

    it.each<[string, Command, Partial<PortalFacts>, unknown]>([
      [
        'starts at once with an end',
        ofAnna('p2', { endsAt: inHours(2) }),
        {},
        [[['createPackageSubscriber', undefined, inHours(2)]], true],
      ],
      [
        'starts at once if the start is in the past',
        ofAnna('p2', { startsAt: inHours(-2) }),
        {},
        [[['createPackageSubscriber', undefined, undefined]], true],
      ],
      [
        'plans a start and an end',
        ofAnna('p2', { startsAt: inHours(1), endsAt: inHours(2) }),
        {},
        [[['planPackageSubscriber', inHours(1), inHours(2)]], true],
      ],
      [
        'records the same plan once',
        ofAnna('p2', { startsAt: inHours(1) }),
        planned(Date.parse(inHours(1)), null),
        [[], false],
      ],
      [
        'starts a planned subscription at once, with its planned end',
        ofAnna('p2'),
        planned(Date.parse(inHours(1)), Date.parse(inHours(2))),
        [[['createPackageSubscriber', undefined, inHours(2)]], true],
      ],
      [
        'plans the end of a running subscription',
        ofAnna('p1', { endsAt: inHours(2) }),
        {},
        [[['planPackageSubscriber', undefined, inHours(2)]], false],
      ],
      [
        'removes the planned end of a running subscription',
        ofAnna('p1', { endsAt: null }),
        planned(null, Date.parse(inHours(2))),
        [[['planPackageSubscriber', undefined, undefined]], false],
      ],
      [
        'keeps the planned end of a running subscription',
        ofAnna('p1'),
        planned(null, Date.parse(inHours(2))),
        [[], false],
      ],
      [
        'cancels a planned subscription without ending a paid period',
        { type: 'detach', subscriberId: 's1', packageId: 'p2' },
        planned(Date.parse(inHours(1)), null),
        [[['planPackageSubscriber', undefined, undefined]], false],
      ],
    ])('%s', (_, command, facts, expected) => {
      expect(recorded(command, facts)).toEqual(expected);
    });

    it('starts and ends the subscription at the planned times, not before', () => {
      const [past, future] = [Date.parse(inHours(-1)), Date.parse(inHours(1))];
      expect(applied('p2', planned(future, null))).toEqual([[], false]);
      expect(applied('p2', planned(past, future))).toEqual([
        [['createPackageSubscriber', inHours(-1), inHours(1)]],
        false,
      ]);
      expect(applied('p1', planned(null, future))).toEqual([[], false]);
      expect(applied('p1', planned(null, past))).toEqual([
        [['deletePackageSubscriber', undefined, inHours(-1)]],
        false,
      ]);
      // The server was stopped at both times.
      expect(applied('p2', planned(past - 1, past))).toEqual([
        [
          ['createPackageSubscriber', expect.any(String), inHours(-1)],
          ['deletePackageSubscriber', undefined, inHours(-1)],
        ],
        false,
      ]);
    });

    it.each<[string, Command, string]>([
      ['an end before the start', ofAnna('p2', { startsAt: inHours(2), endsAt: inHours(1) }), '/endsAt'],
      ['an end in the past', ofAnna('p2', { endsAt: inHours(0) }), '/endsAt'],
      ['a later start of a running subscription', ofAnna('p1', { startsAt: inHours(1) }), '/startsAt'],
    ])('refuses %s', (_, command, pointer) => {
      const error = { code: 'bad_request', details: { pointer } };
      expect(() => decided(command)).toThrow(expect.objectContaining(error) as Error);
    });
  });

  it('creates the 1000th package', () => {
    const command = { type: 'createPackage', ...NEWS_DATA, name: 'Sports' } as const;
    expect(decided(command, { packageCount: () => 999 }).isNew).toBe(true);
  });

  it('records names in addition to ids, and a reason', () => {
    const payload = (command: Command): unknown => decided(command).operations[0]?.payload;
    expect(payload({ type: 'attach', subscriberId: 's1', packageId: 'p2' })).toEqual({
      packageName: 'Films',
      subscriberName: 'Anna',
    });
    expect(payload({ type: 'disableSubscriber', subscriberId: 's1', reason: 'unpaid' })).toEqual({
      ...ANNA_DATA,
      reason: 'unpaid',
    });
    expect(payload({ type: 'disableSubscriber', subscriberId: 's1' })).toEqual(ANNA_DATA);
    expect(payload({ type: 'updateSubscriber', subscriberId: 's1', note: '' })).toEqual({
      name: 'Anna',
      phoneCountryCode: '49',
      phone: '30',
      customerNumber: 'C-1',
    });
    expect(payload({ type: 'updateSubscriber', subscriberId: 's1', note: ANNA.note })).toBeUndefined();
    expect(payload({ type: 'updatePackage', packageId: 'p1', isFree: false })).toEqual({
      packageName: 'News',
      isFree: false,
      streams: ['news'],
      maxSessions: 2,
    });
  });
});

function nothing(subscriberId: string): unknown {
  return [[], subscriberId, null, false];
}
