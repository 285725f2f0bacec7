import { flushPromises } from '@vue/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestDesk } from '../../tests/helpers/desk/test-desk.ts';
import { useToastStore } from '../ui/toast-store.ts';
import { isFileChangedError, useConfigState, type ConfigActions } from './use-config-state.ts';

const FINE = { error: null, version: 1, file_is_newer: false, is_saved: true, pending: null };
let desk: TestDesk;
let config: ConfigActions;
let end: () => void;

beforeEach(async () => {
  desk = new TestDesk();
  desk.bridge.answers['config.state'] = FINE;
  desk.setServer();
  ({ result: config, end } = desk.run(useConfigState));
  await flushPromises();
});
afterEach(() => end());

describe('useConfigState', () => {
  it('is loaded at once and with each heartbeat, also after a reconnection', async () => {
    expect(config.state.value).toEqual(FINE);
    desk.bridge.errors['config.state'] = { code: 'unavailable', message: '' };
    desk.bridge.sendInfo({});
    await flushPromises();
    expect(config.state.value).toEqual(FINE);
    delete desk.bridge.errors['config.state'];
    desk.bridge.answers['config.state'] = { ...FINE, file_is_newer: true };
    desk.bridge.sendInfo({});
    await flushPromises();
    expect(config.state.value?.file_is_newer).toBe(true);
  });

  it('is not loaded for a login that is limited to some streams', async () => {
    desk.bridge.sendInfo({ prefixes: ['field'] });
    await flushPromises();
    expect(desk.bridge.called).toEqual(['config.state']);
    end();
    desk.setServer({ prefixes: ['field'] });
    desk.run(useConfigState).end();
    expect(desk.bridge.called).toEqual(['config.state']);
  });

  it('is not loaded before the login is known', async () => {
    end();
    const early = new TestDesk();
    early.bridge.answers['config.state'] = FINE;
    const state = early.run(useConfigState);
    await flushPromises();
    expect(early.bridge.called).toEqual([]);
    early.bridge.sendInfo({});
    await flushPromises();
    expect([early.bridge.called, state.result.state.value]).toEqual([['config.state'], FINE]);
    state.end();
  });

  it('is loaded once for all parts of the desk', async () => {
    const other = desk.run(useConfigState);
    expect([other.result, desk.bridge.listeners]).toEqual([config, 1]);
    other.end();
    expect(desk.bridge.listeners).toBe(1);
    end();
    expect(desk.bridge.listeners).toBe(0);
  });

  it('is reloaded after an action, successful or not', async () => {
    expect(await config.act('config.reload')).toBe(true);
    desk.bridge.errors['config.reload'] = { code: 'config_file_broken', message: 'line 3' };
    expect(await config.act('config.reload')).toBe(false);
    expect(desk.bridge.called).toEqual([
      'config.state',
      'config.reload',
      'config.state',
      'config.reload',
      'config.state',
    ]);
    expect(useToastStore().toasts).toMatchObject([{ kind: 'error', text: expect.stringContaining('line 3') }]);
  });

  it('keeps the warnings of a file until it is read again or they are dismissed', async () => {
    const warning = { code: 'config_not_effective', message: 'drm has no effect', line: 3, column: 1 };
    desk.bridge.answers['config.reload'] = { ...FINE, warnings: [warning] };
    await config.act('config.reload');
    expect(config.warnings.value).toEqual([warning]);
    await config.act('config.confirm');
    expect(config.warnings.value).toEqual([warning]);
    config.dismissWarnings();
    expect(config.warnings.value).toEqual([]);
    await config.act('config.reload');
    desk.bridge.answers['config.reload'] = FINE;
    await config.act('config.reload');
    expect(config.warnings.value).toEqual([]);
  });

  it('shows why the file cannot be compared', async () => {
    desk.bridge.errors['config.compare_file'] = { code: 'forbidden', message: '' };
    expect(await config.compareFile()).toBeUndefined();
    expect(useToastStore().toasts).toHaveLength(1);
  });
});

it.each([
  ['config_file_changed', true],
  ['config_file_broken', true],
  ['stream_exists', false],
] as const)('isFileChangedError returns for %s: %s', (code, isChanged) => {
  expect(isFileChangedError({ code })).toBe(isChanged);
});
