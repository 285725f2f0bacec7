import { flushPromises } from '@vue/test-utils';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { TestDesk } from '../../tests/helpers/desk/test-desk.ts';
import { useToastStore } from '../ui/toast-store.ts';
import { useShellDialogs } from './shell-dialogs.ts';
import NoticesDialog from './NoticesDialog.vue';

beforeEach(() => vi.useFakeTimers({ now: Date.UTC(2027, 0, 15, 12) }));
afterEach(() => {
  document.body.replaceChildren();
  vi.useRealTimers();
});

it('NoticesDialog lists the last 200 messages, newest first, after they have disappeared', async () => {
  const desk = new TestDesk();
  desk.mount(NoticesDialog);
  useShellDialogs().show('notices');
  await flushPromises();
  const dialogText = (): string => document.querySelector('[role=dialog]')?.textContent ?? '';
  expect(dialogText()).toContain('No messages yet.');
  const toasts = useToastStore();
  toasts.show({ kind: 'info', text: 'cam1 was added.', durationMs: 10 });
  toasts.show({ kind: 'error', text: 'cam2 was not removed.', durationMs: 10 });
  await vi.advanceTimersByTimeAsync(20);
  expect([toasts.toasts.length, dialogText()]).toEqual([
    0,
    expect.stringMatching(/✕.*cam2 was not removed\..*cam1 was added\./),
  ]);
  for (let count = 0; count < 300; count++) toasts.show({ kind: 'info', text: `${count}`, durationMs: 10 });
  expect([toasts.past.length, toasts.past[0]?.text]).toEqual([200, '299']);
});
