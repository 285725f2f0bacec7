import { flushPromises, type VueWrapper } from '@vue/test-utils';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Component } from 'vue';
import { aStream } from '../../../tests/helpers/desk/a-stream.ts';
import { TestDesk } from '../../../tests/helpers/desk/test-desk.ts';
import { useConfirmStore } from '../../ui/confirm-store.ts';
import { useToastStore } from '../../ui/toast-store.ts';
import OperationLog from './OperationLog.vue';
import PackageForm from './PackageForm.vue';
import PackageList from './PackageList.vue';
import PortalAccess from './PortalAccess.vue';
import PortalForm from './PortalForm.vue';
import PackageChoice from './PackageChoice.vue';
import SubscriberCard from './SubscriberCard.vue';
import SubscriberFacts from './SubscriberFacts.vue';
import SubscriberForm from './SubscriberForm.vue';
import SubscriberList from './SubscriberList.vue';
import SubscriberPackages from './SubscriberPackages.vue';
import SubscribersPage from './SubscribersPage.vue';

const created = { createdAt: '2027-01-15T12:00:00.000Z' };
const PORTAL = { portalId: 'p1', name: 'North', isAutoRegistration: false, isDisabled: false, ...created };
const NEWS = { packageId: 'k1', name: 'News', isFree: false, streams: ['cam'], maxSessions: null, ...created };
const ANA = {
  subscriberId: 's1',
  name: 'Ana Berg',
  phoneCountryCode: '44',
  phone: '5550101',
  customerNumber: 'C-7',
  note: '',
  isDisabled: false,
  ...created,
  packageIds: ['k1'],
  plans: [],
};
const ATTACHED = {
  operationId: 'o1',
  type: 'createPackageSubscriber',
  portalId: 'p1',
  subscriberId: 's1',
  packageId: 'k1',
  ...created,
  updatedAt: created.createdAt,
  payload: { packageName: 'News', subscriberName: 'Ana Berg', keyName: 'billing', managerEmail: 'desk' },
};

let desk: TestDesk;
beforeEach(() => {
  desk = new TestDesk();
  desk.setServer({ may_write: true });
  Object.assign(desk.bridge.answers, {
    'portals.list': { portals: [PORTAL] },
    'subscribers.list': { subscribers: [ANA], isMore: false, next: null },
    'subscribers.get': ANA,
    'subscribers.tokens': { tokens: [] },
    'subscribers.packages': { packages: [NEWS], isMore: false },
    'subscribers.operations': { operations: [ATTACHED], isMore: false },
    'portals.keys': { keys: [] },
    'portals.webhooks': { webhooks: [] },
    'portals.exports': { exports: [] },
    'subscribers.change': { madeId: null },
  });
});

async function mounted(component: Component, props: object = { portal: PORTAL }): Promise<VueWrapper> {
  const wrapper = desk.mount(component, { props });
  await flushPromises();
  return wrapper;
}
const button = (wrapper: VueWrapper, text: string) =>
  wrapper.findAll('button').find((one) => one.text() === text || one.attributes('aria-label') === text)!;
const inputsOf = (name: string) => desk.bridge.calls.flatMap(([called, input]) => (called === name ? [input] : []));
const answer = async (isSure: boolean): Promise<void> => {
  await flushPromises();
  useConfirmStore().settle(isSure);
  await flushPromises();
};

describe('SubscribersPage', () => {
  it.each([
    [{ may_write: false, role: 'clerk' }, true],
    [{ may_write: true }, false],
  ] as const)('shows what to do without a portal: %j', async (info, isAsking) => {
    desk.setServer(info);
    desk.bridge.answers['portals.list'] = { portals: [] };
    const page = desk.mount(SubscribersPage);
    await flushPromises();
    expect(page.text()).toContain('No portals yet');
    expect([page.text().includes('Ask an administrator'), page.findComponent(PortalForm).exists()]).toEqual([
      isAsking,
      !isAsking,
    ]);
  });

  it('loads nothing without write access', async () => {
    desk.setServer({ may_write: false });
    const page = await mounted(SubscribersPage, {});
    expect(page.text()).toContain('Only clerks and administrators');
    expect(desk.bridge.called).toEqual([]);
  });

  it('creates the first portal, and opens it', async () => {
    desk.bridge.answers['portals.list'] = { portals: [] };
    desk.bridge.answers['portals.create'] = PORTAL;
    const page = await mounted(SubscribersPage, {});
    await page.getComponent(PortalForm).get('input').setValue('North');
    desk.bridge.answers['portals.list'] = { portals: [PORTAL] };
    await page.getComponent(PortalForm).get('input').trigger('keydown', { key: 'Enter' });
    await flushPromises();
    expect(inputsOf('portals.create')).toEqual([{ name: 'North' }]);
    expect(page.findComponent(SubscriberList).exists()).toBe(true);
  });

  it('shows that the server failed, and retries on request', async () => {
    desk.bridge.errors['portals.list'] = { code: 'unavailable', message: '' };
    const page = await mounted(SubscribersPage, {});
    expect(page.get('[role=alert]').text()).toContain('did not answer');
    delete desk.bridge.errors['portals.list'];
    await button(page, 'Try again').trigger('click');
    await flushPromises();
    expect(page.text()).toContain('Ana Berg');
  });

  it('switches between its parts', async () => {
    const page = await mounted(SubscribersPage, {});
    for (const [name, part] of [
      ['Packages', PackageList],
      ['Operations', OperationLog],
      ['Keys and webhooks', PortalAccess],
    ] as const) {
      await button(page, name).trigger('click');
      await flushPromises();
      expect(page.findComponent(part).exists()).toBe(true);
      expect(button(page, name).attributes('aria-current')).toBe('page');
    }
  });
});

describe('SubscriberList', () => {
  it('searches after a pause in typing, and loads more', async () => {
    vi.useFakeTimers();
    desk.bridge.answers['subscribers.list'] = { subscribers: [ANA], isMore: true, next: null };
    const list = desk.mount(SubscriberList, { props: { portal: PORTAL } });
    await vi.advanceTimersByTimeAsync(1);
    await button(list, 'Show more').trigger('click');
    expect(inputsOf('subscribers.list').at(-1)).toEqual({ portalId: 'p1', text: '', afterId: 's1' });
    const next = { by: 'name', value: 'Ana', rest: 's1' };
    desk.bridge.answers['subscribers.list'] = { subscribers: [ANA], isMore: true, next };
    for (const text of ['a', 'an']) await list.get('input[type=search]').setValue(text);
    await vi.advanceTimersByTimeAsync(300);
    expect(inputsOf('subscribers.list').slice(2)).toEqual([{ portalId: 'p1', text: 'an' }]);
    await button(list, 'Show more').trigger('click');
    expect(inputsOf('subscribers.list').at(-1)).toEqual({ portalId: 'p1', text: 'an', after: next });
    vi.useRealTimers();
  });

  it('shows the packages of subscribers, and filters by package', async () => {
    const list = await mounted(SubscriberList);
    expect(list.get('tbody tr').text()).toMatch(/Ana BergC-7\+44 5550101Newsmay watch/);
    expect(inputsOf('subscribers.packages')).toContainEqual({ portalId: 'p1', ids: ['k1'] });
    const choice = list.getComponent(PackageChoice).get('input');
    await choice.setValue('News');
    await choice.trigger('change');
    await flushPromises();
    expect(inputsOf('subscribers.list').at(-1)).toEqual({ portalId: 'p1', text: '', packageId: 'k1' });
    await choice.setValue('');
    await flushPromises();
    expect(inputsOf('subscribers.list').at(-1)).toEqual({ portalId: 'p1', text: '' });
  });
});

describe('SubscriberCard', () => {
  const card = () => mounted(SubscriberCard, { portalId: 'p1', subscriberId: 's1' });

  it('shows operations and actors', async () => {
    const text = (await card()).get('.history').text();
    expect(text).toContain('package added to subscriber');
    expect(text).toContain('desk (billing)');
  });

  it('shows the start date of each package', async () => {
    expect((await card()).get('.packages').text()).toMatch(/News\s*since 2027-01-1[56]/);
  });

  it('blocks a subscriber with a reason, which can be undone', async () => {
    const wrapper = await card();
    await wrapper.get('.reason').setValue('not paid');
    await button(wrapper, 'Block').trigger('click');
    await flushPromises();
    const change = { type: 'disableSubscriber', subscriberId: 's1', reason: 'not paid' };
    expect(inputsOf('subscribers.change')).toEqual([{ portalId: 'p1', change }]);
    useToastStore().toasts.at(-1)?.action?.run();
    await flushPromises();
    expect(inputsOf('subscribers.change').at(-1)).toEqual({
      portalId: 'p1',
      change: { type: 'enableSubscriber', subscriberId: 's1' },
    });
  });

  it('restores the reason of the block when unblocking is undone', async () => {
    const reason = 'not paid';
    desk.bridge.answers['subscribers.get'] = { ...ANA, isDisabled: true };
    desk.bridge.answers['subscribers.operations'] = {
      operations: [{ ...ATTACHED, type: 'disableSubscriber', payload: { keyName: 'desk', reason } }],
      isMore: false,
    };
    await button(await card(), 'Unblock').trigger('click');
    await flushPromises();
    useToastStore().toasts.at(-1)?.action?.run();
    await flushPromises();
    expect(inputsOf('subscribers.change').at(-1)).toMatchObject({ change: { type: 'disableSubscriber', reason } });
  });

  it('removes a package, which can be undone', async () => {
    const wrapper = await card();
    await button(wrapper, 'Remove News').trigger('click');
    await flushPromises();
    useToastStore().toasts.at(-1)?.action?.run();
    await flushPromises();
    expect(inputsOf('subscribers.change').map((input) => (input as { change: { type: string } }).change.type)).toEqual([
      'detach',
      'attach',
    ]);
  });

  const local = (time: string): string => new Date(time).toISOString();
  const planOf = (id: string, state: string, startsAt: string | null, endsAt: string | null) => ({
    packageId: id,
    state,
    startsAt: startsAt && local(startsAt),
    endsAt: endsAt && local(endsAt),
  });

  it('shows running, planned and ended packages with their times', async () => {
    const plans = [
      planOf('k3', 'ended', null, '2027-01-02T00:00'),
      planOf('k2', 'planned', '2027-03-01T00:00', '2027-04-01T12:30'),
      planOf('k1', 'active', null, '2027-02-01T00:00'),
    ];
    desk.bridge.answers['subscribers.get'] = { ...ANA, plans };
    const rows = (await card()).getComponent(SubscriberPackages).findAll('[data-test=package]');
    expect(rows.map((row) => [row.classes()[0], row.text().replaceAll(/\s+/g, ' ')])).toEqual([
      ['active', expect.stringMatching(/^News ?since 2027-01-1[56] until 2027-02-01/)],
      ['planned', expect.stringMatching(/^k2 ?from 2027-03-01 until 2027-04-01 12:30/)],
      ['ended', expect.stringMatching(/^k3 ?ended 2027-01-02$/)],
    ]);
  });

  it('changes the end of a package, which can be undone', async () => {
    desk.bridge.answers['subscribers.get'] = { ...ANA, plans: [planOf('k1', 'active', null, '2027-02-01T00:00')] };
    const wrapper = await card();
    await button(wrapper, 'Period of News').trigger('click');
    // The start of a running subscription cannot be changed.
    expect(wrapper.findAll('[data-test=from]')).toEqual([]);
    await wrapper.get('[data-test=until]').setValue('2027-05-01');
    await wrapper.get('form.period').trigger('submit');
    await flushPromises();
    useToastStore().toasts.at(-1)?.action?.run();
    await flushPromises();
    const ids = { type: 'attach', subscriberId: 's1', packageId: 'k1', startsAt: null };
    expect(inputsOf('subscribers.change')).toMatchObject([
      { change: { ...ids, endsAt: local('2027-05-01T00:00') } },
      { change: { ...ids, endsAt: local('2027-02-01T00:00') } },
    ]);
  });

  it('adds a package from a later day', async () => {
    const wrapper = await card();
    const sport = { ...NEWS, packageId: 'k2', name: 'Sport' };
    desk.bridge.answers['subscribers.packages'] = { packages: [sport], isMore: false };
    await button(wrapper, 'From and until…').trigger('click');
    await wrapper.get('[data-test=from]').setValue('2027-05-01 18:00');
    const choice = wrapper.getComponent(PackageChoice).get('input');
    await choice.setValue('Sport');
    await choice.trigger('change');
    await flushPromises();
    expect(inputsOf('subscribers.change')).toMatchObject([
      { change: { type: 'attach', packageId: 'k2', startsAt: local('2027-05-01T18:00'), endsAt: null } },
    ]);
  });

  it('deletes a subscriber only after a confirmation', async () => {
    const wrapper = await card();
    await button(wrapper, 'Delete').trigger('click');
    await answer(false);
    expect(inputsOf('subscribers.change')).toEqual([]);
    await button(wrapper, 'Delete').trigger('click');
    await answer(true);
    expect(inputsOf('subscribers.change')).toEqual([
      { portalId: 'p1', change: { type: 'deleteSubscriber', subscriberId: 's1' } },
    ]);
    expect(wrapper.emitted('close')).toHaveLength(1);
  });

  it('shows the error of a change', async () => {
    desk.bridge.errors['subscribers.change'] = { code: 'subscriber_not_found', message: '' };
    const wrapper = await card();
    await button(wrapper, 'Block').trigger('click');
    await flushPromises();
    expect(useToastStore().toasts.at(-1)).toMatchObject({ kind: 'error' });
    expect(wrapper.emitted('changed')).toBeUndefined();
  });
});

describe('SubscriberFacts', () => {
  it('shows a customer number and a note only if there are any', () => {
    const facts = (subscriber: object): string =>
      desk.mount(SubscriberFacts, { props: { subscriber: { ...ANA, ...subscriber } } }).text();
    expect(facts({ note: 'calls on Mondays' })).toMatch(/C-7.*calls on Mondays/);
    expect(facts({ customerNumber: '' })).not.toMatch(/Customer number|Note/);
  });
});

describe('SubscriberForm and PackageForm', () => {
  it('accept only digits in a phone number', async () => {
    const form = desk.mount(SubscriberForm, {
      props: { isOpen: true, portalId: 'p1', subscriber: ANA },
      isAttached: true,
    });
    await flushPromises();
    const fields = [...document.querySelectorAll<HTMLInputElement>('.fields input')];
    expect(fields.map(({ value }) => value)).toEqual(['Ana Berg', '44', '5550101', 'C-7']);
    const [, , phone] = fields;
    phone!.value = '555x';
    phone!.dispatchEvent(new Event('input'));
    await flushPromises();
    expect(document.body.textContent).toContain('digits only');
    form.unmount();
  });

  it('save a customer number and a note', async () => {
    const form = desk.mount(SubscriberForm, {
      props: { isOpen: true, portalId: 'p1', subscriber: ANA },
      isAttached: true,
    });
    await flushPromises();
    const number = [...document.querySelectorAll<HTMLInputElement>('.fields input')].at(-1)!;
    number.value = 'C-8';
    number.dispatchEvent(new Event('input'));
    const note = document.querySelector('textarea')!;
    note.value = 'calls on Mondays';
    note.dispatchEvent(new Event('input'));
    document.querySelector('form')!.dispatchEvent(new Event('submit'));
    await flushPromises();
    expect(inputsOf('subscribers.change')).toMatchObject([
      { change: { type: 'updateSubscriber', customerNumber: 'C-8', note: 'calls on Mondays' } },
    ]);
    form.unmount();
  });

  it('edit the streams of a package as lines, and report unknown names', async () => {
    const form = desk.mount(PackageForm, { props: { isOpen: true, portalId: 'p1', edited: NEWS }, isAttached: true });
    await flushPromises();
    const text = document.querySelector('textarea')!;
    const list = document.querySelector<HTMLSelectElement>('[data-test=add-stream]')!;
    const status = (): string | undefined => document.querySelector('.unknown')?.textContent ?? undefined;
    desk.setStreams(aStream({ name: 'cam' }), aStream({ name: 'sport/one' }));
    await flushPromises();
    expect([...list.options].map(({ value }) => value)).toEqual(['', 'sport/', 'sport/one']);
    list.value = 'sport/';
    list.dispatchEvent(new Event('change'));
    await flushPromises();
    expect([text.value, status()]).toEqual(['cam\nsport/', undefined]);
    text.value = 'nosuchstream\nsport/\nnews/';
    text.dispatchEvent(new Event('input'));
    await flushPromises();
    expect(status()).toBe('No stream has this name now: nosuchstream, news/');
    text.value = 'cam\n\n sport/ ';
    text.dispatchEvent(new Event('input'));
    document.querySelector('form.fields')!.dispatchEvent(new Event('submit'));
    await flushPromises();
    expect(inputsOf('subscribers.change')).toMatchObject([
      { change: { type: 'updatePackage', packageId: 'k1', streams: ['cam', 'sport/'], maxSessions: null } },
    ]);
    form.unmount();
  });
});

describe('PackageList and PackageChoice', () => {
  it('find packages by the start of their name, in pages', async () => {
    vi.useFakeTimers();
    desk.bridge.answers['subscribers.packages'] = { packages: [NEWS], isMore: true };
    const list = desk.mount(PackageList, { props: { portal: PORTAL } });
    await vi.advanceTimersByTimeAsync(1);
    await button(list, 'Show more').trigger('click');
    expect(inputsOf('subscribers.packages').at(-1)).toEqual({ portalId: 'p1', text: '', afterId: 'k1' });
    desk.bridge.answers['subscribers.packages'] = { packages: [], isMore: false };
    await list.get('input[type=search]').setValue('x');
    await vi.advanceTimersByTimeAsync(300);
    expect(inputsOf('subscribers.packages').at(-1)).toEqual({ portalId: 'p1', text: 'x' });
    expect(list.text()).toContain('No package starts with this');
    vi.useRealTimers();
  });

  it('assign a package by name, once', async () => {
    const card = await mounted(SubscriberCard, { portalId: 'p1', subscriberId: 's1' });
    const films = { ...NEWS, packageId: 'k2', name: 'Films' };
    desk.bridge.answers['subscribers.packages'] = { packages: [NEWS, films], isMore: false };
    const input = card.getComponent(PackageChoice).get('input');
    await input.setValue('Films');
    await Promise.all([input.trigger('keydown', { key: 'Enter' }), input.trigger('change')]);
    await flushPromises();
    const change = { type: 'attach', subscriberId: 's1', packageId: 'k2' };
    expect(inputsOf('subscribers.change')).toEqual([{ portalId: 'p1', change }]);
  });

  it('report that no package has the typed name', async () => {
    const card = await mounted(SubscriberCard, { portalId: 'p1', subscriberId: 's1' });
    const input = card.getComponent(PackageChoice).get('input');
    await input.setValue('Ba');
    await input.trigger('keydown', { key: 'Enter' });
    await flushPromises();
    expect(useToastStore().toasts.map(({ text }) => text)).toContain(
      'There is no package “Ba”. Choose one from the list.',
    );
  });

  it('link to subscribers of a package, and refuse to delete one in use', async () => {
    desk.bridge.errors['subscribers.change'] = { code: 'package_in_use', message: '2 subscribers have it' };
    const list = await mounted(PackageList);
    await button(list, 'Delete').trigger('click');
    await answer(true);
    expect(useToastStore().toasts.at(-1)?.text).toContain(
      'Subscribers still have the package: 2 subscribers have it. Remove it',
    );
    expect(list.text()).toContain('News');
    await button(list, 'Show its subscribers').trigger('click');
    await flushPromises();
    expect(desk.router.currentRoute.value.query).toMatchObject({ part: 'people', package: 'k1' });
  });
});

describe('lists of the subscriber pages that cannot be loaded', () => {
  it.each([
    [SubscriberList, 'subscribers.list', 'Ana Berg'],
    [PackageList, 'subscribers.packages', 'News'],
    [PortalAccess, 'portals.keys', 'No keys yet'],
  ] as const)('show an error, and load again (%#)', async (list, name, text) => {
    desk.bridge.errors[name] = { code: 'unavailable', message: '' };
    const wrapper = await mounted(list);
    expect(wrapper.get('[role=alert]').text()).toContain('did not answer');
    expect(wrapper.text()).not.toMatch(/No .* yet:? (a|A) p/);
    delete desk.bridge.errors[name];
    await button(wrapper, 'Try again').trigger('click');
    await flushPromises();
    expect(wrapper.find('[role=alert]').exists()).toBe(false);
    expect(wrapper.text()).toContain(text);
  });
});

describe('OperationLog details', () => {
  it('open an operation, and pause the log while older operations are shown', async () => {
    desk.bridge.answers['subscribers.operations'] = { operations: [ATTACHED], isMore: true };
    const log = await mounted(OperationLog);
    await log.get('tbody tr').trigger('click');
    expect(log.get('.details').text()).toContain('packageName: News');
    await button(log, 'Show more').trigger('click');
    await flushPromises();
    expect(log.text()).toContain('Paused');
    expect(inputsOf('subscribers.operations').at(-1)).toEqual({ portalId: 'p1', afterId: 'o1' });
  });

  it.each([
    [{ isIntact: true, records: 7, digests: 2, signedUntil: 5, faultCount: 0, faults: [] }, 'Intact: 7 records'],
    [{ isIntact: true, records: 7, digests: 0, signedUntil: 0, faultCount: 0, faults: [] }, 'Nothing is signed yet'],
    [
      {
        isIntact: false,
        records: 7,
        digests: 2,
        signedUntil: 5,
        faultCount: 1,
        faults: [{ kind: 'removed', sequence: 3, operationId: null }],
      },
      '1 error: record 3 was removed',
    ],
    [
      { isIntact: true, records: 7, digests: 2, uncheckedRecords: 2, signedUntil: 5, faultCount: 0, faults: [] },
      '2 records could not be checked',
    ],
  ])('show the result of a verification', async (report, text) => {
    desk.bridge.answers['portals.verify'] = { records: 7, report: { uncheckedRecords: 0, ...report } };
    const log = await mounted(OperationLog);
    await button(log, 'Verify the log').trigger('click');
    await flushPromises();
    expect(log.get('form').text().replaceAll(/\s+/g, ' ')).toContain(text);
  });
});

describe('the verification of a long log', () => {
  it('shows its progress', async () => {
    vi.useFakeTimers();
    desk.bridge.answers['portals.verify'] = { records: 5000, report: null };
    const log = desk.mount(OperationLog, { props: { portal: PORTAL } });
    await vi.advanceTimersByTimeAsync(1);
    await button(log, 'Verify the log').trigger('click');
    await vi.advanceTimersByTimeAsync(600);
    expect(log.text()).toContain('Verifying: 5000 records');
    expect(inputsOf('portals.verify')).toEqual([
      { portalId: 'p1', isNew: true },
      { portalId: 'p1', isNew: false },
    ]);
    log.unmount();
    await vi.advanceTimersByTimeAsync(5000);
    expect(inputsOf('portals.verify')).toHaveLength(2);
    vi.useRealTimers();
  });
});

describe('PortalAccess', () => {
  const KEY = {
    keyId: 'y1',
    name: 'billing',
    scopes: ['write'],
    lastUsedAt: null,
    rotatedAt: null,
    previousUntil: null,
  };

  it('shows the secret of a key once', async () => {
    desk.bridge.answers['portals.create_key'] = { ...KEY, ...created, token: 'secret-1' };
    const access = await mounted(PortalAccess);
    await access.get('form input').setValue('billing');
    await access.get('form').trigger('submit');
    await flushPromises();
    expect(inputsOf('portals.create_key')).toEqual([{ portalId: 'p1', name: 'billing', scopes: ['write'] }]);
    expect(access.text()).toContain('secret-1');
    await button(access, 'Close').trigger('click');
    expect(access.text()).not.toContain('secret-1');
  });

  it('revokes a key after a confirmation, and shows the state of webhooks', async () => {
    desk.bridge.answers['portals.keys'] = { keys: [{ ...KEY, ...created }] };
    const hook = {
      webhookId: 'w',
      url: 'https://hooks.example/a',
      isPrivateAllowed: false,
      isDisabled: false,
      ...created,
      state: 'failing',
      backlog: 4,
      replays: 0,
      oldestAt: created.createdAt,
      failedAt: created.createdAt,
    };
    const figures = { previousUntil: null, delivered: 3, deadLetters: 1, deliveredAt: null, nextAttemptAt: null };
    desk.bridge.answers['portals.webhooks'] = {
      webhooks: [{ ...hook, ...figures, failures: 2, lastError: 'the answer 500' }],
    };
    const access = await mounted(PortalAccess);
    expect(access.text()).toContain('2 attempts failed: the answer 500');
    await button(access, 'Revoke').trigger('click');
    await answer(true);
    expect(inputsOf('portals.remove_key')).toEqual([{ portalId: 'p1', keyId: 'y1' }]);
  });

  it('disables the portal', async () => {
    const access = await mounted(PortalAccess);
    await access.findAll('input[type=checkbox]').at(-1)!.setValue(false);
    expect(inputsOf('portals.update')).toEqual([{ portalId: 'p1', isDisabled: true }]);
    expect(access.emitted('changed')).toHaveLength(1);
  });
});
