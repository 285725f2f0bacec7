import { flushPromises } from '@vue/test-utils';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { TestDesk } from '../../../../tests/helpers/desk/test-desk.ts';
import type { ArchiveContext } from '../play/archive-context.ts';
import { useArchiveStore } from '../store.ts';
import { useLoudness } from './use-loudness.ts';

const NOW = Date.UTC(2025, 0, 15, 12);
const HOUR = 3_600_000;
let desk: TestDesk;
beforeEach(() => {
  vi.useFakeTimers();
  desk = new TestDesk();
  desk.setServer();
  useArchiveStore().setNames(['cam1', 'cam2']);
});
afterEach(() => {
  vi.useRealTimers();
});
const requests = (): unknown[] =>
  desk.bridge.calls.filter(([name]) => name === 'archive.loudness').map(([, one]) => one);
async function advance(times = 1): Promise<void> {
  await vi.advanceTimersByTimeAsync(500 * times);
  await flushPromises();
}

it('useLoudness requests the loudness of the view at its resolution, and again when the view changes', async () => {
  // No other field is read.
  const context = { now: () => NOW, view: undefined } as unknown as ArchiveContext;
  const { result: made, end } = desk.run(() => useLoudness(context));
  await advance();
  expect(requests()).toEqual([]);
  const curve = { from: NOW - HOUR, step_ms: 5000, low: [-30], high: [-20] };
  desk.bridge.answers['archive.loudness'] = curve;
  context.view = { scale: { startMs: NOW - HOUR, msPerPx: HOUR / 500 }, width: 1000 };
  await advance();
  // Half of the view is in the future.
  expect(requests()).toEqual(['cam1', 'cam2'].map((name) => ({ name, from: NOW - HOUR, to: NOW, points: 250 })));
  expect([...made.value]).toEqual([
    ['cam1', curve],
    ['cam2', curve],
  ]);
  await advance(2);
  expect(requests()).toHaveLength(2);
  context.view = { scale: { startMs: NOW - 100 * HOUR, msPerPx: HOUR / 500 }, width: 1000 };
  await advance();
  expect([requests().length, made.value.size]).toEqual([2, 0]);
  end();
});

it('useLoudness does not repeat requests for streams without loudness', async () => {
  desk.bridge.errors['archive.loudness'] = { code: 'unavailable', message: '' };
  const view = { scale: { startMs: NOW - HOUR, msPerPx: HOUR / 500 }, width: 500 };
  const context = { now: () => NOW, view } as unknown as ArchiveContext;
  const { result: made, end } = desk.run(() => useLoudness(context));
  await advance(30);
  expect([requests().length, made.value.size]).toEqual([2, 0]);
  end();
});
