import { flushPromises, type VueWrapper } from '@vue/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { nextTick } from 'vue';
import type { Wall } from '../../../../src-preload/contract/operations/wall-calls.ts';
import { aStream } from '../../../../tests/helpers/desk/a-stream.ts';
import { TestDesk } from '../../../../tests/helpers/desk/test-desk.ts';
import { useWallKeys } from '../page/use-wall-keys.ts';
import { useWallStore } from '../store.ts';
import { useLayout } from './use-layout.ts';
import { freeKey } from './wall-key.ts';
import WallFilter from './WallFilter.vue';
import WallGrid from './WallGrid.vue';
import WallsMenu from './WallsMenu.vue';
import { useWallsStore } from './walls-store.ts';

vi.mock('../tile/WallTile.vue', () => ({
  default: { props: ['report'], template: '<article>{{ report.state.name }}</article>' },
}));

const GALLERY: Wall = { name: 'Gallery', key: 1, columns: 2, rows: 1, cells: [], streams: ['c', 'gone', 'a'] };
const NEWS: Wall = { name: 'News', key: 2, columns: 1, rows: 1, cells: [], streams: ['b'] };
let desk: TestDesk;

beforeEach(() => {
  localStorage.clear();
  desk = new TestDesk();
  desk.setServer({ may_operate: true });
  desk.setStreams(...['a', 'b', 'c'].map((name) => aStream({ name })));
  desk.bridge.answers['walls.list'] = { walls: [GALLERY, NEWS] };
});
afterEach(() => document.body.replaceChildren());

const cells = (grid: VueWrapper): string[] => grid.findAll('.cell:not(.covered)').map((cell) => cell.text());
async function open(): Promise<VueWrapper> {
  const menu = desk.mount(WallsMenu, { isAttached: true });
  await menu.get('.opener').trigger('click');
  await flushPromises();
  return menu;
}

describe('saved walls', () => {
  it('keep their order, with the places of missing streams', async () => {
    const wall = useWallStore();
    const grid = desk.mount(WallGrid);
    wall.recall(GALLERY);
    await nextTick();
    expect(cells(grid)).toEqual(['c', 'goneis not on the server']);
    expect([wall.pages, wall.isLayout({ columns: 2, rows: 2, cells: [] }), wall.isLayout(null)]).toEqual([
      2,
      false,
      false,
    ]);
    wall.recall(null);
    await nextTick();
    expect(cells(grid).slice(0, 3)).toEqual(['a', 'b', 'c']);
  });

  it('are listed with their size', async () => {
    const menu = await open();
    expect(menu.findAll('.line small').map((size) => size.text())).toEqual(['2×1, 3 streams', '1×1, 1 stream']);
    menu.unmount();
  });

  it('open in their own window, as shown', async () => {
    const opened = vi.spyOn(window, 'open').mockReturnValue(null);
    useWallStore().recall(NEWS);
    await desk.router.replace({ query: { wall: 'News', window: 'left' } });
    const menu = await open();
    await menu.get('[data-test=own-window]').trigger('click');
    expect(opened).toHaveBeenCalledWith(expect.stringContaining('wall=News&alone=1'), '_blank', expect.any(String));
    expect(opened.mock.calls[0]?.[0]).not.toContain('left');
    opened.mockRestore();
  });

  it('are recalled by function keys that no browser needs', async () => {
    desk.mount({ setup: useLayout, template: '<i></i>' });
    await flushPromises();
    const { end } = desk.run(() => useWallKeys(() => Promise.resolve()));
    const press = (key: string, held: KeyboardEventInit = {}): boolean =>
      document.dispatchEvent(new KeyboardEvent('keydown', { key, cancelable: true, ...held }));
    expect([press('F2'), press('F5'), press('F1', { altKey: true })]).toEqual([false, true, true]);
    expect(useWallStore().order).toEqual(['b']);
    end();
  });

  it('are in the address, and restored from it', async () => {
    desk.mount({ setup: useLayout, template: '<i></i>' });
    await desk.router.push('/wall?wall=Gallery&page=2');
    await flushPromises();
    const wall = useWallStore();
    expect([wall.named?.name, wall.page]).toEqual(['Gallery', 1]);
    wall.recall(null);
    await flushPromises();
    expect(desk.router.currentRoute.value.query).toEqual({});
  });

  it('change when a tile is moved, and include added streams', async () => {
    const wall = useWallStore();
    const grid = desk.mount(WallGrid);
    await grid.findAll('.cell')[0]?.trigger('dragstart');
    await grid.findAll('.cell')[2]?.trigger('drop');
    expect(wall.order).toEqual(['c', 'b', 'a']);
    wall.recall(GALLERY);
    wall.select('c');
    wall.move('right');
    wall.selectOnArrival('b');
    expect(wall.asNamed('x', 3)).toEqual({
      name: 'x',
      key: 3,
      columns: 2,
      rows: 1,
      cells: [],
      streams: ['gone', 'c', 'a', 'b'],
    });
  });
});

describe('WallsMenu', () => {
  it('recalls a wall, and shows the current one', async () => {
    const menu = await open();
    expect(menu.text()).toContain('F1Gallery2×1, 3 streams');
    await menu.findAll('.row')[2]?.trigger('click');
    expect([useWallStore().order, menu.find('.menu').exists(), menu.get('.opener').text()]).toEqual([
      ['b'],
      false,
      'News ▾',
    ]);
  });

  it('saves the current wall under a name, with the next free key', async () => {
    const menu = await open();
    await menu.get('input').setValue(' Sport ');
    desk.bridge.answers['walls.save'] = { walls: [GALLERY, NEWS, { ...NEWS, name: 'Sport', key: 3 }] };
    await menu.get('form').trigger('submit');
    await flushPromises();
    const saved = desk.bridge.calls.find(([name]) => name === 'walls.save')?.[1];
    expect(saved).toMatchObject({ name: 'Sport', key: 3, streams: ['a', 'b', 'c'] });
    expect(useWallStore().named?.name).toBe('Sport');
  });

  it('stays open and keeps the name if saving fails', async () => {
    const menu = await open();
    await menu.get('input').setValue('Sport');
    desk.bridge.errors['walls.save'] = { code: 'too_many_walls', message: '' };
    await menu.get('form').trigger('submit');
    await flushPromises();
    expect([menu.get<HTMLInputElement>('input').element.value, useWallStore().named]).toEqual(['Sport', null]);
  });

  it('removes a wall; if it is shown, all streams are shown instead', async () => {
    useWallStore().recall(NEWS);
    const menu = await open();
    desk.bridge.answers['walls.remove'] = { walls: [GALLERY] };
    await menu.get('[aria-label="Remove the wall News"]').trigger('click');
    await flushPromises();
    expect([useWallsStore().list, useWallStore().named]).toEqual([[GALLERY], null]);
  });

  it('replaces and removes only own walls for an operator who is limited to some streams', async () => {
    desk.setServer({ may_operate: true, prefixes: ['news'] });
    const shared = { ...GALLERY, is_partial: true };
    desk.bridge.answers['walls.list'] = { walls: [shared, NEWS] };
    useWallStore().recall(shared);
    const menu = await open();
    expect(menu.findAll('.remove').map((button) => button.attributes('title'))).toEqual([
      expect.stringContaining('News'),
    ]);
    const button = menu.get<HTMLButtonElement>('form button');
    const input = menu.get<HTMLInputElement>('input');
    expect([input.element.value, button.text()]).toEqual(['', 'Save']);
    await input.setValue('Gallery');
    expect([button.text(), button.element.disabled]).toEqual(['Save', true]);
    expect(menu.text()).toContain('also shows other streams');
    await input.setValue('News');
    expect([button.text(), button.element.disabled]).toEqual(['Replace', false]);
  });

  it('only recalls walls with read access, and closes with Escape', async () => {
    desk.setServer({ may_operate: false, may_write: false });
    const menu = await open();
    expect([menu.findAll('.row').length, menu.find('form').exists(), menu.find('.remove').exists()]).toEqual([
      4,
      false,
      false,
    ]);
    await menu.get('.menu').trigger('keydown', { key: 'Escape' });
    expect(menu.find('.menu').exists()).toBe(false);
  });

  it('assigns no key that a browser needs, and none if all are used', () => {
    const keys = [1, 2, 3, 4].map((key) => ({ ...NEWS, key }));
    expect(freeKey(keys)).toBe(6);
    expect(freeKey([...keys, ...[6, 7, 8, 9, 10].map((key) => ({ ...NEWS, key }))])).toBeNull();
  });
});

describe('WallFilter', () => {
  beforeEach(() =>
    desk.setStreams(...['news/a', 'news/b', 'sport/c'].map((name) => aStream({ name, title: `Title of ${name}` }))),
  );

  it('passes streams by group and words, and can be cleared', async () => {
    const wall = useWallStore();
    const menu = desk.mount(WallFilter, { isAttached: true });
    wall.setFinding(true);
    await flushPromises();
    expect(document.activeElement).toBe(menu.get('input').element);
    expect(menu.findAll('.row').map((row) => row.text())).toEqual(['All groups', 'news/2', 'sport/1']);
    await menu.findAll('.row')[1]?.trigger('click');
    expect([wall.order, wall.isFinding]).toEqual([['news/a', 'news/b'], false]);
    wall.setFinding(true);
    await nextTick();
    await menu.get('input').setValue('B');
    expect([wall.order, menu.get('[role=status]').text(), wall.asNamed('x', null).streams.length]).toEqual([
      ['news/b'],
      '1 of 3 streams',
      3,
    ]);
    await menu.get('.clear').trigger('click');
    expect([wall.order.length, menu.find('.clear').exists()]).toEqual([3, false]);
  });

  it('steps through the groups by keyboard, and is in the address', async () => {
    desk.mount({ setup: useLayout, template: '<i></i>' });
    const wall = useWallStore();
    const { end } = desk.run(() => useWallKeys(() => Promise.resolve()));
    const press = (key: string, held: KeyboardEventInit = {}): boolean =>
      document.dispatchEvent(new KeyboardEvent('keydown', { key, cancelable: true, ...held }));
    press('g');
    press('g');
    expect(wall.order).toEqual(['sport/c']);
    press('G', { shiftKey: true });
    await flushPromises();
    expect([wall.group, desk.router.currentRoute.value.query]).toEqual(['news', { group: 'news' }]);
    press('/');
    expect(wall.isFinding).toBe(true);
    end();
  });
});
