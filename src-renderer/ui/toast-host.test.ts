import { mount } from '@vue/test-utils';
import { createPinia, setActivePinia } from 'pinia';
import { beforeEach, expect, it } from 'vitest';
import ToastHost from './ToastHost.vue';
import { useToastStore } from './toast-store.ts';

beforeEach(() => setActivePinia(createPinia()));

it('ToastHost shows a message until it is dismissed', async () => {
  const host = mount(ToastHost);
  expect(host.findAll('.toast')).toHaveLength(0);
  useToastStore().show({ kind: 'error', text: 'The stream could not be removed', durationMs: 60_000 });
  await host.vm.$nextTick();
  expect(host.get('.toast.error').text()).toContain('could not be removed');
  await host.get('[aria-label=Dismiss]').trigger('click');
  expect(host.findAll('.toast')).toHaveLength(0);
});

it('ToastHost runs the action of a message once, and removes the message', async () => {
  const host = mount(ToastHost);
  let runs = 0;
  useToastStore().show({
    kind: 'info',
    text: 'Removed',
    durationMs: 60_000,
    action: { label: 'Undo', run: () => runs++ },
  });
  await host.vm.$nextTick();
  await host.get('.act').trigger('click');
  expect([runs, host.findAll('.toast').length]).toEqual([1, 0]);
});
