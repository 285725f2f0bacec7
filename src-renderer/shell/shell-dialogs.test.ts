import { flushPromises } from '@vue/test-utils';
import { afterEach, expect, it } from 'vitest';
import { TestDesk } from '../../tests/helpers/desk/test-desk.ts';
import { useShellDialogs } from './shell-dialogs.ts';
import ShellDialogs from './ShellDialogs.vue';

afterEach(() => document.body.replaceChildren());

it('shows one dialog of the frame at a time, and knows when the first steps were left', async () => {
  localStorage.clear();
  const desk = new TestDesk();
  desk.bridge.answers['config.text'] = { text: '', revision: 'r1', version: 1 };
  desk.setServer({ is_demo: true });
  desk.mount(ShellDialogs);
  await flushPromises();
  const titles = (): (string | null)[] =>
    [...document.querySelectorAll('[role=dialog]')].map((dialog) => dialog.getAttribute('aria-label'));
  const dialogs = useShellDialogs();
  expect([titles(), dialogs.hasSeenFirstSteps]).toEqual([['Set up this server'], false]);
  dialogs.close();
  dialogs.show('preferences');
  await flushPromises();
  expect([titles().at(-1), dialogs.hasSeenFirstSteps]).toEqual(['Preferences of this desk', true]);
});
