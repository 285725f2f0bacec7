import { INPUT_TIMESCALE } from '../../media/access-unit.ts';
import type { AccessUnit, FormatProblem, MediaSink, SpliceMessage } from '../../media/access-unit.ts';
import { frameTicks } from '../../media/timing/frame-samples.ts';
import { unitTicksOf } from '../../media/timing/unit-ticks.ts';
import { shiftSplice } from '../../media/scte35/splice-point.ts';
import { isSameFormat } from '../../media/track.ts';
import type { Track } from '../../media/track.ts';

/** Position of one track in the current pass, in its own times. */
interface TrackPosition {
  readonly track: Track | undefined;
  dtsTicks: number;
  durationTicks: number;
}

/** Maximum duration of a frame; a longer distance between two frames is a gap. */
const LONGEST_FRAME_TICKS = 2 * INPUT_TIMESCALE;

/**
 * Joins passes over the same file into one endless timeline: each pass starts at the end of the longest track of the previous
 * pass, and all tracks are shifted by the same time.
 */
export class LoopSink implements MediaSink {
  /** Access units of all passes. */
  units = 0;
  /** Decoding time of the last emitted access unit. */
  lastTicks = 0;
  readonly #sink: MediaSink;
  readonly #positions = new Map<string, TrackPosition>();
  #tracks: readonly Track[] = [];
  #shiftTicks = 0;
  #firstTicks = Infinity;
  #endTicks = -Infinity;

  constructor(sink: MediaSink) {
    this.#sink = sink;
  }

  /** Whether the current pass has had any access unit. */
  get hasUnits(): boolean {
    return this.#endTicks > this.#firstTicks;
  }

  /** Starts the next pass. */
  nextPass(): void {
    if (this.hasUnits) this.#shiftTicks += this.#endTicks - this.#firstTicks;
    this.#firstTicks = Infinity;
    this.#endTicks = -Infinity;
    this.#positions.clear();
  }

  tracks(tracks: readonly Track[]): void {
    const known = this.#tracks;
    const isSame = tracks.length === known.length && tracks.every((track, index) => isSameTrack(track, known[index]));
    if (isSame) return;
    this.#tracks = tracks;
    this.#sink.tracks(tracks);
  }

  accessUnit(unit: AccessUnit): void {
    const { dtsTicks } = unit;
    const position = this.#positionOf(unit.trackId);
    const distance = dtsTicks - position.dtsTicks;
    if (position.track?.content === 'audio') position.durationTicks = Math.round(frameTicks(position.track, unit.data));
    else if (distance > 0 && distance <= LONGEST_FRAME_TICKS) position.durationTicks = distance;
    position.dtsTicks = dtsTicks;
    this.#firstTicks = Math.min(this.#firstTicks, dtsTicks);
    this.#endTicks = Math.max(this.#endTicks, dtsTicks + position.durationTicks);
    const shift = this.#shiftTicks;
    this.units++;
    this.lastTicks = dtsTicks + shift;
    this.#sink.accessUnit(
      shift === 0 ? unit : { ...unit, dtsTicks: dtsTicks + shift, ptsTicks: unit.ptsTicks + shift },
    );
  }

  splice(message: SpliceMessage): void {
    this.#sink.splice(shiftSplice(message, this.#shiftTicks));
  }

  problem(problem: FormatProblem): void {
    this.#sink.problem(problem);
  }

  #positionOf(trackId: string): TrackPosition {
    let position = this.#positions.get(trackId);
    if (!position) {
      const found = this.#tracks.find((track) => track.id === trackId);
      position = { track: found, dtsTicks: Number.NaN, durationTicks: unitTicksOf(found) };
      this.#positions.set(trackId, position);
    }
    return position;
  }
}

function isSameTrack(a: Track, b: Track | undefined): boolean {
  return b !== undefined && isSameFormat(a, b);
}
