import { flushPromises, type VueWrapper } from '@vue/test-utils';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { SessionRow } from '../../../src-preload/contract/operations/session-calls.ts';
import { TestDesk } from '../../../tests/helpers/desk/test-desk.ts';
import { useConfirmStore } from '../../ui/confirm-store.ts';
import { useToastStore } from '../../ui/toast-store.ts';
import BanDialog from './BanDialog.vue';
import BanList from './BanList.vue';
import SessionsPage from './SessionsPage.vue';
import { useTableColumns } from '../../ui/use-table-columns.ts';
import { VIEWER_COLUMNS } from './viewer-columns.ts';
import ViewerTable from './ViewerTable.vue';

const NOW = Date.UTC(2027, 0, 15, 12, 0, 0);
const aSession = (more: Partial<SessionRow> = {}): SessionRow => ({
  id: 's1',
  name: 'cam1',
  proto: 'hls',
  status: 'running',
  ip: '192.0.2.7',
  country: 'NL',
  bytes: 1_200_000,
  opened_at: NOW - 65_000,
  updated_at: NOW,
  user_id: null,
  user_agent: 'VLC/3',
  dvr: false,
  ...more,
});

let desk: TestDesk;
beforeEach(() => {
  vi.useFakeTimers({ now: NOW, toFake: ['Date'] });
  desk = new TestDesk();
  Object.defineProperty(HTMLElement.prototype, 'clientHeight', { configurable: true, value: 600 });
  return () => {
    document.body.replaceChildren();
    vi.useRealTimers();
  };
});
async function open(address = '/sessions', info = {}): Promise<VueWrapper> {
  await desk.router.push(address);
  desk.setServer(info);
  const page = desk.mount(SessionsPage, { isAttached: true });
  await flushPromises();
  return page;
}

describe('SessionTable', () => {
  it('has no actions with read access, and column edges that can be dragged', () => {
    const { result: made } = desk.run(() => useTableColumns('viewers', VIEWER_COLUMNS));
    const order = { column: 'since', isDescending: true } as const;
    const props = {
      sessions: [aSession(), undefined],
      mayOperate: false,
      table: made,
      order,
      chosen: new Set<string>(),
    };
    const table = desk.mount(ViewerTable, { props });
    expect(table.findAll('.end')).toHaveLength(0);
    expect(table.findAll('[role=separator]')).toHaveLength(7);
    table.unmount();
  });
});

describe('SessionsPage', () => {
  it('shows viewer, stream, start, address and traffic', async () => {
    desk.bridge.answers['sessions.list'] = {
      sessions: [aSession(), aSession({ id: 's2', user_id: 'pat', dvr: true })],
      total: 2,
    };
    const page = await open();
    const rows = page.findAll('.rows .row').map((row) => row.text().replace(/\s+/g, ' '));
    expect(rows[0]).toMatch(/^192\.0\.2\.7 NL ?cam1 ?hls ?.*1:05 ?1\.2 MB ?VLC\/3/);
    expect(rows[1]).toMatch(/^pat \(192\.0\.2\.7\) NL ?cam1 ?hls, archive/);
    expect(page.get('.count').text()).toBe('2 viewers');
    page.unmount();
  });

  it('filters by stream, and shows the number of viewers', async () => {
    desk.bridge.answers['sessions.list'] = { sessions: [], total: 0 };
    const page = await open('/sessions?name=cam1&find=vlc');
    expect(desk.bridge.calls[0]).toEqual([
      'sessions.list',
      { name: 'cam1', find: 'vlc', by: 'opened', is_down: true, from: 0, count: 120 },
    ]);
    expect(page.text()).toContain('No viewers match the filter');
    desk.bridge.answers['sessions.list'] = { sessions: [aSession()], total: 900 };
    await page.get('.empty button').trigger('click');
    await vi.waitFor(() => expect(page.get('.count').text()).toBe('900 viewers'), 30_000);
    page.unmount();
  });

  it('is sorted by the server, and loads rows on scrolling', async () => {
    desk.bridge.answers['sessions.list'] = { sessions: [aSession()], total: 10_000 };
    const page = await open();
    const lastRequest = (): unknown => desk.bridge.calls.at(-1)?.[1];
    expect(page.findAll('.rows .row').length).toBeLessThan(60);
    await page.get('.head .bytes button').trigger('click');
    await vi.waitFor(() => expect(lastRequest()).toMatchObject({ by: 'bytes', is_down: true, from: 0 }), 30_000);
    await page.get('.head .duration button').trigger('click');
    await vi.waitFor(() => expect(lastRequest()).toMatchObject({ by: 'opened', is_down: false }), 30_000);
    expect(page.get('.head .duration').attributes('aria-sort')).toBe('descending');
    await vi.waitFor(() => expect(desk.router.currentRoute.value.query).toEqual({ sort: '-duration' }), 30_000);
    const rows = page.get('.rows');
    Object.defineProperty(rows.element, 'scrollTop', { configurable: true, value: 5000 * 35.2 });
    await rows.trigger('scroll');
    await vi.waitFor(() => expect(lastRequest()).toMatchObject({ from: 4920 }), 30_000);
    await page.get('.head .since button').trigger('click');
    await vi.waitFor(() => expect(lastRequest()).toMatchObject({ by: 'opened', from: 0 }), 30_000);
    page.unmount();
  });

  it('closes all selected sessions', async () => {
    desk.bridge.answers['sessions.list'] = { sessions: [aSession(), aSession({ id: 's2' })], total: 2 };
    desk.bridge.answers['sessions.close_all'] = { closed: 2 };
    const page = await open();
    await page.get('.head input').setValue(true);
    await vi.waitFor(() => expect(page.get('.chosen').text()).toContain('2 selected'), 30_000);
    await page.get('[data-test=close-all]').trigger('click');
    expect(useConfirmStore().request?.title).toBe('Disconnect 2 viewers?');
    useConfirmStore().settle(true);
    await flushPromises();
    expect(desk.bridge.calls).toContainEqual(['sessions.close_all', { ids: ['s1', 's2'] }]);
    expect(useToastStore().toasts[0]?.text).toBe('2 viewers were disconnected.');
    expect(page.find('.chosen').exists()).toBe(false);
    page.unmount();
  });

  it('shows why the list cannot be loaded', async () => {
    desk.bridge.errors['sessions.list'] = { code: 'forbidden', message: '' };
    const page = await open();
    expect(page.get('[role=alert]').text()).toContain('Could not load the sessions');
    page.unmount();
  });

  it('closes a session after a confirmation, and reloads', async () => {
    desk.bridge.answers['sessions.list'] = { sessions: [aSession()], total: 1 };
    desk.bridge.answers['sessions.close'] = {};
    const page = await open();
    await page.get('.end').trigger('click');
    expect(useConfirmStore().request?.body).toContain('192.0.2.7 loses cam1');
    desk.bridge.answers['sessions.list'] = { sessions: [], total: 0 };
    useConfirmStore().settle(true);
    await flushPromises();
    expect(desk.bridge.calls).toContainEqual(['sessions.close', { id: 's1' }]);
    expect([page.text(), useToastStore().toasts[0]?.kind]).toEqual([expect.stringContaining('No viewer'), 'info']);
    page.unmount();
  });

  it('has no Close button with read access', async () => {
    desk.bridge.answers['sessions.list'] = { sessions: [aSession()], total: 1 };
    const page = await open('/sessions', { may_write: false });
    expect([page.findAll('.rows .row').length, page.find('.end').exists()]).toEqual([1, false]);
    page.unmount();
  });
});

describe('a ban', () => {
  const dialog = (): Element | null => document.querySelector('[role=dialog]');

  it('excludes a user or an address for the selected time, and shows why it failed', async () => {
    const shown = desk.mount(BanDialog, { props: { session: null } });
    await shown.setProps({ session: aSession({ user_id: 'pat' }) });
    await flushPromises();
    expect(dialog()?.querySelector('label.chosen')?.textContent).toContain('pat');
    desk.bridge.errors['sessions.ban'] = { code: 'too_many_bans', message: 'Lift some first' };
    const send = async (): Promise<void> => {
      document.querySelector<HTMLButtonElement>('[data-test=ban]')?.click();
      await flushPromises();
    };
    await send();
    expect([dialog()?.querySelector('[role=alert]')?.textContent, shown.emitted('close')]).toEqual([
      expect.stringContaining('Lift some first'),
      undefined,
    ]);
    delete desk.bridge.errors['sessions.ban'];
    desk.bridge.answers['sessions.ban'] = { bans: [] };
    for (const value of ['address', '86400'])
      dialog()?.querySelector<HTMLInputElement>(`input[value="${value}"]`)?.click();
    const reason = dialog()!.querySelector<HTMLInputElement>('input[type=text]')!;
    reason.value = ' copies the stream ';
    reason.dispatchEvent(new Event('input'));
    await flushPromises();
    await send();
    expect(desk.bridge.calls.at(-1)).toEqual([
      'sessions.ban',
      { kind: 'address', value: '192.0.2.7', seconds: 86_400, reason: 'copies the stream' },
    ]);
    expect(shown.emitted('close')).toHaveLength(1);
    shown.unmount();
  });

  it('is listed with its remaining time, and lifted', async () => {
    const ban = {
      id: 'user:pat',
      kind: 'user',
      value: 'pat',
      who: 'boss',
      banned_at: NOW,
      until: NOW + 65_000,
      reason: 'copies it',
    };
    desk.setServer();
    desk.bridge.answers['sessions.bans'] = { bans: [ban] };
    desk.bridge.answers['sessions.unban'] = { bans: [] };
    const list = desk.mount(BanList, { props: { isOpen: true } });
    await flushPromises();
    expect(dialog()?.querySelector('li')?.textContent).toMatch(/pat.*by boss, 1:05 left.*from .* to .*copies it/);
    dialog()?.querySelector<HTMLButtonElement>('li button')?.click();
    await flushPromises();
    expect([desk.bridge.calls.at(-1), dialog()?.textContent]).toEqual([
      ['sessions.unban', { id: 'user:pat' }],
      expect.stringContaining('Nobody is banned'),
    ]);
    list.unmount();
  });

  it('is offered for each viewer to operators', async () => {
    desk.bridge.answers['sessions.list'] = { sessions: [aSession()], total: 1 };
    const page = await open('/sessions', { may_write: false });
    expect([page.find('[data-test=ban-row]').exists(), page.find('[data-test=bans]').exists()]).toEqual([false, false]);
    // A ban concerns all streams.
    desk.setServer({ may_operate: true, may_write: false, prefixes: ['cam'] });
    await flushPromises();
    expect([page.find('[data-test=ban-row]').exists(), page.find('[data-test=bans]').exists()]).toEqual([false, false]);
    expect(page.find('.end').exists()).toBe(true);
    desk.setServer({ may_operate: true, may_write: false });
    await flushPromises();
    await page.get('[data-test=ban-row]').trigger('click');
    await flushPromises();
    expect(dialog()?.getAttribute('aria-label')).toBe('Ban this viewer?');
    page.unmount();
  });
});
