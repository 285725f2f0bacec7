import { release, retain } from '../segment/shared-use.ts';
import { viewShared } from '../segment/shared-bytes.ts';
import type { PartEvent, SegmentEndEvent, SharedBytes } from '../segment/window-event.ts';
import { MAX_RUN_CHUNKS, type BlockRun, type RunChunk } from './block/block-run.ts';

/** Chunk that is not yet on disk. */
interface PendingChunk extends RunChunk {
  readonly bytes: Uint8Array;
  /** 0 until it is written. */
  checksum: number;
  /** Shared memory of the bytes. */
  readonly memory?: SharedBytes;
}

/** Pending run: its checksums are computed when it is written. */
export interface PendingRun extends Omit<BlockRun, 'chunks' | 'isGap' | 'endDurationTicks'> {
  isGap: boolean;
  endDurationTicks?: number;
  readonly chunks: PendingChunk[];
}

/** Pending data of a block, collected into one run per segment and track. Retains the memory of its parts. */
export class PendingRuns {
  #runs: PendingRun[] = [];
  /** Newest segment of each track, which later parts belong to. */
  readonly #segments = new Map<number, Omit<PendingRun, 'chunks'>>();
  /** Pending bytes of media. */
  sizeBytes = 0;
  /** Arrival of the oldest pending data by the clock, in epoch milliseconds; undefined if nothing is pending. */
  sinceMs: number | undefined;
  /** Earliest pending media in epoch milliseconds; Infinity if none is pending. */
  mediaFromMs = Infinity;

  get isEmpty(): boolean {
    return this.#runs.length === 0;
  }

  segmentStart(trackNumber: number, segmentStartTicks: number, isDiscontinuity: boolean): void {
    this.#segments.set(trackNumber, { trackNumber, segmentStartTicks, isStart: true, isDiscontinuity, isGap: false });
  }

  /** @param mediaMs start of the part in epoch milliseconds */
  part(trackNumber: number, part: PartEvent, mediaMs: number, nowMs: number): void {
    const { bytes, durationTicks, isIndependent, hasCaptions = false } = part;
    const run = this.#runOf(trackNumber, nowMs);
    if (!run) return;
    retain(bytes);
    const sizeBytes = bytes.length;
    const view = viewShared(bytes);
    run.chunks.push({ bytes: view, sizeBytes, durationTicks, checksum: 0, isIndependent, hasCaptions, memory: bytes });
    this.sizeBytes += bytes.length;
    this.mediaFromMs = Math.min(this.mediaFromMs, mediaMs);
  }

  segmentEnd(trackNumber: number, { durationTicks, isGap }: SegmentEndEvent, nowMs: number): void {
    const run = this.#runOf(trackNumber, nowMs);
    if (!run) return;
    run.isGap = isGap;
    run.endDurationTicks = durationTicks;
    this.#segments.delete(trackNumber);
  }

  splice(box: Uint8Array, nowMs: number): void {
    this.sinceMs ??= nowMs;
    const sizeBytes = box.length;
    const chunk = { bytes: box, sizeBytes, durationTicks: 0, checksum: 0, isIndependent: false, hasCaptions: false };
    this.#runs.push({
      trackNumber: 0,
      segmentStartTicks: 0,
      isStart: false,
      isDiscontinuity: false,
      isGap: false,
      chunks: [chunk],
    });
    this.sizeBytes += box.length;
  }

  /** Takes all pending data in order, track by track; release its memory with `releaseRuns`. */
  take(): readonly PendingRun[] {
    const runs = this.#runs;
    this.#runs = [];
    this.sizeBytes = 0;
    this.sinceMs = undefined;
    this.mediaFromMs = Infinity;
    // Adjacent chunks of a track can be read in one go.
    return runs.sort((a, b) => a.trackNumber - b.trackNumber);
  }

  #runOf(trackNumber: number, nowMs: number): PendingRun | undefined {
    const segment = this.#segments.get(trackNumber);
    if (!segment) return undefined;
    const { segmentStartTicks } = segment;
    this.sinceMs ??= nowMs;
    const newest = this.#runs.findLast((run) => run.trackNumber === trackNumber);
    if (newest?.segmentStartTicks === segmentStartTicks && newest.chunks.length < MAX_RUN_CHUNKS) return newest;
    const run: PendingRun = { ...segment, chunks: [] };
    this.#segments.set(trackNumber, { ...segment, isStart: false });
    this.#runs.push(run);
    return run;
  }
}

/** Releases the memory of runs. */
export function releaseRuns(runs: readonly PendingRun[]): void {
  for (const { chunks } of runs) for (const { memory } of chunks) if (memory) release(memory);
}
