import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { shallowRef } from 'vue';
import { TestDesk } from '../../../../tests/helpers/desk/test-desk.ts';
import { MIN_PLAYING } from './picture-budget.ts';
import { usePicturesStore } from './pictures-store.ts';
import { usePictureBudget } from './use-picture-budget.ts';

const TILES = 8;
/** Pictures of a tile between two samples. */
const PICTURES = 12;
let desk: TestDesk;
let total: number;
let dropped: number;
let endS: number;
let isLate: boolean;
let root: HTMLElement;
let end: () => void;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  desk = new TestDesk();
  [total, dropped, endS, isLate] = [0, 0, 1, false];
  root = document.createElement('div');
  for (let count = 0; count < TILES; count++) {
    const quality = (): object => ({
      totalVideoFrames: isLate && count === 0 ? 2 * PICTURES : total,
      droppedVideoFrames: dropped,
    });
    const video = document.createElement('video');
    Object.defineProperties(video, {
      readyState: { value: 4 },
      paused: { value: false },
      videoWidth: { value: 640 },
      buffered: { get: () => ({ length: 1, end: () => endS }) },
      getVideoPlaybackQuality: { value: quality },
    });
    root.append(video);
  }
  ({ end } = desk.run(() => usePictureBudget(shallowRef(root))));
});
afterEach(() => {
  end();
  vi.useRealTimers();
});

function sample(droppedNow: number): void {
  total += PICTURES;
  dropped += droppedNow;
  vi.advanceTimersByTime(500);
}

describe('usePictureBudget', () => {
  it('reduces the playing tiles if pictures are dropped, unless video is selected', () => {
    sample(0);
    for (let count = 0; count < 4; count++) sample(3);
    expect(usePicturesStore().maxPlaying).toBe(5);
    usePicturesStore().setPictures('video');
    for (let count = 0; count < 9; count++) sample(3);
    expect(usePicturesStore().maxPlaying).toBe(Infinity);
  });

  it('does not limit the tiles if few pictures are dropped, or when players restart', () => {
    for (let count = 0; count < 9; count++) sample(1);
    total = 0;
    dropped = 0;
    for (let count = 0; count < 9; count++) sample(1);
    expect(usePicturesStore().maxPlaying).toBe(Infinity);
  });

  it('counts only tiles that are not covered', () => {
    const covered = document.createElement('div');
    covered.className = 'covered';
    covered.append(...[...root.children].slice(MIN_PLAYING));
    root.append(covered);
    sample(0);
    for (let count = 0; count < 4; count++) sample(3);
    expect(usePicturesStore().maxPlaying).toBe(Infinity);
  });

  it('reduces the playing tiles if they are about to freeze, but not if the stream is late', () => {
    for (let count = 0; count < 2; count++) sample(0);
    isLate = true;
    endS = 0;
    for (let count = 0; count < 9; count++) sample(0);
    expect(usePicturesStore().maxPlaying).toBe(Infinity);
    endS = 1;
    for (let count = 0; count < 2; count++) sample(0);
    expect(usePicturesStore().maxPlaying).toBe(6);
  });
});
