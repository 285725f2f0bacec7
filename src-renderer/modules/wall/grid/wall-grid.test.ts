import { type DOMWrapper, type VueWrapper } from '@vue/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { nextTick } from 'vue';
import { aStream } from '../../../../tests/helpers/desk/a-stream.ts';
import { TestDesk } from '../../../../tests/helpers/desk/test-desk.ts';
import { useStreamsStore } from '../../../domain/streams/store.ts';
import { useWallStore } from '../store.ts';
import { useLayout } from './use-layout.ts';
import LayoutIcon from './LayoutIcon.vue';
import LayoutMenu from './LayoutMenu.vue';
import ToolbarActions from './ToolbarActions.vue';
import WallGrid from './WallGrid.vue';
import WallPopup from './WallPopup.vue';
import WallToolbar from './WallToolbar.vue';

// Tests of tiles are in another file.
vi.mock('../tile/WallTile.vue', () => ({
  default: {
    name: 'WallTile',
    props: ['report', 'place', 'isVisible'],
    template:
      '<article class="tile" tabindex="-1" :data-stream="report.state.name" :data-visible="isVisible" :aria-current="wall.selected === report.state.name"><button>x</button></article>',
    setup: () => ({ wall: useWallStore() }),
  },
}));

let desk: TestDesk;

const many = (count: number): void =>
  desk.setStreams(...Array.from({ length: count }, (_, i) => aStream({ name: `s${i}` })));
const names = (grid: VueWrapper): (string | undefined)[] =>
  grid.findAll('.cell:not(.covered) article').map((tile) => tile.attributes('data-stream'));
const visible = (grid: VueWrapper): (string | undefined)[] =>
  grid.findAll('article[data-visible=true]').map((tile) => tile.attributes('data-stream'));

beforeEach(() => {
  desk = new TestDesk();
  desk.setServer();
  localStorage.clear();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('WallGrid', () => {
  it('shows the tiles of one page, and a place to add a stream', async () => {
    many(5);
    const grid = desk.mount(WallGrid);
    expect(names(grid)).toEqual(['s0', 's1', 's2', 's3', 's4']);
    expect([grid.findAll('.empty').length, grid.findAll('.empty button').length]).toEqual([1, 1]);
    await grid.get('.empty button').trigger('click');
    expect(grid.emitted('add')).toHaveLength(1);
    useWallStore().setGrid(4);
    await nextTick();
    expect(names(grid)).toEqual(['s0', 's1', 's2', 's3']);
  });

  it('has no place to add a stream with read access', () => {
    desk.setServer({ may_write: false });
    many(5);
    expect(desk.mount(WallGrid).find('.empty button').exists()).toBe(false);
  });

  it('keeps the other tiles in solo, but pauses them', async () => {
    many(4);
    const grid = desk.mount(WallGrid);
    const elements = grid.findAll('article').map((tile) => tile.element);
    useWallStore().toggleSolo('s2');
    await nextTick();
    expect(visible(grid)).toEqual(['s2']);
    expect(grid.findAll('.covered')).toHaveLength(3);
    expect(grid.findAll('article').map((tile) => tile.element)).toEqual(elements);
    expect(grid.get('.wall-grid').attributes('style')).toContain('--columns: 1');
  });

  it('keeps the tiles of a hidden page, which resume if shown again soon', async () => {
    vi.useFakeTimers();
    many(8);
    const grid = desk.mount(WallGrid);
    const wall = useWallStore();
    wall.setGrid(4);
    await nextTick();
    const [first] = grid.findAll('article').map((tile) => tile.element);
    wall.setPage(1);
    await nextTick();
    expect([names(grid), visible(grid)]).toEqual([
      ['s4', 's5', 's6', 's7'],
      ['s4', 's5', 's6', 's7'],
    ]);
    wall.setPage(0);
    await nextTick();
    expect(names(grid)).toEqual(['s0', 's1', 's2', 's3']);
    expect(grid.get('[data-stream=s0]').element).toBe(first);
    await vi.advanceTimersByTimeAsync(15_000);
    expect(grid.findAll('article')).toHaveLength(4);
  });

  it('does not show a stream that has just been removed', async () => {
    many(2);
    const grid = desk.mount(WallGrid);
    useStreamsStore().apply({ is_snapshot: false, changed: [], removed: ['s0'] }, 0);
    await nextTick();
    expect(names(grid)).toEqual(['s1']);
  });

  it('moves the focus with the selection, also across pages, but not from elsewhere', async () => {
    many(5);
    useWallStore().setGrid(4);
    const grid = desk.mount(WallGrid, { isAttached: true });
    const focused = (): string | null | undefined => document.activeElement?.getAttribute('data-stream');
    useWallStore().step('right');
    await nextTick();
    expect(document.activeElement).toBe(document.body);
    grid.get<HTMLElement>('[data-stream=s1]').element.focus();
    for (const expected of ['s2', 's3', 's4']) {
      useWallStore().step('right');
      await nextTick();
      await nextTick();
      expect(focused()).toBe(expected);
    }
  });

  it('keeps the focus on a button inside the selected tile', async () => {
    many(2);
    const grid = desk.mount(WallGrid, { isAttached: true });
    const button = grid.get<HTMLElement>('[data-stream=s1] button').element;
    button.focus();
    useWallStore().select('s1');
    await nextTick();
    await nextTick();
    expect(document.activeElement).toBe(button);
  });

  it('pauses tiles in a hidden tab after some time, except audible ones', async () => {
    vi.useFakeTimers();
    many(2);
    useWallStore().toggleSound('s1');
    const grid = desk.mount(WallGrid);
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    document.dispatchEvent(new Event('visibilitychange'));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(visible(grid)).toEqual(['s0', 's1']);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(visible(grid)).toEqual(['s1']);
  });
});

describe('a narrow window', () => {
  it('has one column of all tiles, without empty places, and arrows that move by one', async () => {
    many(3);
    const wall = useWallStore();
    const grid = desk.mount(WallGrid);
    expect(grid.findAll('.empty')).toHaveLength(1);
    wall.setNarrow(true);
    await nextTick();
    expect(grid.get('.wall-grid').classes()).toContain('narrow');
    expect([grid.get('.wall-grid').attributes('style'), grid.findAll('.empty').length]).toEqual([
      '--columns: 1; --rows: 16;',
      0,
    ]);
    wall.step('down');
    expect(wall.selected).toBe('s1');
  });

  it('scrolls instead of paging, and restores the selected grid when it is wide again', () => {
    many(10);
    const wall = useWallStore();
    wall.setGrid(4);
    wall.select('s9');
    wall.setNarrow(true);
    expect([wall.pages, wall.page, wall.shown.length]).toEqual([1, 0, 10]);
    wall.setNarrow(false);
    expect([wall.placed[0]?.length, wall.page]).toEqual([4, 2]);
  });

  it('is detected by its width, at the start and on changes', async () => {
    const listeners: ((event: object) => void)[] = [];
    const query = {
      matches: true,
      addEventListener: (_: string, on: () => void) => listeners.push(on),
      removeEventListener: vi.fn(),
    };
    vi.spyOn(window, 'matchMedia').mockReturnValue(query as unknown as MediaQueryList);
    const app = desk.mount({ setup: useLayout, template: '<i></i>' });
    await nextTick();
    expect(useWallStore().isNarrow).toBe(true);
    query.matches = false;
    for (const listener of listeners) listener({ matches: false });
    await nextTick();
    expect(useWallStore().isNarrow).toBe(false);
    app.unmount();
  });
});

describe('the selected grid', () => {
  it('is restored after a restart, unless it is invalid', async () => {
    desk.mount({ setup: useLayout, template: '<i></i>' });
    useWallStore().setGrid(9);
    await nextTick();
    desk = new TestDesk();
    desk.mount({ setup: useLayout, template: '<i></i>' });
    expect(useWallStore().placed[0]?.length).toBe(9);
    localStorage.setItem('airdesk.wall.layout', '{"columns":99}');
    desk = new TestDesk();
    desk.mount({ setup: useLayout, template: '<i></i>' });
    expect(useWallStore().chosenLayout).toBeNull();
  });
});

describe('LayoutMenu', () => {
  it('draws each layout, and opens the editor', async () => {
    const drawn = desk.mount(LayoutIcon, { props: { layout: { columns: 3, rows: 2, cells: [] } } });
    expect(drawn.findAll('rect')).toHaveLength(6);
    const menu = desk.mount(LayoutMenu);
    await menu.get('.opener').trigger('click');
    // Number keys without Shift select tiles.
    expect(menu.findAll('.presets kbd').map((key) => key.text())).toEqual(['0', '⇧1', '⇧2', '⇧3', '⇧4']);
    await menu.get('.edit').trigger('click');
    expect([useWallStore().isEditing, menu.find('.menu').exists()]).toEqual([true, false]);
  });

  it('closes with Escape, and restores the focus', async () => {
    const props = { title: 'A menu', width: '10rem', open: true };
    const popup = desk.mount(WallPopup, { props, slots: { default: '<i></i>' }, isAttached: true });
    await popup.get('.menu').trigger('keydown', { key: 'Escape' });
    await nextTick();
    expect(popup.emitted('update:open')).toEqual([[false]]);
    expect(document.activeElement).toBe(popup.get('.opener').element);
    popup.unmount();
  });
});

describe('WallToolbar', () => {
  const button = (bar: VueWrapper, title: string): Omit<DOMWrapper<Element>, 'exists'> =>
    bar.get(`button[title^="${title}"]`);

  it('shows the current layout, and changes it', async () => {
    many(4);
    const bar = desk.mount(WallToolbar);
    await button(bar, 'Tiles on a page').trigger('click');
    expect(button(bar, 'Automatic grid').attributes('aria-pressed')).toBe('true');
    await button(bar, 'Tiles: 1+5').trigger('click');
    expect(useWallStore().placed[0]?.length).toBe(6);
    await button(bar, 'Tiles on a page').trigger('click');
    expect(button(bar, 'Tiles: 1+5').attributes('aria-pressed')).toBe('true');
  });

  it('moves sound, adding and help into a menu on narrow screens, which shows that all is muted', async () => {
    const query = { matches: true, addEventListener: vi.fn(), removeEventListener: vi.fn() };
    vi.spyOn(window, 'matchMedia').mockReturnValue(query as unknown as MediaQueryList);
    many(1);
    const bar = desk.mount(WallToolbar);
    expect(bar.find('button[title^="Mute all"]').exists()).toBe(false);
    await button(bar, 'More').trigger('click');
    expect(bar.get('[aria-label=More]').text()).toBe('FollowMute allAdd stream ?Keyboard shortcuts');
    await button(bar, 'Mute all').trigger('click');
    expect([bar.find('[aria-label=More]').exists(), bar.find('.silent').exists()]).toEqual([false, true]);
    expect(useWallStore().audio.isAllMuted).toBe(true);
  });

  it.each([true, false])('offers to add a stream with the right to change the configuration: %s', (mayWrite) => {
    desk.setServer({ may_write: mayWrite });
    const actions = desk.mount(ToolbarActions, { props: { isMenu: true } });
    expect(actions.find('.add').exists()).toBe(mayWrite);
  });

  it('changes pages, within limits', async () => {
    many(6);
    useWallStore().setGrid(4);
    const bar = desk.mount(WallToolbar);
    expect([bar.get('[role=status]').text(), button(bar, 'Previous page').attributes('disabled')]).toEqual([
      'Page 1/2',
      '',
    ]);
    await button(bar, 'Next page').trigger('click');
    expect([bar.get('[role=status]').text(), button(bar, 'Next page').attributes('disabled')]).toEqual([
      'Page 2/2',
      '',
    ]);
    await button(bar, 'Page 1 of 2').trigger('click');
    expect(useWallStore().page).toBe(0);
  });

  it('marks a page with a problem by shape and label', () => {
    many(6);
    useWallStore().setGrid(4);
    useStreamsStore().apply({ is_snapshot: false, changed: [aStream({ name: 's5', alive: false })], removed: [] }, 0);
    const dots = desk.mount(WallToolbar).findAll('.dot');
    expect(dots.map((dot) => dot.attributes('title'))).toEqual(['Page 1 of 2', 'Page 2 of 2, with problems']);
    expect(dots.map((dot) => dot.find('svg').exists())).toEqual([false, true]);
  });

  it('marks no problem while the server does not answer', () => {
    vi.useFakeTimers({ toFake: ['performance', 'Date', 'setInterval', 'clearInterval'] });
    many(6);
    useWallStore().setGrid(4);
    desk.setServer({}, { phase: 'stale' });
    const bar = desk.mount(WallToolbar);
    vi.advanceTimersByTime(60_000);
    expect(bar.findAll('.dot').filter((dot) => dot.classes().includes('troubled'))).toEqual([]);
  });

  it('shows dots of the current page and of pages with problems only if there are many pages', () => {
    many(300);
    useStreamsStore().apply({ is_snapshot: false, changed: [aStream({ name: 's299', alive: false })], removed: [] }, 0);
    const dots = desk.mount(WallToolbar).findAll('.dot');
    expect(dots.map((dot) => dot.attributes('title'))).toEqual(['Page 1 of 19', 'Page 19 of 19, with problems']);
  });

  it('offers no grid in a narrow window', async () => {
    many(4);
    const bar = desk.mount(WallToolbar);
    useWallStore().setNarrow(true);
    await nextTick();
    expect(bar.find('[title="Tiles on a page"]').exists()).toBe(false);
  });

  it('controls the audible tiles, and opens dialogs', async () => {
    many(1);
    const bar = desk.mount(WallToolbar);
    await button(bar, 'Sound follows').trigger('click');
    expect(useWallStore().isAudible('s0')).toBe(true);
    await button(bar, 'Mute all').trigger('click');
    expect([button(bar, 'Mute all').text(), useWallStore().isAudible('s0')]).toEqual(['All muted', false]);
    await button(bar, 'Add stream').trigger('click');
    await button(bar, 'Keyboard shortcuts').trigger('click');
    expect([useStreamsStore().isAddOpen, useWallStore().isHelpOpen]).toEqual([true, true]);
  });
});
