import { flushPromises } from '@vue/test-utils';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { TestDesk } from '../../../tests/helpers/desk/test-desk.ts';
import FirstStepsLogin from './FirstStepsLogin.vue';
import { readFirstSteps } from './first-steps-text.ts';
import SetLoginDialog from './SetLoginDialog.vue';
import { TEXTS } from './texts.ts';

let desk: TestDesk;
beforeEach(() => {
  desk = new TestDesk();
  desk.bridge.answers['config.text'] = { text: 'stream demo/one { input fake://; }\n', revision: 'r1', version: 1 };
});
afterEach(() => document.body.replaceChildren());

async function open(info: object): Promise<void> {
  desk.setServer({ has_edit_login: false, ...info });
  desk.mount(SetLoginDialog, { props: { isOpen: true } });
  await flushPromises();
}
async function fill(name: string, text: string): Promise<void> {
  const input = document.querySelector<HTMLInputElement>(`[data-test=${name}] input`) ?? expect.fail(`no ${name}`);
  input.value = text;
  input.dispatchEvent(new Event('input'));
  await flushPromises();
}
async function press(): Promise<void> {
  document.querySelector<HTMLElement>('button[data-test=set-login]')?.click();
  await flushPromises();
}
const text = (): string => document.body.textContent;

it('SetLoginDialog sets the logins, shows who must log in, and logs this desk in', async () => {
  const logins: unknown[] = [];
  desk.bridge.login = {
    access: () => Promise.resolve(undefined),
    logIn: (...given) => Promise.resolve({ kind: 'done', given: logins.push(given) }),
    logOut: () => Promise.resolve(),
  };
  await open({});
  await press();
  expect(text()).toContain(TEXTS.needsPassword);
  await fill('login', 'boss');
  await fill('password', 'password1');
  expect(text()).toContain(TEXTS.asksForChanges);
  expect(text()).toContain('easy to guess');
  await fill('password', 'a long phrase');
  await fill('view-password', 'only looking');
  expect(text()).toContain(TEXTS.asksForAll);
  await press();
  expect(desk.bridge.calls.find(([name]) => name === 'config.apply')?.[1]).toEqual({
    revision: 'r1',
    text: 'stream demo/one { input fake://; }\nedit_auth boss "a long phrase";\nview_auth viewer "only looking";\n',
  });
  expect(logins).toEqual([['boss', 'a long phrase']]);
});

it('FirstStepsLogin asks for a viewing password only with a password for changes', async () => {
  const form = desk.mount(FirstStepsLogin, { props: { modelValue: readFirstSteps(''), problems: {} } });
  expect(form.find('[data-test=view-password]').exists()).toBe(false);
  await form.setProps({ modelValue: { ...readFirstSteps(''), password: 'a long phrase' } });
  expect(form.find('[data-test=view-password]').exists()).toBe(true);
});

it('SetLoginDialog shows why a login is refused, and the lines to add without write access', async () => {
  desk.bridge.errors['config.apply'] = { code: 'config_changed_since', message: '' };
  await open({});
  await fill('password', 'a long phrase');
  await press();
  expect(document.querySelector('[role=alert]')?.textContent).toContain('try again');
  document.body.replaceChildren();
  await open({ may_write: false });
  expect(text()).toContain('edit_auth admin');
  expect(document.querySelector('button[data-test=set-login]')).toBeNull();
});
