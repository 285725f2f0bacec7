import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { aStream } from '../../../../tests/helpers/desk/a-stream.ts';
import { TestDesk } from '../../../../tests/helpers/desk/test-desk.ts';
import { useWallStore } from '../store.ts';
import { useCarousel } from './use-carousel.ts';
import WallToolbar from './WallToolbar.vue';

let desk: TestDesk;
beforeEach(() => {
  vi.useFakeTimers();
  desk = new TestDesk();
  desk.setServer();
  desk.setStreams(...['a', 'b', 'c'].map((name) => aStream({ name })));
});
afterEach(() => vi.useRealTimers());

it('useCarousel changes pages at the selected interval, and pauses while the operator acts or in solo', async () => {
  const wall = useWallStore();
  wall.setGrid(1);
  wall.setPage(0);
  const { end } = desk.run(useCarousel);
  const pageAfter = async (seconds: number): Promise<number> => {
    await vi.advanceTimersByTimeAsync(seconds * 1000);
    return wall.page;
  };
  expect(await pageAfter(60)).toBe(0);
  wall.setCarousel(10);
  expect([await pageAfter(9), await pageAfter(2), await pageAfter(10), await pageAfter(10)]).toEqual([0, 1, 2, 0]);
  document.dispatchEvent(new Event('pointerdown'));
  expect([await pageAfter(14), await pageAfter(12)]).toEqual([0, 1]);
  wall.setSolo('c');
  expect(await pageAfter(60)).toBe(2);
  wall.leaveSolo();
  expect(await pageAfter(11)).toBe(0);
  end();
});

it('the carousel is offered if there are several pages', async () => {
  const wall = useWallStore();
  wall.setGrid(4);
  const toolbar = desk.mount(WallToolbar);
  expect(toolbar.find('[data-test=carousel]').exists()).toBe(false);
  wall.setGrid(1);
  await vi.advanceTimersByTimeAsync(0);
  await toolbar.get('[data-test=carousel]').setValue('20');
  expect(wall.carouselSeconds).toBe(20);
});
