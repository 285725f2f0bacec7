import { beforeEach, expect, it } from 'vitest';
import { mountArchivePart } from '../../../../tests/helpers/desk/archive-part.ts';
import { TestDesk } from '../../../../tests/helpers/desk/test-desk.ts';
import { useArchiveStore } from '../store.ts';
import ArchiveTimeline from './ArchiveTimeline.vue';
import TimelineHover from './TimelineHover.vue';
import TimelineOverview from './TimelineOverview.vue';

const AT = Date.UTC(2025, 0, 15, 12);
let desk: TestDesk;
beforeEach(() => {
  desk = new TestDesk();
  desk.setServer();
  useArchiveStore().setNames(['cam1']);
  useArchiveStore().setZone('utc');
  useArchiveStore().setRecorded(new Map([['cam1', [{ from: AT, to: AT + 1000 }]]]));
});

it('the timeline is a slider that keys and screen readers reach', () => {
  const { page } = mountArchivePart(desk, ArchiveTimeline, { marks: [] }, AT);
  const canvas = page.get('canvas');
  expect([canvas.attributes('role'), canvas.attributes('tabindex')]).toEqual(['slider', '0']);
  expect(Number(canvas.attributes('aria-valuemax'))).toBeGreaterThan(AT);
  page.unmount();
});

it('the pointer says the time, the marks there, and that nothing is recorded', () => {
  const mark = { kind: 'note', id: 'n', name: 'cam1', from: AT + 5000, to: null, text: 'goal' };
  const props = { ms: AT + 5000, x: 10, width: 800, msPerPx: 100, marks: [mark] };
  const { page } = mountArchivePart(desk, TimelineHover, props, AT);
  expect(page.text()).toMatch(/12:00:05:00.*Not recorded.*goal/s);
  page.unmount();
});

it('the overview shows all of it, and leads to where it is pressed', async () => {
  const scales: { startMs: number }[] = [];
  const props = {
    ...{ all: { from: AT - 500, to: AT + 1500 }, scale: { startMs: AT, msPerPx: 1 }, width: 200 },
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
