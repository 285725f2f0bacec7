import { flushPromises } from '@vue/test-utils';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { TestDesk } from '../../tests/helpers/desk/test-desk.ts';
import { useToastStore } from '../ui/toast-store.ts';
import OwnPasswordDialog from './OwnPasswordDialog.vue';
import PreferencesDialog from './PreferencesDialog.vue';
import { useShellDialogs } from './shell-dialogs.ts';

let desk: TestDesk;
beforeEach(() => {
  desk = new TestDesk();
});
afterEach(() => document.body.replaceChildren());

const find = <E extends HTMLElement>(selector: string): E =>
  document.querySelector<E>(selector) ?? expect.fail(`no ${selector}`);
async function fill(name: string, text: string): Promise<void> {
  const input = find<HTMLInputElement>(`[data-test=${name}] input`);
  input.value = text;
  input.dispatchEvent(new Event('input'));
  await flushPromises();
}
async function press(name: string): Promise<void> {
  find(`[data-test=${name}]`).click();
  await flushPromises();
}

it('OwnPasswordDialog changes the password of a person, and shows why it is refused', async () => {
  desk.setServer({ login: 'anna', role: 'viewer', may_write: false });
  desk.mount(PreferencesDialog);
  desk.mount(OwnPasswordDialog);
  useShellDialogs().show('preferences');
  await flushPromises();
  await press('own-password');
  await fill('current-password', 'correct horse');
  await fill('next-password', 'short');
  desk.bridge.errors['people.change_own_password'] = {
    code: 'password_weak',
    message: '',
    details: { reason: 'too_short' },
  };
  await press('change-password');
  expect(find('[role=alert]').textContent).toContain('Use at least 8 characters');
  desk.bridge.errors['people.change_own_password'] = { code: 'password_wrong', message: '' };
  await press('change-password');
  expect(find('[role=alert]').textContent).toContain('The current password is wrong');
  delete desk.bridge.errors['people.change_own_password'];
  desk.bridge.answers['people.change_own_password'] = {};
  await fill('next-password', 'another horse');
  await press('change-password');
  expect(desk.bridge.calls.at(-1)).toEqual([
    'people.change_own_password',
    { current_password: 'correct horse', password: 'another horse' },
  ]);
  expect([useShellDialogs().open, useToastStore().toasts.at(-1)?.text]).toEqual([
    null,
    'Your password was changed. You are logged out in all other browsers.',
  ]);
});

it('PreferencesDialog offers no change of password to a configured login', async () => {
  desk.setServer({ login: 'admin' });
  desk.mount(PreferencesDialog);
  useShellDialogs().show('preferences');
  await flushPromises();
  expect(document.querySelector('[data-test=own-password]')).toBeNull();
});
