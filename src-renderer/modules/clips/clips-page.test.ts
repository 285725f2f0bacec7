import { flushPromises, type VueWrapper } from '@vue/test-utils';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ClipFit } from '../../../src-preload/contract/operations/clip-calls.ts';
import { aStream } from '../../../tests/helpers/desk/a-stream.ts';
import { TestDesk } from '../../../tests/helpers/desk/test-desk.ts';
import { useConfirmStore } from '../../ui/confirm-store.ts';
import { useToastStore } from '../../ui/toast-store.ts';
import ClipsPage from './ClipsPage.vue';
import FileTable from './FileTable.vue';
import FitReport from './FitReport.vue';
import { formatBytes } from '../../lib/format.ts';
import JobList from './JobList.vue';

const FILES = [
  { name: 'old', path: 'ads/old', isFolder: true, sizeBytes: 0, modifiedAt: null },
  { name: 'raw.mov', path: 'ads/raw.mov', isFolder: false, sizeBytes: 1_200_000, modifiedAt: null },
  { name: 'shop.mp4', path: 'ads/shop.mp4', isFolder: false, sizeBytes: 900, modifiedAt: null },
];
const WIDTH = { field: 'v1.width', clip: 640, stream: 1280 };
const JOB = {
  id: 'j1',
  input_files: ['ads/raw.mov'],
  output_file: 'raw_processed_1.mp4',
  clip: 'ads/raw_processed_1.mp4',
  filters: [],
  lead_in: 0,
  status: 'running' as const,
  progress: 41.7,
  size: null,
  duration: null,
  errors: [],
  differences: [],
  created_at: 1,
  created_by: 'ana',
  started_at: 2,
  finished_at: null,
};

let desk: TestDesk;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  desk = new TestDesk();
  desk.setServer();
  desk.setStreams(aStream(), aStream({ name: 'cam2' }));
  desk.bridge.answers['clips.locations'] = { locations: ['ads', 'films'], target: 'ads' };
  desk.bridge.answers['clips.files'] = { files: FILES, isMore: false };
  desk.bridge.answers['clips.jobs'] = { jobs: [] };
  desk.bridge.answers['clips.backends'] = { backends: [] };
  return () => {
    document.body.replaceChildren();
    vi.useRealTimers();
  };
});

const calls = (operation: string): unknown[] =>
  desk.bridge.calls.filter(([name]) => name === operation).map(([, input]) => input);
const rows = (page: VueWrapper): string[] =>
  page
    .get('.list')
    .findAll('tbody tr')
    .map((row) => row.text());
async function open(): Promise<VueWrapper> {
  const page = desk.mount(ClipsPage, { isAttached: true });
  await flushPromises();
  return page;
}
async function press(page: VueWrapper, text: string): Promise<void> {
  await page
    .findAll('button')
    .find((button) => button.text() === text)
    ?.trigger('click');
  await flushPromises();
}

describe('ClipsPage', () => {
  it('shows a loading message, and the configuration to add if there is no location', async () => {
    desk.bridge.setLink({ phase: 'connecting' });
    const page = await open();
    expect([page.text(), calls('clips.locations')]).toEqual([expect.stringContaining('Loading files'), []]);
    desk.bridge.answers['clips.locations'] = { locations: [], target: null };
    desk.bridge.setLink({ phase: 'live' });
    await flushPromises();
    expect(page.text()).toContain('vod ads { storage /srv/ads; }');
  });

  it('lists the files again when the server is back', async () => {
    const page = await open();
    desk.bridge.setLink({ phase: 'stale' });
    desk.bridge.answers['clips.files'] = { files: FILES.slice(0, 2), isMore: false };
    desk.bridge.setLink({ phase: 'live' });
    await flushPromises();
    expect(rows(page)).toEqual(['old/', 'raw.mov1.2 MBCompare']);
  });

  it('lists folders and files, searches by name, changes folders, and loads more', async () => {
    desk.bridge.answers['clips.files'] = { files: FILES, isMore: true };
    const page = await open();
    expect(rows(page)).toEqual(['old/', 'raw.mov1.2 MBCompare', 'shop.mp4900 BCompare']);
    await page.get('input[type=search]').setValue('RAW');
    expect(rows(page)).toHaveLength(1);
    await page.get('input[type=search]').setValue('none');
    expect(page.text()).toContain('No file name in this folder matches');
    await page.get('input[type=search]').setValue('');
    await press(page, 'Show more');
    await press(page, 'old/');
    await press(page, 'One folder up');
    expect(calls('clips.files')).toEqual([
      { location: 'ads', folder: '', after: '' },
      { location: 'ads', folder: '', after: 'shop.mp4' },
      { location: 'ads', folder: 'old', after: '' },
      { location: 'ads', folder: '', after: '' },
    ]);
  });

  it('shows an error instead of an empty list if files cannot be listed', async () => {
    desk.bridge.errors['clips.files'] = { code: 'vod_path_not_found', message: 'The folder does not exist' };
    const page = await open();
    expect(page.get('[role=alert]').text()).toContain('The files of this folder could not be listed');
    expect(page.get('[role=alert]').text()).toContain('The folder does not exist');
    expect(page.findAll('[role=alert]')).toHaveLength(1);
    expect(page.text()).not.toContain('This folder is empty');
    delete desk.bridge.errors['clips.files'];
    await press(page, 'Retry');
    expect(rows(page)).toHaveLength(3);
  });

  it('compares a file with the stream, and lists the differences', async () => {
    desk.bridge.answers['clips.compare'] = { detail: '', explanation: null, differences: [WIDTH], media_info: null };
    const page = await open();
    await press(page, 'Compare');
    expect(calls('clips.compare')).toEqual([{ path: 'ads/raw.mov', name: 'cam1' }]);
    await press(page, '1 difference');
    expect(document.querySelector('[role=dialog]')?.textContent).toContain('v1.width6401280');
    await page.findAll('select')[1]?.setValue('cam2');
    await flushPromises();
    expect(calls('clips.compare').at(-1)).toEqual({ path: 'ads/raw.mov', name: 'cam2' });
  });

  it('compares visible files automatically, also with another stream', async () => {
    const media_info = {
      duration: 6240,
      streams: [],
      tracks: [
        { content: 'video', codec: 'h264', track_id: 'v1', width: 1280, height: 720, fps: 25 },
        { content: 'audio', codec: 'aac', track_id: 'a1', channels: 2 },
      ],
    };
    desk.bridge.answers['clips.compare'] = { detail: '', explanation: null, differences: [], media_info };
    const page = await open();
    page.getComponent(FileTable).vm.$emit('visible', 'ads/shop.mp4');
    await flushPromises();
    expect(calls('clips.compare')).toEqual([{ path: 'ads/shop.mp4', name: 'cam1' }]);
    expect(rows(page)[2]).toMatch(/shop\.mp4 ?6\.24 s ?H\.264 1280×720 25 fps · AAC stereo ?900 B ?Fits/);
    expect(page.get('img').attributes('src')).toContain('/ads/shop.mp4/preview.jpg');
    await page.findAll('select')[1]?.setValue('cam2');
    await flushPromises();
    expect(calls('clips.compare')).toHaveLength(2);
    // A stream that is not on air has no format: the file is described only.
    desk.setStreams(aStream({ name: 'cam3', alive: false }));
    await flushPromises();
    page.getComponent(FileTable).vm.$emit('visible', 'ads/raw.mov');
    await flushPromises();
    expect(calls('clips.compare').at(-1)).toEqual({ path: 'ads/raw.mov' });
    expect(useToastStore().toasts).toEqual([]);
  });

  it('compares a file again if the stream or the list changed during its comparison', async () => {
    const fit = { detail: '', explanation: null, differences: [], media_info: null };
    desk.bridge.answers['clips.compare'] = fit;
    const page = await open();
    /** Starts the comparison of a visible file; returns a function that answers it. */
    const compareSlowly = (path: string): (() => Promise<void>) => {
      let answer: (reply: { ok: true; value: typeof fit }) => void = () => undefined;
      vi.spyOn(desk.bridge, 'call').mockReturnValueOnce(new Promise((resolve) => (answer = resolve)) as never);
      page.getComponent(FileTable).vm.$emit('visible', path);
      return async () => {
        answer({ ok: true, value: { ...fit, differences: [WIDTH] as never[] } });
        await flushPromises();
      };
    };
    const answerForCam1 = compareSlowly('ads/shop.mp4');
    await page.findAll('select')[1]?.setValue('cam2');
    await answerForCam1();
    expect(calls('clips.compare')).toEqual([{ path: 'ads/shop.mp4', name: 'cam2' }]);
    expect(rows(page)[2]).toContain('Fits');

    const answerBefore = compareSlowly('ads/raw.mov');
    // The folder is listed again when a clip is finished.
    desk.bridge.answers['clips.files'] = { files: [...FILES], isMore: false };
    desk.bridge.answers['clips.jobs'] = { jobs: [{ ...JOB, status: 'done' }] };
    vi.advanceTimersToNextTimer();
    await flushPromises();
    await answerBefore();
    expect(rows(page)[1]).toContain('Fits');
  });

  it('compares visible files as soon as their stream is on air', async () => {
    desk.bridge.answers['clips.compare'] = { detail: '', explanation: null, differences: [], media_info: null };
    desk.setStreams(aStream({ alive: false }));
    const page = await open();
    page.getComponent(FileTable).vm.$emit('visible', 'ads/shop.mp4');
    await flushPromises();
    expect(calls('clips.compare')).toEqual([{ path: 'ads/shop.mp4' }]);
    desk.setStreams(aStream());
    await flushPromises();
    expect(rows(page)[2]).toContain('Fits');
  });

  it('converts selected files, stops at an error, and shows the response for a backend', async () => {
    const page = await open();
    await page.get('thead input').setValue(true);
    expect(page.text()).toContain('2 selected');
    await press(page, 'Conform');
    expect(calls('clips.conform')).toEqual([
      { path: 'ads/raw.mov', name: 'cam1', isLevelled: true },
      { path: 'ads/shop.mp4', name: 'cam1', isLevelled: true },
    ]);
    await press(page, 'Backend response');
    expect(
      JSON.stringify(JSON.parse(document.querySelector<HTMLTextAreaElement>('[role=dialog] textarea')!.value)),
    ).toBe('{"ad_inject":{"v":2,"preroll":["ads/raw.mov","ads/shop.mp4"]}}');
    desk.bridge.errors['clips.conform'] = { code: 'clip_queue_full', message: '' };
    await press(page, 'Conform');
    expect([calls('clips.conform').length, useToastStore().toasts.length]).toEqual([3, 1]);
  });

  it('deletes selected files after a confirmation', async () => {
    const page = await open();
    await page.get('thead input').setValue(true);
    const confirm = useConfirmStore();
    await press(page, 'Delete');
    expect(confirm.request?.title).toBe('Delete 2 files?');
    confirm.settle(false);
    await flushPromises();
    expect(calls('clips.delete')).toEqual([]);
    await press(page, 'Delete');
    confirm.settle(true);
    await flushPromises();
    expect(calls('clips.delete')).toEqual([{ path: 'ads/raw.mov' }, { path: 'ads/shop.mp4' }]);
    expect([page.text().includes('chosen'), calls('clips.files').length]).toEqual([false, 2]);
  });

  it('uploads dropped and selected files', async () => {
    desk.bridge.errors['clips.upload'] = { code: 'vod_no_room', message: 'Few bytes are free' };
    const page = await open();
    const file = new File(['abc'], 'new.mov');
    await page.get('main').trigger('dragover');
    expect(page.text()).toContain('Drop files to upload them to ads');
    await page.get('main').trigger('drop', { dataTransfer: { files: [file] } });
    const chooser = page.get('input[type=file]');
    Object.defineProperty(chooser.element, 'files', { value: [file] });
    await chooser.trigger('change');
    await flushPromises();
    const input = { location: 'ads', folder: '', name: 'new.mov', sizeBytes: 3, mayReplace: false };
    expect(calls('clips.upload')).toEqual([input, input]);
    expect(page.text()).not.toContain('Drop files');
    expect(page.get('[aria-label="Uploads"]').text()).toContain('Few bytes are free');
  });

  it('polls jobs while it is open, cancels a job, and reloads the folder after one', async () => {
    desk.bridge.answers['clips.jobs'] = { jobs: [JOB] };
    const page = await open();
    expect(page.get('.jobs').text()).toContain('41 %');
    await press(page, 'Cancel');
    expect(calls('clips.cancel')).toEqual([{ id: 'j1' }]);
    desk.bridge.answers['clips.jobs'] = { jobs: [{ ...JOB, status: 'done' }] };
    vi.advanceTimersByTime(2000);
    await flushPromises();
    expect([page.get('.jobs').text().includes('Fits'), calls('clips.files').length]).toEqual([true, 2]);
    page.unmount();
    const before = calls('clips.jobs').length;
    vi.advanceTimersByTime(10_000);
    expect(calls('clips.jobs')).toHaveLength(before);
  });

  it('has no forbidden actions with read access', async () => {
    desk.setServer({ may_write: false });
    desk.bridge.answers['clips.jobs'] = { jobs: [JOB] };
    const page = await open();
    await page.get('thead input').setValue(true);
    const labels = page.findAll('button').map((button) => button.text());
    expect(labels).toContain('Compare');
    expect(labels.filter((word) => ['Conform', 'Cancel', 'Remove', 'Delete', 'Upload files'].includes(word))).toEqual(
      [],
    );
  });

  it('shows that no folder for clips is configured', async () => {
    desk.bridge.answers['clips.locations'] = { locations: ['ads'], target: null };
    expect((await open()).text()).toContain('file_processor { path LOCATION; }');
    desk.setServer({ role: 'editor', may_write: false });
    expect((await open()).text()).toContain('Ask an administrator');
    desk.setServer({ role: 'operator', may_write: false });
    expect((await open()).text()).not.toContain('file_processor');
  });
});

describe('parts of the clips page', () => {
  it('show the known facts of each file', () => {
    const fits = new Map<string, ClipFit | null>([
      ['ads/raw.mov', null],
      ['ads/shop.mp4', { detail: 'no tables', explanation: null, differences: [], media_info: null }],
    ]);
    const table = desk.mount(FileTable, {
      props: { files: FILES, chosen: new Set(), fits, facts: new Map(), canCompare: true },
    });
    expect(table.findAll('tbody tr').map((row) => row.find('td:last-child').text())).toEqual([
      '',
      'Comparing',
      'Cannot be played',
    ]);
  });

  it('show why a file cannot be played, that it fits, and why a job failed', () => {
    const report = (fit: ClipFit): string => desk.mount(FitReport, { props: { fit } }).text();
    expect(report({ detail: 'no tables', explanation: null, differences: [], media_info: null })).toBe(
      'Cannot be played: no tables',
    );
    expect(report({ detail: '', explanation: null, differences: [], media_info: null })).toBe('Fits');
    expect(
      report({ detail: '', explanation: null, differences: [{ ...WIDTH, clip: null }], media_info: null }),
    ).toMatch(/Width v1\.width.*–/);
    const failed = {
      ...JOB,
      status: 'error' as const,
      errors: [{ error: 'clip_not_made', detail: 'no picture', explanation: null }],
    };
    const list = desk.mount(JobList, { props: { jobs: [failed], mayCancel: true } });
    expect(
      list
        .findAll('td')
        .map((cell) => cell.text())
        .join(' '),
    ).toContain('Failed no picture');
    const done = { ...JOB, status: 'done' as const, measured_loudness: { target: -23, files: [-31.26] } };
    expect(desk.mount(JobList, { props: { jobs: [done], mayCancel: true } }).text()).toContain(
      'Fits, -31.3 to -23.0 LUFS',
    );
  });

  it('format sizes', () => {
    expect([0, 999, 1000, 2_500_000, 3e15].map(formatBytes)).toEqual(['0 B', '999 B', '1.0 kB', '2.5 MB', '3000.0 TB']);
  });
});
