import { flushPromises, type VueWrapper } from '@vue/test-utils';
import { beforeEach, describe, expect, it } from 'vitest';
import { TestDesk } from '../../../tests/helpers/desk/test-desk.ts';
import { useConfirmStore } from '../../ui/confirm-store.ts';
import WebhookList from './WebhookList.vue';

const HOOK = {
  ...{ webhookId: 'w1', url: 'https://hooks.example/a', isPrivateAllowed: false, isDisabled: false },
  ...{ createdAt: '2027-01-15T12:00:00.000Z', previousUntil: null, delivered: 3, deadLetters: 1, failures: 2 },
  ...{ deliveredAt: null, nextAttemptAt: '2027-01-15T12:05:00.000Z', lastError: 'the answer 500' },
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

describe('the webhooks of a portal', () => {
  it('are made, and show their secret once', async () => {
    const list = await mounted();
    await list.get('input[type=url]').setValue(' https://hooks.example/a ');
    await list.get('form').trigger('submit');
    await flushPromises();
    expect(inputsOf('portals.create_webhook')).toEqual([{ portalId: 'p1', url: HOOK.url, isPrivateAllowed: false }]);
    expect(list.text()).toContain('whsec_1');
    await press(list, 'Close');
    expect(list.text()).not.toContain('whsec_1');
  });

  it('say how they do, are tried at once, switched off and on', async () => {
    const list = await mounted();
    expect(list.text()).toContain('2 attempts failed: the answer 500');
    expect(list.text()).toMatch(/next attempt 2027-01-15/);
    await press(list, 'Try now');
    desk.bridge.answers['portals.webhooks'] = { webhooks: [{ ...HOOK, isDisabled: true }] };
    await press(list, 'Switch off');
    expect(list.text()).toContain('switched off');
    await press(list, 'Switch on');
    expect(inputsOf('portals.update_webhook')).toEqual([
      ONE,
      { ...ONE, isDisabled: true },
      { ...ONE, isDisabled: false },
    ]);
  });

  it.each([
    ['New secret', 'portals.rotate_webhook'],
    ['Delete', 'portals.remove_webhook'],
  ])('are asked about before: %s', async (text, name) => {
    const list = await mounted();
    await press(list, text, false);
    expect(inputsOf(name)).toEqual([]);
    await press(list, text, true);
    expect(inputsOf(name)).toEqual([ONE]);
  });

  it.each([
    [null, 'nothing to send yet', 'dim'],
    [HOOK.createdAt, 'delivers', 'good'],
  ])('deliver only where something was taken (%s)', async (deliveredAt, words, colour) => {
    desk.bridge.answers['portals.webhooks'] = {
      webhooks: [{ ...HOOK, failures: 0, nextAttemptAt: null, deliveredAt }],
    };
    expect((await mounted()).get(`td.${colour}`).text()).toBe(words);
  });

  it('say that they could not be read', async () => {
    desk.bridge.errors['portals.webhooks'] = { code: 'unavailable', message: '' };
    const list = await mounted();
    expect(list.get('[role=alert]').text()).toContain('did not give an answer');
    delete desk.bridge.errors['portals.webhooks'];
    await press(list, 'Try again');
    expect(list.text()).toContain(HOOK.url);
  });
});
