import { flushPromises, type VueWrapper } from '@vue/test-utils';
import { beforeEach, describe, expect, it } from 'vitest';
import { TestDesk } from '../../../tests/helpers/desk/test-desk.ts';
import LogVerifier from './LogVerifier.vue';
import OperationFilters from './OperationFilters.vue';
import OperationLog from './OperationLog.vue';

const ANA = 'AAAAAAAAAAA.';
const at = '2027-01-15T12:00:00.000Z';
const PORTAL = { portalId: 'p1', name: 'North', isAutoRegistration: false, isDisabled: false, createdAt: at };
const BLOCKED = {
  ...({ operationId: 'o1', type: 'disableSubscriber', portalId: 'p1', subscriberId: ANA, packageId: null } as const),
  createdAt: at,
  updatedAt: at,
  payload: { name: 'Ana "A"', phoneCountryCode: '', phone: '', reason: 'not paid', keyName: 'desk' },
};

let desk: TestDesk;
let log: VueWrapper;
beforeEach(async () => {
  desk = new TestDesk();
  desk.bridge.answers['subscribers.operations'] = { operations: [BLOCKED], isMore: false };
  desk.bridge.answers['portals.exports'] = { exports: [] };
  log = desk.mount(OperationLog, { props: { portal: PORTAL } });
  await flushPromises();
});
const inputs = () => desk.bridge.calls.flatMap(([name, input]) => (name === 'subscribers.operations' ? [input] : []));
const button = (text: string) => log.findAll('button').find((one) => one.text().startsWith(text))!;

describe('OperationLog', () => {
  it('keeps its filters in the address', async () => {
    await log.getComponent(OperationFilters).get('select').setValue('disableSubscriber');
    await flushPromises();
    await log.get('tbody tr').trigger('click');
    await button('Only this subscriber').trigger('click');
    await flushPromises();
    expect(desk.router.currentRoute.value.query).toEqual({ type: 'disableSubscriber', subscriber: ANA });
    expect(inputs().at(-1)).toEqual({ portalId: 'p1', type: 'disableSubscriber', subscriberId: ANA });
    await button('Subscriber: Ana "A"').trigger('click');
    await flushPromises();
    expect(desk.router.currentRoute.value.query).toEqual({ type: 'disableSubscriber' });
  });

  it('marks its rows as outdated when the server does not answer, and reloads on request', async () => {
    desk.bridge.errors['subscribers.operations'] = { code: 'unavailable', message: '' };
    await button('● Live').trigger('click');
    await button('❚❚ Paused').trigger('click');
    await flushPromises();
    expect(log.get('[role=alert]').text()).toContain('values shown are old');
    expect(log.text()).toContain('Ana "A"');
    delete desk.bridge.errors['subscribers.operations'];
    await button('Try again').trigger('click');
    await flushPromises();
    expect(log.find('[role=alert]').exists()).toBe(false);
    expect(log.text()).toContain('● Live');
  });

  it('is verified only on request', () => {
    expect(log.findComponent(LogVerifier).exists()).toBe(true);
    expect(desk.bridge.called).not.toContain('portals.verify');
  });
});
