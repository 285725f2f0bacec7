import {
  INPUT_TIMESCALE,
  type AccessUnit,
  type FormatProblem,
  type MediaSink,
  type SpliceMessage,
} from '../../media/access-unit.ts';
import { shiftSplice } from '../../media/scte35/splice-point.ts';
import type { Track } from '../../media/track.ts';
import { unitTicksOf } from '../../media/timing/unit-ticks.ts';

const TICKS_PER_MS = INPUT_TIMESCALE / 1000;
/** Maximum duration of a frame; a longer distance between two frames is a gap. */
const LONGEST_FRAME_TICKS = 2 * INPUT_TIMESCALE;
/** Maximum audio units before the first picture, while the start of the entry is unknown. */
const MAX_WAITING_UNITS = 200;
/** Maximum splice messages before the first picture. */
const MAX_WAITING_SPLICES = 16;

interface TrackPosition {
  dtsTicks: number;
  durationTicks: number;
}

/**
 * Joins many files into one timeline. The first picture of each file is presented at the end of the longest track of the previous
 * file; audio before the first picture (the pre-roll of AAC) is left out, so that video and audio keep their distance.
 */
export class JoinSink implements MediaSink {
  readonly #sink: MediaSink;
  readonly #positions = new Map<string, TrackPosition>();
  #tracks: readonly Track[] = [];
  /** Offset added to the times of the entry; NaN until known. */
  #shiftTicks = Number.NaN;
  #startTicks = 0;
  #endTicks = 0;
  #lastTicks = 0;
  #pending: AccessUnit[] = [];
  #pendingSplices: SpliceMessage[] = [];

  constructor(sink: MediaSink) {
    this.#sink = sink;
  }

  /** Whether the current entry has had an access unit. */
  get hasUnits(): boolean {
    return !Number.isNaN(this.#shiftTicks);
  }

  /** Media time of the current entry so far, in milliseconds. */
  get positionMs(): number {
    return Math.max(0, Math.round((this.#lastTicks - this.#startTicks) / TICKS_PER_MS));
  }

  /** Duration of the current entry up to the end of its longest track, in milliseconds. */
  get lengthMs(): number {
    return (this.#endTicks - this.#startTicks) / TICKS_PER_MS;
  }

  /** Starts the next file. */
  nextEntry(): void {
    this.#shiftTicks = Number.NaN;
    this.#startTicks = this.#endTicks;
    this.#lastTicks = this.#endTicks;
    this.#positions.clear();
    this.#pending = [];
    this.#pendingSplices = [];
  }

  /** Ends the file: emits its waiting units if it has had no picture. */
  endEntry(): void {
    const first = this.#pending[0];
    if (first) this.#start(first.ptsTicks);
  }

  tracks(tracks: readonly Track[]): void {
    this.#tracks = tracks;
    this.#sink.tracks(tracks);
  }

  accessUnit(unit: AccessUnit): void {
    if (this.hasUnits) {
      this.#give(unit);
      return;
    }
    const hasVideo = this.#tracks.some(({ content }) => content === 'video');
    const isVideo = this.#trackOf(unit)?.content === 'video';
    if (isVideo || !hasVideo) this.#start(unit.ptsTicks);
    else if (this.#pending.length >= MAX_WAITING_UNITS) this.#start(this.#pending[0]?.ptsTicks ?? unit.ptsTicks);
    if (this.hasUnits) this.#give(unit);
    else this.#pending.push({ ...unit, data: Uint8Array.from(unit.data) });
  }

  splice(message: SpliceMessage): void {
    if (this.hasUnits) this.#sink.splice(shiftSplice(message, this.#shiftTicks));
    else if (this.#pendingSplices.length < MAX_WAITING_SPLICES)
      this.#pendingSplices.push({ ...message, section: Uint8Array.from(message.section) });
  }

  problem(problem: FormatProblem): void {
    this.#sink.problem(problem);
  }

  /** Sets the start of the entry's presentation. */
  #start(ptsTicks: number): void {
    this.#shiftTicks = this.#startTicks - ptsTicks;
    const pending = this.#pending;
    this.#pending = [];
    for (const unit of pending) this.#give(unit);
    for (const message of this.#pendingSplices.splice(0)) this.splice(message);
  }

  #give(unit: AccessUnit): void {
    const shift = this.#shiftTicks;
    const dtsTicks = unit.dtsTicks + shift;
    const ptsTicks = unit.ptsTicks + shift;
    const track = this.#trackOf(unit);
    const position = this.#positionOf(unit.trackId, track);
    const isPreRoll = track?.content === 'audio' && ptsTicks + position.durationTicks / 2 < this.#startTicks;
    if (isPreRoll) return;
    const distance = dtsTicks - position.dtsTicks;
    if (distance > 0 && distance <= LONGEST_FRAME_TICKS) position.durationTicks = distance;
    position.dtsTicks = dtsTicks;
    this.#endTicks = Math.max(this.#endTicks, ptsTicks + position.durationTicks);
    this.#lastTicks = Math.max(this.#lastTicks, dtsTicks);
    this.#sink.accessUnit(shift === 0 ? unit : { ...unit, dtsTicks, ptsTicks });
  }

  #trackOf(unit: AccessUnit): Track | undefined {
    return this.#tracks.find((track) => track.id === unit.trackId);
  }

  #positionOf(trackId: string, track: Track | undefined): TrackPosition {
    let position = this.#positions.get(trackId);
    if (!position) {
      position = { dtsTicks: Number.NaN, durationTicks: unitTicksOf(track) };
      this.#positions.set(trackId, position);
    }
    return position;
  }
}
