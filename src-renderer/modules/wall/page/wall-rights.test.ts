import { mount, type VueWrapper } from '@vue/test-utils';
import { createPinia, setActivePinia } from 'pinia';
import { beforeEach, describe, expect, it } from 'vitest';
import { defineComponent, type Component } from 'vue';
import { createMemoryHistory, createRouter } from 'vue-router';
import type { ServerInfo } from '../../../../src-preload/contract/index.ts';
import { FakeBridge } from '../../../../tests/helpers/desk/fake-bridge.ts';
import { bridgeKey } from '../../../server/bridge.ts';
import { aStream } from '../../../../tests/helpers/desk/a-stream.ts';
import { useServerStore } from '../../../server/server-store.ts';
import { useStreamsStore } from '../../../domain/streams/store.ts';
import { isAllowed, keyHelp } from './keyboard-map.ts';
import { useWallStore } from '../store.ts';
import TileActions from '../tile/TileActions.vue';
import { useWallKeys } from './use-wall-keys.ts';
import WallEmpty from './WallEmpty.vue';
import WallToolbar from '../grid/WallToolbar.vue';

const INFO = { live_prefixes: ['live'], rtmp_url: 'rtmp://h:1935', has_edit_login: true, now: 0 };

function mountFor(mayWrite: boolean, component: Component, props: object = {}): VueWrapper {
  // Other fields are not read.
  useServerStore().setInfo({ ...INFO, may_write: mayWrite } as unknown as ServerInfo, '', 0);
  const router = createRouter({
    history: createMemoryHistory(),
    routes: [{ path: '/', component: { render: () => null } }],
  });
  return mount(component, {
    props,
    global: { plugins: [router], provide: { [bridgeKey as symbol]: new FakeBridge() } },
  });
}

const titles = (wrapper: VueWrapper): string =>
  wrapper
    .findAll('button')
    .map((button) => button.attributes('title'))
    .join();
const TILE = {
  isSolo: false,
  isBusy: false,
  canPublish: true,
  canRemove: true,
  inputs: [],
  activeInput: null,
  selectedInput: null,
};

beforeEach(() => setActivePinia(createPinia()));

describe('the controls of the wall', () => {
  it.each([true, false])('for changes are shown with permission: %s', (mayWrite) => {
    const rights = { mayOperate: mayWrite, mayChange: mayWrite };
    expect(titles(mountFor(mayWrite, TileActions, { ...TILE, ...rights })).includes('Remove')).toBe(mayWrite);
    expect(titles(mountFor(mayWrite, TileActions, { ...TILE, ...rights })).includes('Restart')).toBe(mayWrite);
    expect(titles(mountFor(mayWrite, WallToolbar)).includes('Add stream')).toBe(mayWrite);
    const empty = mountFor(mayWrite, WallEmpty);
    expect([empty.find('[data-test=add-first]').exists(), empty.text().includes('rtmp://')]).toEqual([
      mayWrite,
      mayWrite,
    ]);
    expect(JSON.stringify(keyHelp({ mayOperate: mayWrite, mayWrite })).includes('Remove')).toBe(mayWrite);
  });

  it('for running streams are shown to operators', () => {
    const tile = titles(mountFor(false, TileActions, { ...TILE, mayOperate: true, mayChange: false }));
    expect([tile.includes('Restart'), tile.includes('Remove')]).toEqual([true, false]);
    const help = JSON.stringify(keyHelp({ mayOperate: true, mayWrite: false }));
    expect([help.includes('Restart'), help.includes('Remove'), help.includes('Add a stream')]).toEqual([
      true,
      false,
      false,
    ]);
    const rights = { mayOperate: true, mayWrite: false };
    expect(isAllowed({ do: 'restart' }, rights)).toBe(true);
    expect(isAllowed({ do: 'remove' }, rights)).toBe(false);
    expect(isAllowed({ do: 'mute' }, { mayOperate: false, mayWrite: false })).toBe(true);
  });

  it('without changes are always shown', () => {
    expect(titles(mountFor(false, TileActions, { ...TILE, mayOperate: false, mayChange: false }))).toContain('Solo');
    expect(titles(mountFor(false, WallToolbar))).toContain('Mute all');
  });
});

describe('the keys of the wall for changes', () => {
  it.each([true, false])('work with permission: %s', (mayWrite) => {
    const done: string[] = [];
    const act = (name: string, what: string): Promise<void> => Promise.resolve(void done.push(`${what} ${name}`));
    const host = defineComponent({
      setup() {
        useWallKeys(act);
        return () => null;
      },
    });
    mountFor(mayWrite, host);
    useStreamsStore().apply({ is_snapshot: true, changed: [aStream()], removed: [] }, 0);
    useWallStore().setPresent(['cam1']);
    for (const key of ['Delete', 'r', 'a', 'm']) document.dispatchEvent(new KeyboardEvent('keydown', { key }));
    expect(done).toEqual(mayWrite ? ['remove cam1', 'restart cam1'] : []);
    expect(useStreamsStore().isAddOpen).toBe(mayWrite);
    if (!mayWrite) expect(useWallStore().isAudible('cam1')).toBe(true);
  });
});
