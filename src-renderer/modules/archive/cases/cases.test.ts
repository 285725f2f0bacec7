import { flushPromises, type VueWrapper } from '@vue/test-utils';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { CaseItem, CaseObject } from '../../../../src-preload/contract/api/archive/case-object.ts';
import type { ExportJobObject } from '../../../../src-preload/contract/api/export-job-object.ts';
import { mountArchivePart } from '../../../../tests/helpers/desk/archive-part.ts';
import { TestDesk } from '../../../../tests/helpers/desk/test-desk.ts';
import { useOverlayStore } from '../../../ui/overlay-store.ts';
import { useToastStore } from '../../../ui/toast-store.ts';
import { useArchiveStore } from '../store.ts';
import CasesTray from './CasesTray.vue';

const AT = Date.UTC(2025, 0, 15, 12);
const aCase = (id: string, more: Partial<CaseObject> = {}): CaseObject => ({
  id,
  title: `case ${id}`,
  note: '',
  item_count: 2,
  created_by: 'pat',
  created_at: AT,
  ...more,
});
const anItem = (id: string, more: Partial<CaseItem> = {}): CaseItem => ({
  id,
  kind: 'still',
  name: 'cam1',
  from: AT,
  to: null,
  text: 'goal',
  added_by: 'pat',
  added_at: AT,
  ...more,
});

let desk: TestDesk;
let shown: { at: number };
const show = vi.fn();

async function open(info = {}): Promise<VueWrapper> {
  desk.setServer(info);
  useArchiveStore().setNames(['cam1', 'cam2']);
  const part = mountArchivePart(desk, CasesTray, { onShow: show }, AT);
  shown = part.shown;
  await flushPromises();
  return part.page;
}
const press = (key: string, shiftKey = false): boolean =>
  document.dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey, bubbles: true, cancelable: true }));
const inDialog = <E extends HTMLElement>(selector: string): E | null =>
  document.querySelector<E>(`[role=dialog] ${selector}`);
const all = (selector: string): HTMLElement[] => [
  ...document.querySelectorAll<HTMLElement>(`[role=dialog] ${selector}`),
];
async function write(selector: string, text: string): Promise<void> {
  const input = inDialog<HTMLInputElement>(selector)!;
  input.value = text;
  input.dispatchEvent(new Event('input'));
  await flushPromises();
}
async function submit(selector = 'form'): Promise<void> {
  inDialog(selector)?.dispatchEvent(new Event('submit'));
  await flushPromises();
}
async function click(selector: string, at = 0): Promise<void> {
  all(selector)[at]?.click();
  await flushPromises();
}
const lastCall = (name: string): unknown => desk.bridge.calls.findLast(([one]) => one === name)?.[1];
async function openCase(): Promise<void> {
  press('C', true);
  await flushPromises();
  await click('[data-test=case]');
}

beforeEach(() => {
  desk = new TestDesk();
  Object.assign(desk.bridge.answers, {
    'cases.list': { cases: [aCase('a'), aCase('b')] },
    'archive.exports': { jobs: [] },
    'clips.locations': { locations: ['clips'], target: null },
    'cases.add': { items: [anItem('x')] },
    'cases.items': {
      items: [anItem('1'), anItem('2', { kind: 'clip', name: 'cam2', from: AT - 9000, to: AT - 5000 })],
    },
  });
  show.mockClear();
});

describe('adding to a case', () => {
  it('adds a still of each selected stream, and can be undone', async () => {
    const page = await open();
    press('c');
    await flushPromises();
    expect(inDialog<HTMLInputElement>('[data-test=kind-clip]')?.disabled).toBe(true);
    await click('[type=checkbox]', 1);
    await write('input[type=text]', ' offside? ');
    await submit();
    expect(lastCall('cases.add')).toEqual({
      id: 'a',
      items: [{ kind: 'still', name: 'cam1', from: AT + 10, text: 'offside?' }],
    });
    expect(useOverlayStore().isAnyOpen).toBe(false);
    useToastStore().toasts.at(-1)?.action?.run();
    await flushPromises();
    expect(lastCall('cases.take_out')).toEqual({ id: 'a', item: 'x' });
    page.unmount();
  });

  it('adds a clip from the in to the out point of all streams to a new case', async () => {
    desk.bridge.answers['cases.list'] = { cases: [] };
    desk.bridge.answers['cases.create'] = aCase('n');
    const page = await open();
    useArchiveStore().setIn(AT);
    useArchiveStore().setOut(AT + 400);
    press('c');
    await flushPromises();
    expect(document.activeElement).toBe(inDialog('input[type=text]'));
    await submit();
    expect(inDialog('[role=alert]')?.textContent).toContain('Enter a title for the case');
    await write('input[type=text]', 'Goal');
    await submit();
    expect(lastCall('cases.create')).toEqual({ title: 'Goal', note: '' });
    expect(lastCall('cases.add')).toEqual({
      id: 'n',
      items: ['cam1', 'cam2'].map((name) => ({ kind: 'clip', name, from: AT - 10, to: AT + 390, text: '' })),
    });
    page.unmount();
  });

  it('adds to a new case whose title was typed before the list was loaded', async () => {
    const page = await open();
    for (const begin of [
      () => write('input[type=text]', 'Goal'),
      async () => {
        const into = inDialog<HTMLSelectElement>('[data-test=into]')!;
        into.value = '';
        into.dispatchEvent(new Event('change'));
        await flushPromises();
      },
    ]) {
      let answer = (): void => undefined;
      const answered = new Promise<void>((resolve) => (answer = resolve));
      const cases = { ok: true, value: { cases: [aCase('a')] } } as never;
      vi.spyOn(desk.bridge, 'call').mockImplementationOnce(() => answered.then(() => cases));
      press('c');
      await flushPromises();
      await begin();
      answer();
      await flushPromises();
      expect(inDialog<HTMLSelectElement>('[data-test=into]')?.value).toBe('');
      await click('[aria-label=Close]');
    }
    page.unmount();
  });

  it('requires a text for a mark, and at least one stream', async () => {
    const page = await open();
    press('c');
    await flushPromises();
    await click('[data-test=kind-mark]');
    await submit();
    expect(inDialog('[role=alert]')?.textContent).toBe('Enter a description for the mark');
    await click('[type=checkbox]');
    await click('[type=checkbox]', 1);
    await submit();
    expect(inDialog('[role=alert]')?.textContent).toBe('Select at least one stream');
    expect(desk.bridge.called).not.toContain('cases.add');
    page.unmount();
  });

  it('is hidden with read access; cases are hidden for logins that are limited to some streams', async () => {
    const viewer = await open({ may_write: false });
    press('c');
    await flushPromises();
    expect(document.querySelector('[role=dialog]')).toBeNull();
    viewer.unmount();
    const some = await open({ prefixes: ['cam'] });
    press('c');
    press('C', true);
    await flushPromises();
    expect([document.querySelector('[role=dialog]'), desk.bridge.called]).toEqual([null, []]);
    some.unmount();
  });
});

describe('CasesDialog', () => {
  it('shows that cases cannot be read, and that there are none', async () => {
    desk.bridge.errors['cases.list'] = { code: 'unavailable', message: 'no database' };
    const page = await open();
    press('C', true);
    await flushPromises();
    expect(inDialog('[role=alert]')?.textContent).toContain('The cases could not be read.');
    delete desk.bridge.errors['cases.list'];
    desk.bridge.answers['cases.list'] = { cases: [] };
    await click('[role=alert] button');
    expect(inDialog('[role=status]')?.textContent).toContain('No cases yet');
    page.unmount();
  });

  it('creates, renames and deletes a case, which can be undone', async () => {
    const page = await open();
    press('C', true);
    await flushPromises();
    await submit();
    expect(inDialog('[role=alert]')?.textContent).toBe('Enter a title for the case');
    desk.bridge.answers['cases.create'] = aCase('b');
    await write('input[type=text]', 'Goal');
    await submit();
    expect(document.querySelector('[role=dialog]')?.getAttribute('aria-label')).toBe('case b');
    await write('input[type=text]', 'Goal or not');
    await submit();
    expect(lastCall('cases.rename')).toEqual({ id: 'b', title: 'Goal or not', note: '' });
    await click('[data-test=remove-case]');
    expect([lastCall('cases.remove'), all('[data-test=case]').length]).toEqual([{ id: 'b' }, 2]);
    useToastStore().toasts.at(-1)?.action?.run();
    await flushPromises();
    expect(lastCall('cases.restore')).toEqual({ id: 'b' });
    page.unmount();
  });

  it('keeps typed text when cases are loaded again after an error', async () => {
    const page = await open();
    await openCase();
    await write('input[type=text]', 'Goal or not');
    desk.bridge.errors['cases.list'] = { code: 'unavailable', message: 'no database' };
    await click('[data-test=take-out]');
    expect(inDialog('[role=alert]')?.textContent).toContain('The cases could not be read.');
    expect(inDialog<HTMLInputElement>('input[type=text]')?.value).toBe('Goal or not');
    page.unmount();
  });

  it('reorders, removes and restores items', async () => {
    const page = await open();
    await openCase();
    expect(all('[data-test=item]').map(({ dataset }) => dataset['kind'])).toEqual(['still', 'clip']);
    desk.bridge.answers['cases.order'] = { items: [anItem('2'), anItem('1')] };
    await click('[data-test=down]');
    expect(lastCall('cases.order')).toEqual({ id: 'a', order: ['2', '1'] });
    await click('[data-test=take-out]', 1);
    expect(lastCall('cases.take_out')).toEqual({ id: 'a', item: '1' });
    useToastStore().toasts.at(-1)?.action?.run();
    await flushPromises();
    expect(lastCall('cases.put_back')).toEqual({ id: 'a', item: '1' });
    await click('[data-test=by-time]');
    expect(lastCall('cases.order')).toEqual({ id: 'a', order: ['2', '1'] });
    page.unmount();
  });

  it('shows the picture of an item in the archive', async () => {
    const page = await open();
    await openCase();
    await click('[data-test=go-item]', 1);
    expect(useOverlayStore().isAnyOpen).toBe(false);
    expect([shown.at, useArchiveStore().selection]).toEqual([AT - 9000, { from: AT - 9000, to: AT - 5000 }]);
    expect(show).toHaveBeenCalledOnce();
    page.unmount();
  });
});

describe('the export of a case', () => {
  const aJob = (more: Partial<ExportJobObject>): ExportJobObject => ({
    id: 'j1',
    name: 'cam1',
    names: ['cam1'],
    from: AT,
    duration: 400,
    path: null,
    case: { id: 'a', title: 'a' },
    packing: 'mp4',
    exact: true,
    filter: null,
    status: 'queued',
    progress: null,
    created_at: AT,
    created_by: 'pat',
    started_at: null,
    finished_at: null,
    error: null,
    detail: null,
    explanation: null,
    files: [],
    ...more,
  });
  const aFile = (path: string): ExportJobObject['files'][number] => ({
    name: 'cam1',
    path,
    bytes: 1000,
    sha256: 'abc',
    from: AT,
    duration: 0,
    gaps: [],
    gap_count: 0,
    chapters: [],
  });

  it('starts, shows its progress, can be cancelled, and shows why it failed', async () => {
    const page = await open();
    await openCase();
    const place = inDialog<HTMLSelectElement>('[data-test=case-place]')!;
    place.value = 'vod:clips';
    place.dispatchEvent(new Event('change'));
    await flushPromises();
    const progress = { percent: 42.5, bytes: 1_000_000, total_bytes: 2, done: 1, speed: 1, estimated_end_at: null };
    desk.bridge.answers['archive.exports'] = {
      jobs: [aJob({ status: 'running', progress }), aJob({ id: 'j2', case: null, status: 'done' })],
    };
    await submit('form.export');
    expect(lastCall('cases.export')).toMatchObject({ id: 'a', packing: 'mp4', exact: true });
    expect((lastCall('cases.export') as { path: string }).path).toMatch(/^clips\/case-a-20/);
    expect(all('li[data-status]')).toHaveLength(1);
    expect(document.body.textContent).toContain('42 % · 1.0 MB');
    await click('[data-test=remove]');
    expect(lastCall('archive.cancel_export')).toEqual({ id: 'j1' });
    desk.bridge.errors['cases.export'] = { code: 'export_no_room', message: 'About 9 B are needed' };
    await submit('form.export');
    expect(inDialog('form.export [role=alert]')?.textContent).toContain('About 9 B');
    page.unmount();
  });

  it('has a folder, whose files are listed and downloaded', async () => {
    const files = ['/x/goal/001.jpg', '/x/goal/manifest.json', '/x/goal/SHA256SUMS'].map(aFile);
    desk.bridge.answers['archive.exports'] = { jobs: [aJob({ status: 'done', files })] };
    desk.bridge.answers['archive.download_export'] = { path: '/-/download/x' };
    const loading = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    const page = await open();
    await openCase();
    expect([inDialog('[data-test=folder]')?.textContent, all('dl').length]).toEqual([
      expect.stringContaining('/x/goal'),
      0,
    ]);
    await click('[data-test=files]');
    expect(all('dt').map((one) => one.textContent)).toEqual(['001.jpg', 'manifest.json', 'SHA256SUMS']);
    expect(document.body.textContent).not.toContain('MISSING.txt');
    await click('[data-test=download-all]');
    expect([loading.mock.calls.length, lastCall('archive.download_export')]).toEqual([1, { id: 'j1' }]);
    loading.mockRestore();
    page.unmount();
  });

  it('is unavailable for an empty case, with instructions', async () => {
    desk.bridge.answers['cases.items'] = { items: [] };
    const page = await open();
    await openCase();
    expect(document.querySelector('[role=dialog]')?.textContent).toContain('This case is empty');
    expect(inDialog('form.export')).toBeNull();
    page.unmount();
  });
});
