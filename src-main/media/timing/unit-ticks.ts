import { INPUT_TIMESCALE } from '../access-unit.ts';
import type { Track, VideoTrack } from '../track.ts';

const DEFAULT_FPS = 25;

/** Number of access units that make up a frame: two if each is a field. */
export function unitsPerFrame({ isFieldSequence }: Pick<VideoTrack, 'isFieldSequence'>): number {
  return isFieldSequence === true ? 2 : 1;
}

/** Access units per second of a video track; undefined if its format does not state a rate. */
export function unitRate(track: VideoTrack): number | undefined {
  return track.fps === undefined ? undefined : track.fps * unitsPerFrame(track);
}

/** Duration of one access unit of a track in 90 kHz ticks if its format states it; otherwise that of a picture at 25 fps. */
export function unitTicksOf(track: Track | undefined): number {
  if (track?.content === 'audio') return Math.round((track.samplesPerFrame * INPUT_TIMESCALE) / track.sampleRate);
  return Math.round(INPUT_TIMESCALE / ((track && unitRate(track)) ?? DEFAULT_FPS));
}
