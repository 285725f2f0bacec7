import { mount } from '@vue/test-utils';
import { beforeEach, expect, it, vi } from 'vitest';
import { defineComponent, h, nextTick, ref } from 'vue';
import { mountArchivePart } from '../../../../tests/helpers/desk/archive-part.ts';
import { TestDesk } from '../../../../tests/helpers/desk/test-desk.ts';
import { useArchiveStore } from '../store.ts';
import type { TimeScale } from '../time-scale.ts';
import ArchiveTimeline from './ArchiveTimeline.vue';
import TimelineHover from './TimelineHover.vue';
import TimelineOverview from './TimelineOverview.vue';
import { useTimelinePointer } from './use-timeline-pointer.ts';

const AT = Date.UTC(2025, 0, 15, 12);
let desk: TestDesk;
beforeEach(() => {
  desk = new TestDesk();
  desk.setServer();
  useArchiveStore().setNames(['cam1']);
  useArchiveStore().setZone('utc');
  useArchiveStore().setRecorded(new Map([['cam1', [{ from: AT, to: AT + 1000 }]]]));
});

it('ArchiveTimeline is a slider for keyboard and screen readers', () => {
  const { page } = mountArchivePart(desk, ArchiveTimeline, { marks: [] }, AT);
  const canvas = page.get('canvas');
  expect([canvas.attributes('role'), canvas.attributes('tabindex')]).toEqual(['slider', '0']);
  expect(Number(canvas.attributes('aria-valuemax'))).toBeGreaterThan(AT);
  page.unmount();
});

it('TimelineHover shows the time, marks, and that nothing is recorded', () => {
  const mark = { kind: 'note', id: 'n', name: 'cam1', from: AT + 5000, to: null, text: 'goal' };
  const props = { ms: AT + 5000, x: 10, width: 800, msPerPx: 100, marks: [mark] };
  const { page } = mountArchivePart(desk, TimelineHover, props, AT);
  expect(page.text()).toMatch(/12:00:05:00.*Not recorded.*goal/s);
  page.unmount();
});

it('TimelineHover shows the time of a thumbnail until the exact picture is loaded', async () => {
  const images: { src: string; onload: () => void }[] = [];
  vi.stubGlobal(
    'Image',
    class {
      src = '';
      onload = (): void => undefined;
      constructor() {
        images.push(this);
      }
    },
  );
  useArchiveStore().setRecorded(new Map([['cam1', [{ from: AT, to: AT + 60_000 }]]]));
  const props = { ms: AT + 15_520, x: 10, width: 800, msPerPx: 30, marks: [] };
  const { page } = mountArchivePart(desk, TimelineHover, props, AT);
  await vi.waitFor(() => expect(images).toHaveLength(2), 30_000);
  const [sprite, exact] = images;
  sprite?.onload();
  await nextTick();
  expect(page.get('[data-test=picture-time]').text()).toBe('Picture of about 12:00:14');
  expect(exact?.src).toContain(`${(AT + 15_520) / 1000}0.jpg`);
  exact?.onload();
  await nextTick();
  expect(page.find('[data-test=picture-time]').exists()).toBe(false);
  // A late thumbnail does not replace the exact picture.
  sprite?.onload();
  await nextTick();
  expect(page.get('i').attributes('style')).toContain('.jpg');
  expect(page.find('[data-test=picture-time]').exists()).toBe(false);
  vi.unstubAllGlobals();
  page.unmount();
});

it('TimelineHover says "about" of a thumbnail even at its own time, and loads the exact picture at any scale', async () => {
  const images: { src: string; onload: () => void }[] = [];
  vi.stubGlobal(
    'Image',
    class {
      src = '';
      onload = (): void => undefined;
      constructor() {
        images.push(this);
      }
    },
  );
  useArchiveStore().setRecorded(new Map([['cam1', [{ from: AT, to: AT + 600_000 }]]]));
  // A multiple of the step of this scale.
  const props = { ms: AT + 60_000, x: 10, width: 800, msPerPx: 5000, marks: [] };
  const { page } = mountArchivePart(desk, TimelineHover, props, AT);
  await vi.waitFor(() => expect(images).toHaveLength(2), 30_000);
  images[0]?.onload();
  await nextTick();
  expect(page.get('[data-test=picture-time]').text()).toBe('Picture of about 12:01:00');
  images[1]?.onload();
  await nextTick();
  expect(page.find('[data-test=picture-time]').exists()).toBe(false);
  expect(images[1]?.src).toContain(`${(AT + 60_000) / 1000}.000.jpg`);
  vi.unstubAllGlobals();
  page.unmount();
});

it('TimelineOverview shows the whole archive, and moves the view to a click', async () => {
  const scales: { startMs: number }[] = [];
  const props = {
    all: { from: AT - 500, to: AT + 1500 },
    scale: { startMs: AT, msPerPx: 1 },
    width: 200,
    onShow: (scale: { startMs: number }) => scales.push(scale),
  };
  const { page } = mountArchivePart(desk, TimelineOverview, props, AT);
  expect(page.get('i').attributes('style')).toMatch(/left: 50px; width: 100px/);
  const line = page.get('.overview');
  Object.assign(line.element, { setPointerCapture: () => undefined });
  await line.trigger('pointerdown', { buttons: 1, clientX: 100 });
  expect(scales.map(({ startMs }) => startMs - AT)).toEqual([400]);
  page.unmount();
});

it('useTimelinePointer zooms with two fingers, and does not seek when the last one is lifted', async () => {
  const sought: number[] = [];
  let shown: TimeScale = { startMs: 0, msPerPx: 100 };
  let released = 0;
  const page = mount(
    defineComponent(() => {
      const canvas = ref<HTMLCanvasElement | null>(null);
      useTimelinePointer({
        canvas,
        scale: () => shown,
        setScale: (next) => (shown = next),
        point: () => undefined,
        scrub: (ms) => sought.push(ms),
        release: () => released++,
      });
      return () => h('canvas', { ref: canvas });
    }),
  );
  await nextTick();
  const { element } = page.get('canvas');
  Object.assign(element, { setPointerCapture: () => undefined });
  const finger = (type: string, pointerId: number, clientX: number, clientY: number): Promise<void> =>
    page.get('canvas').trigger(type, { pointerId, clientX, clientY, button: 0, pointerType: 'touch' });
  // One finger is above the other: only their distance counts.
  await finger('pointerdown', 1, 100, 100);
  await finger('pointerdown', 2, 100, 200);
  await finger('pointermove', 2, 100, 200);
  await finger('pointermove', 2, 100, 300);
  expect(shown.msPerPx).toBe(50);
  await finger('pointerup', 1, 100, 100);
  await finger('pointermove', 2, 300, 300);
  await finger('pointerup', 2, 300, 300);
  expect([sought, released]).toEqual([[], 1]);
  await finger('pointerdown', 3, 100, 100);
  await finger('pointerup', 3, 100, 100);
  expect(sought).toHaveLength(1);
  page.unmount();
});
