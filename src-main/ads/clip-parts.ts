import { chunkHeaderBytes } from '../media/containers/isobmff/chunk-shape.ts';
import { writeChunkHeader } from '../media/containers/isobmff/chunk.ts';
import { createSampleTable } from '../media/containers/isobmff/sample-table.ts';
import { trackNumber, type Track } from '../media/track.ts';
import type { MediaBytes, Piece } from '../segment/media-bytes.ts';
import type { Part, Segment, WindowSegment } from '../segment/segment-window.ts';
import { piecesOf, samplesOf, type ClipSample } from './clip-samples.ts';
import { SegmentView } from './segment-view.ts';

/** What a clip is cut for. */
export interface PartCut {
  readonly track: Track;
  /** Longest part, in milliseconds. */
  readonly partMs: number;
}

/** Segments of clips that were cut, by the length of parts: viewers share them. */
const made = new WeakMap<WindowSegment, Map<number, WindowSegment>>();

/** A segment of a clip with parts as short as those of the stream. Only headers are read of it. */
export function withParts(entry: WindowSegment, cut: PartCut): WindowSegment {
  const known = made.get(entry) ?? new Map<number, WindowSegment>();
  made.set(entry, known);
  const same = known.get(cut.partMs);
  if (same) return same;
  const { msn, startMs, isDiscontinuity, discontinuitySequence, address } = entry;
  const segment = new CutSegment(entry.segment, msn, cut);
  const shown = { segment, msn, startMs, isDiscontinuity, discontinuitySequence, address };
  known.set(cut.partMs, shown);
  return shown;
}

/** A segment of a clip that is cut into parts. */
class CutSegment extends SegmentView {
  readonly #msn: number;
  readonly #cut: PartCut;
  #parts: readonly Part[] | undefined;

  constructor(source: Segment, msn: number, cut: PartCut) {
    super(source);
    this.#msn = msn;
    this.#cut = cut;
  }

  get parts(): readonly Part[] {
    return (this.#parts ??= cutParts(this.source, this.#msn, this.#cut));
  }
}

function cutParts(
  { trackId, startTicks, parts: [whole] }: Segment,
  msn: number,
  { track: { content, timescale }, partMs }: PartCut,
): readonly Part[] {
  if (!whole) return [];
  // The track of the file, which its init segment has: the same sound may stand in several of the stream.
  const track = { id: trackId, content };
  const mostTicks = (partMs * timescale) / 1000;
  const cut: Part[] = [];
  let samples: ClipSample[] = [];
  let [lengthTicks, fromTicks] = [0, startTicks];
  const end = (): void => {
    if (samples.length === 0) return;
    const sequenceNumber = msn * 100 + cut.length + 1;
    cut.push(new CutPart(samples, { track, index: cut.length, startTicks: fromTicks, lengthTicks, sequenceNumber }));
    [samples, fromTicks, lengthTicks] = [[], fromTicks + lengthTicks, 0];
  };
  for (const sample of samplesOf(whole)) {
    if (lengthTicks + sample.durationTicks > mostTicks) end();
    samples.push({ ...sample, sets: undefined });
    lengthTicks += sample.durationTicks;
  }
  end();
  return cut;
}

/** The picture part of a clip with something before its first sample; as it is where its header is not in memory. */
export function prefixedPart(whole: Part, prefix: Uint8Array, trackId: string, sequenceNumber: number): Part {
  const samples = samplesOf(whole).map((sample, index) => ({ ...sample, sets: index === 0 ? prefix : undefined }));
  if (samples.length === 0) return whole;
  const { index, startTicks, durationTicks: lengthTicks } = whole;
  const track = { id: trackId, content: 'video' } as const;
  return new CutPart(samples, { track, index, startTicks, lengthTicks, sequenceNumber });
}

interface CutPlace {
  readonly track: Pick<Track, 'id' | 'content'>;
  readonly index: number;
  readonly startTicks: number;
  readonly lengthTicks: number;
  readonly sequenceNumber: number;
}

/** Some samples of a segment of a clip, as a chunk of their own. */
class CutPart implements Part {
  readonly arrivedMs = 0;
  readonly #samples: readonly ClipSample[];
  readonly #place: CutPlace;
  #media: MediaBytes | undefined;

  constructor(samples: readonly ClipSample[], place: CutPlace) {
    this.#samples = samples;
    this.#place = place;
  }

  get index(): number {
    return this.#place.index;
  }

  get startTicks(): number {
    return this.#place.startTicks;
  }

  get durationTicks(): number {
    return this.#place.lengthTicks;
  }

  get isIndependent(): boolean {
    return this.#samples[0]?.isSync === true;
  }

  get sizeBytes(): number {
    return this.#made.sizeBytes;
  }

  get pieces(): readonly Piece[] {
    return this.#made.pieces;
  }

  get #made(): MediaBytes {
    return (this.#media ??= chunkOf(this.#samples, this.#place));
  }
}

function chunkOf(all: readonly ClipSample[], { track: { id, content }, sequenceNumber }: CutPlace): MediaBytes {
  const samples = createSampleTable(all.length);
  samples.count = all.length;
  let dataBytes = 0;
  for (const [index, { sizeBytes, dtsTicks, ptsTicks, durationTicks, isSync, sets }] of all.entries()) {
    const whole = sizeBytes + (sets?.length ?? 0);
    samples.sizes[index] = whole;
    samples.durations[index] = durationTicks;
    samples.compositionOffsets[index] = ptsTicks - dtsTicks;
    samples.isSync[index] = isSync ? 1 : 0;
    dataBytes += whole;
  }
  const room = chunkHeaderBytes(samples.count, { content, hasWall: false });
  const bytes = new Uint8Array(room);
  const baseDecodeTicks = all[0]?.dtsTicks ?? 0;
  const chunk = { trackNumber: trackNumber(id), sequenceNumber, baseDecodeTicks, samples, content };
  const header = bytes.subarray(writeChunkHeader(bytes, room, chunk));
  return { sizeBytes: header.length + dataBytes, pieces: [{ bytes: header }, ...piecesOf(all)] };
}
