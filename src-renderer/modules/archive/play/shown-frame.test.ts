import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ShownFrame } from './shown-frame.ts';

const FRAME_SECONDS = 0.04;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Paused video whose pictures are drawn by the test. */
function stage(): { readonly shown: ShownFrame; readonly seeks: number[]; draw(mediaTime: number): void } {
  let drawn: VideoFrameRequestCallback = () => undefined;
  let currentTime = 10;
  const seeks: number[] = [];
  const video = {
    paused: true,
    seeking: false,
    get currentTime() {
      return currentTime;
    },
    set currentTime(seconds: number) {
      currentTime = seconds;
      seeks.push(seconds);
    },
    requestVideoFrameCallback: (callback: VideoFrameRequestCallback) => {
      drawn = callback;
      return 1;
    },
  };
  const shown = new ShownFrame(video as unknown as HTMLVideoElement, () => FRAME_SECONDS);
  shown.forget();
  const draw = (mediaTime: number): void => {
    const metadata = { mediaTime, presentationTime: performance.now() };
    drawn(performance.now(), metadata as VideoFrameCallbackMetadata);
  };
  return { shown, seeks, draw };
}

it('ShownFrame seeks again if the browser stays at an earlier picture', () => {
  const { shown, seeks, draw } = stage();
  draw(9.04);
  vi.advanceTimersByTime(1000);
  expect(seeks).toEqual([10]);
  draw(9.98);
  vi.advanceTimersByTime(1000);
  expect(seeks).toEqual([10]);
  expect(shown.seconds).toBe(9.98);
});

it('ShownFrame does not seek if the requested picture follows at once', () => {
  const { seeks, draw } = stage();
  draw(9.04);
  draw(9.98);
  vi.advanceTimersByTime(1000);
  // After a pause the browser may report late; its picture stays.
  draw(9.5);
  vi.advanceTimersByTime(1000);
  expect(seeks).toEqual([]);
});

it('ShownFrame stops after three more seeks', () => {
  const { seeks, draw } = stage();
  for (let n = 0; n < 6; n++) {
    draw(9.04);
    vi.advanceTimersByTime(1000);
  }
  expect(seeks).toHaveLength(3);
});
