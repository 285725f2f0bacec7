import { beforeEach, expect, it } from 'vitest';
import { because, type StreamState } from '../../../src-preload/contract/index.ts';
import { aStream } from '../../../tests/helpers/desk/a-stream.ts';
import { TestDesk } from '../../../tests/helpers/desk/test-desk.ts';
import { i18n } from '../../i18n/i18n.ts';
import StreamHead from './StreamHead.vue';
import StreamProblems from './StreamProblems.vue';
import StreamTracks from './StreamTracks.vue';

let desk: TestDesk;
beforeEach(() => {
  desk = new TestDesk();
  desk.setServer();
  return () => (i18n.global.locale.value = 'en');
});

it('StreamHead names a stream, disables actions while busy, and closes', async () => {
  const head = desk.mount(StreamHead, { props: { state: aStream({ title: 'The gate' }), isBusy: true } });
  expect(head.text()).toContain('The gate');
  expect(['restart', 'remove'].map((name) => head.get(`[data-test=${name}]`).attributes('disabled'))).toEqual(['', '']);
  await head.get('header button').trigger('click');
  expect(head.emitted('close')).toHaveLength(1);
});

it('StreamProblems shows problems in the selected language', () => {
  i18n.global.locale.value = 'de';
  const problems: StreamState['problems'] = [
    { code: 'publish_closed', ...because('encoder_closed'), at: 1, count: 2 },
    { code: 'publish_busy', detail: '', at: 1, count: 1 },
    { code: 'odd', detail: 'What no table has', at: 1, count: 1 },
  ];
  const list = desk.mount(StreamProblems, { props: { state: aStream({ problems }) } });
  expect(list.findAll('li').map((one) => one.text().replace(/^\S+\s+/, ''))).toEqual([
    'Der Encoder hat die Verbindung getrennt. Der Encoder hat die Verbindung geschlossen (2-mal)',
    'Ein anderer Encoder benutzt diesen Namen',
    'What no table has',
  ]);
  expect(desk.mount(StreamProblems, { props: { state: aStream() } }).text()).toBe('');
});

it('StreamTracks names tracks by codec, size and channels', () => {
  const tracks = desk.mount(StreamTracks, { props: { state: aStream() } });
  expect(tracks.findAll('dd').map((one) => one.text())).toEqual(['H.264 · 640×360', 'AAC · 2 ch']);
  expect(desk.mount(StreamTracks, { props: { state: aStream({ media_info: null }) } }).text()).toBe('');
});
