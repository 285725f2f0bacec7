import { keepNewest } from '../../lib/limits/newest.ts';
import { chunkHeaderBytes } from '../../media/containers/isobmff/chunk-shape.ts';
import { writeChunkHeader } from '../../media/containers/isobmff/chunk.ts';
import { createSampleTable } from '../../media/containers/isobmff/sample-table.ts';
import { trackNumber, type Track } from '../../media/track.ts';
import type { MediaBytes, Piece } from '../../segment/media-bytes.ts';
import type { Part, Segment } from '../../segment/segment-window.ts';
import { piecesOf, samplesOf, type ClipSample } from './clip-samples.ts';
import { SegmentView } from './segment-view.ts';

export interface PartCut {
  /** Track of the stream. Several tracks may play the same audio track of the clip. */
  readonly track: Track;
  /** Maximum length of a part, in milliseconds; 0 for one part per segment. */
  readonly partMs: number;
}

/** Position of a clip segment in a stream. */
export interface ClipPosition {
  readonly msn: number;
  /** Start on the viewer's timeline, in milliseconds. The media starts at this time. */
  readonly startMs: number;
  /** Offset added to the times of the clip, in milliseconds. */
  readonly shiftMs: number;
  /** Parameter sets before each key frame. */
  readonly sets: Uint8Array | undefined;
}

/** Samples of the parts of clip segments by part length, shared by all viewers. */
const cuts = new WeakMap<Segment, Map<number, readonly (readonly Omit<ClipSample, 'sets'>[])[]>>();

/** Segment of a clip with one viewer's times, in parts as short as those of the stream. Reads only headers. */
export class MovedSegment extends SegmentView {
  readonly #cut: PartCut;
  readonly #position: ClipPosition;
  readonly #shiftTicks: number;
  #parts: readonly Part[] | undefined;

  constructor(source: Segment, cut: PartCut, position: ClipPosition) {
    super(source);
    this.#cut = cut;
    this.#position = position;
    this.#shiftTicks = Math.round((position.shiftMs * cut.track.timescale) / 1000);
  }

  override get trackId(): string {
    return this.#cut.track.id;
  }

  override get startTicks(): number {
    return this.source.startTicks + this.#shiftTicks;
  }

  override get startMs(): number {
    return this.#position.startMs;
  }

  get parts(): readonly Part[] {
    return (this.#parts ??= this.#cutParts());
  }

  /** Writes the bytes of a part. */
  mediaOf(index: number): MediaBytes {
    const { sets, msn } = this.#position;
    const shift = this.#shiftTicks;
    const samples = (cutSamples(this.source, this.#cut)[index] ?? []).map((sample) => ({
      ...sample,
      dtsTicks: sample.dtsTicks + shift,
      ptsTicks: sample.ptsTicks + shift,
      sets: sample.isSync ? sets : undefined,
    }));
    return chunkOf(samples, { track: this.#cut.track, sequenceNumber: msn + index + 1 });
  }

  #cutParts(): readonly Part[] {
    let { startTicks } = this;
    const cut = cutSamples(this.source, this.#cut);
    // Parts whose headers are not in memory stay unchanged.
    if (cut.length === 0) return this.source.parts;
    return cut.map((samples, index) => {
      const durationTicks = samples.reduce((sum, sample) => sum + sample.durationTicks, 0);
      const part = new MovedPart(this, samples[0]?.isSync === true, { index, startTicks, durationTicks });
      startTicks += durationTicks;
      return part;
    });
  }
}

/**
 * Bytes of the last requested parts, shared by viewers who request the same part at about the same time. Sessions cache no bytes.
 */
const recentMedia = new Map<MovedPart, MediaBytes>();
const MAX_RECENT = 256;

/** Part of a clip segment, written as a chunk when it is requested. */
class MovedPart implements Part {
  readonly arrivedMs = 0;
  readonly index: number;
  readonly startTicks: number;
  readonly durationTicks: number;
  readonly isIndependent: boolean;
  readonly #segment: MovedSegment;

  constructor(
    segment: MovedSegment,
    isIndependent: boolean,
    { index, startTicks, durationTicks }: Pick<Part, 'index' | 'startTicks' | 'durationTicks'>,
  ) {
    this.#segment = segment;
    this.isIndependent = isIndependent;
    this.index = index;
    this.startTicks = startTicks;
    this.durationTicks = durationTicks;
  }

  get sizeBytes(): number {
    return this.#media.sizeBytes;
  }

  get pieces(): readonly Piece[] {
    return this.#media.pieces;
  }

  get #media(): MediaBytes {
    const cached = recentMedia.get(this);
    if (cached) return cached;
    const media = this.#segment.mediaOf(this.index);
    recentMedia.set(this, media);
    keepNewest(recentMedia, MAX_RECENT);
    return media;
  }
}

/** Splits the samples of a clip segment into parts. */
function cutSamples(
  segment: Segment,
  { track: { timescale }, partMs }: PartCut,
): readonly (readonly Omit<ClipSample, 'sets'>[])[] {
  const cutsByPartMs = cuts.get(segment) ?? new Map<number, readonly (readonly Omit<ClipSample, 'sets'>[])[]>();
  cuts.set(segment, cutsByPartMs);
  const same = cutsByPartMs.get(partMs);
  if (same) return same;
  const maxTicks = partMs > 0 ? (partMs * timescale) / 1000 : Infinity;
  const pieces: Omit<ClipSample, 'sets'>[][] = [];
  let lengthTicks = 0;
  for (const sample of segment.parts.flatMap((part) => samplesOf(part))) {
    if (pieces.length === 0 || lengthTicks + sample.durationTicks > maxTicks) {
      pieces.push([]);
      lengthTicks = 0;
    }
    pieces.at(-1)?.push(sample);
    lengthTicks += sample.durationTicks;
  }
  cutsByPartMs.set(partMs, pieces);
  return pieces;
}

/**
 * Puts bytes before the first sample of a video part of a clip. Returns the part unchanged if its header is not in
 * memory.
 */
export function prefixedPart(source: Part, prefix: Uint8Array, trackId: string, sequenceNumber: number): Part {
  const samples = samplesOf(source).map((sample, index) => ({ ...sample, sets: index === 0 ? prefix : undefined }));
  if (samples.length === 0) return source;
  const { index, startTicks, durationTicks, isIndependent, arrivedMs } = source;
  const media = chunkOf(samples, { track: { id: trackId, content: 'video' }, sequenceNumber });
  return { index, startTicks, durationTicks, isIndependent, arrivedMs, ...media };
}

interface ChunkTarget {
  readonly track: Pick<Track, 'id' | 'content'>;
  readonly sequenceNumber: number;
}

function chunkOf(all: readonly ClipSample[], { track: { id, content }, sequenceNumber }: ChunkTarget): MediaBytes {
  const samples = createSampleTable(all.length);
  samples.count = all.length;
  let dataBytes = 0;
  for (const [index, { sizeBytes, dtsTicks, ptsTicks, durationTicks, isSync, sets }] of all.entries()) {
    const sampleBytes = sizeBytes + (sets?.length ?? 0);
    samples.sizes[index] = sampleBytes;
    samples.durations[index] = durationTicks;
    samples.compositionOffsets[index] = ptsTicks - dtsTicks;
    samples.isSync[index] = isSync ? 1 : 0;
    dataBytes += sampleBytes;
  }
  const headerBytes = chunkHeaderBytes(samples.count, { content, hasWall: false });
  const bytes = new Uint8Array(headerBytes);
  const baseDecodeTicks = all[0]?.dtsTicks ?? 0;
  const chunk = { trackNumber: trackNumber(id), sequenceNumber, baseDecodeTicks, samples, content };
  const header = bytes.subarray(writeChunkHeader(bytes, headerBytes, chunk));
  return { sizeBytes: header.length + dataBytes, pieces: [{ bytes: header }, ...piecesOf(all)] };
}
