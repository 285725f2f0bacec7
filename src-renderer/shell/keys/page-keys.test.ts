import { flushPromises } from '@vue/test-utils';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { TestDesk } from '../../../tests/helpers/desk/test-desk.ts';
import { useShellDialogs } from '../shell-dialogs.ts';
import { pageKeys } from './page-keys.ts';
import PageKeys from './PageKeys.vue';

let desk: TestDesk;
beforeEach(() => {
  desk = new TestDesk();
  desk.setServer();
  desk.mount(PageKeys, { isAttached: true });
});
afterEach(() => document.body.replaceChildren());

async function requestKeys(page: string, target: EventTarget = document): Promise<string> {
  useShellDialogs().close();
  await desk.router.push({ name: page });
  await flushPromises();
  target.dispatchEvent(new KeyboardEvent('keydown', { key: '?', bubbles: true }));
  await flushPromises();
  return useShellDialogs().open === 'keys' ? (document.querySelector('[role=dialog]')?.textContent ?? '') : '';
}

it('PageKeys shows the keys of the current page with ?; the wall has its own list', async () => {
  expect(await requestKeys('archive')).toMatch(/Play.*Timeline.*Selection.*On every page/);
  expect(await requestKeys('log')).toMatch(/Table.*On every page/);
  expect(await requestKeys('configuration')).toMatch(/^Keyboard shortcuts✕On every page/);
  expect(await requestKeys('wall')).toBe('');
});

it('PageKeys ignores ? in a field', async () => {
  const field = document.body.appendChild(document.createElement('input'));
  expect(await requestKeys('log', field)).toBe('');
});

it('pageKeys omits keys for forbidden actions', () => {
  const keysText = (mayOperate: boolean): string => JSON.stringify(pageKeys('archive', { mayOperate }));
  expect([keysText(true).includes('Export'), keysText(false).includes('Export')]).toEqual([true, false]);
});
