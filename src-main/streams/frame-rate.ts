import type { TrackStatus } from '../engine/messages.ts';
import { unitsPerFrame } from '../media/timing/unit-ticks.ts';

/** Error of counting pictures over a few seconds: one more or less at each end. */
const COUNTING_ERROR_FPS = 0.7;

/**
 * Frames per second of a video track. Returns the rate of the format while it agrees with the counted rate, so that a
 * steady stream has a steady number.
 */
export function frameRate({ track, rate }: TrackStatus): number {
  const isVideo = track.content === 'video';
  const declared = isVideo ? track.fps : undefined;
  const counted = isVideo ? rate / unitsPerFrame(track) : rate;
  const isAgreed = declared !== undefined && Math.abs(counted - declared) <= COUNTING_ERROR_FPS;
  return isAgreed ? Math.round(declared * 1000) / 1000 : Math.round(counted * 10) / 10;
}
