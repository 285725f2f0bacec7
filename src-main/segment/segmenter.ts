import { writeInitSegment } from '../media/containers/isobmff/init-segment.ts';
import type { FormatProblem } from '../media/access-unit.ts';
import type { Track } from '../media/track.ts';
import type { StreamReader, StreamUnit } from '../stream/stream-hub.ts';
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

/** Where a window goes on when its stream had a life before: nothing of it is numbered twice. */
export interface SegmenterResume {
  readonly nextMsn: number;
  readonly nextInitId: number;
  /** Whether the window still holds segments of an earlier life, which the next one does not continue. */
  readonly isContinuation: boolean;
}

/** After this long without a unit the track that leads is taken for silent, and another one cuts the segments. */
const LEADER_SILENT_MS = 3000;

interface Boundary {
  readonly msn: number;
  /** UTC seconds at which the segment starts, as presentation time. */
  readonly startSeconds: number;
  readonly isDiscontinuity: boolean;
}

/**
 * Cuts a stream into parts and segments and tells what happens to its window as events. One track leads, the first
 * video or else the first audio: its random access points are the borders, and the other tracks follow them with the
 * same media sequence numbers.
 */
export class Segmenter implements StreamReader {
  readonly #options: SegmenterOptions;
  readonly #emit: (event: WindowEvent) => void;
  readonly #problem: (problem: FormatProblem) => void;
  readonly #pool: HeapPool;
  #cutters: TrackCutter[] = [];
  #leader: TrackCutter | undefined;
  #initId: number;
  #nextMsn: number;
  #firstMsn: number;
  /** Borders of the last segments, oldest first; the last one is the open segment. */
  #boundaries: Boundary[] = [];
  /** Bytes of the segments in the window, by media sequence number. */
  #segmentBytes = new Map<number, number>();
  #windowBytes = 0;
  #isInterrupted = false;
  #hasStarted = false;
  /** UTC seconds of the newest unit of the leading track, or of the first unit after an interruption. */
  #heardSeconds: number | undefined;

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
    this.close();
    this.#initId++;
    const emit = this.#emit;
    const pool = this.#pool;
    this.#cutters = tracks.map((track) => new TrackCutter(track, { partMs: this.#options.partMs, emit, pool }));
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
    const cutter = this.#cutters.find((candidate) => candidate.track === unit.track);
    if (!cutter) return;
    if (cutter === this.#leader) this.#lead(cutter, unit);
    else this.#follow(cutter, unit);
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
  }

  #lead(cutter: TrackCutter, unit: StreamUnit): void {
    const timescale = cutter.track.timescale;
    if (cutter === this.#leader) this.#heardSeconds = unit.dtsTicks / timescale;
    if (!cutter.isOpen) {
      if (!unit.isRandomAccess) return;
      this.#border(cutter, unit);
    } else {
      const elapsedMs = (cutter.elapsedTo(unit.dtsTicks) * 1000) / timescale;
      if (unit.isRandomAccess && elapsedMs >= this.#options.segmentMs - this.#options.partMs / 10) {
        this.#border(cutter, unit);
      } else if (elapsedMs >= this.#options.maxSegmentMs) {
        this.#problem({ code: 'gop_too_long', detail: `no key frame for ${(elapsedMs / 1000).toFixed(1)} s` });
        this.#border(cutter, unit);
      }
    }
    cutter.add(unit);
  }

  /** Ends the open segment of the leading track and starts the next one with `unit`. */
  #border(cutter: TrackCutter, unit: StreamUnit): void {
    cutter.end(unit.dtsTicks);
    const boundary: Boundary = {
      msn: this.#nextMsn++,
      startSeconds: unit.ptsTicks / cutter.track.timescale,
      isDiscontinuity: this.#isInterrupted,
    };
    this.#isInterrupted = false;
    this.#hasStarted = true;
    this.#boundaries.push(boundary);
    if (this.#boundaries.length > 4) this.#boundaries.shift();
    this.#catchUp(cutter, boundary.msn);
    cutter.start(unit, boundary.msn, this.#initId, boundary.isDiscontinuity);
    // The others may still have units of the segment before this one on their way, but not of older ones.
    for (const other of this.#cutters) if (other !== cutter) this.#catchUp(other, boundary.msn - 1);
    this.#trim(boundary.msn);
  }

  #follow(cutter: TrackCutter, unit: StreamUnit): void {
    if (this.#isLeaderSilent(cutter, unit)) {
      this.#lead(cutter, unit);
      return;
    }
    const seconds = unit.ptsTicks / cutter.track.timescale;
    // Half a frame early is still on the border: the frames of two tracks never start at the same instant.
    const slack = cutter.isAudio ? 0.012 : 0.02;
    const boundary = this.#boundaryAt(seconds + slack);
    if (boundary && boundary.msn > cutter.msn) {
      cutter.end(unit.dtsTicks);
      cutter.start(unit, boundary.msn, this.#initId, boundary.isDiscontinuity);
    }
    if (cutter.isOpen) cutter.add(unit);
  }

  /** The newest border that is not after `seconds`. */
  #boundaryAt(seconds: number): Boundary | undefined {
    for (let index = this.#boundaries.length - 1; index >= 0; index--) {
      const boundary = this.#boundaries[index];
      if (boundary && boundary.startSeconds <= seconds) return boundary;
    }
    return undefined;
  }

  /** Ends what the track has open before segment `msn`, and fills with gaps what it never gave. */
  #catchUp(cutter: TrackCutter, msn: number): void {
    if (cutter.isOpen && cutter.msn < msn) cutter.end();
    for (const [index, boundary] of this.#boundaries.entries()) {
      const next = this.#boundaries[index + 1];
      if (!next || boundary.msn >= msn || boundary.msn <= cutter.msn) continue;
      const timescale = cutter.track.timescale;
      const startTicks = Math.round(boundary.startSeconds * timescale);
      const durationTicks = Math.round((next.startSeconds - boundary.startSeconds) * timescale);
      cutter.gap(boundary.msn, startTicks, durationTicks, this.#initId, boundary.isDiscontinuity);
    }
  }

  /** Whether the leading track has fallen silent, so that the first of the others has to cut. */
  #isLeaderSilent(cutter: TrackCutter, unit: StreamUnit): boolean {
    const seconds = unit.dtsTicks / cutter.track.timescale;
    this.#heardSeconds ??= seconds;
    const silentMs = (seconds - this.#heardSeconds) * 1000;
    return silentMs > Math.max(LEADER_SILENT_MS, this.#options.segmentMs) && this.#isFirstFollower(cutter);
  }

  #isFirstFollower(cutter: TrackCutter): boolean {
    return this.#cutters.find((candidate) => candidate !== this.#leader) === cutter;
  }

  #interrupt(): void {
    this.#isInterrupted ||= this.#hasStarted;
    this.#hasStarted = false;
    this.#heardSeconds = undefined;
    this.#boundaries = [];
  }

  #endAll(): void {
    for (const cutter of this.#cutters) cutter.end();
  }

  #count(msn: number, bytes: number): void {
    this.#segmentBytes.set(msn, (this.#segmentBytes.get(msn) ?? 0) + bytes);
    this.#windowBytes += bytes;
  }

  #trim(openMsn: number): void {
    let first = Math.max(this.#firstMsn, openMsn - this.#options.segmentCount);
    for (let msn = this.#firstMsn; msn < first; msn++) this.#forget(msn);
    if (this.#windowBytes > this.#options.maxWindowBytes) {
      this.#problem({ code: 'frames_too_large', detail: `the window held ${Math.round(this.#windowBytes / 1e6)} MB` });
      while (this.#windowBytes > this.#options.maxWindowBytes && first < openMsn - 1) this.#forget(first++);
    }
    if (first === this.#firstMsn) return;
    this.#firstMsn = first;
    this.#emit({ type: 'trim', firstMsn: first });
  }

  #forget(msn: number): void {
    this.#windowBytes -= this.#segmentBytes.get(msn) ?? 0;
    this.#segmentBytes.delete(msn);
  }
}
