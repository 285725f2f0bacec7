import type { WindowTrack } from './segment-window.ts';

/** Tracks of an MPEG-TS programme: the first quality of the first video, and all audio. */
export function programmeOf<T extends Pick<WindowTrack, 'track'>>(tracks: readonly T[]): readonly T[] {
  const leader = tracks.find(({ track }) => track.content === 'video');
  return tracks.filter((one) => one === leader || one.track.content === 'audio');
}
