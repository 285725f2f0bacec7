import { flushPromises, type VueWrapper } from '@vue/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { nextTick } from 'vue';
import type { StreamState } from '../../../../src-preload/contract/index.ts';
import { aStream } from '../../../../tests/helpers/desk/a-stream.ts';
import { TestDesk } from '../../../../tests/helpers/desk/test-desk.ts';
import { provideStreamFeed } from '../../../domain/streams/use-stream-feed.ts';
import { useServerLink } from '../../../server/use-server-link.ts';
import { useConfirmStore } from '../../../ui/confirm-store.ts';
import { useToastStore } from '../../../ui/toast-store.ts';
import { useWallStore } from '../store.ts';
import WallPage from './WallPage.vue';

// Without browser media nothing plays.
vi.mock('../player/tile-player.ts', () => ({
  TilePlayer: class {
    missing = null;
    playingAtMs = null;
    edgeDistanceMs = null;
    start(): void {}
    close(): void {}
  },
}));

const INFO = { may_write: true, has_edit_login: true, live_prefixes: [], rtmp_url: null };
let desk: TestDesk;

beforeEach(() => {
  // A fixed clock: no frame becomes old, however busy the machine is.
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  desk = new TestDesk();
  localStorage.clear();
});
afterEach(() => {
  vi.useRealTimers();
  document.body.replaceChildren();
});

/** Opens the page on a server with these streams; null means a server that does not answer. */
async function open(streams: readonly StreamState[] | null): Promise<VueWrapper> {
  desk.bridge.answers['streams.list'] = { streams: [] };
  if (!streams) desk.bridge.setLink({ phase: 'connecting' });
  const frame = {
    components: { WallPage },
    setup() {
      useServerLink();
      provideStreamFeed();
    },
    template: '<WallPage />',
  };
  const page = desk.mount(frame, { isAttached: true });
  if (streams) desk.bridge.sendInfo({ ...INFO, now: Date.now() });
  await flushPromises();
  if (streams && !desk.bridge.errors['streams.list']) await send({ changed: [...streams] });
  return page;
}
const labels = (page: VueWrapper): (string | undefined)[] =>
  page.findAll('article').map((tile) => tile.attributes('aria-label'));
const send = async (
  message: Partial<{ changed: StreamState[]; removed: string[]; is_snapshot: boolean }>,
): Promise<void> => {
  desk.bridge.send('streams', { is_snapshot: true, changed: [], removed: [], ...message });
  await nextTick();
};
const press = (key: string): boolean => document.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));

describe('WallPage', () => {
  it('connects, loads, and shows the streams', async () => {
    const page = await open(null);
    expect(page.text()).toContain('Connecting to the server');
    desk.bridge.setLink({ phase: 'live' });
    await flushPromises();
    await send({ changed: [aStream(), aStream({ name: 'cam2', alive: false })] });
    expect(labels(page)).toEqual(['cam1, LIVE', 'cam2, LOST']);
  });

  it('can be edited, and shows cells without streams, before there is a stream', async () => {
    const page = await open([]);
    press('l');
    await nextTick();
    expect(page.find('.notice').exists()).toBe(false);
    await page.get('[data-test=kind]').setValue('clock');
    press('Escape');
    await nextTick();
    expect(page.get('.clock').text()).toMatch(/\d\d:\d\d:\d\d/);
    press('0');
    await nextTick();
    expect(page.text()).toContain('No streams yet');
  });

  it('explains what to do without streams, and shows the first one at once', async () => {
    const page = await open([]);
    expect(page.text()).toContain('No streams yet');
    await page.get('[data-test=add-first]').trigger('click');
    await flushPromises();
    expect(document.querySelector('[role=dialog]')?.getAttribute('aria-label')).toBe('Add stream');
    await send({ changed: [aStream()] });
    expect(labels(page)).toEqual(['cam1, LIVE']);
  });

  it('shows why the list is refused, and loads it on request', async () => {
    desk.bridge.errors['streams.list'] = { code: 'forbidden', message: '' };
    const page = await open([aStream()]);
    expect(page.text()).toContain('Could not load the streams');
    delete desk.bridge.errors['streams.list'];
    await page.get('button').trigger('click');
    await flushPromises();
    await send({ changed: [aStream()] });
    expect(labels(page)).toEqual(['cam1, LIVE']);
  });

  it('keeps the tiles while disconnected, marks them, and updates them after reconnecting', async () => {
    const page = await open([aStream(), aStream({ name: 'cam2' })]);
    desk.bridge.setLink({ phase: 'stale', retryAtMs: Date.now() + 5_000 });
    await nextTick();
    expect(labels(page)).toEqual(['cam1, UNKNOWN', 'cam2, UNKNOWN']);
    expect(page.get('main').classes()).toContain('stale');
    desk.bridge.setLink({ phase: 'live', retryAtMs: null });
    await send({ changed: [aStream({ name: 'cam2', alive: false })] });
    expect([labels(page), page.get('main').classes()]).toEqual([['cam2, LOST'], ['wall', 'on-picture']]);
  });

  it('selects a new stream as soon as it appears', async () => {
    await open([aStream()]);
    useWallStore().selectOnArrival('cam2');
    expect(useWallStore().selected).toBe('cam1');
    await send({ is_snapshot: true, changed: [aStream(), aStream({ name: 'cam2' })] });
    expect(useWallStore().selected).toBe('cam2');
  });

  it('removes a stream by keyboard after a confirmation, and restores it with one click', async () => {
    const page = await open([aStream(), aStream({ name: 'cam2' })]);
    desk.bridge.answers['streams.remove'] = { version: 7 };
    press('Delete');
    expect(useConfirmStore().request?.title).toBe('Remove cam1?');
    useConfirmStore().settle(true);
    await flushPromises();
    await send({ changed: [aStream({ name: 'cam2' })] });
    expect([labels(page), useWallStore().selected]).toEqual([['cam2, LIVE'], 'cam2']);
    useToastStore().toasts[0]?.action?.run();
    await flushPromises();
    await send({ changed: [aStream({ name: 'cam2' }), aStream()] });
    expect(desk.bridge.calls).toContainEqual(['config.undo', { version: 7 }]);
    expect(labels(page)).toEqual(['cam1, LIVE', 'cam2, LIVE']);
  });

  it('removes nothing without a confirmation', async () => {
    await open([aStream()]);
    press('Delete');
    useConfirmStore().settle(false);
    await flushPromises();
    expect(desk.bridge.called).not.toContain('streams.remove');
  });

  it('ignores keys for changes with read access', async () => {
    await open([aStream()]);
    desk.bridge.sendInfo({ ...INFO, may_write: false, now: Date.now() });
    for (const key of ['Delete', 'r', 'a']) press(key);
    await flushPromises();
    expect([useConfirmStore().request, document.querySelector('[role=dialog]')]).toEqual([null, null]);
    press('Enter');
    expect(useWallStore().solo).toBe('cam1');
  });

  it('lists its keys, and releases the keys when the list closes', async () => {
    await open([aStream()]);
    press('?');
    await flushPromises();
    expect(document.querySelector('[role=dialog]')?.getAttribute('aria-label')).toBe('Keyboard shortcuts');
    useWallStore().setHelpOpen(false);
    await flushPromises();
    press('Delete');
    expect(useConfirmStore().request).not.toBeNull();
  });

  it('starts audio with the first click or key', async () => {
    const page = await open([aStream()]);
    expect([desk.unlocks, page.text().includes('click for sound')]).toEqual([1, true]);
    document.dispatchEvent(new Event('pointerdown'));
    desk.setSound(true);
    await nextTick();
    expect([desk.unlocks, page.text().includes('click for sound')]).toEqual([2, false]);
    document.dispatchEvent(new Event('pointerdown'));
    expect(desk.unlocks).toBe(2);
  });

  it('releases everything when it is closed', async () => {
    const page = await open([aStream()]);
    page.unmount();
    press('Delete');
    expect([desk.bridge.listeners, desk.drawing, useConfirmStore().request]).toEqual([0, 0, null]);
  });

  it('restores its address once the streams are loaded, and updates it', async () => {
    await desk.router.push('/wall?solo=cam2');
    await open([aStream(), aStream({ name: 'cam2' })]);
    expect(useWallStore().solo).toBe('cam2');
    press('Escape');
    await flushPromises();
    expect(desk.router.currentRoute.value.fullPath).toBe('/wall');
    useWallStore().setGrid(1);
    useWallStore().setPage(1);
    await flushPromises();
    expect(desk.router.currentRoute.value.fullPath).toBe('/wall?page=2');
    await desk.router.push('/wall?page=no&solo=gone');
    await flushPromises();
    expect([useWallStore().page, useWallStore().solo]).toEqual([0, null]);
  });

  it('updates the address if a link opens the wall without solo', async () => {
    await desk.router.push('/wall?solo=cam2');
    await open([aStream(), aStream({ name: 'cam2' })]);
    await desk.router.push('/wall');
    await flushPromises();
    expect([useWallStore().solo, desk.router.currentRoute.value.fullPath]).toEqual(['cam2', '/wall?solo=cam2']);
  });
});
