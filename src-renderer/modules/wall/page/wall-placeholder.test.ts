import { mount, type VueWrapper } from '@vue/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { nextTick } from 'vue';
import { TestDesk } from '../../../../tests/helpers/desk/test-desk.ts';
import { useStreamsStore } from '../../../domain/streams/store.ts';
import WallEmpty from './WallEmpty.vue';
import WallNotice from './WallNotice.vue';
import WallPlaceholder from './WallPlaceholder.vue';

const NOW = 1_800_000_000_000;
let desk: TestDesk;

beforeEach(() => {
  vi.useFakeTimers({ now: NOW, toFake: ['Date', 'setInterval', 'clearInterval'] });
  desk = new TestDesk();
});
afterEach(() => {
  vi.useRealTimers();
});

const show = (): VueWrapper => desk.mount(WallPlaceholder);

it.each([true, false])('WallNotice shows a spinner during an operation: %s', (isWorking) => {
  const notice = mount(WallNotice, { props: { title: 'Connecting', isWorking }, slots: { default: 'Please wait' } });
  expect(notice.get('[role=status]').text()).toContain('Please wait');
  expect(notice.find('.spinner').exists()).toBe(isWorking);
});

describe('WallPlaceholder', () => {
  it('shows that the server is contacted, then that streams are loading', async () => {
    desk.setServer({}, { phase: 'connecting' });
    const page = show();
    expect(page.text()).toContain('Connecting to the server');
    expect(page.find('button').exists()).toBe(false);
    desk.setServer({}, { phase: 'live' });
    await nextTick();
    expect(page.text()).toBe('Loading streams');
    expect(page.find('.spinner').exists()).toBe(true);
  });

  it('counts down to the next attempt, and retries at once on request', async () => {
    desk.setServer({}, { phase: 'connecting', retryAtMs: NOW + 4_000 });
    const page = show();
    expect(page.text()).toContain('Retrying in 4 s');
    await vi.advanceTimersByTimeAsync(2_500);
    expect(page.text()).toContain('Retrying in 2 s');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(page.text()).toContain('Retrying in 1 s');
    await page.get('button').trigger('click');
    expect(page.emitted('retry')).toHaveLength(1);
  });

  it('shows why the list failed and what to do, and retries', async () => {
    desk.setServer();
    useStreamsStore().setFailure({ code: 'forbidden', message: '' });
    const page = show();
    expect(page.text()).toMatch(/Could not load the streams.*Ask /);
    await page.get('button').trigger('click');
    expect(page.emitted('retry')).toHaveLength(1);
  });

  it('offers to add a first stream on an empty server', async () => {
    desk.setServer();
    desk.setStreams();
    const page = show();
    expect(page.text()).toContain('No streams yet');
    await page.get('[data-test=add-first]').trigger('click');
    expect(page.emitted('add')).toHaveLength(1);
  });
});

describe('WallEmpty', () => {
  const empty = (info: Parameters<TestDesk['setServer']>[0]): string => {
    desk.setServer(info);
    return desk.mount(WallEmpty).text();
  };

  it('shows a live address for an encoder, if there is a prefix', () => {
    const text = empty({ live_prefixes: ['live'], rtmp_url: 'rtmp://h:1935/' });
    expect(text).toContain('publish under a live prefix');
    expect(text).toContain('rtmp://h:1935/live/cam1');
  });

  it.each([
    ['no prefix', { live_prefixes: [], rtmp_url: 'rtmp://h:1935' }],
    ['no port', { live_prefixes: ['live'], rtmp_url: null }],
  ])('shows no address with %s', (_, info) => {
    const text = empty(info);
    expect(text).toContain('waits for an encoder');
    expect(text).not.toContain('rtmp://');
  });

  it('has no controls with read access', () => {
    const text = empty({ may_write: false, live_prefixes: ['live'], rtmp_url: 'rtmp://h:1935' });
    expect(text).toBe('No streams yetNew streams appear here.');
  });
});
