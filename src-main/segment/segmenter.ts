import { writeInitSegment } from '../media/containers/isobmff/init-segment.ts';
import type { FormatProblem } from '../media/access-unit.ts';
import type { Track } from '../media/track.ts';
import type { StreamReader, StreamUnit } from '../stream/stream-hub.ts';
import { CutPoints, ticksToUs, type CutPoint, type Instant } from './cut-points.ts';
import { toShared } from './shared-bytes.ts';
import type { HeapPool } from './heap-pool.ts';
import { TrackCutter } from './track-cutter.ts';
import type { WindowEvent } from './window-event.ts';

/** How a stream is cut, and how much of it stays in the window. */
export interface SegmenterOptions {
  /** Longest part in milliseconds. Default 500. */
  readonly partMs: number;
  /** Shortest segment in milliseconds; a segment ends at the first random access point after it. Default 2000. */
  readonly segmentMs: number;
  /** Complete segments that the window keeps beside the open one. Default 6. */
  readonly segmentCount: number;
  /** Longest segment in milliseconds: after it a segment ends even without a random access point. */
  readonly maxSegmentMs: number;
  /** Most bytes that the window may hold; beyond it the oldest segments leave early. */
  readonly maxWindowBytes: number;
}

/** Defaults of the segmenter. */
export const SEGMENTER_DEFAULTS: SegmenterOptions = {
  partMs: 500,
  segmentMs: 2000,
  segmentCount: 6,
  maxSegmentMs: 20_000,
  maxWindowBytes: 256 * 1024 * 1024,
};

/** Where a window goes on when its stream had a run before: no number is used twice. */
export interface SegmenterResume {
  readonly nextMsn: number;
  readonly nextInitId: number;
  /** Whether the window still holds segments of an earlier run, which the next one does not continue. */
  readonly isContinuation: boolean;
}

/** After this long without a unit the track that leads is taken for silent, and another one cuts the segments. */
const LEADER_SILENT_US = 3_000_000;
/** And so long others wait by the wall clock, because a jump of the input's clock is no silence: the leader will jump next. */
const LEADER_SILENT_WALL_MS = 1000;
/** More than this is never kept waiting, for inputs that come faster than their time. */
const MAX_HELD_US = 12_000_000;
/** So far behind the others a track may be without losing anything. */
const LAG_US = 2_500_000;
/** Longest step from one picture to the next that another track waits for without holding its units back. */
const MAX_STEP_US = 250_000;
/** Two segments never start closer than this, even if a new track begins before the end of the others. */
const LEAST_SEGMENT_US = 100_000;
/** Half a frame early is still on the cut point: the frames of two tracks never start at the same instant. */
const SLACK_US = { audio: 12_000, video: 20_000 };

/**
 * Cuts a stream into parts and segments and emits what happens to its window as events. One track leads, the first
 * video or else the first audio: its random access points are the cut points, and the other tracks follow them with the
 * same media sequence numbers. Units that are ahead of the track that leads wait for it, because it is not known yet where
 * its next cut point will be; those behind it have `LAG_US` to come.
 */
export class Segmenter implements StreamReader {
  readonly #options: SegmenterOptions;
  readonly #emit: (event: WindowEvent) => void;
  readonly #problem: (problem: FormatProblem) => void;
  readonly #pool: HeapPool;
  readonly #cutPoints = new CutPoints();
  #cutters: TrackCutter[] = [];
  /** The track that should lead. */
  #leader: TrackCutter | undefined;
  /** The track that does: another one while the leader is silent. */
  #acting: TrackCutter | undefined;
  /** UTC microseconds up to which the acting leader has come: no cut point will be before it. */
  #horizonUs = Number.NaN;
  #lastLeadUs = Number.NaN;
  /** UTC microseconds of the first unit that had to wait since the interruption, for a leader that never comes. */
  #waitingSinceUs = Number.NaN;
  /** Wall clock at which the acting leader was heard, in epoch milliseconds. */
  #heardMs = 0;
  /** UTC microseconds of the latest start of a segment of any track: the next cut point comes after it, whatever track leads. */
  #lastStartUs = 0;
  #heldCount = 0;
  #initId: number;
  #nextMsn: number;
  #firstMsn: number;
  /** Bytes of the segments in the window, by media sequence number. */
  #segmentBytes = new Map<number, number>();
  #windowBytes = 0;
  #isInterrupted = false;
  #hasStarted = false;

  constructor(
    options: SegmenterOptions,
    emit: (event: WindowEvent) => void,
    problem: (problem: FormatProblem) => void,
    resume: SegmenterResume,
    pool: HeapPool,
  ) {
    this.#options = options;
    this.#pool = pool;
    this.#emit = (event) => {
      if (event.type === 'part') this.#count(event.msn, event.bytes.length);
      emit(event);
    };
    this.#problem = problem;
    this.#nextMsn = resume.nextMsn;
    this.#isInterrupted = resume.isContinuation;
    this.#firstMsn = resume.isContinuation ? Math.max(0, resume.nextMsn - options.segmentCount - 1) : resume.nextMsn;
    this.#initId = resume.nextInitId - 1;
  }

  tracks(tracks: readonly Track[]): void {
    const before = this.#cutters;
    this.close();
    this.#initId++;
    const emit = this.#emit;
    const pool = this.#pool;
    const { partMs } = this.#options;
    this.#cutters = tracks.map(
      (track) =>
        new TrackCutter(track, { partMs, emit, pool, before: before.find((cutter) => cutter.track.id === track.id) }),
    );
    this.#leader = this.#cutters.find((cutter) => !cutter.isAudio) ?? this.#cutters[0];
    this.#emit({
      type: 'init',
      initId: this.#initId,
      tracks: tracks.map((track) => ({ track, init: toShared(writeInitSegment(track)) })),
    });
    this.#interrupt();
  }

  discontinuity(): void {
    this.#endAll();
    this.#interrupt();
  }

  unit(unit: StreamUnit): void {
    const cutter = this.#cutterOf(unit.track);
    if (!cutter) return;
    // The leader takes over again as soon as it is back.
    if (cutter === this.#leader) this.#acting = cutter;
    if (cutter === this.#acting) this.#lead(cutter, unit);
    else this.#follow(cutter, unit);
    if (this.#heldCount > 0) this.#releaseHeld();
  }

  splice(section: Uint8Array, atMs: number): void {
    this.#emit({ type: 'splice', atMs, section: Buffer.from(section).toString('base64') });
  }

  idle(): void {
    this.#endAll();
    this.#interrupt();
    this.#emit({ type: 'idle' });
  }

  /** Ends what is open and gives the memory back. */
  close(): void {
    this.#endAll();
    for (const cutter of this.#cutters) cutter.dispose();
    this.#cutters = [];
    this.#cutPoints.clear();
  }

  #cutterOf(track: Track): TrackCutter | undefined {
    for (const cutter of this.#cutters) if (cutter.track === track) return cutter;
    return undefined;
  }

  #lead(cutter: TrackCutter, unit: StreamUnit): void {
    const { timescale } = cutter.track;
    const us = ticksToUs(unit.dtsTicks, timescale);
    const step = us - this.#lastLeadUs;
    this.#lastLeadUs = us;
    this.#heardMs = unit.arrivedMs;
    this.#horizonUs = us + (step > 0 && step < MAX_STEP_US ? step : MAX_STEP_US);
    const newest = this.#cutPoints.newest;
    if (newest && newest.msn > cutter.msn && !this.#mayCutAfter(newest, cutter, unit)) {
      // Another track has cut while this one was silent: it joins that segment before it cuts the next one.
      this.#place(cutter, unit, true);
      return;
    }
    if (!cutter.isOpen) {
      if (!unit.isRandomAccess || unit.dtsTicks < cutter.endTicks) return;
      if (ticksToUs(unit.ptsTicks, timescale) < this.#lastStartUs + LEAST_SEGMENT_US) return;
      this.#cutPoint(cutter, unit);
    } else {
      const elapsedTicks = cutter.elapsedTo(unit.dtsTicks);
      if (unit.isRandomAccess && elapsedTicks >= this.#leastSegmentTicks(cutter)) {
        this.#cutPoint(cutter, unit);
      } else if (elapsedTicks * 1000 >= this.#options.maxSegmentMs * timescale) {
        this.#problem({ code: 'gop_too_long', detail: `no key frame for ${(elapsedTicks / timescale).toFixed(1)} s` });
        this.#cutPoint(cutter, unit);
      }
    }
    cutter.add(unit);
  }

  /** From when on a segment may end: a key frame a moment early is taken, and of sound the nearest frame. */
  #leastSegmentTicks({ isAudio, frameTicks, track: { timescale } }: TrackCutter): number {
    const { segmentMs, partMs } = this.#options;
    return Math.ceil((segmentMs * timescale - (isAudio ? frameTicks * 500 : (partMs * timescale) / 10)) / 1000);
  }

  /** Whether `unit` of a leader that was silent may start the segment after `newest`: no track has anything of that time yet. */
  #mayCutAfter(newest: CutPoint, cutter: TrackCutter, unit: StreamUnit): boolean {
    const { timescale } = cutter.track;
    const us = ticksToUs(unit.ptsTicks, timescale);
    if (!unit.isRandomAccess || us - newest.startUs < ticksToUs(this.#leastSegmentTicks(cutter), timescale))
      return false;
    return this.#cutters.every(
      (other) => other === cutter || !other.isOpen || other.endUs <= us + SLACK_US[other.track.content],
    );
  }

  /** Ends the open segment of the leading track and starts the next one with `unit`. */
  #cutPoint(cutter: TrackCutter, unit: StreamUnit): void {
    const start: Instant = { ticks: unit.ptsTicks, timescale: cutter.track.timescale };
    const cutPoint: CutPoint = {
      msn: this.#nextMsn++,
      start,
      startUs: ticksToUs(start.ticks, start.timescale),
      isDiscontinuity: this.#isInterrupted,
    };
    this.#isInterrupted = false;
    this.#hasStarted = true;
    this.#lastStartUs = Math.max(this.#lastStartUs, cutPoint.startUs);
    this.#cutPoints.add(cutPoint);
    if (cutter.msn === cutPoint.msn - 1) cutter.endSegment(unit.dtsTicks);
    this.#catchUp(cutter, cutPoint.msn);
    cutter.start(unit, cutPoint.msn, this.#initId, cutPoint.isDiscontinuity);
    const firstMsn = this.#firstToKeep(cutPoint.msn);
    const lagMsn = this.#cutPoints.at(cutPoint.startUs - LAG_US)?.msn ?? 0;
    let leastMsn = cutPoint.msn;
    for (const other of this.#cutters) {
      if (other !== cutter) this.#catchUp(other, Math.max(firstMsn, lagMsn));
      leastMsn = Math.min(leastMsn, other.msn);
    }
    this.#cutPoints.forgetBefore(leastMsn);
    if (firstMsn === this.#firstMsn) return;
    this.#firstMsn = firstMsn;
    this.#emit({ type: 'trim', firstMsn });
  }

  #follow(cutter: TrackCutter, unit: StreamUnit): void {
    const us = ticksToUs(unit.dtsTicks, cutter.track.timescale);
    // Not a number before the leader was heard: then everything waits.
    if (cutter.held.isEmpty && us <= this.#horizonUs) {
      this.#place(cutter, unit, false);
      return;
    }
    cutter.held.hold(unit);
    this.#heldCount++;
    if (Number.isNaN(this.#waitingSinceUs)) this.#waitingSinceUs = us;
    const heardUs = Number.isNaN(this.#horizonUs) ? this.#waitingSinceUs : this.#horizonUs;
    const aheadUs = us - heardUs;
    const waitedMs = unit.arrivedMs - Math.max(this.#heardMs, cutter.held.first?.arrivedMs ?? 0);
    const isSilent = aheadUs > LEADER_SILENT_US && waitedMs > LEADER_SILENT_WALL_MS;
    if (!isSilent && aheadUs <= MAX_HELD_US) return;
    this.#acting = cutter;
    for (let waiting = this.#take(cutter); waiting; waiting = this.#take(cutter)) this.#lead(cutter, waiting);
  }

  /** Lets units go on whose time the leader has reached. */
  #releaseHeld(): void {
    for (const cutter of this.#cutters) {
      if (cutter === this.#acting) continue;
      const { timescale } = cutter.track;
      for (
        let unit = cutter.held.first;
        unit && ticksToUs(unit.dtsTicks, timescale) <= this.#horizonUs;
        unit = cutter.held.first
      ) {
        this.#take(cutter);
        this.#place(cutter, unit, false);
      }
    }
  }

  #take(cutter: TrackCutter): StreamUnit | undefined {
    const unit = cutter.held.take();
    if (unit) this.#heldCount--;
    return unit;
  }

  /** Puts a unit into the segment of its time. */
  #place(cutter: TrackCutter, unit: StreamUnit, startsOnlyAtRandomAccess: boolean): void {
    const cutPoint = this.#cutPoints.at(
      ticksToUs(unit.ptsTicks, cutter.track.timescale) + SLACK_US[cutter.track.content],
    );
    if (cutPoint && cutPoint.msn > cutter.msn) {
      const mayStart = unit.isRandomAccess || (cutter.isOpen && !startsOnlyAtRandomAccess);
      if (cutter.isOpen && mayStart && cutPoint.msn === cutter.msn + 1) cutter.endSegment(unit.dtsTicks);
      else this.#catchUp(cutter, mayStart ? cutPoint.msn : cutter.msn + 1);
      if (!mayStart || unit.dtsTicks < cutter.endTicks) return;
      cutter.start(unit, cutPoint.msn, this.#initId, cutPoint.isDiscontinuity);
      this.#lastStartUs = Math.max(this.#lastStartUs, ticksToUs(unit.ptsTicks, cutter.track.timescale));
    }
    if (cutter.isOpen) cutter.add(unit);
  }

  /** Ends what the track has open before segment `msn`, and fills with gaps what it never gave. */
  #catchUp(cutter: TrackCutter, msn: number): void {
    for (
      let cutPoint = this.#cutPoints.from(cutter.msn);
      cutPoint && cutPoint.msn < msn;
      cutPoint = this.#cutPoints.get(cutPoint.msn + 1)
    ) {
      const next = this.#cutPoints.get(cutPoint.msn + 1);
      if (!next) return;
      if (cutPoint.msn === cutter.msn) cutter.endAt(next.start);
      else if (cutPoint.msn > cutter.msn) cutter.gap(cutPoint, next.start, this.#initId);
    }
  }

  #interrupt(): void {
    this.#isInterrupted ||= this.#hasStarted;
    this.#hasStarted = false;
    this.#horizonUs = Number.NaN;
    this.#lastLeadUs = Number.NaN;
    this.#waitingSinceUs = Number.NaN;
    this.#acting = this.#leader;
    this.#cutPoints.clear();
  }

  /** Ends all tracks with the same segment: nothing more belongs to it. */
  #endAll(): void {
    this.#horizonUs = Infinity;
    if (this.#heldCount > 0) {
      this.#acting = undefined;
      this.#releaseHeld();
    }
    const newest = this.#cutPoints.newest;
    let end: Instant | undefined;
    let endUs = 0;
    for (const cutter of this.#cutters) {
      if (newest) this.#catchUp(cutter, newest.msn);
      if (!cutter.isOpen) continue;
      cutter.endSegment();
      if (cutter.endUs <= endUs) continue;
      ({ end, endUs } = cutter);
    }
    if (!newest) return;
    for (const cutter of this.#cutters)
      if (cutter.msn < newest.msn) cutter.gap(newest, end ?? newest.start, this.#initId);
    this.#cutPoints.clear();
  }

  #count(msn: number, bytes: number): void {
    this.#segmentBytes.set(msn, (this.#segmentBytes.get(msn) ?? 0) + bytes);
    this.#windowBytes += bytes;
  }

  /** The first segment that stays in the window when `openMsn` opens. */
  #firstToKeep(openMsn: number): number {
    let first = Math.max(this.#firstMsn, openMsn - this.#options.segmentCount);
    for (let msn = this.#firstMsn; msn < first; msn++) this.#forget(msn);
    if (this.#windowBytes > this.#options.maxWindowBytes) {
      this.#problem({ code: 'frames_too_large', detail: `the window held ${Math.round(this.#windowBytes / 1e6)} MB` });
      while (this.#windowBytes > this.#options.maxWindowBytes && first < openMsn - 1) this.#forget(first++);
    }
    return first;
  }

  #forget(msn: number): void {
    this.#windowBytes -= this.#segmentBytes.get(msn) ?? 0;
    this.#segmentBytes.delete(msn);
  }
}
