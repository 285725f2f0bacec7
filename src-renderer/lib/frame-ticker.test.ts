import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FrameTicker } from './frame-ticker.ts';

let waiting: ((nowMs: number) => void)[];
/** Runs timers up to `nowMs`, then an animation frame. */
function frame(nowMs: number): void {
  vi.advanceTimersByTime(nowMs - performance.now());
  for (const run of waiting.splice(0)) run(nowMs);
}

beforeEach(() => {
  waiting = [];
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  vi.stubGlobal('requestAnimationFrame', (run: (nowMs: number) => void) => waiting.push(run));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('FrameTicker draws for all listeners in one loop, at a limited rate', () => {
  const drawn: string[] = [];
  const ticker = new FrameTicker(25);
  ticker.add(() => drawn.push('a'));
  ticker.add(() => drawn.push('b'));
  expect(waiting).toHaveLength(1);
  const requests: number[] = [];
  for (const nowMs of [0, 16, 33, 50]) {
    frame(nowMs);
    requests.push(waiting.length);
  }
  expect(drawn).toEqual(['a', 'b', 'a', 'b']);
  // No animation frame is requested for the skipped frames.
  expect(requests).toEqual([0, 0, 0, 0]);
});

it('FrameTicker stops after its last listener is removed, and runs again with the next', () => {
  let count = 0;
  const ticker = new FrameTicker();
  const end = ticker.add(() => count++);
  frame(0);
  end();
  frame(100);
  expect([count, waiting.length]).toEqual([1, 0]);
  ticker.add(() => count++);
  frame(200);
  expect(count).toBe(2);
});
