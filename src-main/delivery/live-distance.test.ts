import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { expect, it } from 'vitest';

const SCRIPT = readFileSync(join(import.meta.dirname, '../../resources/player/live-distance.js'), 'utf8');

/** Stand-in for the parts of hls.js and its video element that the script uses. */
function fakePlayer(): { at: (latency: number, targetLatency?: number | null) => unknown[]; end: () => unknown[] } {
  const listeners = new Set<() => void>();
  const video = {
    playbackRate: 1,
    addEventListener: (_: string, listener: () => void) => listeners.add(listener),
    removeEventListener: (_: string, listener: () => void) => listeners.delete(listener),
  };
  let destroy = (): void => {};
  const hls = {
    config: { maxLiveSyncPlaybackRate: 1.06 },
    latency: 0,
    targetLatency: null as number | null,
    once: (_: string, listener: () => void) => (destroy = listener),
  };
  const context = createContext({ hls, video });
  runInContext(`${SCRIPT}\nkeepLiveDistance(hls, video);`, context);
  const read = (): unknown[] => {
    for (const listener of listeners) listener();
    return [video.playbackRate, hls.config.maxLiveSyncPlaybackRate];
  };
  return {
    at: (latency, targetLatency = 1.5) => {
      Object.assign(hls, { latency, targetLatency });
      return read();
    },
    end: () => {
      destroy();
      return [video.playbackRate, listeners.size];
    },
  };
}

const NORMAL = [1, 1.06];
const SLOW = [0.95, 1];

it('a player closer to the live edge than its target plays slower until it reaches the target', () => {
  const { at, end } = fakePlayer();
  expect(at(0)).toEqual(NORMAL);
  expect(at(0.9, null)).toEqual(NORMAL);
  expect(at(1.4)).toEqual(NORMAL);
  expect(at(0.9)).toEqual(SLOW);
  expect(at(1.4)).toEqual(SLOW);
  expect(at(1.5)).toEqual(NORMAL);
  expect(at(1.4)).toEqual(NORMAL);
  expect(at(1.3)).toEqual(SLOW);
  expect(end()).toEqual([1, 0]);
});
