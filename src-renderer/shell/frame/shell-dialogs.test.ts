import { flushPromises } from '@vue/test-utils';
import { afterEach, expect, it } from 'vitest';
import { TestDesk } from '../../../tests/helpers/desk/test-desk.ts';
import { useConfirmStore } from '../../ui/confirm-store.ts';
import { useShellDialogs } from '../shell-dialogs.ts';
import ShellDialogs from './ShellDialogs.vue';

afterEach(() => document.body.replaceChildren());

it('ShellDialogs shows one dialog at a time, and stores that the first steps were closed', async () => {
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

it('ShellDialogs answers an open question with no when the page is left', async () => {
  const desk = new TestDesk();
  await desk.router.push('/streams');
  desk.setServer();
  desk.mount(ShellDialogs);
  const question = { title: 'Remove cam1?', body: '', confirmLabel: 'Remove', isDestructive: true };
  const answer = useConfirmStore().requestAnswer(question);
  await desk.router.push('/streams?find=cam');
  expect(useConfirmStore().request?.title).toBe('Remove cam1?');
  await desk.router.push('/archive');
  await flushPromises();
  expect([await answer, useConfirmStore().request]).toEqual([false, null]);
});
