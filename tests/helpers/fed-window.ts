import { LiveWindow } from '../../src-main/segment/live-window.ts';
import type { Track } from '../../src-main/media/track.ts';
import type { SharedBytes } from '../../src-main/segment/window-event.ts';
import { writeChunkHeader } from '../../src-main/media/containers/isobmff/chunk.ts';
import { createSampleTable } from '../../src-main/media/containers/isobmff/sample-table.ts';
import { madeAudio, madeVideo } from './made-input.ts';

const PART_MS = 500;
const PARTS = 4;
/** Number of segments that the window keeps. */
const MAX_SEGMENTS = 5;
const START_MS = 1_000_000;

function bytes(length = 16): SharedBytes {
  return { buffer: new SharedArrayBuffer(length), offset: 0, length, useOffset: -1 };
}

/** Maximum size of the boxes before a sample, in bytes. */
const HEAD_BYTES = 256;

/** Chunk of one sample. */
function chunkOf(
  { content, durationTicks }: { readonly content: Track['content']; readonly durationTicks: number },
  sample: Uint8Array,
): SharedBytes {
  const samples = createSampleTable(1);
  samples.count = 1;
  samples.sizes[0] = sample.length;
  samples.durations[0] = durationTicks;
  samples.isSync[0] = 1;
  const head = new Uint8Array(HEAD_BYTES);
  const start = writeChunkHeader(head, HEAD_BYTES, {
    trackNumber: 1,
    sequenceNumber: 1,
    baseDecodeTicks: 0,
    samples,
    content,
  });
  const chunk = bytes(HEAD_BYTES - start + sample.length);
  new Uint8Array(chunk.buffer).set([...head.subarray(start), ...sample]);
  return chunk;
}

/** Live window that grows by parts of half a second: segments of four parts, each starting with a key frame. */
export class FedWindow {
  readonly window = new LiveWindow({ partMs: PART_MS, segmentMs: PART_MS * PARTS });
  readonly #sample: ((content: Track['content'], atMs: number) => Uint8Array) | undefined;
  #tracks: readonly Track[];
  #initId = 0;
  #parts = 0;

  /**
   * @param tracks default: one video and one audio track
   * @param sample returns the single access unit of a part, by the start of the part; default: parts are empty
   */
  constructor(
    tracks: readonly Track[] = [madeVideo(), madeAudio()],
    sample?: (content: Track['content'], atMs: number) => Uint8Array,
  ) {
    this.#tracks = tracks;
    this.#sample = sample;
    this.#init();
  }

  /** Number of parts of each track. */
  get parts(): number {
    return this.#parts;
  }

  /** End of the newest part in epoch milliseconds. */
  get endMs(): number {
    return START_MS + this.#parts * PART_MS;
  }

  /** Adds parts to each track. */
  grow(parts = 1): void {
    for (let part = 0; part < parts; part++) this.#add();
  }

  /** Changes the tracks from the next segment on. */
  change(tracks: readonly Track[]): void {
    while (this.#parts % PARTS !== 0) this.#add();
    this.#tracks = tracks;
    this.#initId++;
    this.#init();
  }

  #init(): void {
    this.window.apply([
      { type: 'init', tracks: this.#tracks.map((track) => ({ track, initId: this.#initId, init: bytes() })) },
    ]);
  }

  #add(): void {
    const msn = Math.floor(this.#parts / PARTS);
    const index = this.#parts % PARTS;
    const initId = this.#initId;
    for (const { id: trackId, timescale, content } of this.#tracks) {
      const startTicks = (this.endMs * timescale) / 1000;
      const durationTicks = (PART_MS * timescale) / 1000;
      if (index === 0)
        this.window.apply([{ type: 'segment-start', trackId, msn, startTicks, initId, isDiscontinuity: false }]);
      const isIndependent = content === 'audio' || index === 0;
      const arrivedMs = this.endMs;
      const sample = this.#sample?.(content, this.endMs);
      const media = sample ? chunkOf({ content, durationTicks }, sample) : bytes();
      this.window.apply([
        { type: 'part', trackId, msn, index, startTicks, durationTicks, isIndependent, bytes: media, arrivedMs },
      ]);
      if (index === PARTS - 1)
        this.window.apply([{ type: 'segment-end', trackId, msn, durationTicks: durationTicks * PARTS, isGap: false }]);
    }
    this.#parts++;
    if (index === PARTS - 1 && msn >= MAX_SEGMENTS)
      this.window.apply([{ type: 'trim', firstMsn: msn - MAX_SEGMENTS + 1 }]);
  }
}
