import { chunkHeaderBytes, writeChunkHeader } from '../media/containers/isobmff/chunk.ts';
import { createSampleTable, type SampleTable } from '../media/containers/isobmff/sample-table.ts';
import type { Track } from '../media/track.ts';
import type { StreamUnit } from '../stream/stream-hub.ts';
import { SharedArena } from './shared-arena.ts';
import type { HeapPool } from './heap-pool.ts';
import type { WindowEvent } from './window-event.ts';

/** More samples than any sane frame rate puts into one part; a part is closed when it has this many. */
const MAX_PART_SAMPLES = 512;
/** First guess of the bit rate of a track in bytes a second, until it is known. */
const GUESSED_RATE = { video: 300_000, audio: 20_000 };

/** How one track is cut. */
export interface TrackCutterOptions {
  /** Longest part in milliseconds. */
  readonly partMs: number;
  /** Where the memory of the parts comes from. */
  readonly pool: HeapPool;
  /** Hears every event, in order. */
  readonly emit: (event: WindowEvent) => void;
}

/**
 * The open segment and the open part of one track. Knows how to collect samples into CMAF chunks; when a segment ends
 * is decided outside.
 */
export class TrackCutter {
  readonly track: Track;
  readonly isAudio: boolean;
  readonly #emit: (event: WindowEvent) => void;
  readonly #partTicks: number;
  readonly #arena: SharedArena;
  readonly #headBytes: number;
  readonly #samples: SampleTable;
  #sequence = 1;
  #msn = -1;
  #isOpen = false;
  /** Presentation minus decoding time of the first sample of the segment. */
  #shift = 0;
  #segmentDts = 0;
  #partIndex = 0;
  #partDts = 0;
  #partArrivedMs = 0;
  #isPartIndependent = false;
  #lastDts = 0;
  /** Length of the last segment. */
  #usualTicks = 0;
  #lastDuration: number;

  constructor(track: Track, options: TrackCutterOptions) {
    this.track = track;
    this.isAudio = track.content === 'audio';
    this.#emit = options.emit;
    this.#partTicks = Math.round((options.partMs * track.timescale) / 1000);
    this.#arena = new SharedArena(options.pool, track.content, (GUESSED_RATE[track.content] * options.partMs) / 1000);
    this.#lastDuration = track.content === 'audio' ? track.samplesPerFrame : Math.round(track.timescale / (track.fps ?? 25));
    const usual = Math.ceil(this.#partTicks / Math.max(1, this.#lastDuration)) + 8;
    const capacity = Math.min(MAX_PART_SAMPLES, Math.max(32, usual));
    this.#headBytes = chunkHeaderBytes(capacity, { content: track.content, hasWall: !this.isAudio });
    this.#samples = createSampleTable(capacity);
  }

  /** Media sequence number of the open or the last segment; -1 before the first. */
  get msn(): number {
    return this.#msn;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Ticks from the start of the open segment to `dtsTicks`. */
  elapsedTo(dtsTicks: number): number {
    return dtsTicks - this.#segmentDts;
  }

  /** Decoding time at which the samples so far end, if the last one is as long as the one before it. */
  get endTicks(): number {
    return this.#lastDts + this.#lastDuration;
  }

  /** Opens a segment that starts with `unit`. The one before it must have been ended. */
  start(unit: StreamUnit, msn: number, initId: number, isDiscontinuity: boolean): void {
    this.#msn = msn;
    this.#isOpen = true;
    this.#shift = unit.ptsTicks - unit.dtsTicks;
    this.#segmentDts = unit.dtsTicks;
    this.#partIndex = 0;
    this.#emit({ type: 'segment-start', trackId: this.track.id, msn, startTicks: unit.ptsTicks, initId, isDiscontinuity });
  }

  /** Adds a unit to the open segment; closes the open part first when the unit does not fit into it. */
  add(unit: StreamUnit): void {
    const samples = this.#samples;
    if (samples.count > 0) {
      const duration = unit.dtsTicks - this.#lastDts;
      this.#setLastDuration(duration);
      if (samples.count === samples.sizes.length || this.#isPartDue(unit.dtsTicks, duration)) this.#closePart(unit.dtsTicks - this.#partDts);
    }
    if (samples.count === 0) this.#openPart(unit);
    const index = samples.count++;
    samples.sizes[index] = unit.data.length;
    samples.compositionOffsets[index] = unit.ptsTicks - unit.dtsTicks;
    samples.isSync[index] = unit.isRandomAccess ? 1 : 0;
    this.#arena.append(unit.data);
    this.#lastDts = unit.dtsTicks;
  }

  /**
   * Ends the open segment.
   *
   * @param nextDtsTicks decoding time of the unit that follows; absent when nothing follows
   */
  end(nextDtsTicks?: number): void {
    if (!this.#isOpen) return;
    if (this.#samples.count > 0) {
      this.#setLastDuration(nextDtsTicks === undefined ? this.#lastDuration : nextDtsTicks - this.#lastDts);
      this.#closePart(this.#lastDts + this.#lastDuration - this.#partDts);
    }
    this.#isOpen = false;
    const end = this.#lastDts + this.#lastDuration;
    this.#usualTicks = end - this.#segmentDts;
    this.#emit({ type: 'segment-end', trackId: this.track.id, msn: this.#msn, durationTicks: end - this.#segmentDts, isGap: this.#partIndex === 0 });
  }

  /** Declares a segment without media: the track was silent from `startTicks` on. */
  gap(msn: number, startTicks: number, durationTicks: number, initId: number, isDiscontinuity: boolean): void {
    this.#msn = msn;
    this.#emit({ type: 'segment-start', trackId: this.track.id, msn, startTicks, initId, isDiscontinuity });
    this.#emit({ type: 'segment-end', trackId: this.track.id, msn, durationTicks, isGap: true });
  }

  /**
   * Parts lie on a grid from the start of the segment, so that segments of the nominal length divide evenly: a short part
   * at the end would cost every player a request more. For the same reason a part that the end of the segment will soon
   * close is left open.
   */
  #isPartDue(dtsTicks: number, frameTicks: number): boolean {
    const elapsed = dtsTicks - this.#segmentDts;
    const cell = Math.round((this.#partDts - this.#segmentDts) / this.#partTicks);
    const due = (cell + 1) * this.#partTicks - Math.min(frameTicks, this.#partTicks) / 2;
    if (elapsed < due) return false;
    const isNearEnd = elapsed > this.#usualTicks - this.#partTicks / 4 && elapsed < this.#usualTicks + this.#partTicks / 4;
    return !isNearEnd || dtsTicks - this.#partDts >= this.#partTicks * 1.25;
  }

  /** Gives the memory of the track back; nothing more is cut. */
  dispose(): void {
    this.#arena.dispose();
  }

  #setLastDuration(ticks: number): void {
    this.#lastDuration = Math.max(0, ticks);
    this.#samples.durations[this.#samples.count - 1] = this.#lastDuration;
  }

  #openPart(unit: StreamUnit): void {
    this.#arena.open(this.#headBytes);
    this.#partDts = unit.dtsTicks;
    this.#partArrivedMs = unit.arrivedMs;
    this.#isPartIndependent = unit.isRandomAccess;
  }

  #closePart(durationTicks: number): void {
    const arena = this.#arena;
    const from = writeChunkHeader(arena.bytes, arena.samplesStart, {
      sequenceNumber: this.#sequence++,
      baseDecodeTicks: this.#partDts,
      samples: this.#samples,
      content: this.track.content,
      ...(this.isAudio ? {} : { wall: { epochMs: this.#partArrivedMs, mediaTicks: this.#partDts + this.#shift } }),
    });
    this.#samples.count = 0;
    this.#emit({
      type: 'part',
      trackId: this.track.id,
      msn: this.#msn,
      index: this.#partIndex++,
      startTicks: this.#partDts + this.#shift,
      durationTicks,
      isIndependent: this.#isPartIndependent,
      bytes: arena.close(from),
      arrivedMs: this.#partArrivedMs,
    });
  }
}
