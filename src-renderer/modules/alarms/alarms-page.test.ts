import { flushPromises, type VueWrapper } from '@vue/test-utils';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { AlarmObject } from '../../../src-preload/contract/api/alarm-object.ts';
import { anAlarm } from '../../../tests/helpers/desk/an-alarm.ts';
import { aStream } from '../../../tests/helpers/desk/a-stream.ts';
import { TestDesk } from '../../../tests/helpers/desk/test-desk.ts';
import { useToastStore } from '../../ui/toast-store.ts';
import { useServerStore } from '../../server/server-store.ts';
import AlarmBar from './AlarmBar.vue';
import AlarmEvidence from './AlarmEvidence.vue';
import AlarmHistory from './AlarmHistory.vue';
import AlarmTable from './AlarmTable.vue';
import AlarmsPage from './AlarmsPage.vue';
import { soundAlarm } from './alarm-sound.ts';
import { useAlarmsStore } from '../../domain/alarms/store.ts';

vi.mock('./alarm-sound.ts', () => ({ soundAlarm: vi.fn() }));

const NOW = Date.UTC(2027, 0, 15, 12, 0, 0);
let desk: TestDesk;
beforeEach(() => {
  vi.useFakeTimers({ now: NOW, toFake: ['Date'] });
  vi.mocked(soundAlarm).mockClear();
  localStorage.clear();
  desk = new TestDesk();
  desk.setServer();
  return () => vi.useRealTimers();
});

const alarm = (id: string, more: Partial<AlarmObject> = {}): AlarmObject =>
  anAlarm(id, { raised_at: NOW - 65_000, ...more });
const rowsOf = (page: VueWrapper): string[] => page.findAll('tbody tr').map((row) => row.text().replace(/\s+/g, ' '));

describe('AlarmsPage', () => {
  it('shows a loading message, and a message if there are no alarms', async () => {
    const page = desk.mount(AlarmsPage);
    expect(page.text()).toContain('Loading alarms');
    useAlarmsStore().set([]);
    await flushPromises();
    expect(page.text()).toContain('No alarm');
  });

  it('lists open alarms by severity, then acknowledged and cleared ones', () => {
    useAlarmsStore().set([
      alarm('over', { cleared_at: NOW, name: 'gone' }),
      alarm('taken', { acknowledged_at: NOW, acknowledged_by: 'pat', note: 'cable', name: 'taken' }),
      alarm('info', { severity: 'info', name: 'slight' }),
      alarm('worst'),
    ]);
    const rows = rowsOf(desk.mount(AlarmsPage));
    expect(rows[0]).toMatch(/✕ Critical.*cam1.*No input.*No frame.*For 1:05/);
    expect(rows[1]).toMatch(/◆ Info.*slight/);
    expect(rows[2]).toMatch(/taken.*Acknowledged by pat: cable/);
    expect(rows[3]).toMatch(/gone.*Cleared after 1:05/);
  });

  it('shows repeated alarms of a condition in one row, which is acknowledged as a whole and expandable', async () => {
    desk.bridge.answers['alarms.list'] = { alarms: [] };
    const times = [0, 1, 2].map((at) =>
      alarm(`f${at}`, {
        raised_at: NOW - 65_000 - at * 60_000,
        cleared_at: at === 0 ? null : NOW - 60_000 - at * 60_000,
      }),
    );
    useAlarmsStore().set(times);
    const page = desk.mount(AlarmsPage, { isAttached: true });
    expect(rowsOf(page)).toEqual([expect.stringMatching(/No input ×3.*For 1:05/)]);
    await page.get('[data-test=group]').trigger('click');
    expect(rowsOf(page)).toHaveLength(3);
    await page.get('[data-test=group]').trigger('click');
    await page.get('[data-test=acknowledge]').trigger('click');
    await flushPromises();
    document.querySelector('.note')!.dispatchEvent(new Event('submit'));
    await flushPromises();
    const acknowledged = desk.bridge.calls.filter(([name]) => name === 'alarms.acknowledge').map(([, input]) => input);
    expect(acknowledged).toEqual(times.map(({ id }) => ({ id })));
    page.unmount();
  });

  it('counts earlier alarms of a condition, which are only in the history, and acknowledges only the listed one', async () => {
    const times = [0, 1, 2, 3].map((at) =>
      alarm(`f${at}`, {
        raised_at: NOW - 65_000 - at * 60_000,
        cleared_at: at === 0 ? null : NOW - 60_000 - at * 60_000,
      }),
    );
    desk.bridge.answers['alarms.history'] = { alarms: [...times, alarm('other', { name: 'cam2' })] };
    useAlarmsStore().set(times.slice(0, 1));
    const page = desk.mount(AlarmsPage, { isAttached: true });
    await vi.waitFor(() => expect(rowsOf(page)).toEqual([expect.stringMatching(/No input ×4.*For 1:05/)]));
    await page.get('[data-test=group]').trigger('click');
    expect([rowsOf(page).length, page.findAll('[data-test=acknowledge]').length]).toEqual([4, 1]);
    await page.get('[data-test=group]').trigger('click');
    desk.bridge.answers['alarms.list'] = { alarms: [] };
    await page.get('[data-test=acknowledge]').trigger('click');
    await flushPromises();
    document.querySelector('.note')!.dispatchEvent(new Event('submit'));
    await flushPromises();
    const acknowledged = desk.bridge.calls.filter(([name]) => name === 'alarms.acknowledge').map(([, input]) => input);
    expect(acknowledged).toEqual([{ id: 'f0' }]);
    page.unmount();
  });

  it('filters active alarms by text and severity, also in the address, and acknowledges only the visible ones', async () => {
    desk.bridge.answers['alarms.list'] = { alarms: [] };
    useAlarmsStore().set([alarm('a'), alarm('b', { name: 'cam2', severity: 'info' }), alarm('c', { name: 'cam2' })]);
    const page = desk.mount(AlarmsPage, { isAttached: true });
    await page.get('input[type=search]').setValue(' CAM2 ');
    await flushPromises();
    expect([rowsOf(page).length, desk.router.currentRoute.value.query]).toEqual([2, { q: 'CAM2' }]);
    document.dispatchEvent(new KeyboardEvent('keydown', { key: 'K', shiftKey: true, bubbles: true }));
    await flushPromises();
    expect(document.querySelector('[data-test=confirmation]')?.textContent).toBe('cam2: No input · cam2: No input');
    await page.get('select').setValue('major');
    await flushPromises();
    expect(page.text()).toContain('No alarms match the filter');
    page.unmount();
  });

  it('acknowledges with a note, and shelves for the selected time', async () => {
    useAlarmsStore().set([alarm('a')]);
    desk.bridge.answers['alarms.list'] = { alarms: [] };
    const page = desk.mount(AlarmsPage, { isAttached: true });
    await page.get('[data-test=shelve]').setValue('60');
    expect(desk.bridge.calls[0]).toEqual(['alarms.shelve', { id: 'a', seconds: 3600 }]);
    useAlarmsStore().set([alarm('a', { shelved_until: NOW + 1000 })]);
    await flushPromises();
    await page.get('[data-test=unshelve]').trigger('click');
    expect(desk.bridge.calls).toContainEqual(['alarms.shelve', { id: 'a', seconds: 0 }]);
    await flushPromises();
    useAlarmsStore().set([alarm('a')]);
    await flushPromises();
    await page.get('[data-test=acknowledge]').trigger('click');
    await flushPromises();
    const input = document.querySelector<HTMLInputElement>('.note input')!;
    input.value = ' cable ';
    input.dispatchEvent(new Event('input'));
    document.querySelector('.note')!.dispatchEvent(new Event('submit'));
    await flushPromises();
    expect(desk.bridge.calls).toContainEqual(['alarms.acknowledge', { id: 'a', note: 'cable' }]);
    expect(rowsOf(page)).toEqual([]);
    page.unmount();
  });

  it('acknowledges the focused or most severe alarm with K, all with Shift; not in a list or without permission', async () => {
    desk.bridge.answers['alarms.list'] = { alarms: [] };
    useAlarmsStore().set([alarm('worst'), alarm('slight', { severity: 'info' })]);
    const page = desk.mount(AlarmsPage, { isAttached: true });
    const acknowledged: string[] = [];
    const press = async (target: EventTarget, shiftKey = false): Promise<unknown[]> => {
      desk.bridge.calls.length = 0;
      target.dispatchEvent(new KeyboardEvent('keydown', { key: shiftKey ? 'K' : 'k', shiftKey, bubbles: true }));
      await flushPromises();
      const question = document.querySelector('[data-test=confirmation]')?.textContent;
      if (question !== undefined) acknowledged.push(question);
      document.querySelector('.note')?.dispatchEvent(new Event('submit'));
      await flushPromises();
      useAlarmsStore().set([alarm('worst'), alarm('slight', { severity: 'info' })]);
      await flushPromises();
      return desk.bridge.calls.filter(([name]) => name === 'alarms.acknowledge').map(([, input]) => input);
    };
    expect(await press(document)).toEqual([{ id: 'worst' }]);
    expect(await press(page.findAll('[data-test=evidence]')[1]!.element)).toEqual([{ id: 'slight' }]);
    expect(await press(document, true)).toEqual([{ id: 'worst' }, { id: 'slight' }]);
    expect(acknowledged).toEqual(['cam1: No input', 'cam1: No input', 'cam1: No input · cam1: No input']);
    expect(await press(page.get('[data-test=shelve]').element)).toEqual([]);
    desk.setServer({ may_write: false });
    expect(await press(document)).toEqual([]);
    page.unmount();
  });

  it.each([
    ['deletion_held_clock', { hours: 192 }, 'deletion', 'jumped by 192 hours', 'archive.allow_deletion'],
    ['deletion_held_catalog', { count: 3 }, 'deletion', '3 disks or blocks', 'archive.allow_deletion'],
    ['seal_key_lost', {}, 'keys', 'airdesk.key is missing', 'system.confirm_keys'],
    ['log_key_lost', { file: 'subscribers.key' }, 'keys', 'subscribers.key is missing', 'system.confirm_keys'],
  ] as const)('asks for confirmation of %s, with write access only', async (fault, facts, name, text, call) => {
    desk.bridge.answers['alarms.list'] = { alarms: [] };
    desk.bridge.answers[call] = {};
    const others = ['nothing_deleted', 'catalog_being_made'] as const;
    useAlarmsStore().set([
      alarm('held', { fault, facts, alarm: 'archive', name: null }),
      ...others.map((other) => alarm(other, { name: null, fault: other })),
    ]);
    desk.setServer({ may_write: false });
    const page = desk.mount(AlarmsPage, { isAttached: true });
    expect(page.findAll('[data-test^=confirm-]')).toHaveLength(0);
    desk.setServer();
    await flushPromises();
    await page.get(`[data-test=confirm-${name}]`).trigger('click');
    await flushPromises();
    expect(document.body.textContent).toContain(text);
    expect(desk.bridge.calls.some(([called]) => called === call)).toBe(false);
    document.querySelector('[data-test=confirmed]')!.closest('form')!.dispatchEvent(new Event('submit'));
    await flushPromises();
    expect(desk.bridge.calls).toContainEqual([call, {}]);
    page.unmount();
  });

  it('shows why an action failed', async () => {
    useAlarmsStore().set([alarm('a')]);
    desk.bridge.answers['alarms.list'] = { alarms: [alarm('a')] };
    desk.bridge.errors['alarms.shelve'] = { code: 'forbidden', message: 'This is not allowed' };
    const page = desk.mount(AlarmsPage);
    await page.get('[data-test=shelve]').setValue('5');
    await flushPromises();
    expect(
      useToastStore()
        .toasts.map(({ text }) => text)
        .join(),
    ).toContain('The action failed');
  });

  it('lets an operator acknowledge alarms', () => {
    desk.setServer({ may_write: false, may_operate: true });
    useAlarmsStore().set([alarm('a')]);
    expect(desk.mount(AlarmsPage).find('[data-test=acknowledge]').exists()).toBe(true);
  });

  it('has no actions with read access', () => {
    desk.setServer({ may_write: false });
    useAlarmsStore().set([alarm('a'), alarm('b', { name: 'cam2' })]);
    expect(desk.mount(AlarmsPage).findAll('tbody :is(button, select):not([data-test=evidence])')).toEqual([]);
  });
});

describe('AlarmTable', () => {
  it('links to existing streams, and names the server for its own alarms', () => {
    desk.setStreams(aStream({ name: 'cam1' }));
    const alarms = [alarm('a'), alarm('b', { name: null, alarm: 'disk' }), alarm('c', { name: 'gone' })];
    const table = desk.mount(AlarmTable, { props: { alarms, mayAct: false } });
    expect(table.get('.raised a').attributes('href')).toMatch(/^\/archive\?stream=[a-z0-9]+&at=20\d\d-/);
    expect(table.findAll('.name a').map((link) => link.attributes('href'))).toEqual(['/wall?solo=cam1']);
    expect(table.findAll('.name').map((cell) => cell.text())).toEqual(['cam1', 'Server', 'gone']);
  });
});

describe('the evidence of an alarm', () => {
  const open = async (evidence: unknown): Promise<string> => {
    desk.bridge.answers['alarms.evidence'] = evidence;
    const shown = desk.mount(AlarmEvidence, { props: { alarm: alarm('a') }, isAttached: true });
    await flushPromises();
    const html = document.querySelector('[role=dialog]')?.innerHTML ?? '';
    shown.unmount();
    return html;
  };
  const KEPT = { id: 'a', name: 'cam1', alarm: 'bitrate', raised_at: NOW, before_jpeg: null, at_jpeg: null };

  it('loads on demand, and shows pictures, the graph around the alarm, and a link to the archive', async () => {
    const graph = { from_at: NOW - 2000, step_ms: 1000, values: [10, null, 30, 20] };
    const html = await open({ ...KEPT, before_jpeg: 'QUJD', at_jpeg: 'REVG', graph, is_locked: true });
    expect(desk.bridge.calls.at(-1)).toEqual(['alarms.evidence', { id: 'a', name: 'cam1' }]);
    for (const part of ['data:image/jpeg;base64,QUJD', 'data:image/jpeg;base64,REVG', 'from 10 to 30', 'x1="400"'])
      expect(html).toContain(part);
    expect(html).toMatch(/href="\/archive\?stream=cam1&amp;at=.*is locked/s);
  });

  it('shows that nothing is recorded, or that the archive cannot be read', async () => {
    expect(await open({ ...KEPT, graph: null, is_locked: false })).toContain('Nothing was saved');
    desk.bridge.errors['alarms.evidence'] = { code: 'alarm_not_found', message: 'There is no evidence of this alarm' };
    expect(await open(null)).toContain('Nothing was saved');
    desk.bridge.errors['alarms.evidence'] = { code: 'unavailable', message: 'No disk' };
    expect(await open(null)).toContain('could not be read');
  });

  it('is offered for alarms of streams only', async () => {
    const alarms = [alarm('a'), alarm('b', { name: null, alarm: 'disk' })];
    desk.bridge.errors['alarms.evidence'] = { code: 'alarm_not_found', message: 'There is no evidence of this alarm' };
    const table = desk.mount(AlarmTable, { props: { alarms, mayAct: false } });
    expect(table.findAll('[data-test=evidence]')).toHaveLength(1);
    await table.get('[data-test=evidence]').trigger('click');
    await flushPromises();
    expect(desk.bridge.calls.at(-1)?.[0]).toBe('alarms.evidence');
  });
});

describe('AlarmHistory', () => {
  it('loads in pages with filters, and shows errors', async () => {
    const first = Array.from({ length: 100 }, (_, index) => alarm(`a${index}`, { cleared_at: NOW }));
    desk.bridge.answers['alarms.history'] = { alarms: first };
    const history = desk.mount(AlarmHistory);
    await flushPromises();
    desk.bridge.answers['alarms.history'] = { alarms: [alarm('last')] };
    await history.get('.more').trigger('click');
    await flushPromises();
    expect(rowsOf(history)).toHaveLength(101);
    expect(desk.bridge.calls[1]?.[1]).toEqual({ limit: 100, before: { raised_at: NOW - 65_000, id: 'a99' } });
    expect(history.find('.more').exists()).toBe(false);
    desk.bridge.answers['alarms.history'] = { alarms: [] };
    await history.findAll('input')[1]!.setValue('cam9');
    await flushPromises();
    expect([desk.bridge.calls[2]?.[1], history.text()]).toEqual([
      { limit: 100, name: 'cam9' },
      expect.stringContaining('match the filter'),
    ]);
    desk.bridge.errors['alarms.history'] = { code: 'unavailable', message: 'No database' };
    await history.findAll('input')[1]!.setValue('');
    await flushPromises();
    expect(history.get('[role=alert]').text()).toContain('could not be read');
  });
});

it('AlarmHistory loads once the desk is connected', async () => {
  desk.setServer({}, { phase: 'connecting' });
  desk.bridge.answers['alarms.history'] = { alarms: [alarm('a')] };
  const history = desk.mount(AlarmHistory);
  await flushPromises();
  expect([desk.bridge.calls, history.get('[role=status]').text()]).toEqual([[], 'Loading alarms']);
  desk.setServer();
  await flushPromises();
  expect(rowsOf(history)).toHaveLength(1);
});

describe('a search of the alarm history', () => {
  it('is stored in the address and restored from it', async () => {
    desk.bridge.answers['alarms.history'] = { alarms: [] };
    await desk.router.push('/alarms?view=history&name=cam9');
    const page = desk.mount(AlarmsPage);
    await flushPromises();
    expect(desk.bridge.calls.at(-1)?.[1]).toEqual({ limit: 100, name: 'cam9' });
    await page.findAll('select')[1]!.setValue('major');
    await flushPromises();
    expect(desk.router.currentRoute.value.fullPath).toBe('/alarms?view=history&name=cam9&severity=major');
    await page.get('button[data-tab=now]').trigger('click');
    await flushPromises();
    expect([desk.router.currentRoute.value.fullPath, page.find('[role=search]').exists()]).toEqual(['/alarms', false]);
  });

  it('has a range of time, also in exported files', async () => {
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
    desk.bridge.answers['alarms.history'] = { alarms: [alarm('a')] };
    const history = desk.mount(AlarmHistory);
    await flushPromises();
    await history.get('[data-test=from]').setValue('2027-01-15T10:00');
    await history.get('[data-test=to]').setValue('2027-01-15T11:00');
    await flushPromises();
    const [from, to] = [new Date(2027, 0, 15, 10).getTime(), new Date(2027, 0, 15, 11).getTime()];
    expect(desk.bridge.calls.at(-1)?.[1]).toEqual({ limit: 100, from, to });
    await history.get('.files button').trigger('click');
    expect(desk.bridge.calls.at(-1)).toEqual(['alarms.download_history', { format: 'csv', from, to }]);
  });

  it('finds text, and can be exported as files', async () => {
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
    desk.bridge.answers['alarms.history'] = { alarms: [alarm('a')] };
    const history = desk.mount(AlarmHistory);
    await flushPromises();
    await history.get('input').setValue(' cable ');
    await flushPromises();
    expect(desk.bridge.calls.at(-1)?.[1]).toEqual({ limit: 100, text: 'cable' });
    for (const button of history.findAll('.files button')) await button.trigger('click');
    expect(desk.bridge.calls.slice(-2)).toEqual([
      ['alarms.download_history', { format: 'csv', text: 'cable' }],
      ['alarms.download_history', { format: 'jsonl', text: 'cable' }],
    ]);
  });
});

describe('AlarmBar', () => {
  it('counts open alarms by severity, and updates when an alarm changes', async () => {
    desk.bridge.answers['alarms.list'] = { alarms: [alarm('a'), alarm('b', { severity: 'major', name: 'x' })] };
    const bar = desk.mount(AlarmBar);
    await flushPromises();
    expect(bar.findAll('.count').map((one) => one.text())).toEqual(['✕1', '▲1']);
    expect(soundAlarm).not.toHaveBeenCalled();
    desk.bridge.answers['alarms.list'] = { alarms: [alarm('a'), alarm('c', { name: 'y' })] };
    desk.bridge.send('events', {
      is_snapshot: false,
      skipped: 0,
      events: [{ event: 'alarm_raised', event_id: 1, utc_ms: NOW, server: 's' }],
    });
    await vi.waitFor(() => expect(bar.findAll('.count').map((one) => one.text())).toEqual(['✕2']), 30_000);
    expect(soundAlarm).toHaveBeenCalledTimes(1);
  });

  it('shows no counts before the alarms are loaded, and marks them when the connection is lost', async () => {
    desk.bridge.answers['alarms.list'] = { alarms: [alarm('a')] };
    const bar = desk.mount(AlarmBar);
    expect(bar.get('a').text()).toBe('Loading alarms');
    await flushPromises();
    expect([bar.get('.count').text(), bar.classes('stale')]).toEqual(['✕1', false]);
    useServerStore().setLink({ phase: 'stale', receivedAtMs: NOW, retryAtMs: null, mustLogIn: false });
    await flushPromises();
    expect([bar.get('.count').text(), bar.classes('stale')]).toEqual(['✕1', true]);
  });

  it('blinks once a second while an alarm is open', async () => {
    vi.useFakeTimers({ now: NOW, toFake: ['Date', 'setInterval'] });
    desk.bridge.answers['alarms.list'] = {
      alarms: [alarm('a'), alarm('b', { severity: 'info', acknowledged_at: NOW })],
    };
    const bar = desk.mount(AlarmBar);
    await flushPromises();
    const dim = async (): Promise<boolean[]> => {
      vi.advanceTimersByTime(500);
      await flushPromises();
      return bar.findAll('.count').map((one) => one.classes('dim'));
    };
    expect([await dim(), await dim(), await dim()]).toEqual([
      [true, false],
      [false, false],
      [true, false],
    ]);
  });

  it('is silent when muted', async () => {
    desk.bridge.answers['alarms.list'] = { alarms: [] };
    const bar = desk.mount(AlarmBar);
    await flushPromises();
    expect(bar.text()).toContain('No alarm');
    await bar.get('button').trigger('click');
    useAlarmsStore().set([alarm('a')]);
    await flushPromises();
    expect([vi.mocked(soundAlarm).mock.calls.length, bar.get('button').attributes('aria-pressed')]).toEqual([
      0,
      'true',
    ]);
  });
});
