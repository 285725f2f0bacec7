import { beforeEach, describe, expect, it } from 'vitest';
import { TestDesk } from '../../../../tests/helpers/desk/test-desk.ts';
import { useWallStore } from '../store.ts';
import { usePicturesStore } from './pictures-store.ts';
import StillsChoice from './StillsChoice.vue';

const NAMES = ['a', 'b', 'c', 'd'];
const reasons = (): unknown[] => NAMES.map((name) => usePicturesStore().stillsOf(name));

describe('pictures of the wall', () => {
  let desk: TestDesk;
  beforeEach(() => {
    desk = new TestDesk();
    useWallStore().setPresent(NAMES);
  });

  it('are all video until the machine is too slow, and then only in the largest tiles', () => {
    const pictures = usePicturesStore();
    expect([reasons(), pictures.hasStills]).toEqual([[null, null, null, null], false]);
    useWallStore().setLayout({
      columns: 2,
      rows: 3,
      cells: [
        ...[0, 1].map((x) => ({ x, y: 0, w: 1, h: 1, tile: { kind: 'next' as const } })),
        { x: 0, y: 1, w: 2, h: 1, tile: { kind: 'next' } },
        { x: 0, y: 2, w: 1, h: 1, tile: { kind: 'next' } },
      ],
    });
    pictures.setMaxPlaying(2);
    expect([reasons(), pictures.hasStills]).toEqual([[null, 'busy', null, 'busy'], true]);
    pictures.setPictures('video');
    expect([reasons(), pictures.hasStills]).toEqual([[null, null, null, null], false]);
  });

  it('are video on a hidden page while the machine is fast enough', () => {
    const wall = useWallStore();
    wall.setGrid(1);
    expect([wall.pages, reasons()]).toEqual([4, [null, null, null, null]]);
  });

  it('are stills if selected, except audible and solo tiles', () => {
    const [wall, pictures] = [useWallStore(), usePicturesStore()];
    pictures.toggleStills();
    expect([reasons(), pictures.hasStills]).toEqual([['chosen', 'chosen', 'chosen', 'chosen'], true]);
    wall.toggleSound('b');
    wall.setSolo('c');
    expect(reasons()).toEqual(['chosen', null, null, 'chosen']);
    pictures.toggleStills();
    expect(pictures.pictures).toBe('auto');
  });

  it('are selected in a list', async () => {
    const choice = desk.mount(StillsChoice);
    await choice.get('select').setValue('video');
    expect(usePicturesStore().pictures).toBe('video');
    expect(choice.findAll('option').map((option) => option.text())).toEqual([
      'Video if the machine keeps up',
      'Video on all tiles',
      'One picture per second',
    ]);
  });

  it('do not become stills on a slow machine in one column, where only visible tiles play', () => {
    useWallStore().setNarrow(true);
    usePicturesStore().setMaxPlaying(1);
    expect(reasons()).toEqual([null, null, null, null]);
  });
});
