import { chunkHeaderBytes } from '../media/containers/isobmff/chunk-shape.ts';
import { writeChunkHeader } from '../media/containers/isobmff/chunk.ts';
import type { SampleTable } from '../media/containers/isobmff/sample-table.ts';
import type { StreamUnit } from '../stream/stream-hub.ts';
import type { TrackState } from './track-state.ts';
import type { ChunkEvent } from './window-event.ts';

/** Minimum duration of a chunk in milliseconds: shorter chunks cost players more than they gain. */
const CHUNK_MS = 120;

/** Samples of an open part so far. */
interface OpenSamples {
  readonly samples: SampleTable;
  /** Offset of the first sample in `bytes`; the other samples follow. */
  readonly samplesStart: number;
  readonly bytes: Uint8Array;
}

/** Cuts the open part of a track into chunks while it grows. */
export class ChunkCutter {
  readonly #state: TrackState;
  readonly #chunkTicks: number;
  #msn = 0;
  #partIndex = 0;
  #isCutting = false;
  /** Index of the next chunk in the open part. */
  #index = 0;
  #sampleCount = 0;
  #bytesCut = 0;
  #dtsTicks = 0;
  /** Presentation minus decoding time of the first access unit of the segment, in ticks. */
  #shiftTicks = 0;
  #sequence = 1;

  constructor(state: TrackState) {
    this.#state = state;
    this.#chunkTicks = (CHUNK_MS * state.track.timescale) / 1000;
  }

  /** Starts a segment. */
  startSegment(msn: number): void {
    this.#msn = msn;
    this.#partIndex = 0;
  }

  /** Starts a part. @param isRequested whether it is cut into chunks */
  startPart(unit: StreamUnit, isRequested: boolean): void {
    this.#isCutting = isRequested;
    this.#index = 0;
    this.#sampleCount = 0;
    this.#bytesCut = 0;
    if (this.#partIndex === 0) this.#shiftTicks = unit.ptsTicks - unit.dtsTicks;
    this.#dtsTicks = unit.dtsTicks;
  }

  /** Adds the next unit of the part. Returns the chunk that the previous units complete, if any. */
  next(unit: StreamUnit, open: OpenSamples): ChunkEvent | undefined {
    if (!this.#isCutting || unit.dtsTicks - this.#dtsTicks < this.#chunkTicks) return undefined;
    const chunk = this.#cut(open, false);
    this.#dtsTicks = unit.dtsTicks;
    return chunk;
  }

  /** Ends the part. Returns its last chunk. */
  endPart(open: OpenSamples): ChunkEvent | undefined {
    const chunk = this.#isCutting ? this.#cut(open, true) : undefined;
    this.#partIndex++;
    return chunk;
  }

  #cut({ samples, samplesStart, bytes: source }: OpenSamples, isLast: boolean): ChunkEvent {
    const { track, number } = this.#state;
    const { content, id: trackId } = track;
    const [first, end] = [this.#sampleCount, samples.count];
    const chunkSamples: SampleTable = {
      count: end - first,
      sizes: samples.sizes.subarray(first, end),
      durations: samples.durations.subarray(first, end),
      compositionOffsets: samples.compositionOffsets.subarray(first, end),
      isSync: samples.isSync.subarray(first, end),
    };
    const dataBytes = chunkSamples.sizes.reduce((sum, size) => sum + size, 0);
    const headBytes = chunkHeaderBytes(chunkSamples.count, { content, hasWall: false });
    const bytes = new Uint8Array(headBytes + dataBytes);
    const dataStart = samplesStart + this.#bytesCut;
    bytes.set(source.subarray(dataStart, dataStart + dataBytes), headBytes);
    const from = writeChunkHeader(bytes, headBytes, {
      trackNumber: number,
      sequenceNumber: this.#sequence++,
      baseDecodeTicks: this.#dtsTicks,
      samples: chunkSamples,
      content,
    });
    this.#sampleCount = end;
    this.#bytesCut += dataBytes;
    return {
      type: 'chunk',
      trackId,
      msn: this.#msn,
      partIndex: this.#partIndex,
      index: this.#index++,
      startTicks: this.#dtsTicks + this.#shiftTicks,
      isIndependent: chunkSamples.isSync[0] === 1,
      isLast,
      bytes: bytes.subarray(from),
    };
  }
}
