import { flushPromises, type VueWrapper } from '@vue/test-utils';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { aStream } from '../../../tests/helpers/desk/a-stream.ts';
import { TestDesk } from '../../../tests/helpers/desk/test-desk.ts';
import { useStreamsStore } from '../../domain/streams/store.ts';
import { useWallsStore } from '../../modules/wall/grid/walls-store.ts';
import { useOverlayStore } from '../../ui/overlay-store.ts';
import CommandPalette from './CommandPalette.vue';
import { searchItems, type PaletteItem } from './palette-items.ts';

const anItem = (title: string, hint = ''): PaletteItem => ({ key: title, title, hint, run: () => undefined });
const titles = (items: readonly PaletteItem[]): string[] => items.map(({ title }) => title);

describe('searchItems', () => {
  it('ranks prefixes first, then substrings, then all words in any place', () => {
    const items = [
      anItem('cam1: log'),
      anItem('log'),
      anItem('wall'),
      anItem('studio', 'log of a stream'),
      anItem('cam log 1'),
    ];
    expect(titles(searchItems(items, 'log'))).toEqual(['log', 'cam1: log', 'cam log 1', 'studio']);
    expect(titles(searchItems(items, ' LOG cam '))).toEqual(['cam1: log', 'cam log 1']);
    expect(titles(searchItems(items, 'none'))).toEqual([]);
  });

  it('lists words that start with the query before words that only contain it', () => {
    const item = (title: string, text: string): PaletteItem => ({ key: title, title, hint: '', text, run: vi.fn() });
    const help = [item('Clip jobs', 'conversion'), item('First stream', 'Settings of OBS and ffmpeg')];
    expect(titles(searchItems(help, 'obs'))).toEqual(['First stream', 'Clip jobs']);
  });

  it('finds at most fifty entries with all words, and all entries without a query', () => {
    const names = fc.array(fc.stringMatching(/^[abc ]{0,6}$/), { maxLength: 80 });
    fc.assert(
      fc.property(names, fc.stringMatching(/^[abc ]{0,3}$/), (given, query) => {
        const words = query.split(' ').filter(Boolean);
        const fitting = given.filter((title) => words.every((word) => title.includes(word)));
        const found = titles(
          searchItems(
            given.map((title) => anItem(title)),
            query,
          ),
        );
        expect(found).toHaveLength(Math.min(50, fitting.length));
        for (const title of found) expect(fitting).toContain(title);
      }),
    );
  });
});

describe('CommandPalette', () => {
  let desk: TestDesk;
  beforeEach(() => {
    vi.stubGlobal('fetch', () => Promise.reject(new Error('offline')));
    desk = new TestDesk();
    desk.setServer();
    desk.setStreams(aStream(), aStream({ name: 'news/gate', title: 'Gate camera' }));
  });
  afterEach(() => {
    document.body.replaceChildren();
    vi.unstubAllGlobals();
  });

  const input = (): HTMLInputElement | null => document.querySelector('[role=combobox]');
  const press = async (key: string, more: KeyboardEventInit = {}): Promise<void> => {
    (input() ?? document).dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, ...more }));
    await flushPromises();
  };
  const open = async (): Promise<VueWrapper> => {
    const palette = desk.mount(CommandPalette, { isAttached: true });
    await press('k', { ctrlKey: true });
    return palette;
  };
  const type = async (text: string): Promise<void> => {
    const field = input();
    if (field) field.value = text;
    field?.dispatchEvent(new Event('input'));
    await flushPromises();
  };
  const options = (): (string | null | undefined)[] =>
    [...document.querySelectorAll('[role=option]')].map((option) => option.querySelector('.title')?.textContent);

  it('opens with Ctrl+K, lists pages, actions and streams, and closes with the same key', async () => {
    await open();
    expect(options()).toEqual(expect.arrayContaining(['Wall', 'Log', 'Add stream', 'cam1', 'news/gate: log']));
    await press('k', { ctrlKey: true });
    expect(useOverlayStore().isAnyOpen).toBe(false);
  });

  it('opens a stream by a part of its title, and its log by the next entry', async () => {
    await open();
    await type('gate cam');
    await press('Enter');
    expect(desk.router.currentRoute.value.fullPath).toBe('/wall?solo=news/gate');
    await press('k', { ctrlKey: true });
    await type('gate');
    await press('ArrowDown');
    await press('Enter');
    expect(desk.router.currentRoute.value.fullPath).toBe('/log?media=news/gate');
  });

  it('opens a stream at a time, and a saved wall', async () => {
    vi.useFakeTimers({ now: new Date(2027, 0, 15, 12, 0, 0), toFake: ['Date'] });
    useWallsStore().set([{ name: 'Gallery', key: 3, columns: 1, rows: 1, cells: [], streams: [] }]);
    await open();
    await type('gate 14:03:22');
    expect(options()).toEqual(['news/gate: archive, 2027-01-14 14:03:22']);
    await press('Enter');
    const { path, query } = desk.router.currentRoute.value;
    expect([path, query]).toEqual([
      '/archive',
      { stream: 'news/gate', at: new Date(2027, 0, 14, 14, 3, 22).toISOString() },
    ]);
    await press('k', { ctrlKey: true });
    await type('cam1 -5m');
    expect(options()).toEqual(['cam1: archive, 11:55:00']);
    await type('gallery');
    await press('Enter');
    expect(desk.router.currentRoute.value.fullPath).toBe('/wall?wall=Gallery');
    vi.useRealTimers();
  });

  it('adds a stream on the wall, with write access', async () => {
    await open();
    await type('add');
    await press('Enter');
    expect([desk.router.currentRoute.value.name, useStreamsStore().isAddOpen]).toEqual(['wall', true]);
    desk.setServer({ may_write: false });
    await press('k', { ctrlKey: true });
    expect(options()).not.toContain('Add stream');
  });

  it('lists documentation last, and opens a section in a new window', async () => {
    const section = { page: 'Recording', heading: 'Back up a recording', address: 'guides/recording.html#back-up' };
    const index = [{ ...section, text: 'Copy the folder of cam1 while it grows.' }];
    const load = vi.fn(() => Promise.resolve({ json: () => Promise.resolve(index) }));
    const openWindow = vi.fn();
    vi.stubGlobal('fetch', load);
    vi.stubGlobal('open', openWindow);
    await open();
    expect(options()).not.toContain('Back up a recording');
    await type('cam1');
    expect([options().at(0), options().at(-1)], options().join()).toEqual(['cam1', 'Back up a recording']);
    await type('folder grows');
    await press('Enter');
    expect(openWindow.mock.calls).toEqual([
      [expect.stringMatching(/\/-\/docs\/guides\/recording\.html#back-up$/), '_blank', 'noopener'],
    ]);
    await press('k', { ctrlKey: true });
    expect(load).toHaveBeenCalledOnce();
  });

  it('finds streams if the documentation cannot be loaded', async () => {
    await open();
    await type('gate');
    expect(options()).toContain('news/gate');
  });

  it('shows that nothing was found, and ignores Enter', async () => {
    await open();
    await type('no such thing');
    expect(document.querySelector('[role=dialog]')?.textContent).toContain('No results');
    await press('Enter');
    expect(useOverlayStore().isAnyOpen).toBe(true);
  });
});
