import { flushPromises, type VueWrapper } from '@vue/test-utils';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Component } from 'vue';
import { TestDesk } from '../../../tests/helpers/desk/test-desk.ts';
import { useToastStore } from '../../ui/toast-store.ts';
import PackageList from './PackageList.vue';
import SubscriberCard from './SubscriberCard.vue';
import SubscriberList from './SubscriberList.vue';

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

let desk: TestDesk;
beforeEach(() => {
  desk = new TestDesk();
  desk.setServer({ may_write: true });
  Object.assign(desk.bridge.answers, {
    'subscribers.list': { subscribers: [ANA], isMore: false, next: null },
    'subscribers.get': ANA,
    'subscribers.tokens': { tokens: [] },
    'subscribers.packages': { packages: [NEWS], isMore: false },
    'subscribers.operations': { operations: [], isMore: false },
  });
});

async function mounted(component: Component): Promise<VueWrapper> {
  const wrapper = desk.mount(component, { props: { portal: PORTAL } });
  await flushPromises();
  return wrapper;
}

describe('changes of subscribers by others', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    return () => vi.useRealTimers();
  });
  const pass = async (): Promise<void> => {
    await vi.advanceTimersByTimeAsync(5_000);
    await flushPromises();
  };

  it('appear in the list of subscribers and in the list of packages', async () => {
    const [list, packages] = [await mounted(SubscriberList), await mounted(PackageList)];
    desk.bridge.answers['subscribers.list'] = { subscribers: [{ ...ANA, name: 'Bo Lind' }], isMore: false, next: null };
    desk.bridge.answers['subscribers.packages'] = { packages: [{ ...NEWS, name: 'Films' }], isMore: false };
    await pass();
    expect(list.text()).toContain('Bo Lind');
    expect(packages.text()).toContain('Films');
  });

  it('are not known while the list cannot be loaded, which the list states without a message each time', async () => {
    const list = await mounted(SubscriberList);
    desk.bridge.errors['subscribers.list'] = { code: 'unavailable', message: '' };
    await pass();
    expect([list.get('[role=alert]').text(), useToastStore().toasts]).toEqual([
      expect.stringContaining('did not answer'),
      [],
    ]);
  });

  it('do not replace further pages of a list', async () => {
    desk.bridge.answers['subscribers.list'] = { subscribers: [ANA], isMore: true, next: null };
    const list = await mounted(SubscriberList);
    await list.get('.more button').trigger('click');
    await flushPromises();
    await pass();
    expect(list.findAll('tbody tr')).toHaveLength(2);
  });

  it('appear on the card, which stays open while the server does not answer', async () => {
    let isGone = false;
    const card = desk.mount(SubscriberCard, {
      props: { portalId: 'p1', subscriberId: 's1', onClose: () => (isGone = true) },
    });
    await flushPromises();
    desk.bridge.errors['subscribers.get'] = { code: 'unavailable', message: '' };
    await pass();
    expect([isGone, card.text()]).toEqual([false, expect.stringContaining('may watch')]);
    delete desk.bridge.errors['subscribers.get'];
    desk.bridge.answers['subscribers.get'] = { ...ANA, isDisabled: true };
    await pass();
    expect(card.text()).toContain('Unblock');
    desk.bridge.errors['subscribers.get'] = { code: 'subscriber_not_found', message: '' };
    await pass();
    expect(isGone).toBe(true);
  });
});
