import { mount } from '@vue/test-utils';
import { createPinia } from 'pinia';
import { afterEach, expect, it } from 'vitest';
import KeyHelp from './KeyHelp.vue';

afterEach(() => document.body.replaceChildren());

it('KeyHelp lists keys with their actions, by group', () => {
  const groups = [{ title: 'Play', keys: [['J K L', 'Shuttle']] as const }];
  mount(KeyHelp, { props: { isOpen: true, title: 'Keys', groups }, global: { plugins: [createPinia()] } });
  const dialog = document.querySelector('[role=dialog]');
  expect([dialog?.querySelector('section h2')?.textContent, dialog?.querySelector('dt')?.textContent]).toEqual([
    'Play',
    'J K L',
  ]);
  expect(dialog?.querySelector('dd')?.textContent).toBe('Shuttle');
});
