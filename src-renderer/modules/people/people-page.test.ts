import { flushPromises, type VueWrapper } from '@vue/test-utils';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DeskSessionObject, PersonObject } from '../../../src-preload/contract/operations/people.ts';
import { TestDesk } from '../../../tests/helpers/desk/test-desk.ts';
import { useConfirmStore } from '../../ui/confirm-store.ts';
import { useToastStore } from '../../ui/toast-store.ts';
import PeoplePage from './PeoplePage.vue';
import PersonDialog from './PersonDialog.vue';
import SessionTable from './SessionTable.vue';
import { suggestPassword } from './suggest-password.ts';

const ANNA: PersonObject = {
  login: 'anna',
  full_name: 'Anna Example',
  role: 'operator',
  prefixes: [],
  is_disabled: false,
  created_at: Date.UTC(2027, 0, 15),
  created_by: 'admin',
  password_changed_at: Date.UTC(2027, 0, 15),
  session_count: 1,
};
const SESSION: DeskSessionObject = {
  id: 's1',
  login: 'anna',
  started_at: Date.UTC(2027, 0, 15),
  used_at: Date.UTC(2027, 0, 15),
  address: '192.0.2.7',
  agent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/156.0 Safari/537.36',
  is_own: false,
};

let desk: TestDesk;
beforeEach(() => {
  desk = new TestDesk();
  desk.bridge.answers['people.list'] = { people: [ANNA] };
  desk.bridge.answers['people.sessions'] = { sessions: [SESSION] };
  return () => {
    document.body.replaceChildren();
  };
});
async function open(info = {}): Promise<VueWrapper> {
  desk.setServer({ may_write: true, has_edit_login: true, ...info });
  const page = desk.mount(PeoplePage, { isAttached: true });
  await flushPromises();
  return page;
}
const inDialog = <E extends Element>(selector: string): E => {
  const found = document.querySelector<E>(`[role=dialog] ${selector}`);
  if (!found) throw new Error(`no ${selector}`);
  return found;
};
async function type(index: number, text: string): Promise<void> {
  const input = [...document.querySelectorAll<HTMLInputElement>('[role=dialog] .field input')][index];
  if (!input) throw new Error(`no field ${index}`);
  input.value = text;
  input.dispatchEvent(new Event('input'));
  await flushPromises();
}
async function press(name: string): Promise<void> {
  inDialog<HTMLElement>(`[data-test=${name}]`).click();
  await flushPromises();
}

describe('PeoplePage', () => {
  it('loads once the rights of the login are known', async () => {
    const page = await open({ may_write: false });
    expect(page.text()).toContain('Only administrators');
    desk.setServer({ may_write: true, has_edit_login: true });
    await flushPromises();
    expect(page.find('[data-test=person]').text()).toContain('Anna Example');
    page.unmount();
  });

  it('lists people and logged-in browsers', async () => {
    const page = await open();
    expect(page.find('[data-test=person]').text()).toContain('Anna Example');
    expect(page.findComponent(SessionTable).text()).toContain('Chrome, Linux');
    page.unmount();
  });

  it('is closed to logins that cannot manage people', async () => {
    const page = await open({ may_write: false, role: 'operator' });
    expect(page.text()).toContain('Only administrators');
    expect(desk.bridge.calls.filter(([name]) => name.startsWith('people.'))).toEqual([]);
    page.unmount();
  });

  it('shows an error with a retry, and that there are no people', async () => {
    desk.bridge.errors['people.list'] = { code: 'unavailable', message: '' };
    const failed = await open();
    expect(failed.find('[role=alert]').text()).toContain('Could not load');
    delete desk.bridge.errors['people.list'];
    desk.bridge.answers['people.list'] = { people: [] };
    await failed.find('[role=alert] button').trigger('click');
    await flushPromises();
    expect(failed.text()).toContain('No people yet');
    failed.unmount();
  });

  it('saves the streams to which a person is limited, and lists them one per line', async () => {
    desk.bridge.answers['people.list'] = { people: [ANNA, { ...ANNA, login: 'fred', prefixes: ['field', 'van/a'] }] };
    const page = await open();
    const shown = page.findAll('[data-test=streams]').map((cell) => cell.findAll('li').map((line) => line.text()));
    expect(shown).toEqual([[], ['field/', 'van/a/']]);
    expect(page.findAll('[data-test=streams]')[0]?.text()).toBe('All streams');
    desk.bridge.answers['people.update'] = ANNA;
    const streams = (): HTMLInputElement | undefined =>
      [...document.querySelectorAll<HTMLInputElement>('[role=dialog] .field input')].at(-1);
    await page.findAll('[data-test=edit]')[1]?.trigger('click');
    expect(streams()?.value).toBe('field/, van/a/');
    await type(1, ' field/, north field/… ');
    expect(document.querySelector('[role=dialog]')?.textContent).toContain('Sees and controls only these streams');
    await press('save');
    const sent = (): unknown => desk.bridge.calls.filter(([name]) => name === 'people.update').at(-1)?.[1];
    expect(sent()).toMatchObject({ login: 'fred', prefixes: ['field', 'north'] });
    await page.findAll('[data-test=edit]')[1]?.trigger('click');
    await type(1, '');
    await press('save');
    expect(sent()).toMatchObject({ prefixes: [] });
    page.unmount();
  });

  it('adds a person with a suggested password, and shows why a password is refused', async () => {
    const page = await open();
    await page.find('[data-test=add-person]').trigger('click');
    await type(0, 'carl');
    await press('suggest');
    desk.bridge.errors['people.create'] = { code: 'password_weak', message: '', details: { reason: 'common' } };
    await press('save');
    expect(inDialog('[role=alert]').textContent).toContain('longer phrase');
    delete desk.bridge.errors['people.create'];
    desk.bridge.answers['people.create'] = { ...ANNA, login: 'carl' };
    await press('save');
    expect(page.findComponent(PersonDialog).props('task')).toBeNull();
    const sent = desk.bridge.calls.filter(([name]) => name === 'people.create').at(-1)?.[1];
    expect(sent).toMatchObject({
      login: 'carl',
      role: 'viewer',
      password: expect.stringMatching(/^\S{4}(-\S{4}){3}$/) as string,
    });
    expect(useToastStore().toasts.at(-1)?.text).toContain('carl was added');
    page.unmount();
  });

  it.each([
    ['disable', 'people.update', { login: 'anna', is_disabled: true }],
    ['remove', 'people.remove', { login: 'anna' }],
    ['end-session', 'people.end_session', { id: 's1' }],
  ])('asks for confirmation of the change %s', async (button, call, input) => {
    const page = await open();
    desk.bridge.answers[call as 'people.remove'] = {};
    await page.find(`[data-test=${button}]`).trigger('click');
    expect(useConfirmStore().request?.isDestructive).toBe(true);
    useConfirmStore().settle(false);
    await flushPromises();
    expect(desk.bridge.calls.some(([name]) => name === call)).toBe(false);
    await page.find(`[data-test=${button}]`).trigger('click');
    useConfirmStore().settle(true);
    await flushPromises();
    expect(desk.bridge.calls.find(([name]) => name === call)?.[1]).toEqual(input);
    page.unmount();
  });
});

it('suggestPassword returns different passwords without similar characters', () => {
  const some = new Set(Array.from({ length: 20 }, suggestPassword));
  expect(some.size).toBe(20);
  for (const one of some) expect(one).toMatch(/^[a-hjkmnp-z2-9]{4}(-[a-hjkmnp-z2-9]{4}){3}$/);
});
