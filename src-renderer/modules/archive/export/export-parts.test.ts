import { flushPromises } from '@vue/test-utils';
import { beforeEach, expect, it, vi } from 'vitest';
import { mountArchivePart } from '../../../../tests/helpers/desk/archive-part.ts';
import { TestDesk } from '../../../../tests/helpers/desk/test-desk.ts';
import { useArchiveStore } from '../store.ts';
import { frameRateOf } from '../time-code.ts';
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

it('ExportDialog exports only selected streams, and shows why an export is refused', async () => {
  const inputs: unknown[] = [];
  const create = (body: unknown): Promise<string> => Promise.resolve(`no room ${inputs.push(body)}`);
  const { page } = mountArchivePart(desk, ExportDialog, { isOpen: true, rate: RATE, create }, AT);
  await flushPromises();
  const form = document.querySelector<HTMLFormElement>('[role=dialog] form')!;
  for (const box of form.querySelectorAll<HTMLInputElement>('[type=checkbox]')) box.click();
  await flushPromises();
  form.dispatchEvent(new Event('submit'));
  await flushPromises();
  expect([inputs, form.querySelector('[role=alert]')?.textContent]).toEqual([[], 'Select at least one stream']);
  form.querySelector<HTMLInputElement>('[type=checkbox]')?.click();
  await flushPromises();
  form.dispatchEvent(new Event('submit'));
  await flushPromises();
  expect(inputs).toEqual([expect.objectContaining({ name: 'cam1', exact: true })]);
  expect(form.querySelector('[role=alert]')?.textContent).toBe('no room 1');
  page.unmount();
});

it('ExportDialog has an editable name, and shows the approximate size', async () => {
  const bodies: { file_name?: string }[] = [];
  const create = (body: { file_name?: string }): Promise<null> => {
    bodies.push(body);
    return Promise.resolve(null);
  };
  useArchiveStore().setNames(['cam1']);
  useArchiveStore().setArchived([{ name: 'cam1', from: AT - 600, to: AT + 400, bytes: 5_000_000 }]);
  useArchiveStore().setRecorded(new Map([['cam1', [{ from: AT - 600, to: AT + 400 }]]]));
  const { page } = mountArchivePart(desk, ExportDialog, { isOpen: true, rate: RATE, create }, AT);
  await flushPromises();
  const form = document.querySelector<HTMLFormElement>('[role=dialog] form')!;
  expect(form.querySelector('[data-test=size]')?.textContent).toBe('· about 2.0 MB');
  const name = form.querySelector<HTMLInputElement>('[data-test=name] input')!;
  expect(name.value).toMatch(/^cam1-2025-01-1[456]T\d{2}-\d{2}-00$/);
  name.value = 'The goal';
  name.dispatchEvent(new Event('input'));
  form.dispatchEvent(new Event('submit'));
  await flushPromises();
  expect(bodies).toMatchObject([{ name: 'cam1', file_name: 'The goal' }]);
  page.unmount();
});

it('ExportDialog prepares an exact download on the server, and starts a fast one at once', async () => {
  const answers: boolean[] = [];
  const create = (_: unknown, isDownloaded: boolean): Promise<null> => {
    answers.push(isDownloaded);
    return Promise.resolve(null);
  };
  const loaded: string[] = [];
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    loaded.push(this.href);
  });
  const { page } = mountArchivePart(desk, ExportDialog, { isOpen: true, rate: RATE, create }, AT);
  await flushPromises();
  const form = document.querySelector<HTMLFormElement>('[role=dialog] form')!;
  const choose = (name: string, index: number): void => {
    const select = form.querySelector<HTMLSelectElement>(`[data-test=${name}]`)!;
    select.selectedIndex = index;
    select.dispatchEvent(new Event('change'));
  };
  choose('place', 2);
  form.dispatchEvent(new Event('submit'));
  await flushPromises();
  expect([answers, loaded]).toEqual([[true], []]);
  choose('cut', 1);
  await flushPromises();
  form.dispatchEvent(new Event('submit'));
  await flushPromises();
  expect([answers, loaded.length]).toEqual([[true], 2]);
  click.mockRestore();
  page.unmount();
});

it('the export list downloads a file from the address that the server returns', async () => {
  const file = { name: 'cam1', path: '/a.mp4', bytes: 1, sha256: '', from: AT, duration: 1, gap_count: 0 };
  const job = { id: '2', status: 'done', names: ['cam1'], from: AT, duration: 1, packing: 'mp4', files: [file] };
  desk.bridge.answers['archive.exports'] = { jobs: [job] };
  desk.bridge.answers['archive.download_export'] = { path: '/-/download/t' };
  const { page } = mountArchivePart(desk, ExportTray, { open: 'exports', rate: RATE }, AT);
  await flushPromises();
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  document.querySelector<HTMLElement>('[role=dialog] [data-test=download]')?.click();
  await flushPromises();
  expect(desk.bridge.calls).toContainEqual(['archive.download_export', { id: '2', file: 0 }]);
  expect(click).toHaveBeenCalledOnce();
  click.mockRestore();
  page.unmount();
});

it('ExportList shows a loading message, and a message if it is empty', () => {
  const waiting = mountArchivePart(desk, ExportList, { jobs: undefined }, AT);
  expect(waiting.page.text()).toBe('Loading exports');
  waiting.page.unmount();
  const none = mountArchivePart(desk, ExportList, { jobs: [] }, AT);
  expect(none.page.text()).toContain('No exports yet');
  none.page.unmount();
});

it('the export tray counts unfinished exports', async () => {
  desk.bridge.answers['archive.exports'] = {
    jobs: [
      { id: '1', names: ['cam1'], case: null, status: 'queued', files: [] },
      { id: '2', names: ['cam1'], case: null, status: 'done', files: [] },
    ],
  };
  const counts: number[] = [];
  const props = { open: undefined, rate: RATE, onRunning: (count: number) => counts.push(count) };
  const { page } = mountArchivePart(desk, ExportTray, props, AT);
  await flushPromises();
  expect(counts).toEqual([0, 1]);
  page.unmount();
});
