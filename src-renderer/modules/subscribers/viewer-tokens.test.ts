import { flushPromises, type VueWrapper } from '@vue/test-utils';
import { beforeEach, describe, expect, it } from 'vitest';
import { TestDesk } from '../../../tests/helpers/desk/test-desk.ts';
import { useConfirmStore } from '../../ui/confirm-store.ts';
import ViewerTokens from './ViewerTokens.vue';

const IDS = { portalId: 'p1', subscriberId: 's1' };
const PHONE = { tokenId: 't1', name: 'phone', createdAt: '2027-01-15T12:00:00.000Z' };

let desk: TestDesk;
beforeEach(() => {
  desk = new TestDesk();
  desk.bridge.answers['subscribers.tokens'] = { tokens: [PHONE] };
});

async function mounted(): Promise<VueWrapper> {
  const wrapper = desk.mount(ViewerTokens, { props: IDS });
  await flushPromises();
  return wrapper;
}
const inputsOf = (name: string) => desk.bridge.calls.flatMap(([called, input]) => (called === name ? [input] : []));

describe('ViewerTokens', () => {
  it('shows a token once', async () => {
    desk.bridge.answers['subscribers.create_token'] = { ...PHONE, token: 'secret-1' };
    const wrapper = await mounted();
    await wrapper.get('input').setValue('phone');
    await wrapper.get('form').trigger('submit');
    await flushPromises();
    expect(inputsOf('subscribers.create_token')).toEqual([{ ...IDS, name: 'phone' }]);
    expect(wrapper.get('.issued').text()).toContain('secret-1');
    await wrapper.get('.issued > button').trigger('click');
    expect(wrapper.text()).not.toContain('secret-1');
  });

  it.each([
    [true, [{ ...IDS, tokenId: 't1' }]],
    [false, []],
  ])('revokes a token if the confirmation is %s', async (isSure, calls) => {
    desk.bridge.answers['subscribers.remove_token'] = {};
    const wrapper = await mounted();
    await wrapper.get('[aria-label="Revoke phone"]').trigger('click');
    await flushPromises();
    useConfirmStore().settle(isSure);
    await flushPromises();
    expect(inputsOf('subscribers.remove_token')).toEqual(calls);
  });

  it('shows that there are no tokens, and that they cannot be loaded', async () => {
    desk.bridge.answers['subscribers.tokens'] = { tokens: [] };
    expect((await mounted()).text()).toContain('A token is needed');
    desk.bridge.errors['subscribers.tokens'] = { code: 'unavailable', message: '' };
    const failed = await mounted();
    expect(failed.get('[role=alert]').text()).toContain('did not answer');
    delete desk.bridge.errors['subscribers.tokens'];
    desk.bridge.answers['subscribers.tokens'] = { tokens: [PHONE] };
    await failed.get('[role=alert] button').trigger('click');
    await flushPromises();
    expect(failed.text()).toContain('phone');
  });
});
