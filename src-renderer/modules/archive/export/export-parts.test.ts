import { flushPromises } from '@vue/test-utils';
import { beforeEach, expect, it } from 'vitest';
import { mountArchivePart } from '../../../../tests/helpers/desk/archive-part.ts';
import { TestDesk } from '../../../../tests/helpers/desk/test-desk.ts';
import { useArchiveStore } from '../store.ts';
import { frameRateOf } from '../time/time-code.ts';
import ExportDialog from './ExportDialog.vue';
import ExportList from './ExportList.vue';
import ExportTray from './ExportTray.vue';

const AT = Date.UTC(2025, 0, 15, 12);
const RATE = frameRateOf(25);
let desk: TestDesk;
beforeEach(() => {
  desk = new TestDesk();
  desk.setServer();
  desk.bridge.answers['clips.locations'] = { locations: ['clips'], target: null };
  useArchiveStore().setNames(['cam1', 'cam2']);
  useArchiveStore().setIn(AT);
  useArchiveStore().setOut(AT + 400);
});

it('an export of several streams leaves out those that are not chosen, and says why it cannot be', async () => {
  const asked: unknown[] = [];
  const create = (body: unknown): Promise<string> => Promise.resolve(`no room ${asked.push(body)}`);
  const { page } = mountArchivePart(desk, ExportDialog, { isOpen: true, rate: RATE, create }, AT);
  await flushPromises();
  const form = document.querySelector<HTMLFormElement>('[role=dialog] form')!;
  for (const box of form.querySelectorAll<HTMLInputElement>('[type=checkbox]')) box.click();
  await flushPromises();
  form.dispatchEvent(new Event('submit'));
  await flushPromises();
  expect([asked, form.querySelector('[role=alert]')?.textContent]).toEqual([[], 'Choose at least one stream']);
  form.querySelector<HTMLInputElement>('[type=checkbox]')?.click();
  await flushPromises();
  form.dispatchEvent(new Event('submit'));
  await flushPromises();
  expect(asked).toEqual([expect.objectContaining({ name: 'cam1', exact: true })]);
  expect(form.querySelector('[role=alert]')?.textContent).toBe('no room 1');
  page.unmount();
});

it('the list says that it waits, and that there is nothing', () => {
  const waiting = mountArchivePart(desk, ExportList, { jobs: undefined }, AT);
  expect(waiting.page.text()).toBe('Waiting for the exports');
  waiting.page.unmount();
  const none = mountArchivePart(desk, ExportList, { jobs: [] }, AT);
  expect(none.page.text()).toContain('Nothing was exported yet');
  none.page.unmount();
});

it('the tray counts what is not over', async () => {
  desk.bridge.answers['archive.exports'] = {
    jobs: [
      { id: '1', status: 'queued', files: [] },
      { id: '2', status: 'done', files: [] },
    ],
  };
  const counts: number[] = [];
  const props = { open: undefined, rate: RATE, onRunning: (count: number) => counts.push(count) };
  const { page } = mountArchivePart(desk, ExportTray, props, AT);
  await flushPromises();
  expect(counts).toEqual([0, 1]);
  page.unmount();
});
