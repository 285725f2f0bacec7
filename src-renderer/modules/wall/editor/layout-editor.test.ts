import type { VueWrapper } from '@vue/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { nextTick } from 'vue';
import { aStream } from '../../../../tests/helpers/desk/a-stream.ts';
import { TestDesk } from '../../../../tests/helpers/desk/test-desk.ts';
import { useWallStore } from '../store.ts';
import WallStage from './WallStage.vue';
import LayoutEditor from './LayoutEditor.vue';
import LayoutPanel from './LayoutPanel.vue';
import TileChoice from './TileChoice.vue';
import { useLayoutEditor } from './use-layout-editor.ts';

vi.mock('../tile/WallTile.vue', () => ({ default: { props: ['report'], template: '<article></article>' } }));

let desk: TestDesk;
let page: VueWrapper;

beforeEach(async () => {
  localStorage.clear();
  desk = new TestDesk();
  desk.setServer({ may_operate: true });
  desk.setStreams(...['a', 'b', 'c', 'd'].map((name) => aStream({ name })));
  page = desk.mount(WallStage, { isAttached: true });
  useWallStore().setGrid(4);
  useWallStore().setEditing(true);
  await nextTick();
});
afterEach(() => {
  page.unmount();
  document.body.replaceChildren();
});

async function press(key: string, held: KeyboardEventInit = {}): Promise<void> {
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...held }));
  await nextTick();
  await nextTick();
}
const cells = (): string[] =>
  useWallStore().layout.cells.map(({ x, y, w, h, tile }) => `${x}${y} ${w}×${h} ${tile.kind}`);
const chosen = (): string | undefined => page.find('.editor [aria-current=true]').attributes('aria-label');

describe('LayoutEditor', () => {
  it('selects, spans, moves and removes cells by keyboard, and undoes each change', async () => {
    await press('ArrowRight', { altKey: true });
    expect(cells()).toEqual(['00 2×1 next', '01 1×1 next', '11 1×1 next']);
    await press('ArrowDown', { shiftKey: true });
    expect(chosen()).toContain('column 1, row 2, 2 by 1');
    await press('ArrowUp');
    await press('Delete');
    expect(cells()).toHaveLength(2);
    expect(page.findAll('.editor .free')).toHaveLength(1);
    await page.get('.editor .free').trigger('click');
    expect(cells()).toHaveLength(3);
    for (let count = 0; count < 4; count++) await press('z', { ctrlKey: true });
    expect(useWallStore().layout).toMatchObject({ columns: 2, rows: 2, cells: [] });
    await press('Z', { ctrlKey: true, shiftKey: true });
    expect(cells()[0]).toBe('00 2×1 next');
    await press('Escape');
    expect([page.find('.editor').exists(), useWallStore().selected]).toEqual([false, 'a']);
  });

  it('spans a cell by its corner, and moves a cell onto another, with the pointer', async () => {
    const grid = page.get('.editor').element;
    vi.spyOn(grid, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 200, 200));
    const drag = async (from: string, x: number, y: number): Promise<void> => {
      await page.get(from).trigger('pointerdown', { clientX: 10, clientY: 10 });
      for (const what of ['pointermove', 'pointerup'])
        window.dispatchEvent(new MouseEvent(what, { clientX: x, clientY: y }));
      await nextTick();
    };
    await page.get('[data-test=kind]').setValue('stream');
    await page.get('[data-test=stream]').setValue('c');
    await drag('.editor .cell:first-child button', 150, 150);
    expect(useWallStore().shown).toEqual(['a', 'b', 'd', 'c']);
    await drag('.editor .cell:first-child .handle', 150, 20);
    expect(cells()[0]).toBe('00 2×1 next');
  });

  it('changes the size of the grid, which is saved with the wall', async () => {
    await page.get('[data-test=columns]').setValue('3');
    await press('ArrowRight', { altKey: true });
    expect(useWallStore().asNamed('x', null)).toMatchObject({ columns: 3, rows: 2, streams: ['a', 'b', 'c', 'd'] });
    expect(useWallStore().asNamed('x', null).cells).toHaveLength(5);
  });

  it('switches overlays of the selected cell by keyboard and button', async () => {
    await press('o');
    await page.get('[data-test=overlay-technical]').trigger('click');
    expect(useWallStore().layout.cells[0]?.overlays).toEqual(['safe_areas', 'technical']);
    expect(page.get('[data-test=overlay-safe_areas]').attributes('aria-pressed')).toBe('true');
    await press('O');
    expect(useWallStore().asNamed('x', null).cells[0]?.overlays).toEqual(['technical']);
  });

  it('numbers the cells, offers the settings of their kind, and closes', async () => {
    const { result: editor } = desk.run(useLayoutEditor);
    const cells = desk.mount(LayoutEditor, { props: { editor } });
    expect(cells.get('button').attributes('aria-label')).toBe('Next stream, column 1, row 1, 1 by 1');
    const choice = desk.mount(TileChoice, { props: { tile: { kind: 'next' } } });
    expect(choice.find('[data-test=stream]').exists()).toBe(false);
    await choice.get('[data-test=kind]').setValue('stream');
    expect(choice.emitted('choose')).toEqual([[{ kind: 'stream', stream: 'a' }]]);
    const panel = desk.mount(LayoutPanel, { props: { editor } });
    await panel.get('.done').trigger('click');
    expect(page.find('.editor').exists()).toBe(false);
  });
});
