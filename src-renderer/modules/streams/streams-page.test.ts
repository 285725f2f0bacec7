import { flushPromises, type VueWrapper } from '@vue/test-utils';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { defineComponent, h } from 'vue';
import { aStream } from '../../../tests/helpers/desk/a-stream.ts';
import { anAlarm } from '../../../tests/helpers/desk/an-alarm.ts';
import { TestDesk } from '../../../tests/helpers/desk/test-desk.ts';
import { useConfirmStore } from '../../ui/confirm-store.ts';
import { useToastStore } from '../../ui/toast-store.ts';
import { useAlarmsStore } from '../../domain/alarms/store.ts';
import { useStreamsStore } from '../../domain/streams/store.ts';
import { provideStreamFeed } from '../../domain/streams/use-stream-feed.ts';
import StreamAddresses from './StreamAddresses.vue';
import ChosenStreams from './ChosenStreams.vue';
import StreamDetails from './StreamDetails.vue';
import StreamInputs from './StreamInputs.vue';
import StreamsPage from './StreamsPage.vue';
import StreamTable from './StreamTable.vue';
import { useTableColumns } from '../../ui/use-table-columns.ts';
import { STREAM_COLUMNS } from './stream-columns.ts';
import StreamTools from './StreamTools.vue';

const Around = defineComponent({
  setup() {
    provideStreamFeed();
    return () => h(StreamsPage);
  },
});

let desk: TestDesk;
beforeEach(() => {
  localStorage.clear();
  desk = new TestDesk();
  // A document without layout has no heights; this height decides how many rows the list draws.
  Object.defineProperty(HTMLElement.prototype, 'clientHeight', { configurable: true, value: 600 });
  desk.bridge.setLink({ phase: 'connecting' });
});

async function open(address = '/streams', info = {}): Promise<VueWrapper> {
  await desk.router.push(address);
  desk.setServer(info);
  const page = desk.mount(Around, { isAttached: true });
  await flushPromises();
  return page;
}
const names = (page: VueWrapper): (string | undefined)[] =>
  page.findAll('[data-name]').map((row) => row.attributes('data-name'));

it('StreamAddresses lists addresses for playback, and for publishing if the stream accepts encoders', () => {
  const textOf = (urls: string[]): string =>
    desk.mount(StreamAddresses, { props: { state: aStream({ publish_urls: urls }) } }).text();
  expect(textOf([])).toContain('index.mpd');
  expect(textOf([])).not.toContain('rtmp://h/static/cam1');
  expect(textOf(['rtmp://h/static/cam1'])).toContain('rtmp://h/static');
});

describe('StreamsPage', () => {
  it('shows messages while it loads, if loading failed, and if there are no streams', async () => {
    const page = await open();
    expect(page.get('[role=status].empty').text()).toBe('Loading streams');
    useStreamsStore().setFailure({ code: 'forbidden', message: '' });
    await flushPromises();
    expect(page.get('[role=alert]').text()).toContain('Could not load the streams');
    desk.setStreams();
    await flushPromises();
    expect(page.text()).toContain('No streams yet');
    page.unmount();
  });

  it('can be filtered, sorted and linked to', async () => {
    desk.setStreams(aStream({ name: 'a', bitrate: 100 }), aStream({ name: 'b', bitrate: 900 }), aStream({ name: 'c' }));
    const page = await open('/streams?sort=-bitrate');
    expect(names(page)).toEqual(['c', 'b', 'a']);
    await page.get('.head .bitrate button').trigger('click');
    expect(names(page)).toEqual(['a', 'b', 'c']);
    await page.get('input[type=search]').setValue('b');
    expect(names(page)).toEqual(['b']);
    await page.get('[data-name=b]').trigger('click');
    await flushPromises();
    expect(desk.router.currentRoute.value.query).toEqual({ find: 'b', sort: 'bitrate', name: 'b' });
    await page.get('input[type=search]').setValue('nothing');
    expect(page.text()).toContain('None of 3 streams match');
    await page.get('.empty button').trigger('click');
    expect(names(page)).toHaveLength(3);
    page.unmount();
  });

  it('draws only visible rows of ten thousand streams', async () => {
    const many = Array.from({ length: 10_000 }, (_, at) => aStream({ name: `cam${at}` }));
    desk.setStreams(...many);
    const page = await open();
    expect(page.get('.count').text()).toBe('10000');
    expect(names(page).length).toBeLessThan(60);
    expect(names(page).slice(0, 3)).toEqual(['cam0', 'cam1', 'cam2']);
    page.unmount();
  });

  it('removes several streams in one change, which can be undone', async () => {
    desk.setStreams(
      aStream({ name: 'a', client_count: 2 }),
      aStream({ name: 'b', client_count: 1 }),
      aStream({ name: 'c' }),
    );
    desk.bridge.answers['streams.remove_all'] = { version: 7 };
    const page = await open();
    for (const name of ['a', 'b']) await page.get(`[data-name=${name}] input`).setValue(true);
    expect(page.get('.chosen').text()).toContain('2 selected');
    await page.get('[data-test=remove-all]').trigger('click');
    expect(useConfirmStore().request?.body).toContain('3 viewers lose them');
    useConfirmStore().settle(true);
    await flushPromises();
    expect(desk.bridge.calls).toContainEqual(['streams.remove_all', { names: ['a', 'b'] }]);
    useToastStore().toasts[0]?.action?.run();
    await flushPromises();
    expect(desk.bridge.calls).toContainEqual(['config.undo', { version: 7 }]);
    page.unmount();
  });

  it('stops restarting selected streams at the first error, and shows how many are restarting', async () => {
    desk.setStreams(aStream({ name: 'a' }), aStream({ name: 'b' }));
    const page = await open();
    await page.get('.head input').setValue(true);
    desk.bridge.errors['streams.restart'] = { code: 'forbidden', message: '' };
    await page.get('[data-test=restart-all]').trigger('click');
    useConfirmStore().settle(true);
    await flushPromises();
    expect(desk.bridge.calls.filter(([call]) => call === 'streams.restart')).toHaveLength(1);
    expect(useToastStore().toasts[0]?.text).toContain('0 of 2 streams are restarting');
    page.unmount();
  });

  it('disables several streams after a confirmation, which can be undone, and enables them without one', async () => {
    desk.setStreams(aStream({ name: 'a', client_count: 3 }), aStream({ name: 'b', is_disabled: true }));
    const page = await open();
    expect(page.get('[data-name=b] .condition').text()).toBe('Disabled');
    await page.get('.head input').setValue(true);
    desk.bridge.answers['streams.disable_all'] = { version: 7 };
    await page.get('[data-test=disable-all]').trigger('click');
    expect(useConfirmStore().request?.body).toContain('3 viewers');
    useConfirmStore().settle(true);
    await flushPromises();
    useToastStore().toasts[0]?.action?.run();
    await page.get('[data-test=enable-all]').trigger('click');
    await flushPromises();
    expect(desk.bridge.calls.filter(([call]) => /disable|undo/.test(call))).toEqual([
      ['streams.disable_all', { names: ['a', 'b'], is_disabled: true }],
      ['config.undo', { version: 7 }],
      ['streams.disable_all', { names: ['a', 'b'], is_disabled: false }],
    ]);
    page.unmount();
  });

  it('switches recording on and off, and names streams without an archive', async () => {
    desk.setStreams(aStream({ name: 'a', is_recorded: true }), aStream({ name: 'b', is_recorded: false }));
    const page = await open('/streams', { may_write: false, may_operate: true });
    expect([page.find('[data-name=a] .recorded').exists(), page.find('[data-name=b] .recorded').exists()]).toEqual([
      true,
      false,
    ]);
    await page.get('.head input').setValue(true);
    await page.get('[data-test=record-none]').trigger('click');
    expect(useConfirmStore().request?.title).toBe('Stop recording 2 streams?');
    useConfirmStore().settle(true);
    await flushPromises();
    desk.bridge.errors['streams.record_all'] = {
      code: 'archive_not_kept',
      message: 'b has neither dvr nor dvr_offline',
    };
    await page.get('[data-test=record-all]').trigger('click');
    await flushPromises();
    expect(desk.bridge.calls.filter(([call]) => call === 'streams.record_all').map(([, input]) => input)).toEqual([
      { names: ['a', 'b'], is_recorded: false },
      { names: ['a', 'b'], is_recorded: true },
    ]);
    expect(useToastStore().toasts.some(({ text }) => text.includes('b has neither dvr'))).toBe(true);
    page.unmount();
  });

  it('shows alarms of streams, and filters by them', async () => {
    desk.setStreams(aStream({ name: 'a' }), aStream({ name: 'b' }));
    useAlarmsStore().set([
      anAlarm('1', { name: 'b', alarm: 'black', severity: 'critical', detail: 'Black for 6 s' }),
      anAlarm('2', { name: 'b', alarm: 'reserve', severity: 'major', detail: 'Input 2 is on air' }),
    ]);
    const page = await open('/streams?state=trouble&name=b');
    expect(names(page)).toEqual(['b']);
    const mark = page.get('[data-name=b] [data-test=alarm]');
    expect([mark.text(), mark.attributes('title')]).toEqual([
      '✕ Black',
      'Black: Black for 6 s\nReserve on air: Input 2 is on air',
    ]);
    expect(page.get('[data-test=alarms]').text()).toContain('Reserve on air: Input 2 is on air');
    useAlarmsStore().set([]);
    await flushPromises();
    expect(names(page)).toEqual([]);
    page.unmount();
  });

  it('does not remove published streams', async () => {
    desk.setStreams(aStream({ name: 'a' }), aStream({ name: 'live/x', named_by: 'user' }));
    const page = await open();
    await page.get('.head input').setValue(true);
    await page.get('[data-test=remove-all]').trigger('click');
    expect([useConfirmStore().request, useToastStore().toasts[0]?.kind]).toEqual([null, 'error']);
    page.unmount();
  });

  it('has no controls for changes with read access', async () => {
    desk.setStreams(aStream({ name: 'a', inputs: [...aStream().inputs, ...aStream().inputs] }));
    const page = await open('/streams?name=a', { may_write: false });
    expect(page.findAll('input[type=checkbox]')).toEqual([]);
    expect(page.findAll('button').map((one) => one.text())).not.toContain('Restart');
    expect(page.find('[data-test=add]').exists()).toBe(false);
    expect(page.find('[data-test=take-1]').exists()).toBe(false);
    page.unmount();
  });

  it('lets an operator restart, but not remove, streams', async () => {
    desk.setStreams(aStream({ name: 'a' }), aStream({ name: 'b' }));
    const page = await open('/streams?name=a', { may_write: false, may_operate: true });
    await page.get('[data-name=b] input').setValue(true);
    expect([page.find('[data-test=restart]').exists(), page.find('[data-test=restart-all]').exists()]).toEqual([
      true,
      true,
    ]);
    expect([page.find('[data-test=remove]').exists(), page.find('[data-test=remove-all]').exists()]).toEqual([
      false,
      false,
    ]);
    page.unmount();
  });

  it('opens the settings of a stream, with their section in the address', async () => {
    desk.setStreams(aStream({ name: 'cam1' }));
    const page = await open('/streams?name=cam1');
    const text = 'stream cam1 { input publish://; }';
    desk.bridge.answers['config.text'] = { text, revision: '1.1', version: 1 };
    desk.bridge.answers['config.directives'] = { blocks: {} };
    await page.get('[data-test=settings]').trigger('click');
    await vi.waitFor(() => expect(document.body.textContent).toContain('Settings of cam1'), 30_000);
    expect(desk.router.currentRoute.value.query).toEqual({ name: 'cam1', settings: 'inputs' });
    const close = document.querySelector<HTMLElement>('[data-test=discard-settings]');
    close?.click();
    await flushPromises();
    expect(desk.router.currentRoute.value.query).toEqual({ name: 'cam1' });
    page.unmount();
    const viewing = await open('/streams?name=cam1&settings=alarms', { may_write: false });
    expect(viewing.find('[data-test=settings]').exists()).toBe(false);
    expect(document.body.textContent).not.toContain('Settings of cam1');
    viewing.unmount();
  });

  it('exports the visible rows', async () => {
    desk.setStreams(aStream({ name: 'a' }), aStream({ name: 'b' }));
    const files: Blob[] = [];
    const made = vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => `blob:${files.push(file as Blob)}`);
    const page = await open('/streams?find=b');
    await page.get('[data-test=csv]').trigger('click');
    expect((await files[0]?.text())?.split('\r\n').slice(1)).toEqual([expect.stringMatching(/^b,/), '']);
    made.mockRestore();
    page.unmount();
  });
});

describe('StreamDetails', () => {
  it('lists all addresses, tracks, problems, and the encoder settings', () => {
    desk.setServer();
    const state = aStream({
      publish_urls: ['rtmp://desk.example/static/cam1'],
      publish_password: true,
      problems: [{ code: 'publish_busy', detail: 'Another encoder is there', at: 1, count: 3 }],
    });
    const details = desk.mount(StreamDetails, { props: { state } });
    for (const text of [
      'http://desk.example/cam1/index.m3u8',
      'http://desk.example/cam1/index.mpd',
      'rtmp://desk.example/static/cam1',
      '?password=',
      'H.264 · 640×360',
      'Another encoder is there (3 times)',
    ])
      expect(details.text()).toContain(text);
    expect(details.findAll('[aria-label^="QR code of"]')).toHaveLength(6);
    expect(details.get('details').text()).toContain('Start Streaming');
    expect(details.findAll('.actions a').map((link) => link.attributes('href'))).toEqual([
      '/wall?solo=cam1',
      '/sessions?name=cam1',
      '/log?media=cam1',
    ]);
  });
});

describe('StreamInputs', () => {
  const [input] = aStream().inputs;
  const state = aStream({
    inputs: [
      {
        ...input!,
        phase: 'error',
        is_active: false,
        ts_delay: 8000,
        last_error: { code: 'input_unreachable', detail: 'ECONNREFUSED', at: 1 },
      },
      { ...input!, url: 'udp://239.0.0.1:1234' },
    ],
    active_input: 1,
    selected_input: 1,
    input_switches: 2,
  });

  it('shows state and error of each input, which can be selected', async () => {
    const inputs = desk.mount(StreamInputs, { props: { state, mayChange: true, isBusy: false } });
    const [first, second] = inputs.findAll('li').map((one) => one.text().replace(/\s+/g, ' '));
    expect(first).toMatch(/Failed, retrying ?last frame 8\.0 s ago ?Take.*ECONNREFUSED/);
    expect(second).toMatch(/udp:\/\/239\.0\.0\.1:1234 ?On air/);
    expect(inputs.text()).toContain('2 switches since start');
    await inputs.get('[data-test=take-0]').trigger('click');
    await inputs.get('[data-test=automatic]').trigger('click');
    expect(inputs.emitted('select')).toEqual([[0], [null]]);
  });
});

describe('StreamTable', () => {
  it('supports the keyboard', async () => {
    desk.setServer();
    const rows = ['a', 'b'].map((name) => ({ name, state: aStream({ name }), condition: 'live', alarms: [] }));
    const { result: made } = desk.run(() => useTableColumns('streams', STREAM_COLUMNS));
    const shown = { shown: 'a', chosen: new Set(), mayChange: true, table: made };
    const props = { rows, order: { by: 'name', isDescending: false }, ...shown };
    const table = desk.mount(StreamTable, { props });
    await table.get('.rows').trigger('keydown', { key: 'ArrowDown' });
    await table.get('.rows').trigger('keydown', { key: 'Escape' });
    expect([table.emitted('step'), table.emitted('show')]).toEqual([[[1]], [['']]]);
    expect(table.get('[aria-sort=ascending]').text()).toContain('Stream');
    expect(table.findAll('[role=columnheader]')).toHaveLength(11);
    made.show('fps', false);
    made.show('name', false);
    await flushPromises();
    expect([table.findAll('[role=columnheader]').length, table.find('.fps').exists()]).toEqual([10, false]);
    made.showAll();
  });
});

describe('StreamTools', () => {
  it('filters streams', async () => {
    desk.setServer();
    const table = desk.run(() => useTableColumns('streams', STREAM_COLUMNS)).result;
    const props = { filter: { text: '', condition: '' }, rows: [], all: 9, table };
    const tools = desk.mount(StreamTools, { props });
    await tools.get('select').setValue('trouble');
    await tools.get('input').setValue('gate');
    expect(tools.emitted('update:filter')).toEqual([
      [{ text: '', condition: 'trouble' }],
      [{ text: 'gate', condition: 'trouble' }],
    ]);
    expect(tools.get('.count').text()).toBe('0 of 9');
  });
});

describe('ChosenStreams', () => {
  it('is below the table, and clears the selection', async () => {
    desk.setStreams(aStream({ name: 'a' }));
    const page = await open();
    await page.get('[data-name=a] input').setValue(true);
    const [table, bar] = [page.get('[role=table]').element, page.get('.chosen').element];
    expect(table.compareDocumentPosition(bar) & Node.DOCUMENT_POSITION_FOLLOWING).toBe(4);
    await page.findAll('.chosen button').at(-1)?.trigger('click');
    expect(page.find('.chosen').exists()).toBe(false);
    page.unmount();
  });

  it('has no changes of the configuration for an operator', () => {
    desk.setServer({ may_write: false, may_operate: true });
    const bar = desk.mount(ChosenStreams, { props: { chosen: new Set(['a', 'b']) } });
    expect(bar.findAll('button').map((one) => one.text())).toEqual([
      'Restart',
      'Record',
      'Stop recording',
      'Clear selection',
    ]);
  });
});
