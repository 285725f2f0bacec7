import { flushPromises, type VueWrapper } from '@vue/test-utils';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { aStream } from '../../../tests/helpers/desk/a-stream.ts';
import { TestDesk } from '../../../tests/helpers/desk/test-desk.ts';
import { useConfirmStore } from '../../ui/confirm-store.ts';
import StreamRecording from './StreamRecording.vue';

const NOW = Date.UTC(2027, 0, 15, 12);
const HOUR = 3_600_000;

let desk: TestDesk;
beforeEach(() => {
  vi.spyOn(Date, 'now').mockReturnValue(NOW);
  desk = new TestDesk();
});
afterEach(() => {
  vi.restoreAllMocks();
});

async function open(state: Parameters<typeof aStream>[0], mayOperate = true): Promise<VueWrapper> {
  desk.setServer({ may_write: false, may_operate: mayOperate });
  desk.setStreams(aStream(state));
  const page = desk.mount(StreamRecording, { props: { state: aStream(state), isBusy: false } });
  await flushPromises();
  return page;
}

it('StreamRecording shows the recordings of the last day, with links to them and their marks', async () => {
  const ranges = [
    { from: NOW - 30 * HOUR, to: NOW - 23 * HOUR },
    { from: NOW - 2 * HOUR, to: NOW + 5000 },
  ];
  desk.bridge.answers['archive.recorded'] = { streams: [{ name: 'news/a', ranges, is_more: false }] };
  const notes = Array.from({ length: 7 }, (_, at) => ({
    id: String(at),
    name: 'news/a',
    at: NOW - 3600 * (7 - at),
    text: `note ${at}`,
    by: 'pat',
  }));
  desk.bridge.answers['archive.marks'] = { alarms: [], locks: [], notes, is_more: false };
  const page = await open({ name: 'news/a', is_recorded: true });
  expect(page.text()).toContain('Recording · 3:00:00 of the last 24 hours');
  expect(page.get('[data-test=archive]').attributes('href')).toBe('/archive?stream=news/a');
  const marks = page.findAll('[data-test=mark]');
  expect(marks.map((one) => one.text().slice(-6))).toEqual(['note 6', 'note 5', 'note 4', 'note 3', 'note 2']);
  expect(marks[0]?.attributes('href')).toBe('/archive?stream=news/a&at=2027-01-15T11:59:56.400Z');
  await page.get('[data-test=record]').trigger('click');
  useConfirmStore().settle(true);
  await flushPromises();
  expect(desk.bridge.calls.at(-1)).toEqual(['streams.record_all', { names: ['news/a'], is_recorded: false }]);
  page.unmount();
});

it('StreamRecording distinguishes a recording that waits for its stream from none', async () => {
  expect((await open({ name: 'a', is_recorded: false, alive: false }, false)).text()).toContain(
    'Not recording: the stream is not live',
  );
  expect((await open({ name: 'a', alive: false }, false)).text()).toContain('Not recorded');
});

it('StreamRecording has no links without recordings, and no controls with read access', async () => {
  const page = await open({ name: 'a', is_recorded: false }, false);
  expect([page.text(), page.find('a').exists(), page.find('button').exists()]).toEqual([
    'Recording and marksNot recorded',
    false,
    false,
  ]);
  page.unmount();
});
