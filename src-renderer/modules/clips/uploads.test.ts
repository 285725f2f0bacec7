import { flushPromises } from '@vue/test-utils';
import { beforeEach, expect, it, vi } from 'vitest';
import { defineComponent } from 'vue';
import { TestDesk } from '../../../tests/helpers/desk/test-desk.ts';
import { useConfirmStore } from '../../ui/confirm-store.ts';
import { refusal, type SendFile } from './send-file.ts';
import UploadList from './UploadList.vue';
import { useUploads } from './use-uploads.ts';

let desk: TestDesk;
let uploads: ReturnType<typeof useUploads>;
const arrived = vi.fn<(path: string) => void>();
let sent: { address: string; progress: (part: number) => void; end: (problem: string | null) => void }[];
let close: () => void;
const send: SendFile = (address, _file, progress, signal) =>
  new Promise((end) => {
    signal.addEventListener('abort', () => end('Cancelled'));
    sent.push({ address, progress, end });
  });

beforeEach(() => {
  desk = new TestDesk();
  desk.setServer();
  desk.bridge.answers['clips.upload'] = { path: '/-/upload/t1' };
  [sent] = [[]];
  arrived.mockClear();
  const page = desk.mount(
    defineComponent({
      setup() {
        uploads = useUploads(arrived, send);
        return () => null;
      },
    }),
  );
  close = () => page.unmount();
});

const PLACE = { location: 'ads', folder: 'new' };
const file = (name: string): File => new File(['abcd'], name);
const states = (): string[] =>
  uploads.uploads.value.map(({ state, progress, problem }) => `${state} ${progress} ${problem}`);

it('useUploads sends one file at a time, and reports the progress of each', async () => {
  uploads.add([file('a.mov'), file('b.mov')], PLACE);
  await flushPromises();
  expect(desk.bridge.calls.at(-1)).toEqual([
    'clips.upload',
    { ...PLACE, name: 'a.mov', sizeBytes: 4, mayReplace: false },
  ]);
  sent[0]?.progress(0.5);
  expect([sent[0]?.address, ...states()]).toEqual(['http://desk.example/-/upload/t1', 'sending 0.5 ', 'waiting 0 ']);
  sent[0]?.end(null);
  await flushPromises();
  sent[1]?.end('The disk is full');
  await flushPromises();
  expect(states()).toEqual(['done 0.5 ', 'failed 0 The disk is full']);
  expect(arrived.mock.calls).toEqual([['ads/new/a.mov']]);
});

it('useUploads cancels running and waiting uploads, and all when the page is left', async () => {
  uploads.add([file('a.mov'), file('b.mov'), file('c.mov')], PLACE);
  await flushPromises();
  for (const { id } of uploads.uploads.value.slice(0, 2)) uploads.remove(id);
  await flushPromises();
  expect([sent.length, ...states()]).toEqual([2, 'sending 0 ']);
  close();
  await flushPromises();
  expect([arrived.mock.calls.length, uploads.uploads.value.length]).toEqual([0, 0]);
});

it('useUploads replaces a file only after a confirmation', async () => {
  desk.bridge.errors['clips.upload'] = { code: 'vod_file_exists', message: '' };
  const confirm = useConfirmStore();
  uploads.add([file('a.mov'), file('a.mov')], PLACE);
  await flushPromises();
  expect(confirm.request?.title).toBe('Replace a.mov?');
  confirm.settle(false);
  await flushPromises();
  delete desk.bridge.errors['clips.upload'];
  confirm.settle(true);
  await flushPromises();
  expect(desk.bridge.calls.at(-1)?.[1]).toMatchObject({ name: 'a.mov', mayReplace: true });
  sent[0]?.end(null);
  await flushPromises();
  expect(states()).toEqual(['failed 0 Not replaced', 'done 0 ']);
});

it('UploadList lists uploads', async () => {
  const one = { id: 1, name: 'a.mov', sizeBytes: 2_000_000, state: 'sending' as const, progress: 0.256, problem: '' };
  const list = desk.mount(UploadList, {
    props: { uploads: [one, { ...one, id: 2, state: 'failed', problem: 'full' }] },
  });
  expect(list.findAll('tr').map((row) => row.text().replace(/\s+/g, ' '))).toEqual([
    'a.mov2.0 MBUploading 25 % Cancel',
    'a.mov2.0 MBFailedfullClear',
  ]);
  await list.get('button').trigger('click');
  expect(list.emitted('remove')).toEqual([[1]]);
});

it('refusal returns the error of the server', () => {
  const text = JSON.stringify({ error: 'vod_upload_broken', errors: [{ detail: '3 of 4 bytes came' }] });
  expect(refusal(text)).toBe('The file arrived incomplete: 3 of 4 bytes came.');
  expect([refusal('<html>'), refusal('null'), refusal('{"error":"toString"}')]).toEqual([null, null, null]);
});
