import type { TrackStatus } from '../engine/messages.ts';

/** How far counting pictures over a few seconds may be off: a picture more or less at each end. */
const COUNTING_ERROR_FPS = 0.7;

/** Frames a second of a video track: as its format says while that agrees with what is counted, so that a steady stream shows a steady number. */
export function frameRate({ track, rate }: TrackStatus): number {
  const said = track.content === 'video' ? track.fps : undefined;
  const isAgreed = said !== undefined && Math.abs(rate - said) <= COUNTING_ERROR_FPS;
  return isAgreed ? Math.round(said * 1000) / 1000 : Math.round(rate * 10) / 10;
}
