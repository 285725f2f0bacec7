import { INPUT_TIMESCALE } from '../../media/access-unit.ts';
import type { Track } from '../../media/track.ts';

/** A longer distance between two frames is a gap, not the duration of a frame. */
const LONGEST_FRAME_TICKS = 2 * INPUT_TIMESCALE;

interface Place {
  dtsTicks: number;
  durationTicks: number;
}

/** Positions of all tracks in the output, and its end. */
export class OutputPlaces {
  readonly #places = new Map<string, Place>();
  #endTicks: number | undefined;

  /** End of the longest track; undefined before the first unit. */
  get endTicks(): number | undefined {
    return this.#endTicks;
  }

  /** End of one track; undefined before its first unit. */
  endOf(trackId: string): number | undefined {
    const place = this.#places.get(trackId);
    return place && place.dtsTicks + place.durationTicks;
  }

  /** Records a unit; returns its end. */
  take(trackId: string, dtsTicks: number, tracks: readonly Track[]): number {
    let place = this.#places.get(trackId);
    if (!place) {
      place = { dtsTicks, durationTicks: usualDuration(tracks.find((track) => track.id === trackId)) };
      this.#places.set(trackId, place);
    }
    const distance = dtsTicks - place.dtsTicks;
    if (distance > 0 && distance <= LONGEST_FRAME_TICKS) place.durationTicks = distance;
    place.dtsTicks = dtsTicks;
    const end = dtsTicks + place.durationTicks;
    this.#endTicks = Math.max(this.#endTicks ?? -Infinity, end);
    return end;
  }
}

function usualDuration(track: Track | undefined): number {
  if (track?.content === 'audio') return Math.round((track.samplesPerFrame * INPUT_TIMESCALE) / track.sampleRate);
  return Math.round(INPUT_TIMESCALE / (track?.fps ?? 25));
}
