import { flushPromises, type VueWrapper } from '@vue/test-utils';
import { beforeEach, describe, expect, it } from 'vitest';
import { TestDesk } from '../../../tests/helpers/desk/test-desk.ts';
import { useConfirmStore } from '../../ui/confirm-store.ts';
import { useToastStore } from '../../ui/toast-store.ts';
import WebhookDetails from './WebhookDetails.vue';
import WebhookList from './WebhookList.vue';

const HOOK = {
  webhookId: 'w1',
  url: 'https://hooks.example/a',
  isPrivateAllowed: false,
  isDisabled: false,
  createdAt: '2027-01-15T12:00:00.000Z',
  previousUntil: null,
  delivered: 3,
  deadLetters: 1,
  failures: 2,
  state: 'failing',
  backlog: 4,
  replays: 1,
  oldestAt: '2027-01-15T12:00:00.000Z',
  failedAt: null,
  maxPerSecond: 100,
  deadLettersKept: 1,
  deadLettersDropped: 0,
  deliveredAt: null,
  nextAttemptAt: '2027-01-15T12:05:00.000Z',
  lastError: 'the answer 500',
};
const ONE = { portalId: 'p1', webhookId: 'w1' };

let desk: TestDesk;
beforeEach(() => {
  desk = new TestDesk();
  Object.assign(desk.bridge.answers, {
    'portals.webhooks': { webhooks: [HOOK] },
    'portals.create_webhook': { ...HOOK, secret: 'whsec_1' },
    'portals.rotate_webhook': { ...HOOK, secret: 'whsec_2' },
    'portals.update_webhook': HOOK,
    'portals.remove_webhook': {},
  });
});
async function mounted(): Promise<VueWrapper> {
  const wrapper = desk.mount(WebhookList, { props: { portalId: 'p1' } });
  await flushPromises();
  return wrapper;
}
async function press(wrapper: VueWrapper, text: string, isSure?: boolean): Promise<void> {
  await wrapper
    .findAll('button')
    .find((one) => one.text() === text)!
    .trigger('click');
  await flushPromises();
  if (isSure !== undefined) useConfirmStore().settle(isSure);
  await flushPromises();
}
const inputsOf = (name: string) => desk.bridge.calls.flatMap(([called, input]) => (called === name ? [input] : []));

describe('WebhookList', () => {
  it('creates a webhook, and shows its secret once', async () => {
    const list = await mounted();
    await list.get('input[type=url]').setValue(' https://hooks.example/a ');
    await list.get('form').trigger('submit');
    await flushPromises();
    expect(inputsOf('portals.create_webhook')).toEqual([{ portalId: 'p1', url: HOOK.url, isPrivateAllowed: false }]);
    expect(list.text()).toContain('whsec_1');
    await press(list, 'Close');
    expect(list.text()).not.toContain('whsec_1');
  });

  it('shows the state of a webhook, and retries, disables and enables it', async () => {
    const list = await mounted();
    expect(list.text()).toContain('2 attempts failed: the answer 500');
    expect(list.text()).toMatch(/next attempt 2027-01-15/);
    await press(list, 'Retry now');
    desk.bridge.answers['portals.webhooks'] = { webhooks: [{ ...HOOK, state: 'paused', isDisabled: true }] };
    await press(list, 'Disable');
    expect(list.text()).toContain('disabled');
    await press(list, 'Enable');
    expect(inputsOf('portals.update_webhook')).toEqual([
      ONE,
      { ...ONE, isDisabled: true },
      { ...ONE, isDisabled: false },
    ]);
  });

  it.each([
    ['New secret', 'portals.rotate_webhook'],
    ['Delete', 'portals.remove_webhook'],
  ])('requires a confirmation: %s', async (text, name) => {
    const list = await mounted();
    await press(list, text, false);
    expect(inputsOf(name)).toEqual([]);
    await press(list, text, true);
    expect(inputsOf(name)).toEqual([ONE]);
  });

  it.each([
    [null, 'nothing to send yet', 'dim'],
    [HOOK.createdAt, 'delivering', 'good'],
  ])('shows delivery only after the first one (%s)', async (deliveredAt, text, colour) => {
    desk.bridge.answers['portals.webhooks'] = {
      webhooks: [{ ...HOOK, state: 'active', failures: 0, nextAttemptAt: null, deliveredAt }],
    };
    expect((await mounted()).get(`td.${colour}`).text()).toBe(text);
  });

  it('tests, replays and discards operations of a webhook', async () => {
    const lost = { operationId: 'o1', givenUpAt: HOOK.createdAt, error: 'answered with status 500' };
    Object.assign(desk.bridge.answers, {
      'portals.webhook_log': {
        attempts: [{ at: HOOK.createdAt, operationId: null, isTaken: true, error: null, durationMs: 12 }],
      },
      'portals.dead_letters': { deadLetters: [lost], next: 'o1' },
      'portals.test_webhook': { isTaken: false, error: 'answered with status 418', durationMs: 3 },
      'portals.replay_webhook': { count: 7 },
      'portals.discard_dead_letters': { count: 1 },
    });
    const list = await mounted();
    await press(list, 'Deliveries');
    const details = list.getComponent(WebhookDetails);
    expect(details.text()).toMatch(/o1answered with status 500.*testaccepted12 ms/);
    await press(list, 'Show more');
    expect(inputsOf('portals.dead_letters').at(-1)).toEqual({ ...ONE, afterId: 'o1', limit: 100 });
    await press(list, 'Send test');
    expect(useToastStore().toasts.map(({ text }) => text)).toEqual(['The test failed: answered with status 418']);
    await details.get('input[type=date]').setValue('2027-01-15');
    await details.get('form').trigger('submit');
    await flushPromises();
    expect(useConfirmStore().request?.title).toBe('Resend 7 operations?');
    useConfirmStore().settle(true);
    await flushPromises();
    const from = new Date(2027, 0, 15).toISOString();
    expect(inputsOf('portals.replay_webhook')).toEqual([
      { ...ONE, from, isPreview: true },
      { ...ONE, from },
    ]);
    await press(list, 'Resend all', false);
    expect(inputsOf('portals.replay_webhook').slice(2)).toEqual([{ ...ONE, isDeadLetters: true, isPreview: true }]);
    await press(list, 'Discard', false);
    expect(inputsOf('portals.discard_dead_letters')).toEqual([]);
    await press(list, 'Discard', true);
    await press(list, 'Discard all', true);
    expect(inputsOf('portals.discard_dead_letters')).toEqual([{ ...ONE, operationId: 'o1' }, ONE]);
    await details.get('input[type=number]').setValue('5');
    await flushPromises();
    expect(inputsOf('portals.update_webhook')).toEqual([{ ...ONE, maxPerSecond: 5 }]);
  });

  it('shows that webhooks cannot be loaded', async () => {
    desk.bridge.errors['portals.webhooks'] = { code: 'unavailable', message: '' };
    const list = await mounted();
    expect(list.get('[role=alert]').text()).toContain('did not answer');
    delete desk.bridge.errors['portals.webhooks'];
    await press(list, 'Try again');
    expect(list.text()).toContain(HOOK.url);
  });
});
