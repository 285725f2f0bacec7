import { chunkHeaderBytes, writeChunkHeader } from '../media/containers/isobmff/chunk.ts';
import { createSampleTable, type SampleTable } from '../media/containers/isobmff/sample-table.ts';
import { convertTicks } from '../media/timing/ticks.ts';
import type { Track } from '../media/track.ts';
import type { StreamUnit } from '../stream/stream-hub.ts';
import { ticksToUs, type CutPoint, type Instant } from './cut-points.ts';
import { PendingUnits } from './pending-units.ts';
import { SharedArena } from './shared-arena.ts';
import type { HeapPool } from './heap-pool.ts';
import type { WindowEvent } from './window-event.ts';

/** More samples than any sane frame rate puts into one part; a part is closed when it has this many. */
const MAX_PART_SAMPLES = 512;
/** How much longer than nominal the last part of a segment may be: the others are then still 85 % of it (RFC 8216bis 4.4.4.9). */
const LONGEST_PART = 1.1;
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
  /** The cutter of the same track before its format changed. */
  readonly before: TrackCutter | undefined;
}

/**
 * The open segment and the open part of one track. Knows how to collect samples into CMAF chunks; when a segment ends
 * is decided outside.
 */
export class TrackCutter {
  readonly track: Track;
  readonly isAudio: boolean;
  /** Units that wait until their segment is known. */
  readonly held = new PendingUnits();
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
  /** How long the last sample is taken to be when nothing follows. */
  #frameTicks: number;
  /** Decoding time at which the last segment ended. */
  #endTicks = 0;

  constructor(track: Track, options: TrackCutterOptions) {
    this.track = track;
    this.isAudio = track.content === 'audio';
    this.#emit = options.emit;
    this.#partTicks = Math.round((options.partMs * track.timescale) / 1000);
    this.#arena = new SharedArena(options.pool, track.content, (GUESSED_RATE[track.content] * options.partMs) / 1000);
    this.#frameTicks =
      track.content === 'audio' ? track.samplesPerFrame : Math.round(track.timescale / (track.fps ?? 25));
    if (options.before?.track.timescale === track.timescale) {
      this.#frameTicks = options.before.frameTicks;
      // It may have been ended at the cut point of another track, later than its own last sample.
      this.#endTicks = options.before.endTicks;
    }
    const usual = Math.ceil(this.#partTicks / Math.max(1, this.#frameTicks)) + 8;
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

  /** How long a sample usually lasts, in ticks. */
  get frameTicks(): number {
    return this.#frameTicks;
  }

  /** Ticks from the start of the open segment to `dtsTicks`. */
  elapsedTo(dtsTicks: number): number {
    return dtsTicks - this.#segmentDts;
  }

  /** Decoding time at which the samples so far end, if the last one is as long as the ones before it. */
  get endTicks(): number {
    return this.#isOpen ? this.#lastDts + this.#frameTicks : this.#endTicks;
  }

  /** The same as presentation time. */
  get end(): Instant {
    return { ticks: this.endTicks + this.#shift, timescale: this.track.timescale };
  }

  /** The same in UTC microseconds. */
  get endUs(): number {
    return ticksToUs(this.endTicks + this.#shift, this.track.timescale);
  }

  /** Opens a segment that starts with `unit`. The one before it must have been ended. */
  start(unit: StreamUnit, msn: number, initId: number, isDiscontinuity: boolean): void {
    this.#msn = msn;
    this.#isOpen = true;
    this.#shift = unit.ptsTicks - unit.dtsTicks;
    this.#segmentDts = unit.dtsTicks;
    this.#partIndex = 0;
    this.#emit({
      type: 'segment-start',
      trackId: this.track.id,
      msn,
      startTicks: unit.ptsTicks,
      initId,
      isDiscontinuity,
    });
  }

  /** Adds a unit to the open segment; closes the open part first when the unit does not fit into it. */
  add(unit: StreamUnit): void {
    const samples = this.#samples;
    if (samples.count > 0) {
      const step = unit.dtsTicks - this.#lastDts;
      samples.durations[samples.count - 1] = step;
      if (samples.count === samples.sizes.length || this.#isPartDue(unit.dtsTicks, step))
        this.#closePart(unit.dtsTicks);
    }
    if (samples.count === 0) this.#openPart(unit);
    const index = samples.count++;
    samples.sizes[index] = unit.data.length;
    samples.compositionOffsets[index] = unit.ptsTicks - unit.dtsTicks;
    samples.isSync[index] = unit.isRandomAccess ? 1 : 0;
    this.#frameTicks = unit.lastsTicks;
    this.#arena.append(unit.data);
    this.#lastDts = unit.dtsTicks;
  }

  /**
   * Ends the open segment.
   *
   * @param nextDtsTicks decoding time of the unit that follows; absent when nothing follows
   */
  endSegment(nextDtsTicks?: number): void {
    if (!this.#isOpen) return;
    const end = nextDtsTicks ?? this.#lastDts + this.#frameTicks;
    this.#samples.durations[this.#samples.count - 1] = end - this.#lastDts;
    this.#closePart(end);
    this.#isOpen = false;
    this.#endTicks = end;
    this.#usualTicks = end - this.#segmentDts;
    this.#emit({
      type: 'segment-end',
      trackId: this.track.id,
      msn: this.#msn,
      durationTicks: end - this.#segmentDts,
      isGap: false,
    });
  }

  /** Ends the open segment at a cut point that the track has not reached: its last sample lasts until there. */
  endAt({ ticks, timescale }: Instant): void {
    if (!this.#isOpen) return;
    const dts = convertTicks(ticks, timescale, this.track.timescale) - this.#shift;
    this.endSegment(dts > this.#lastDts ? dts : undefined);
  }

  /** Declares a segment without media: the track was silent from its cut point until `end`. */
  gap({ msn, start, isDiscontinuity }: CutPoint, end: Instant, initId: number): void {
    const { id: trackId, timescale } = this.track;
    const startTicks = convertTicks(start.ticks, start.timescale, timescale);
    const durationTicks = Math.max(1, convertTicks(end.ticks, end.timescale, timescale) - startTicks);
    this.#msn = msn;
    this.#emit({ type: 'segment-start', trackId, msn, startTicks, initId, isDiscontinuity });
    this.#emit({ type: 'segment-end', trackId, msn, durationTicks, isGap: true });
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
    const longest = this.#partTicks * LONGEST_PART;
    const isLast =
      elapsed < this.#usualTicks + this.#partTicks / 4 &&
      this.#segmentDts + this.#usualTicks - this.#partDts <= longest;
    return !isLast || dtsTicks + frameTicks - this.#partDts > longest;
  }

  /** Gives the memory of the track back; nothing more is cut. */
  dispose(): void {
    this.#arena.dispose();
  }

  #openPart(unit: StreamUnit): void {
    this.#arena.open(this.#headBytes);
    this.#partDts = unit.dtsTicks;
    this.#partArrivedMs = unit.arrivedMs;
    this.#isPartIndependent = unit.isRandomAccess;
  }

  #closePart(endTicks: number): void {
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
      durationTicks: endTicks - this.#partDts,
      isIndependent: this.#isPartIndependent,
      bytes: arena.close(from),
      arrivedMs: this.#partArrivedMs,
    });
  }
}
