import { flushPromises, type VueWrapper } from '@vue/test-utils';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { EventSinkState } from '../../../src-preload/contract/api/sink-state.ts';
import type { SystemState } from '../../../src-preload/contract/operations/system-calls.ts';
import { TestDesk } from '../../../tests/helpers/desk/test-desk.ts';
import { useToastStore } from '../../ui/toast-store.ts';
import DiskTable from './DiskTable.vue';
import LicenceList from './LicenceList.vue';
import LoadBar from './LoadBar.vue';
import SinkTable from './SinkTable.vue';
import SystemPage from './SystemPage.vue';

const NOW = Date.UTC(2027, 0, 15, 12, 0, 0);
const DISK: SystemState['disks'][number] = {
  storage: 'main',
  folder: '/media/a',
  is_written: true,
  total_bytes: 100e9,
  free_bytes: 8e9,
  archive_bytes: 50e9,
  waiting_bytes: 1200,
  written_bytes_per_second: 500_000,
  slowest_write_ms: 12.4,
  fault: null,
};
const STATE: SystemState = {
  versions: [
    { name: 'airdesk', version: '1.2.3' },
    { name: 'node', version: '24.0.0' },
  ],
  platform: 'linux x64',
  pid: 42,
  started_at: NOW - 65_000,
  quarantined_inputs: 1,
  disks: [DISK],
  alerts: [],
  machine: { cores: 4, cpu_percent: 37, memory_bytes: 8e9, memory_percent: 92 },
  process: {
    memory_bytes: 2e8,
    server_thread_percent: 12,
    threads: [{ index: 0, load_percent: 26, publishers: 2 }],
  },
  traffic: { streams: 3, online_streams: 2, viewers: 5, input_kbit: 4000, output_kbit: 20_000 },
  listeners: [{ protocol: 'http', host: null, port: 8080 }],
  limits: { http: { open: 10, limit: 2000 }, rtmp: { open: 2, limit: 500 }, files: { open: 80, limit: 4096 } },
};
const SINK: EventSinkState = {
  name: 'hook',
  url: 'https://example.org/********',
  status: 'retrying',
  backlog: 7,
  backlog_bytes: 900,
  oldest_waiting_at: NOW,
  delivered: 3,
  delivered_at: null,
  resent: 1,
  dropped: 1,
  dead_letters: 2,
  damaged: 0,
  last_error: { code: 'sink_refused', message: 'status 500', at: NOW },
  next_attempt_at: null,
};

let desk: TestDesk;
beforeEach(() => {
  vi.useFakeTimers({ now: NOW, toFake: ['Date'] });
  desk = new TestDesk();
  desk.bridge.answers['system.state'] = STATE;
  desk.bridge.answers['events.sinks'] = { sinks: [SINK] };
  return () => vi.useRealTimers();
});
async function open(info = {}): Promise<VueWrapper> {
  desk.setServer(info);
  const page = desk.mount(SystemPage);
  await flushPromises();
  return page;
}
const textOf = (page: VueWrapper): string => page.text().replace(/\s+/g, ' ');

describe('SystemPage', () => {
  it('shows load, traffic, ports, disks, sinks and versions', async () => {
    const page = await open();
    expect(textOf(page)).toContain('CPU (4 cores)37 %');
    expect(textOf(page)).toContain('Media thread 1, 2 encoders26 %');
    expect(textOf(page)).toMatch(/Streams on air ?2 of 3 ?Viewers ?5/);
    expect(textOf(page)).toMatch(/http 8080 ?all addresses/);
    expect(textOf(page)).toMatch(/HTTP connections ?10 of 2000/);
    expect(textOf(page)).toContain('/media/a');
    expect(textOf(page)).toContain('Node.js24.0.0');
    expect(textOf(page)).toMatch(/Uptime ?1:05/);
    expect(page.find('.alerts').exists()).toBe(false);
    page.unmount();
  });

  it('shows alerts first, and why there are no values', async () => {
    desk.bridge.answers['system.state'] = {
      ...STATE,
      alerts: [
        { about: 'http 80', message: 'it is taken', fault: 'few_open_files', facts: { explanation: 'it is taken' } },
        { about: 'data_folder', message: 'it is full', fault: 'few_open_files', facts: { explanation: 'it is full' } },
      ],
    };
    const page = await open();
    expect(page.get('.cards').element.firstElementChild?.textContent).toMatch(/http 80\s*it is taken\s*it is full/);
    page.unmount();
    desk.bridge.errors['system.state'] = { code: 'forbidden', message: '' };
    const refused = await open();
    expect(refused.get('[role=alert]').text()).toContain('Could not load the server status');
    refused.unmount();
  });

  it('downloads diagnostics, with write access', async () => {
    desk.bridge.answers['system.diagnostics'] = { text: '{"a": 1}' };
    const made = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:x');
    const page = await open();
    await page.get('[data-test=diagnostics]').trigger('click');
    await flushPromises();
    expect(await (made.mock.calls[0]?.[0] as Blob).text()).toBe('{"a": 1}');
    page.unmount();
    made.mockRestore();
    const reader = await open({ may_write: false });
    expect(reader.find('[data-test=diagnostics]').exists()).toBe(false);
    reader.unmount();
  });
});

describe('LoadBar', () => {
  it.each([
    [20, 'calm', '20 %'],
    [80, 'high', '80 %'],
    [95, 'full', '▲ 95 %'],
    [140, 'full', '▲ 140 %'],
  ])('shows %i percent as %s', (percent, level, text) => {
    const bar = desk.mount(LoadBar, { props: { label: 'Memory', percent } });
    expect([bar.classes(), bar.get('.caption').text()]).toEqual([expect.arrayContaining([level]), text]);
    expect(parseFloat(bar.get<HTMLElement>('.fill').element.style.width)).toBeLessThanOrEqual(100);
  });
});

describe('DiskTable', () => {
  it('shows the free space of disks, and why they cannot be written', () => {
    const faulty = { ...DISK, storage: null, total_bytes: null, free_bytes: null, is_written: false };
    const table = desk.mount(DiskTable, {
      props: { disks: [DISK, { ...faulty, fault: { code: 'ENOSPC', message: 'no space left' } }] },
    });
    const [whole, other] = table.findAll('li').map((row) => row.text().replace(/\s+/g, ' '));
    expect(whole).toContain('8.0 GB free / 100.0 GB');
    expect(whole).toMatch(/Archive ?50\.0 GB ?Write rate ?500\.0 kB\/s ?Waiting ?1\.2 kB ?Slowest write ?12 ms/);
    expect(other).toMatch(/stream folder ?▲ no space left.*unknown.*not in use/);
    expect(desk.mount(DiskTable, { props: { disks: [] } }).text()).toBe('Nothing is recorded here');
  });
});

describe('LicenceList', () => {
  const open = async (list: VueWrapper): Promise<void> => {
    list.get<HTMLDetailsElement>('details').element.open = true;
    await list.get('details').trigger('toggle');
    await flushPromises();
  };

  it('loads licences on demand', async () => {
    const shipped = [{ name: 'vue', version: '3.5.0', license: 'MIT', text: 'Permission is granted' }];
    const read = vi.spyOn(globalThis, 'fetch').mockResolvedValue(Response.json(shipped));
    const list = desk.mount(LicenceList);
    expect(read).not.toHaveBeenCalled();
    await open(list);
    expect(textOf(list)).toMatch(/vue 3\.5\.0 ?MIT.*Permission is granted/);
    read.mockRestore();
  });

  it('shows an error if licences cannot be loaded', async () => {
    const read = vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response('', { status: 404 }));
    const list = desk.mount(LicenceList);
    await open(list);
    expect(list.get('[role=alert]').text()).toContain('could not be loaded');
    read.mockRestore();
  });
});

describe('SinkTable', () => {
  it('shows the queue of event sinks, and the last error', () => {
    const table = desk.mount(SinkTable, { props: { sinks: [SINK] } });
    expect(textOf(table)).toMatch(
      /hook ▲ retrying.*Delivered ?3 ?Waiting ?7 ?Not delivered ?3.*Last error: \d\d:00:00 /,
    );
    expect(desk.mount(SinkTable, { props: { sinks: [] } }).text()).toBe('No event sinks configured');
  });

  it('tests sinks and sends dead letters again, with write access', async () => {
    desk.setServer({ may_write: false });
    const table = desk.mount(SinkTable, { props: { sinks: [SINK] } });
    expect(table.find('button').exists()).toBe(false);
    desk.setServer();
    await flushPromises();
    await table.get('[data-test=test]').trigger('click');
    await flushPromises();
    desk.bridge.answers['events.replay_sink'] = { count: 3, is_more: false };
    await table.get('[data-test=replay]').trigger('click');
    await flushPromises();
    expect(desk.bridge.calls).toEqual([
      ['events.test_sink', { name: 'hook' }],
      ['events.replay_sink', { name: 'hook' }],
    ]);
    expect(useToastStore().toasts.map(({ text }) => text)).toEqual([
      'A test event was sent to hook.',
      '3 events are sent again.',
    ]);
    await table.setProps({ sinks: [{ ...SINK, dead_letters: 0 }] });
    expect(table.find('[data-test=replay]').exists()).toBe(false);
  });
});
