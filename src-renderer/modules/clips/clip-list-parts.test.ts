import { flushPromises } from '@vue/test-utils';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { TestDesk } from '../../../tests/helpers/desk/test-desk.ts';
import ClipOrder from './ClipOrder.vue';
import ClipPicture from './ClipPicture.vue';
import { clipName } from './clip-name.ts';

let desk: TestDesk;
let see: (isIntersecting: boolean) => void;
beforeEach(() => {
  desk = new TestDesk();
  desk.setServer({ view_query: 'token=t' });
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(report: (entries: readonly object[]) => void) {
        see = (isIntersecting) => report([{ isIntersecting }]);
      }
      observe(): void {}
      disconnect(): void {}
    },
  );
});
afterEach(() => {
  vi.unstubAllGlobals();
});

it('ClipOrder moves a clip, and disables the arrows at both ends', async () => {
  const order = desk.mount(ClipOrder, { props: { modelValue: ['ads/a.mp4', 'ads/b.mp4'] } });
  const arrow = (label: string) => order.get(`button[aria-label="${label}"]`);
  expect(['Move a.mp4 up', 'Move b.mp4 down'].map((label) => arrow(label).attributes('disabled'))).toEqual(['', '']);
  await arrow('Move b.mp4 up').trigger('click');
  expect(order.emitted('update:modelValue')).toEqual([[['ads/b.mp4', 'ads/a.mp4']]]);
});

it('ClipPicture loads the picture of a file with video once it is visible', async () => {
  const picture = desk.mount(ClipPicture, { props: { path: 'ads/a b.mp4', hasVideo: false } });
  await flushPromises();
  see(false);
  expect([picture.find('img').exists(), picture.emitted('visible')]).toEqual([false, undefined]);
  see(true);
  await picture.setProps({ hasVideo: true });
  expect(picture.emitted('visible')).toEqual([[]]);
  expect(picture.get('img').attributes('src')).toBe(
    'http://desk.example/ads/a%20b.mp4/preview.jpg?token=t&optional=true',
  );
  await picture.get('img').trigger('error');
  expect(picture.find('img').exists()).toBe(false);
});

it('clipName returns names of converted files without their suffix', () => {
  expect(clipName('ads/summer/soda_processed_1795836988.mp4')).toEqual({ name: 'soda.mp4', isConverted: true });
  expect(clipName('ads/soda_processed_1.mov')).toEqual({ name: 'soda_processed_1.mov', isConverted: false });
});
