import { flushPromises, type VueWrapper } from '@vue/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { nextTick } from 'vue';
import { createMemoryHistory } from 'vue-router';
import type { ConfigFileDiff, ServerInfo } from '../../../src-preload/contract/index.ts';
import { domainOf } from '../../../src-preload/contract/operation-domains.ts';
import { roleAllows } from '../../../src-preload/contract/operations/roles.ts';
import { MODULES } from '../desk-modules.ts';
import { TEXTS } from '../texts.ts';
import { aStream } from '../../../tests/helpers/desk/a-stream.ts';
import { TestDesk } from '../../../tests/helpers/desk/test-desk.ts';
import { useToastStore } from '../../ui/toast-store.ts';
import ConfigFileDialog from './ConfigFileDialog.vue';
import { createDeskRouter } from './desk-router.ts';
import DeskShell from './DeskShell.vue';
import { useShellDialogs } from '../shell-dialogs.ts';
import ModuleRail from './ModuleRail.vue';
import TopBar from './TopBar.vue';

vi.mock('../../modules/wall/player/tile-player.ts', () => ({
  TilePlayer: class {
    missing = null;
    start(): void {}
    close(): void {}
  },
}));

const NOW = Date.UTC(2027, 0, 15, 12, 0, 0);
let desk: TestDesk;

beforeEach(() => {
  vi.useFakeTimers({ now: NOW, toFake: ['Date', 'setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] });
  desk = new TestDesk(createDeskRouter(createMemoryHistory()));
});
afterEach(() => {
  document.body.replaceChildren();
  vi.useRealTimers();
});

it('the desk shows an error if a page cannot be loaded while the server does not answer', async () => {
  const unavailable = (): Promise<never> => Promise.reject(new TypeError('Failed to fetch'));
  desk.router.addRoute({ name: 'configuration', path: '/configuration', component: unavailable });
  await expect(desk.router.push('/configuration')).rejects.toThrow('Failed to fetch');
  expect(useToastStore().toasts).toMatchObject([{ kind: 'error', text: expect.stringContaining('does not answer') }]);
});

describe('TopBar', () => {
  const show = (props: object = {}, info: Partial<ServerInfo> = {}): VueWrapper => {
    desk.setServer({ hostname: 'studio', version: '1.2.3', ...info });
    return desk.mount(TopBar, { props: { aliveCount: 1, totalCount: 2, isReady: true, hasTrouble: false, ...props } });
  };

  it('shows the server and its version', () => {
    const host = show().get('.host');
    expect([host.text(), host.attributes('title')]).toEqual(['studio', 'Airdesk 1.2.3 on studio']);
  });

  it('counts running streams, and marks that all are running', async () => {
    const bar = show();
    expect([bar.get('.count').text(), bar.get('.count').classes()]).toEqual(['1/2 live', ['count']]);
    await bar.setProps({ aliveCount: 2 });
    expect(bar.get('.count').classes()).toContain('complete');
    await bar.setProps({ aliveCount: 1, hasTrouble: true });
    expect(bar.get('.count').classes()).toEqual(['count', 'trouble']);
  });

  it.each([
    ['before the list is loaded', { isReady: false }],
    ['without a stream', { aliveCount: 0, totalCount: 0 }],
  ])('shows no counts %s', (_, props) => {
    expect(show(props).find('.count').exists()).toBe(false);
  });

  it('shows the state of the connection, and the duration of silence', async () => {
    const bar = show();
    expect(bar.get('.link').text()).toBe('Connected');
    desk.setServer({}, { phase: 'stale', receivedAtMs: NOW });
    await vi.advanceTimersByTimeAsync(65_000);
    expect(bar.get('.link').text()).toBe('Stale 1:05');
    desk.setServer({}, { phase: 'connecting' });
    await nextTick();
    expect(bar.get('.link').text()).toBe('Connecting');
  });

  it('shows the time of the server, not of this machine', async () => {
    const bar = show();
    expect(bar.get('.utc').text()).toBe('UTC 12:00:00');
    const { useServerStore } = await import('../../server/server-store.ts');
    useServerStore().clockOffsetMs = 3_600_000;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(bar.get('.utc').text()).toBe('UTC 13:00:01');
  });

  it('warns of a window without a sandbox, and marks a demo configuration', () => {
    const bar = show({}, { no_sandbox: true, is_demo: true });
    expect(bar.get('[data-test=no-sandbox]').attributes('title')).toContain('Start it as another user');
    expect(bar.get('.demo').text()).toBe('Demo');
    expect(show().find('[data-test=no-sandbox], .demo').exists()).toBe(false);
  });
});

describe('ConfigFileDialog', () => {
  const show = async (diff: ConfigFileDiff | null): Promise<{ text: string; dialog: VueWrapper }> => {
    const dialog = desk.mount(ConfigFileDialog, { props: { diff } });
    await flushPromises();
    return { text: document.querySelector('[role=dialog]')?.textContent ?? '', dialog };
  };
  const hunk = { oldLine: 3, newLine: 4, removed: ['title A;'], added: ['title B;', 'hidden;'] };

  it('shows the difference line by line', async () => {
    const { text } = await show({ error: null, hunks: [hunk] } as unknown as ConfigFileDiff);
    expect(text).toMatch(/line 4.*− title A;.*\+ title B;.*\+ hidden;/s);
  });

  it('shows that no visible line differs', async () => {
    expect((await show({ error: null, hunks: [] } as unknown as ConfigFileDiff)).text).toContain(
      'No visible difference',
    );
  });

  it('shows why the file cannot be applied', async () => {
    const { text } = await show({ error: '3:1 unknown', hunks: [hunk] } as unknown as ConfigFileDiff);
    expect(text).toContain('cannot be applied: 3:1 unknown');
  });

  it('applies the file only on request', async () => {
    const { dialog } = await show({ error: null, hunks: [hunk] } as unknown as ConfigFileDiff);
    document.querySelector<HTMLButtonElement>('[data-test=read-compared]')?.click();
    expect([dialog.emitted('read'), dialog.emitted('close')]).toEqual([[[]], undefined]);
  });

  it('is absent before it is requested', async () => {
    expect((await show(null)).text).toBe('');
  });
});

it('ModuleRail has an entry for each module, of which one is current', async () => {
  await desk.router.push('/log');
  const links = desk.mount(ModuleRail).findAll('a');
  expect(links.map((link) => [link.text(), link.attributes('href'), link.attributes('aria-current')])).toEqual([
    ['Wall', '/wall', undefined],
    ['Streams', '/streams', undefined],
    ['Archive', '/archive', undefined],
    ['Alarms', '/alarms', undefined],
    ['Breaks', '/breaks', undefined],
    ['Clips', '/clips', undefined],
    ['Viewers', '/sessions', undefined],
    ['Subscribers', '/subscribers', undefined],
    ['Config', '/configuration', undefined],
    ['Log', '/log', 'page'],
    ['System', '/system', undefined],
  ]);
});

it('ModuleRail has no entry for pages that the login cannot use', () => {
  desk.setServer({ may_write: false });
  const names = desk
    .mount(ModuleRail)
    .findAll('a')
    .map((entry) => entry.text());
  expect(names).toContain('Breaks');
  expect(names.filter((name) => ['Subscribers', 'Config'].includes(name))).toEqual([]);
  desk.setServer();
  expect(desk.mount(ModuleRail).text()).toContain('Subscribers');
});

it('ModuleRail shows only icons on the wall, with accessible labels', async () => {
  await desk.router.push('/wall');
  const rail = desk.mount(ModuleRail);
  const seen = (): unknown => [rail.classes('collapsed'), rail.get('a').text(), rail.get('a').attributes('title')];
  expect(seen()).toEqual([true, 'Wall', 'Wall']);
  await desk.router.push('/log');
  await nextTick();
  expect(seen()).toEqual([false, 'Wall', undefined]);
});

it('ModuleRail has a button for the entries that do not fit into a narrow window', async () => {
  await desk.router.push('/wall');
  const rail = desk.mount(ModuleRail);
  const more = rail.get('.more');
  const seen = (): unknown => [more.text(), more.attributes('aria-expanded'), rail.get('.others').classes('open')];
  expect([rail.findAll('.rail > a').length, seen()]).toEqual([4, ['More', 'false', false]]);
  await more.trigger('click');
  expect(seen()).toEqual(['More', 'true', true]);
  await rail.trigger('keydown', { key: 'Escape' });
  expect(seen()).toEqual(['More', 'false', false]);
  await more.trigger('click');
  await desk.router.push('/log');
  await nextTick();
  expect(seen()).toEqual(['Log', 'false', false]);
  await more.trigger('click');
  await rail.get('.preferences').trigger('click');
  expect([seen(), useShellDialogs().open]).toEqual([['Log', 'false', false], 'preferences']);
});

describe('DeskShell', () => {
  const INFO = {
    hostname: 'studio',
    version: '1',
    may_write: true,
    has_edit_login: true,
    live_prefixes: [],
    wall_origins: [],
    rtmp_url: null,
  };
  const open = async (info: Partial<ServerInfo> = {}): Promise<VueWrapper> => {
    desk.bridge.answers['streams.list'] = { streams: [] };
    const shell = desk.mount(DeskShell, { isAttached: true });
    desk.bridge.sendInfo({ ...INFO, now: NOW, ...info });
    // Pages are loaded on demand.
    await desk.router.isReady();
    await vi.dynamicImportSettled();
    await flushPromises();
    const changed = [aStream(), aStream({ name: 'cam2', alive: false })];
    desk.bridge.send('streams', { is_snapshot: true, changed, removed: [] });
    await flushPromises();
    return shell;
  };

  it('navigates between modules, with tools and address of each', async () => {
    const shell = await open();
    expect(desk.router.currentRoute.value.fullPath).toBe('/wall');
    const links = shell.findAll('nav[aria-label=Modules] a');
    expect(links.map((link) => link.text())).toEqual([
      'Wall',
      'Streams',
      'Archive',
      'Alarms',
      'Breaks',
      'Clips',
      'Viewers',
      'Subscribers',
      'Config',
      'Log',
      'System',
      'People',
    ]);
    await links.find((link) => link.text() === 'Log')?.trigger('click');
    await flushPromises();
    expect(desk.router.currentRoute.value.name).toBe('log');
    expect(shell.get('[aria-current=page]').text()).toBe('Log');
    expect([shell.findAll('article').length, shell.text().includes('Add stream')]).toEqual([0, false]);
    desk.router.back();
    await vi.waitFor(() => expect(shell.findAll('article')).toHaveLength(2), 30_000);
  });

  it('hides rail and tools of the wall with W, and shows them again with a click', async () => {
    const shell = await open();
    const parts = (): readonly boolean[] => ['nav', '.add', '[data-test=rest]'].map((one) => shell.find(one).exists());
    expect(parts()).toEqual([true, true, false]);
    document.dispatchEvent(new KeyboardEvent('keydown', { key: 'w' }));
    await flushPromises();
    expect([desk.router.currentRoute.value.fullPath, parts()]).toEqual(['/wall?alone=1', [false, false, true]]);
    await shell.get('[data-test=rest]').trigger('click');
    await flushPromises();
    expect([desk.router.currentRoute.value.fullPath, parts()]).toEqual(['/wall', [true, true, false]]);
  });

  it('opens the wall for an unknown address', async () => {
    await desk.router.push('/no/such/page');
    await open();
    expect(desk.router.currentRoute.value.fullPath).toBe('/wall');
  });

  it('shows server, count, tools and tiles', async () => {
    const shell = await open();
    expect(shell.get('header').text()).toMatch(/studio.*1\/2 live.*Connected.*Add stream/);
    expect(shell.findAll('article')).toHaveLength(2);
  });

  it('shows a lost connection and the age of the values, until it is reconnected', async () => {
    const shell = await open();
    desk.bridge.setLink({ phase: 'stale', receivedAtMs: NOW, retryAtMs: NOW + 9_000 });
    await vi.advanceTimersByTimeAsync(5_000);
    const banner = shell.get('[role=alert]');
    expect(banner.text()).toMatch(/Connection lost, retrying in 4 s.*0:05 old/);
    await banner.get('button').trigger('click');
    expect(desk.bridge.retries).toBe(1);
    desk.bridge.setLink({ phase: 'live', retryAtMs: null });
    await nextTick();
    expect(shell.find('[role=alert]').exists()).toBe(false);
    expect(shell.findAll('article')).toHaveLength(2);
  });

  it('has a link to another login and no forbidden action with read access', async () => {
    const shell = await open({ may_write: false });
    expect(shell.get('[data-test=view-only]').attributes('href')).toBe('/login?back=/wall');
    expect(shell.text()).not.toContain('Add stream');
    const titles = shell.findAll('button').map((button) => button.attributes('title') ?? '');
    expect(titles.filter((title) => /Remove|Restart|Add/.test(title))).toEqual([]);
  });

  it('asks for confirmation of a restart, and shows the result', async () => {
    const shell = await open();
    desk.bridge.errors['streams.restart'] = { code: 'stream_not_found', message: '' };
    await shell.get('[data-stream=cam1] [title^=Restart]').trigger('click');
    await flushPromises();
    const dialog = document.querySelector('[role=dialog]');
    expect(dialog?.getAttribute('aria-label')).toBe('Restart cam1?');
    document.querySelector<HTMLButtonElement>('[data-test=confirm]')?.click();
    await flushPromises();
    expect(shell.get('[role=status].toasts').text()).toContain('cam1 was not restarted.');
    await vi.advanceTimersByTimeAsync(12_000);
    expect(useToastStore().toasts).toEqual([]);
  });

  it('has an accessible name for every button', async () => {
    const shell = await open();
    const nameless = shell
      .findAll('button')
      .filter(
        (button) => !`${button.attributes('aria-label') ?? ''}${button.attributes('title') ?? ''}${button.text()}`,
      )
      .map((button) => button.html());
    expect(nameless).toEqual([]);
  });
});

it.each([
  ['viewer', ['Wall', 'Archive', 'Alarms']],
  ['operator', ['Wall', 'Streams', 'Archive', 'Alarms', 'Breaks', 'Clips', 'Viewers', 'Log', 'System']],
  ['editor', ['Wall', 'Archive', 'Alarms', 'Breaks', 'Clips']],
  ['clerk', ['Subscribers', 'Log']],
] as const)(
  'DeskShell shows a %s the modules of the role, and starts with the first of them',
  async (role, modules) => {
    const shell = desk.mount(DeskShell, { isAttached: true });
    await flushPromises();
    desk.bridge.sendInfo({ may_write: false, may_operate: false, role, login: 'anna' });
    await flushPromises();
    expect(shell.findAll('nav[aria-label=Modules] a').map((link) => link.text())).toEqual(modules);
    expect(desk.router.currentRoute.value.name).toBe(role === 'clerk' ? 'subscribers' : 'wall');
    // Pages of other roles are not opened, and request nothing, not even before the login is known.
    for (const { name } of MODULES.filter(({ name }) => !modules.some((title) => TEXTS.modules[name] === title))) {
      await desk.router.push({ name });
      await flushPromises();
    }
    const isOther = (call: string): boolean => !roleAllows(role, domainOf(call), 'view');
    expect(desk.bridge.called.filter(isOther)).toEqual([]);
    shell.unmount();
  },
);

it('DeskShell closes a page that the role does not allow as soon as the login is known', async () => {
  const shell = desk.mount(DeskShell, { isAttached: true });
  await desk.router.isReady();
  await vi.dynamicImportSettled();
  await flushPromises();
  expect(shell.find('main.wall').exists()).toBe(true);
  desk.bridge.sendInfo({ may_write: false, may_operate: false, role: 'clerk', login: 'anna' });
  // The page of the clerk is not loaded yet, and tiles of the wall would already request media.
  await nextTick();
  expect(shell.find('main.wall').exists()).toBe(false);
  shell.unmount();
});
