import { INPUT_TIMESCALE } from '../../media/access-unit.ts';
import type { Track } from '../../media/track.ts';

/** Duration of one unit of a track in 90 kHz ticks if its format states it; otherwise the duration of a picture at 25 fps. */
export function unitTicksOf(track: Track | undefined): number {
  if (track?.content === 'audio') return Math.round((track.samplesPerFrame * INPUT_TIMESCALE) / track.sampleRate);
  return Math.round(INPUT_TIMESCALE / (track?.fps ?? 25));
}
