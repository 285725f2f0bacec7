import { flushPromises, type VueWrapper } from '@vue/test-utils';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createMemoryHistory, createRouter } from 'vue-router';
import type { ExportJobObject } from '../../../../src-preload/contract/api/export-job-object.ts';
import { mountArchivePart } from '../../../../tests/helpers/desk/archive-part.ts';
import { TestDesk } from '../../../../tests/helpers/desk/test-desk.ts';
import { useConfirmStore } from '../../../ui/confirm-store.ts';
import { useToastStore } from '../../../ui/toast-store.ts';
import ArchiveTools from './ArchiveTools.vue';
import type { Mark } from '../../../domain/archive/marks.ts';
import { useArchiveStore } from '../store.ts';

const IN = Date.UTC(2025, 0, 15, 12);
const MARKS: readonly Mark[] = [
  { kind: 'note', id: 'n1', name: 'cam1', from: IN - 5000, to: null, text: 'goal' },
  { kind: 'lock', id: 'l1', name: 'cam1', from: IN + 5000, to: IN + 9000, text: 'case' },
];
const aJob = (more: Partial<ExportJobObject> = {}): ExportJobObject => ({
  id: 'j1',
  name: 'cam1',
  names: ['cam1'],
  from: IN,
  duration: 400,
  path: null,
  case: null,
  packing: 'mp4',
  exact: true,
  filter: null,
  status: 'queued',
  progress: null,
  created_at: IN,
  created_by: 'pat',
  started_at: null,
  finished_at: null,
  error: null,
  detail: null,
  explanation: null,
  files: [],
  ...more,
});

let desk: TestDesk;
let shown: { at: number };
const refresh = vi.fn(() => Promise.resolve());

async function open(info = {}): Promise<VueWrapper> {
  desk.setServer(info);
  useArchiveStore().setNames(['cam1']);
  const part = mountArchivePart(desk, ArchiveTools, { marks: MARKS, hidden: [], refresh }, IN);
  shown = part.shown;
  await flushPromises();
  return part.page;
}
const press = (key: string, shiftKey = false): boolean =>
  document.dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey, bubbles: true, cancelable: true }));
const inDialog = <E extends HTMLElement>(selector: string): E | null =>
  document.querySelector<E>(`[role=dialog] ${selector}`);
async function choose(): Promise<void> {
  press('i');
  shown.at = IN + 360;
  press('o');
  await flushPromises();
}

beforeEach(() => {
  const page = { template: '<main></main>' };
  desk = new TestDesk(
    createRouter({ history: createMemoryHistory(), routes: [{ name: 'archive', path: '/archive', component: page }] }),
  );
  desk.bridge.answers['archive.exports'] = { jobs: [] };
  desk.bridge.answers['clips.locations'] = { locations: ['clips'], target: null };
  refresh.mockClear();
});

describe('in and out points', () => {
  it('include the picture at the out point, and can be jumped to and cleared', async () => {
    const page = await open();
    await choose();
    expect(useArchiveStore().selection).toEqual({ from: IN, to: IN + 400 });
    expect(page.get('[data-test=span]').text()).toContain('0.4 s');
    press('i', true);
    expect(shown.at).toBe(IN + 10);
    press('o', true);
    expect(shown.at).toBe(IN + 380);
    press('q');
    expect(useArchiveStore().isLooping).toBe(true);
    press('x');
    expect([useArchiveStore().inMs, useArchiveStore().outMs, useArchiveStore().isLooping]).toEqual([null, null, false]);
    page.unmount();
  });

  it('keep the out point after the in point', () => {
    const archive = useArchiveStore();
    archive.setOut(IN);
    archive.setIn(IN + 5);
    expect(archive.outMs).toBeNull();
    archive.setOut(IN);
    expect([archive.inMs, archive.outMs, archive.selection]).toEqual([null, IN, null]);
  });
});

describe('an export from the archive page', () => {
  it('starts and ends at exact pictures, shows progress, and can be cancelled', async () => {
    const page = await open();
    await choose();
    press('e');
    await flushPromises();
    inDialog('form')?.dispatchEvent(new Event('submit'));
    desk.bridge.answers['archive.exports'] = {
      jobs: [
        aJob({
          status: 'running',
          progress: { percent: 42.5, bytes: 1_000_000, total_bytes: 2, done: 1, speed: 1, estimated_end_at: null },
        }),
      ],
    };
    await flushPromises();
    expect(desk.bridge.calls).toContainEqual([
      'archive.export',
      {
        name: 'cam1',
        from: IN - 10,
        duration: 400,
        packing: 'mp4',
        exact: true,
        file_name: expect.stringMatching(/^cam1-2025-01-1[456]T\d{2}-\d{2}-00$/) as string,
      },
    ]);
    await vi.waitFor(() => expect(document.body.textContent).toContain('42 % · 1.0 MB'), 30_000);
    inDialog('[data-test=remove]')?.click();
    expect(desk.bridge.calls).toContainEqual(['archive.cancel_export', { id: 'j1' }]);
    page.unmount();
  });

  it('shows why it is refused', async () => {
    const page = await open();
    await choose();
    desk.bridge.errors['archive.export'] = { code: 'export_no_room', message: 'About 9 B are needed' };
    press('e');
    await flushPromises();
    inDialog('form')?.dispatchEvent(new Event('submit'));
    await flushPromises();
    expect(inDialog('[role=alert]')?.textContent).toContain('About 9 B');
    page.unmount();
  });

  it('shows path, size and hash of each file, and errors', async () => {
    const file = {
      name: 'cam1',
      path: '/x/a.mp4',
      bytes: 2_000_000,
      sha256: 'abc',
      from: IN,
      duration: 400,
      gaps: [],
      gap_count: 1,
      chapters: [],
    };
    desk.bridge.answers['archive.exports'] = {
      jobs: [
        aJob({ id: 'j2', status: 'failed', error: 'export_failed', detail: 'no disk' }),
        aJob({ status: 'done', files: [file] }),
      ],
    };
    const page = await open();
    await page.get('[data-test=exports]').trigger('click');
    await flushPromises();
    const text = document.querySelector('[role=dialog]')?.textContent ?? '';
    expect(text).toMatch(/The export stopped unexpectedly: no disk.*\/x\/a\.mp4.*2\.0 MB.*1 gap.*SHA-256 abc/s);
    page.unmount();
  });

  it('is only offered as a download with read access', async () => {
    const page = await open({ may_write: false });
    await choose();
    expect(['lock', 'note'].map((name) => page.find(`[data-test=${name}]`).exists())).toEqual([false, false]);
    press('m');
    press('e');
    await flushPromises();
    expect([...(inDialog<HTMLSelectElement>('[data-test=place]')?.options ?? [])].map(({ value }) => value)).toEqual([
      'download',
    ]);
    expect(desk.bridge.called).not.toContain('clips.locations');
    page.unmount();
  });
});

describe('marks on the archive page', () => {
  it('are reached with the arrow keys', async () => {
    const page = await open();
    press('ArrowDown');
    expect(shown.at).toBe(IN + 5010);
    press('ArrowUp');
    press('ArrowUp');
    expect(shown.at).toBe(IN - 4990);
    page.unmount();
  });

  it('are added at the current picture, removed and restored', async () => {
    const page = await open();
    press('m');
    await flushPromises();
    const input = inDialog<HTMLInputElement>('input')!;
    input.value = ' offside ';
    input.dispatchEvent(new Event('input'));
    inDialog('form')?.dispatchEvent(new Event('submit'));
    await flushPromises();
    expect(desk.bridge.calls).toContainEqual(['archive.add_note', { name: 'cam1', at: IN, text: 'offside' }]);
    await page.get('[data-test=marks]').trigger('click');
    await flushPromises();
    const removes = [...document.querySelectorAll<HTMLElement>('[data-test=remove-mark]')];
    expect(removes).toHaveLength(2);
    // The newest mark is first.
    removes[1]?.click();
    await flushPromises();
    expect(desk.bridge.calls).toContainEqual(['archive.remove_note', { name: 'cam1', id: 'n1' }]);
    useToastStore().toasts.at(-1)?.action?.run();
    await flushPromises();
    expect(desk.bridge.called.at(-1)).toBe('archive.restore_note');
    removes[0]?.click();
    useConfirmStore().settle(true);
    await flushPromises();
    expect(desk.bridge.calls).toContainEqual(['archive.unlock', { name: 'cam1', from: IN + 5000, to: IN + 9000 }]);
    expect(refresh).toHaveBeenCalled();
    page.unmount();
  });

  it('include a lock of the selected range, with a note', async () => {
    const page = await open();
    await choose();
    await page.get('[data-test=lock]').trigger('click');
    await flushPromises();
    inDialog('form')?.dispatchEvent(new Event('submit'));
    await flushPromises();
    expect(desk.bridge.calls).toContainEqual(['archive.lock', { name: 'cam1', from: IN, to: IN + 400, note: '' }]);
    page.unmount();
  });
});
