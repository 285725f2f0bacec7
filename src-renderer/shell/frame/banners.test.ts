import { flushPromises, mount, type VueWrapper } from '@vue/test-utils';
import { createPinia, setActivePinia } from 'pinia';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Component } from 'vue';
import type { Router } from 'vue-router';
import type { ConfigState, ServerInfo } from '../../../src-preload/contract/index.ts';
import { TestDesk } from '../../../tests/helpers/desk/test-desk.ts';
import { FakeBridge } from '../../../tests/helpers/desk/fake-bridge.ts';
import { bridgeKey } from '../../server/bridge.ts';
import type { LinkState } from '../../lib/link.ts';
import { useToastStore } from '../../ui/toast-store.ts';
import AccessChip from './AccessChip.vue';
import ConfigBanner from './ConfigBanner.vue';
import ConfigWarnings from './ConfigWarnings.vue';
import { useServerStore } from '../../server/server-store.ts';
import WarningList from './WarningList.vue';
import DeskBanners from './DeskBanners.vue';
import StaleBanner from './StaleBanner.vue';

const NOW = 1_800_000_000_000;
const FINE: ConfigState = { error: null, version: 1, file_is_newer: false, is_saved: true, pending: null };
let bridge: FakeBridge;
let router: Router;

beforeEach(() => {
  vi.useFakeTimers({ now: NOW, toFake: ['Date', 'setInterval', 'clearInterval'] });
  ({ router } = new TestDesk());
  setActivePinia(createPinia());
  bridge = new FakeBridge();
});
afterEach(() => {
  vi.useRealTimers();
});

function mountWith(component: Component): VueWrapper {
  return mount(component, { global: { plugins: [router], provide: { [bridgeKey as symbol]: bridge } } });
}

function setInfo(info: Partial<ServerInfo>): void {
  // Other fields are not read.
  useServerStore().setInfo({ has_edit_login: true, may_write: true, now: NOW, ...info } as ServerInfo, '', NOW);
}

describe('StaleBanner', () => {
  const show = (link: Partial<LinkState>): VueWrapper => {
    useServerStore().setLink({ phase: 'live', receivedAtMs: NOW, retryAtMs: null, mustLogIn: false, ...link });
    return mountWith(StaleBanner);
  };

  it.each(['live', 'connecting'] as const)('is absent while the link is %s', (phase) => {
    expect(show({ phase }).find('[role=alert]').exists()).toBe(false);
  });

  it('shows the next attempt and the age of the values, and retries on request', async () => {
    const retry = vi.spyOn(bridge, 'retryNow');
    const banner = show({ phase: 'stale', receivedAtMs: NOW - 65_000, retryAtMs: NOW + 2_100 });
    expect(banner.text()).toContain('retrying in 3 s');
    expect(banner.text()).toMatch(/values below are .*1.*5.* old/);
    await banner.get('button').trigger('click');
    expect(retry).toHaveBeenCalledOnce();
  });

  it('is shown above every page', () => {
    expect(show({ phase: 'stale' }).text()).toContain('retrying now');
    expect(mountWith(DeskBanners).text()).toContain('retrying now');
  });
});

describe('ConfigWarnings', () => {
  const warnings = [
    { code: 'config_not_effective', message: 'drm is read and kept, but has no effect', line: 12, column: 3 },
    { code: 'config_not_effective', message: 'input has no option colour', line: 40, column: 31 },
  ];

  it('announces warnings to screen readers after the file was read, until they are dismissed', async () => {
    setInfo({});
    bridge.answers['config.state'] = { ...FINE, file_is_newer: true };
    bridge.answers['config.reload'] = { ...FINE, warnings };
    const banner = mountWith(ConfigBanner);
    const warningList = mountWith(ConfigWarnings);
    const status = warningList.get('[role=status]');
    expect(status.text()).toBe('');
    await flushPromises();
    await banner.findAll('[role=alert] button')[1]?.trigger('click');
    await flushPromises();
    expect(status.text()).toContain('applied, with 2 warnings');
    expect(warningList.findAll('li').map((item) => item.text())).toEqual([
      'line 12, character 3drm is read and kept, but has no effect',
      'line 40, character 31input has no option colour',
    ]);
    // Warnings are not errors.
    expect([warningList.find('[role=alert]').exists(), useToastStore().toasts]).toEqual([false, []]);
    await warningList.get('button[aria-label="Dismiss the warnings"]').trigger('click');
    expect(status.text()).toBe('');
    banner.unmount();
  });

  it('lists warnings with their lines; the list may be empty', () => {
    const texts = (shown: typeof warnings): string[] =>
      mount(WarningList, { props: { warnings: shown } })
        .findAll('li')
        .map((item) => item.text());
    expect(texts(warnings.slice(1))).toEqual(['line 40, character 31input has no option colour']);
    expect(texts([])).toEqual([]);
  });

  it('shows warnings when a changed file is compared before it is read', async () => {
    setInfo({});
    bridge.answers['config.state'] = { ...FINE, file_is_newer: true };
    bridge.answers['config.compare_file'] = { error: null, hunks: [], warnings };
    const banner = mountWith(ConfigBanner);
    await flushPromises();
    await banner.get('[role=alert] button').trigger('click');
    await flushPromises();
    const list = document.body.querySelector('[data-test=file-warnings]');
    expect(list?.textContent).toContain('drm is read and kept, but has no effect');
    expect(list?.querySelectorAll('li')).toHaveLength(2);
  });
});

describe('ConfigBanner', () => {
  const show = async (state: Partial<ConfigState>): Promise<VueWrapper> => {
    bridge.answers['config.state'] = { ...FINE, ...state };
    const banner = mountWith(ConfigBanner);
    await flushPromises();
    return banner;
  };
  const buttons = (banner: VueWrapper): string[] =>
    banner.findAll('[role=alert] button').map((button) => button.text());
  const pending = { version: 2, confirm_by: NOW + 65_000, who: 'ann', from_where: '192.0.2.7' };

  it('is absent without problems, and before the server has answered', async () => {
    setInfo({});
    const banner = mountWith(ConfigBanner);
    expect(banner.find('[role=alert]').exists()).toBe(false);
    banner.unmount();
    expect((await show({})).find('[role=alert]').exists()).toBe(false);
  });

  it('offers to keep or revert a change on trial', async () => {
    setInfo({});
    const banner = await show({ pending });
    expect(banner.text()).toContain('ann applied it');
    expect(buttons(banner)).toEqual(['Keep changes', 'Revert']);
    await banner.findAll('[role=alert] button')[1]?.trigger('click');
    expect(bridge.calls.map(([name]) => name)).toContain('config.rollback');
  });

  it('shows the error in the file, and why reading it failed', async () => {
    setInfo({});
    bridge.errors['config.reload'] = { code: 'config_file_broken', message: 'line 3' };
    const banner = await show({ error: '3:1 unknown directive' });
    expect(banner.text()).toContain('3:1 unknown directive');
    await banner.get('[role=alert] button').trigger('click');
    await flushPromises();
    expect(useToastStore().toasts.map((toast) => toast.kind)).toEqual(['error']);
  });

  it('offers to compare a file that changed on disk', async () => {
    setInfo({});
    const hunk = { oldLine: 1, newLine: 1, removed: ['stream old {'], added: ['stream new {'] };
    bridge.answers['config.compare_file'] = { error: null, hunks: [hunk] };
    const banner = await show({ file_is_newer: true });
    expect(buttons(banner)).toEqual(['Compare', 'Reload']);
    await banner.get('[role=alert] button').trigger('click');
    await flushPromises();
    expect(bridge.calls.map(([name]) => name)).toContain('config.compare_file');
    expect(document.body.textContent).toContain('stream new {');
  });

  it('has no buttons with read access', async () => {
    setInfo({ may_write: false });
    const banner = await show({ pending, error: 'broken' });
    expect(banner.findAll('[role=alert]')).toHaveLength(2);
    expect(buttons(banner)).toEqual([]);
  });
});

describe('the access chip', () => {
  it.each([
    ['nothing before the server has answered', null, ''],
    ['nothing to a login that may change things', {}, ''],
    ['that there is no login', { has_edit_login: false }, 'no-login'],
    ['that the login may only view', { may_write: false }, 'view-only'],
  ] as const)('shows %s', (_, info, test) => {
    if (info) setInfo(info);
    const chip = mountWith(AccessChip);
    expect(chip.findAll('.chip').map((found) => found.attributes('data-test'))).toEqual(test === '' ? [] : [test]);
  });

  it('shows to which streams the login is limited', () => {
    setInfo({ role: 'operator', may_write: false, login: 'fred', prefixes: ['field', 'van'] });
    const limit = mountWith(AccessChip).get('[data-test=limit]');
    expect([limit.text(), limit.attributes('title')]).toEqual([
      'Limited to field/ and 1 more',
      expect.stringContaining('field/, van/'),
    ]);
    setInfo({ role: 'operator', may_write: false, login: 'anna' });
    expect(mountWith(AccessChip).find('[data-test=limit]').exists()).toBe(false);
  });
});
