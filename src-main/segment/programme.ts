import type { WindowTrack } from './segment-window.ts';

/** What one programme of MPEG-TS carries of some tracks: one picture, in the first of its qualities, and all sound. */
export function programmeOf<T extends Pick<WindowTrack, 'track'>>(tracks: readonly T[]): readonly T[] {
  const leader = tracks.find(({ track }) => track.content === 'video');
  return tracks.filter((one) => one === leader || one.track.content === 'audio');
}
