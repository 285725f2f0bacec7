import { INPUT_TIMESCALE } from '../../media/access-unit.ts';
import { unitTicksOf } from '../../media/timing/unit-ticks.ts';
import type { Track } from '../../media/track.ts';

/** Maximum duration of a frame; a longer distance between two frames is a gap. */
const LONGEST_FRAME_TICKS = 2 * INPUT_TIMESCALE;

interface OutputPosition {
  dtsTicks: number;
  durationTicks: number;
}

/** Positions of all tracks in the output, and its end. */
export class OutputPositions {
  readonly #positions = new Map<string, OutputPosition>();
  #endTicks: number | undefined;

  /** End of the longest track; undefined before the first unit. */
  get endTicks(): number | undefined {
    return this.#endTicks;
  }

  /** End of one track; undefined before its first unit. */
  endOf(trackId: string): number | undefined {
    const position = this.#positions.get(trackId);
    return position && position.dtsTicks + position.durationTicks;
  }

  /** Records a unit; returns its end. */
  take(trackId: string, dtsTicks: number, tracks: readonly Track[]): number {
    let position = this.#positions.get(trackId);
    if (!position) {
      position = { dtsTicks, durationTicks: unitTicksOf(tracks.find((track) => track.id === trackId)) };
      this.#positions.set(trackId, position);
    }
    const distance = dtsTicks - position.dtsTicks;
    if (distance > 0 && distance <= LONGEST_FRAME_TICKS) position.durationTicks = distance;
    position.dtsTicks = dtsTicks;
    const end = dtsTicks + position.durationTicks;
    this.#endTicks = Math.max(this.#endTicks ?? -Infinity, end);
    return end;
  }
}
