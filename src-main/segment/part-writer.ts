import { chunkHeaderBytes } from '../media/containers/isobmff/chunk-shape.ts';
import { writeInitSegment } from '../media/containers/isobmff/init-segment.ts';
import { writeChunkHeader } from '../media/containers/isobmff/chunk.ts';
import { createSampleTable, type SampleTable } from '../media/containers/isobmff/sample-table.ts';
import type { StreamUnit } from '../stream/stream-hub.ts';
import { ChunkCutter } from './chunk-cutter.ts';
import type { PartEffect } from './cut-effects.ts';
import type { HeapPool } from './heap-pool.ts';
import { SharedArena } from './shared-arena.ts';
import { toShared } from './shared-bytes.ts';
import { carriesCaptions } from './track-facts.ts';
import type { ChunkEvent, PartEvent, SharedBytes } from './window-event.ts';

/** Assumed rate of a track in bytes per second until it is known. */
const GUESSED_RATE = { video: 300_000, audio: 20_000 };

/** Writes the parts of one track into shared memory, each a CMAF chunk. `step` decides what a part contains. */
export class PartWriter {
  readonly state: PartEffect['track'];
  readonly init: SharedBytes;
  readonly #content: 'video' | 'audio';
  readonly #arena: SharedArena;
  readonly #headBytes: number;
  readonly #samples: SampleTable;
  readonly #chunks: ChunkCutter;
  #sequence = 1;
  #lastDts = 0;
  /** Whether the newest random access point carries closed captions; undefined before the first, and for sound. */
  #hasCaptions: boolean | undefined;

  /** @param partMs longest part in milliseconds */
  constructor(state: PartEffect['track'], partMs: number, pool: HeapPool) {
    const { track, partSamples } = state;
    const { content } = track;
    this.state = state;
    this.init = toShared(writeInitSegment(track));
    this.#content = content;
    this.#arena = new SharedArena(pool, content, (GUESSED_RATE[content] * partMs) / 1000);
    this.#headBytes = chunkHeaderBytes(partSamples, { content, hasWall: content === 'video' });
    this.#samples = createSampleTable(partSamples);
    this.#chunks = new ChunkCutter(state);
  }

  /** Starts a segment. @param msn its media sequence number */
  startSegment(msn: number): void {
    this.#chunks.startSegment(msn);
  }

  /**
   * Adds a sample to the open part; the first one opens it. Returns the chunk that the samples before it complete, if any.
   *
   * @param wantsChunks whether a new part is emitted in chunks as well
   */
  add(unit: StreamUnit, wantsChunks: boolean): ChunkEvent | undefined {
    const { dtsTicks, ptsTicks, isRandomAccess, data } = unit;
    const samples = this.#samples;
    const index = samples.count;
    let chunk: ChunkEvent | undefined;
    if (index === 0) {
      this.#arena.open(this.#headBytes);
      this.#chunks.startPart(unit, wantsChunks);
    } else {
      samples.durations[index - 1] = dtsTicks - this.#lastDts;
      chunk = this.#chunks.next(unit, this.#open);
    }
    samples.count++;
    samples.sizes[index] = data.length;
    samples.compositionOffsets[index] = ptsTicks - dtsTicks;
    samples.isSync[index] = isRandomAccess ? 1 : 0;
    this.#arena.append(data);
    if (isRandomAccess && this.#content === 'video') this.#hasCaptions = carriesCaptions(data);
    this.#lastDts = dtsTicks;
    return chunk;
  }

  /** Ends the open part, whose bytes have one reader. Also returns its last chunk if it is cut into chunks. */
  end({ track, startTicks, endTicks, shape, part }: PartEffect): {
    readonly chunk: ChunkEvent | undefined;
    readonly written: Pick<PartEvent, 'bytes' | 'hasCaptions'>;
  } {
    const arena = this.#arena;
    const samples = this.#samples;
    samples.durations[samples.count - 1] = endTicks - this.#lastDts;
    const chunk = this.#chunks.endPart(this.#open);
    const from = writeChunkHeader(arena.bytes, arena.samplesStart, {
      trackNumber: track.number,
      sequenceNumber: this.#sequence++,
      baseDecodeTicks: startTicks,
      samples,
      shape,
      content: this.#content,
      ...(this.#content === 'video' ? { wall: { epochMs: part.arrivedMs, mediaTicks: part.startTicks } } : {}),
    });
    samples.count = 0;
    const bytes = arena.close(from);
    const hasCaptions = this.#hasCaptions;
    return { chunk, written: hasCaptions === undefined ? { bytes } : { bytes, hasCaptions } };
  }

  /** Releases the memory of the track; nothing more is written. */
  dispose(): void {
    this.#arena.dispose();
  }

  get #open(): Parameters<ChunkCutter['endPart']>[0] {
    const { bytes, samplesStart } = this.#arena;
    return { samples: this.#samples, samplesStart, bytes };
  }
}
