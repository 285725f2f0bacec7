import { BackOff } from '../lib/back-off.ts';
import { isFullDiskCode } from '../lib/full-disk.ts';
import type { Clock } from '../lib/clock.ts';
import { ticksToMs } from '../media/timing/ticks.ts';
import { trackNumber, type Track } from '../media/track.ts';
import type { RunWindow } from '../segment/run-window.ts';
import type { SegmentStartEvent, WindowEvent } from '../segment/window-event.ts';
import { writeSpliceBox } from './block/block-splice.ts';
import { BlockWriter, type BlockFailure, type RecordedBlock } from './block-writer.ts';
import type { ArchiveEnd, ArchiveNumbers } from './archive-numbers.ts';
import type { Disk } from './disk.ts';
import { endOf } from './recovery.ts';

/** Gap in the recording. */
export interface RecordingGap {
  /** Start of the missing media in epoch milliseconds. */
  readonly fromMs: number;
  /** End of the gap; undefined while it lasts. */
  readonly toMs?: number;
  readonly failure: BlockFailure;
}

export interface StreamRecorderOptions {
  readonly stream: string;
  readonly clock: Clock;
  /** Clock of process running time, for waiting times. */
  readonly running: Clock;
  readonly numbers: ArchiveNumbers;
  /** Disk for the next block, or a failure if none can be written. @param avoid the disk that failed last */
  readonly choose: (avoid: Disk | undefined) => Disk | BlockFailure;
  /** Whether media that starts at a time is to be recorded. @param startMs epoch milliseconds */
  readonly isDue: (startMs: number) => boolean;
  readonly finished: (block: RecordedBlock) => void;
  /** Called when the recording breaks off, and again when it resumes. */
  readonly gap: (gap: RecordingGap) => void;
}

/** Tracks by id, with the numbers of their init segments. */
type Inits = ReadonlyMap<string, { readonly track: Track; readonly initId: number }>;

/** Block that takes segments from a media sequence number on. */
interface OpenBlock {
  readonly writer: BlockWriter;
  readonly disk: Disk;
  readonly fromMsn: number;
  /** Its tracks, each with the number of its init segment. */
  readonly inits: Inits;
  /** Whether part of the block is on disk. */
  hasStarted: boolean;
  /** Resolves when the block is finished or abandoned. */
  readonly over: PromiseWithResolvers<void>;
  /** Media sequence number of the open or last ended segment of each track. */
  readonly reached: Map<string, { msn: number; isEnded: boolean }>;
}

/** Maximum number of open blocks of a stream: a track that does not end its segments keeps one open. */
const MAX_OPEN = 4;
const MINUTE_MS = 60_000;
/** Maximum overlap of an archive with a new run, in milliseconds. A longer overlap comes from a change of the clock. */
const MAX_OVERLAP_MS = 15_000;
/** Pause before a disk is tried again after a failure, in milliseconds; grows up to the maximum. */
const RETRY = { firstMs: 1000, maxMs: 15_000 };

/**
 * Records one stream: reads the events of its runs and passes them to blocks. Does no I/O and never waits: if the disk
 * is too slow, the block is abandoned, and the next segment starts another block, on another disk if possible.
 */
export class StreamRecorder {
  readonly #options: StreamRecorderOptions;
  readonly #backOff = new BackOff(RETRY);
  #detach: (() => void) | undefined;
  #inits: Inits = new Map();
  /** Blocks that still get media, oldest first: tracks reach a cut one after another. */
  #blocks: OpenBlock[] = [];
  /** `#blocks`, and blocks whose last data is being written. */
  readonly #unfinished = new Set<OpenBlock>();
  /** Blocks that failed on a full disk, until their written part is finished. Disks with other faults may never answer. */
  readonly #ending = new Set<OpenBlock>();
  /** Media sequence number of the newest segment. */
  #newestMsn = -1;
  /** Time up to which media is already in the archive, in epoch milliseconds. */
  #fromMs = 0;
  #gap: RecordingGap | undefined;
  #failedDisk: Disk | undefined;
  /** Running time before which no block is started, in milliseconds. */
  #retryMs = 0;
  /** Whether the next segment of every track is a discontinuity. */
  #isCut = true;
  /** Whether blocks wait in memory until the end of the archive is known. */
  #isDeferred = false;
  /** Whether the next segment starts a block, even in the same minute. */
  #isCutRequested = false;
  /** Start of the newest segment, in epoch milliseconds. */
  #reachedMs = 0;

  constructor(options: StreamRecorderOptions) {
    this.#options = options;
  }

  get isRecording(): boolean {
    return this.#blocks.length > 0;
  }

  /** Range of each unfinished block on disk up to its last written part, in epoch milliseconds. */
  get unfinishedTimes(): readonly { readonly startMs: number; readonly endMs: number }[] {
    return this.unfinishedBlocks
      .map(({ head, index }) => ({ startMs: head.startMs, endMs: endOf(head, index) }))
      .filter(({ startMs, endMs }) => startMs < endMs);
  }

  /** Unfinished blocks that have media on disk, oldest first. */
  get unfinishedBlocks(): readonly BlockWriter[] {
    return [...this.#ending, ...this.#unfinished].filter(({ hasStarted }) => hasStarted).map(({ writer }) => writer);
  }

  /** Ends blocks that start before a time, at the next segment. Resolves when they have ended. */
  async cut(beforeMs: number): Promise<void> {
    const open = [...this.#unfinished].filter(({ writer }) => !writer.isOver && writer.head.startMs < beforeMs);
    this.#isCutRequested ||= open.some((block) => this.#blocks.includes(block));
    await Promise.all(open.map(async ({ over }) => over.promise));
  }

  /** Resolves when all current blocks are finished or abandoned. */
  async whenOver(): Promise<void> {
    await Promise.all([...this.#unfinished].map(async ({ over }) => over.promise));
  }

  /** Bytes not on disk yet. */
  get unwrittenBytes(): number {
    return this.#blocks.reduce((bytes, { writer }) => bytes + writer.unwrittenBytes, 0);
  }

  /** Follows a run from its next segment on. Its blocks wait in memory until `settle`. */
  attach(run: RunWindow): void {
    this.detach();
    this.#isDeferred = true;
    this.#inits = initsOf(run.hasTracks ? run.window.inits : []);
    this.#newestMsn = run.window.nextMsn - 1;
    this.#options.numbers.attach(run.resumePoint.resume.nextMsn, this.#options.clock.now());
    const stop = run.onEvents((events) => {
      for (const event of events) this.#take(event);
    });
    this.#detach = stop;
    run.onEnd(() => {
      if (this.#detach === stop) this.detach();
    });
  }

  /** Sets the end of the archive (epoch milliseconds). Pending data is written from there on; its numbers continue. */
  settle(endMs: number, end?: ArchiveEnd): void {
    this.#options.numbers.settle(end);
    this.#isDeferred = false;
    const deferred = [...this.#unfinished];
    const startMs = Math.min(...deferred.map(({ writer }) => writer.head.startMs));
    if (endMs - Math.min(startMs, this.#options.clock.now()) <= MAX_OVERLAP_MS) this.#fromMs = endMs;
    const isOverlapping = startMs < this.#fromMs;
    for (const block of deferred) {
      if (isOverlapping) {
        block.writer.drop();
        this.#leave(block);
        this.#blocks = this.#blocks.filter((other) => other !== block);
      }
      block.writer.release();
      block.disk.notify();
    }
    if (isOverlapping) this.#isCut = true;
  }

  /** Ends the recording: pending data is written. */
  detach(): void {
    this.#detach?.();
    this.#detach = undefined;
    this.#finish();
    // The gap ends with the run.
    if (this.#gap) this.#resumed(Math.max(this.#reachedMs, this.#gap.fromMs));
  }

  #take(event: WindowEvent): void {
    switch (event.type) {
      case 'init':
        this.#inits = initsOf(event.tracks);
        this.#finishOld();
        return;
      case 'segment-start':
        this.#segmentStart(event);
        return;
      case 'part': {
        const block = this.#blockWith(event);
        const track = block?.inits.get(event.trackId)?.track;
        if (!block || !track) return;
        const mediaMs = ticksToMs(event.startTicks, track.timescale);
        block.writer.pending.part(trackNumber(event.trackId), event, mediaMs, this.#options.running.now());
        return;
      }
      case 'segment-end': {
        const block = this.#blockWith(event);
        if (!block) return;
        block.reached.set(event.trackId, { msn: event.msn, isEnded: true });
        block.writer.pending.segmentEnd(trackNumber(event.trackId), event, this.#options.running.now());
        this.#finishOld();
        return;
      }
      case 'splice': {
        const { type: _, ...splice } = event;
        this.#blocks.at(-1)?.writer.pending.splice(writeSpliceBox(splice), this.#options.running.now());
        return;
      }
      case 'idle':
        this.#finish();
        return;
      case 'rewind':
        this.#finish();
        this.#fromMs = 0;
        this.#reachedMs = 0;
        return;
      case 'trim':
      case 'chunk':
        return;
      default:
        event satisfies never;
    }
  }

  #segmentStart(event: SegmentStartEvent): void {
    const { trackId, msn, startTicks } = event;
    const track = this.#inits.get(trackId)?.track;
    if (!track) return;
    const startMs = ticksToMs(startTicks, track.timescale);
    this.#startBlock(event, startMs);
    this.#reachedMs = Math.max(this.#reachedMs, startMs);
    this.#newestMsn = Math.max(this.#newestMsn, msn);
    const block = this.#blocks.findLast(({ fromMsn, inits }) => fromMsn <= msn && isSame(inits, event));
    if (!block) return;
    const isFirst = this.#isCut && !block.reached.has(trackId) && block === this.#blocks.at(-1);
    const isCut = event.isDiscontinuity || isFirst;
    this.#options.numbers.segmentStarted(msn, startMs, isCut);
    block.reached.set(trackId, { msn, isEnded: false });
    block.writer.pending.segmentStart(trackNumber(trackId), startTicks, isCut);
  }

  /** Starts a block if a segment is the first of a minute or of a format, the first after a gap, or a cut is requested. */
  #startBlock(event: SegmentStartEvent, startMs: number): void {
    const { msn } = event;
    // Row n has the same number in all tracks of a block, so a late segment with a number of an earlier block starts
    // no block.
    if (msn <= this.#newestMsn) return;
    if (!this.#options.isDue(startMs)) {
      this.#skip(startMs);
      return;
    }
    const last = this.#blocks.at(-1);
    if (last) {
      const isOtherFormat = [...this.#inits].some(([id, init]) => last.inits.get(id)?.initId !== init.initId);
      const isOtherMinute = this.#isCutRequested || minuteOf(startMs) !== minuteOf(last.writer.head.startMs);
      if (!isOtherFormat && !isOtherMinute) return;
    } else if (startMs < this.#fromMs || this.#options.running.now() < this.#retryMs) return;
    const disk = this.#options.choose(this.#failedDisk);
    if ('code' in disk) {
      // An open block continues if possible: a longer block is better than a gap.
      if (!last) this.#broken(startMs, disk);
      return;
    }
    if (last) this.#isCut = false;
    const open = this.#open(disk, msn, startMs);
    this.#blocks.push(open);
    disk.add(open.writer);
    this.#finishOld();
  }

  #open(disk: Disk, fromMsn: number, startMs: number): OpenBlock {
    const { stream, running, finished } = this.#options;
    const inits = this.#inits;
    const { cuts } = this.#options.numbers;
    let hasFailed = false;
    const writer = new BlockWriter({
      head: { stream, startMs, tracks: [...inits.values()].map(({ track, initId }) => ({ ...track, initId })) },
      numbers: () => (this.#isDeferred ? undefined : this.#options.numbers.of(fromMsn, cuts)),
      disk: disk.folder,
      files: { create: async (path) => disk.create(path), remove: async (path) => disk.files.remove(path) },
      clock: running,
      isDeferred: this.#isDeferred,
      outcome: {
        started: () => {
          open.hasStarted = true;
          this.#resumed(startMs);
        },
        finished: (block) => {
          if (!hasFailed) this.#backOff.reset();
          this.#leave(open);
          finished(block);
        },
        abandoned: () => {
          this.#ending.delete(open);
          this.#leave(open);
        },
        failed: (failure, mediaFromMs) => {
          hasFailed = true;
          this.#leave(open);
          if (open.hasStarted && isFullDiskCode(failure.code)) this.#ending.add(open);
          this.#failed(open, failure, mediaFromMs);
        },
      },
    });
    const open: OpenBlock = {
      writer,
      disk,
      fromMsn,
      inits,
      hasStarted: false,
      reached: new Map(),
      over: Promise.withResolvers(),
    };
    for (const block of this.#unfinished) if (block.writer.isOver) this.#leave(block);
    this.#unfinished.add(open);
    this.#isCutRequested = false;
    return open;
  }

  #failed(failed: OpenBlock, failure: BlockFailure, mediaFromMs: number): void {
    this.#blocks = this.#blocks.filter((block) => block !== failed);
    failed.disk.meter.failed();
    this.#failedDisk = failed.disk;
    this.#broken(mediaFromMs === Infinity ? this.#reachedMs : mediaFromMs, failure);
    // Media that arrives in a later block in the meantime is recorded.
    const later = this.#blocks.find(({ hasStarted }) => hasStarted);
    if (later) this.#resumed(later.writer.head.startMs);
    else if (!this.#detach && this.#gap) this.#resumed(Math.max(this.#reachedMs, this.#gap.fromMs));
  }

  #broken(fromMs: number, failure: BlockFailure): void {
    this.#retryMs = this.#options.running.now() + this.#backOff.next();
    this.#isCut = true;
    if (this.#gap) return;
    this.#gap = { fromMs, failure };
    this.#options.gap(this.#gap);
  }

  #resumed(toMs: number): void {
    this.#failedDisk = undefined;
    if (this.#gap) this.#options.gap({ ...this.#gap, toMs });
    this.#gap = undefined;
  }

  /** Block that has this segment of the track open. */
  #blockWith({ trackId, msn }: { readonly trackId: string; readonly msn: number }): OpenBlock | undefined {
    return this.#blocks.findLast(({ reached }) => reached.get(trackId)?.msn === msn);
  }

  /** Ends blocks that will get no more segments from any track. */
  #finishOld(): void {
    for (let [oldest, next] = this.#blocks; oldest && next; [oldest, next] = this.#blocks) {
      const { inits, reached } = oldest;
      const after = next;
      const isDone = (id: string): boolean => {
        const at = reached.get(id);
        if (at?.isEnded === false) return false;
        return (at?.msn ?? -1) >= after.fromMsn - 1 || after.reached.has(id) || !this.#inits.has(id);
      };
      if (this.#blocks.length <= MAX_OPEN && ![...inits.keys()].every(isDone)) return;
      this.#blocks.shift();
      this.#end(oldest);
    }
  }

  /** Ends the recording outside its schedule, and the gap, if any. */
  #skip(startMs: number): void {
    this.#finish();
    if (this.#gap) this.#resumed(Math.max(startMs, this.#gap.fromMs));
  }

  /** Removes a block that has ended. */
  #leave(block: OpenBlock): void {
    this.#unfinished.delete(block);
    block.over.resolve();
  }

  #finish(): void {
    for (const block of this.#blocks) this.#end(block);
    this.#blocks = [];
    this.#isCut = true;
  }

  #end({ writer, disk }: OpenBlock): void {
    writer.finish();
    disk.notify();
  }
}

function minuteOf(epochMs: number): number {
  return Math.floor(epochMs / MINUTE_MS);
}

function initsOf(inits: Iterable<{ readonly track: Track; readonly initId: number }>): Inits {
  return new Map([...inits].map(({ track, initId }) => [track.id, { track, initId }]));
}

/** Whether a segment has the format of its track in the block. */
function isSame(inits: Inits, { trackId, initId }: SegmentStartEvent): boolean {
  return inits.get(trackId)?.initId === initId;
}
