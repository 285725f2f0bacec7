import { flushPromises } from '@vue/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { nextTick } from 'vue';
import { TestDesk } from '../../tests/helpers/desk/test-desk.ts';
import AppTheme from '../ui/AppTheme.vue';
import { themeOverrides } from '../ui/theme-overrides.ts';
import { useThemeChoice } from '../ui/theme-choice.ts';
import { useShellDialogs } from './shell-dialogs.ts';
import LanguageChoice from './LanguageChoice.vue';
import PreferencesDialog from './PreferencesDialog.vue';

let desk: TestDesk;
beforeEach(() => {
  localStorage.clear();
  desk = new TestDesk();
});
afterEach(() => {
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

const theme = (): string | undefined => document.documentElement.dataset['theme'];
const show = async (info: object = {}): Promise<void> => {
  desk.setServer(info);
  desk.mount(AppTheme);
  desk.mount(PreferencesDialog);
  useShellDialogs().show('preferences');
  await flushPromises();
};
const choose = async (value: string): Promise<void> => {
  document.querySelector<HTMLInputElement>(`input[value=${value}]`)?.click();
  await flushPromises();
};

describe('PreferencesDialog', () => {
  it('applies colours at once, dark by default, and stores them', async () => {
    await show();
    expect(theme()).toBe('dark');
    await choose('light');
    expect([theme(), localStorage.getItem('airdesk-theme')]).toEqual(['light', 'light']);
    await choose('dark');
    expect(theme()).toBe('dark');
  });

  it('names each language in that language', () => {
    expect(desk.mount(LanguageChoice).text()).toMatch(/English.*Deutsch/);
  });

  it('shows the login, and logs out', async () => {
    let left = 0;
    desk.bridge.login = {
      access: () => Promise.resolve(undefined),
      logIn: () => Promise.resolve({ kind: 'done' }),
      logOut: () => Promise.resolve(void left++),
    };
    await show({ login: 'pat q', has_session: true });
    expect(document.body.textContent).toContain('Logged in as pat q');
    document.querySelector<HTMLElement>('[data-test=log-out]')?.click();
    expect(left).toBe(1);
    // A login that a proxy adds to each request cannot be ended by the desk.
    desk.setServer({ login: 'pat q' });
    await flushPromises();
    expect(document.querySelector('[data-test=log-out]')).toBeNull();
  });

  it('follows the colours of the system if selected', async () => {
    await show();
    const { choice, isLight } = desk.run(useThemeChoice).result;
    choice.value = 'system';
    await nextTick();
    expect([theme(), isLight.value]).toEqual(
      window.matchMedia('(prefers-color-scheme: dark)').matches ? ['dark', false] : ['light', true],
    );
  });

  it('opens the first steps, with write access', async () => {
    await show({ may_write: false });
    expect(document.querySelector('[data-test=first-steps]')).toBeNull();
    desk.setServer();
    await nextTick();
    document.querySelector<HTMLButtonElement>('[data-test=first-steps]')?.click();
    expect(useShellDialogs().open).toBe('first-steps');
  });
});

it('the same colours are defined in both themes', () => {
  const [dark, light] = [themeOverrides(false), themeOverrides(true)].map(({ common = {} }) => Object.keys(common));
  expect(light).toEqual(dark);
});
