import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { shallowRef } from 'vue';
import { TestDesk } from '../../../../tests/helpers/desk/test-desk.ts';
import { usePicturesStore } from './pictures-store.ts';
import { usePictureBudget } from './use-picture-budget.ts';

const TILES = 8;
/** Pictures of a tile between two looks. */
const PICTURES = 50;
let desk: TestDesk;
let total: number;
let dropped: number;
let end: () => void;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  desk = new TestDesk();
  [total, dropped] = [0, 0];
  const root = document.createElement('div');
  for (let count = 0; count < TILES; count++) {
    const quality = (): object => ({ totalVideoFrames: total, droppedVideoFrames: dropped });
    const video = document.createElement('video');
    Object.defineProperties(video, { readyState: { value: 4 }, getVideoPlaybackQuality: { value: quality } });
    root.append(video);
  }
  ({ end } = desk.run(() => usePictureBudget(shallowRef(root))));
});
afterEach(() => {
  end();
  vi.useRealTimers();
});

function look(droppedNow: number): void {
  total += PICTURES;
  dropped += droppedNow;
  vi.advanceTimersByTime(2_000);
}

describe('a machine that drops pictures', () => {
  it('plays half of the tiles, and all again where video is chosen', () => {
    look(0);
    for (let count = 0; count < 3; count++) look(20);
    expect(usePicturesStore().mostPlaying).toBe(TILES / 2);
    usePicturesStore().setPictures('video');
    for (let count = 0; count < 5; count++) look(20);
    expect(usePicturesStore().mostPlaying).toBe(Infinity);
  });

  it('plays all while it keeps up, and where players begin anew', () => {
    for (let count = 0; count < 5; count++) look(2);
    total = 0;
    dropped = 0;
    for (let count = 0; count < 5; count++) look(2);
    expect(usePicturesStore().mostPlaying).toBe(Infinity);
  });
});
