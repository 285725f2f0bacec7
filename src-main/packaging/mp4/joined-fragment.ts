import { BoxWriter } from '../../media/containers/isobmff/box-writer.ts';
import { chunkEnd, type ChunkPosition } from '../../media/containers/isobmff/move-chunk.ts';
import { readChunk, type ReadChunk } from '../../media/containers/isobmff/chunk-reader.ts';
import {
  DURATION,
  FLAGS,
  layoutOf,
  OFFSET,
  shapeOf,
  SIZE,
  type ChunkLayout,
  type ChunkShape,
} from '../../media/containers/isobmff/chunk-shape.ts';
import { NON_SYNC_SAMPLE_FLAGS, SYNC_SAMPLE_FLAGS } from '../../media/containers/isobmff/sample-flags.ts';
import { createSampleTable, type SampleTable } from '../../media/containers/isobmff/sample-table.ts';
import { writeTrackFragmentDecodeTime } from '../../media/containers/isobmff/track-fragment-decode-time.ts';
import { writeTrackFragmentHeader } from '../../media/containers/isobmff/track-fragment-header.ts';
import { RUN_DATA_OFFSET, RUN_FIRST_FLAGS } from '../../media/containers/isobmff/track-run.ts';

/** Adjacent chunks of a track, for a fragment shared with other tracks. */
export interface JoinedChunks extends ChunkPosition {
  readonly bytes: Uint8Array;
  /** Prefix of the first sample: parameter sets of its format. No other sample then starts a format. */
  readonly prefix?: Uint8Array | undefined;
  /** Number of the sample description; default: that of the track (`trex`). */
  readonly descriptionIndex?: number | undefined;
}

/**
 * Additional size of each segment of a track with several sample descriptions, in bytes. It holds the number of the
 * description in each fragment, even if every chunk becomes a fragment; a box `free` fills the rest. The size is fixed,
 * so that the index can be written before the media is read.
 */
export const DESCRIPTION_EXTRA_BYTES = 256;
/** Size of `sample_description_index` in `tfhd` (8.8.7). */
const DESCRIPTION_BYTES = 4;

/** One track of the fragment: its run of samples, and the bytes of their media. */
interface JoinedTrack {
  readonly trackNumber: number;
  readonly descriptionIndex: number | undefined;
  readonly sequenceNumber: number;
  /** Decoding time of the first sample in the file, in ticks of the track. */
  readonly startTicks: number;
  readonly samples: SampleTable;
  readonly shape: ChunkShape;
  readonly layout: ChunkLayout;
  /** Content of its `mdat`, in order. */
  readonly data: readonly Uint8Array[];
  readonly dataBytes: number;
}

/**
 * Joins chunks of several tracks into one fragment (`moof` and `mdat`, ISO/IEC 14496-12, 8.8.4) with one run of samples
 * per track. FFmpeg, which Chromium uses, seeks correctly only if each entry of the index is one such fragment. With
 * several `moof` boxes or runs, playback after a seek starts with pictures that cannot be decoded, repeats some pictures
 * and skips others.
 *
 * The result has exactly the size of the chunks plus their extra bytes (`extraBytesOf`): a box `free` at the end replaces
 * the headers that are no longer needed.
 *
 * @returns the bytes as consecutive pieces; undefined if chunks are damaged or overlap, or if the fragment exceeds this
 * size
 */
export function joinChunks(tracks: readonly JoinedChunks[]): readonly Uint8Array[] | undefined {
  const joined: JoinedTrack[] = [];
  for (const track of tracks) {
    const one = joinTrack(track);
    if (!one) return undefined;
    joined.push(one);
  }
  return joined.length === 0 ? undefined : filledUp(fragmentOf(joined), tracks);
}

/**
 * Chunks of several tracks as one fragment each, track by track. Fallback for `joinChunks`: these chunks may overlap,
 * or need too many bytes in one fragment. The result is as long as that of `joinChunks`; undefined if a chunk is
 * damaged or a fragment does not fit.
 */
export function separateChunks(tracks: readonly JoinedChunks[]): readonly Uint8Array[] | undefined {
  const pieces: Uint8Array[] = [];
  for (const { prefix, ...track } of tracks) {
    for (let at = 0; at < track.bytes.length;) {
      const end = chunkEnd(track.bytes, at);
      const one = joinTrack({
        ...track,
        bytes: track.bytes.subarray(at, end),
        ...(at === 0 ? { prefix } : {}),
      });
      if (!one) return undefined;
      pieces.push(...fragmentOf([one]));
      at = end;
    }
  }
  return pieces.length === 0 ? undefined : filledUp(pieces, tracks);
}

/**
 * Appends a box `free`, so that the pieces are as long as the chunks and their extra bytes together. Undefined if they
 * are longer, or if the rest is too short for a box.
 */
function filledUp(pieces: readonly Uint8Array[], tracks: readonly JoinedChunks[]): readonly Uint8Array[] | undefined {
  const total = tracks.reduce((sum, track) => sum + track.bytes.length + extraBytesOf(track), 0);
  const freeBytes = total - pieces.reduce((sum, { length }) => sum + length, 0);
  if (freeBytes < 0 || (freeBytes > 0 && freeBytes < BOX_BYTES)) return undefined;
  return freeBytes === 0 ? pieces : [...pieces, freeBox(freeBytes)];
}

/** Writes `moof` and `mdat`: the header of the fragment, and then the media, track by track. */
function fragmentOf(tracks: readonly JoinedTrack[]): readonly Uint8Array[] {
  const out = new BoxWriter();
  const moofBytes = tracks.reduce(
    (sum, { layout, descriptionIndex }) =>
      sum + layout.trafBytes + (descriptionIndex === undefined ? 0 : DESCRIPTION_BYTES),
    MOOF_BYTES,
  );
  let dataStart = moofBytes + BOX_BYTES;
  out
    .open('moof')
    .openFull('mfhd', 0, 0)
    .u32(tracks[0]?.sequenceNumber ?? 0)
    .close();
  for (const track of tracks) {
    writeTrack(out, track, dataStart);
    dataStart += track.dataBytes;
  }
  const dataBytes = tracks.reduce((sum, track) => sum + track.dataBytes, 0);
  return [out.close().finish(), boxOf('mdat', BOX_BYTES + dataBytes, BOX_BYTES), ...tracks.flatMap(({ data }) => data)];
}

/** Size of a track in the file minus its chunks, in bytes: the prefix of the first sample, and `DESCRIPTION_EXTRA_BYTES`. */
export function extraBytesOf({ prefix, descriptionIndex }: Pick<JoinedChunks, 'prefix' | 'descriptionIndex'>): number {
  return (prefix?.length ?? 0) + (descriptionIndex === undefined ? 0 : DESCRIPTION_EXTRA_BYTES);
}

/**
 * A box that readers skip (8.1.2).
 * @param sizeBytes at least 8
 */
export function freeBox(sizeBytes: number): Uint8Array {
  return boxOf('free', sizeBytes, sizeBytes);
}

const BOX_BYTES = 8;
/** `moof` with its header, without tracks. */
const MOOF_BYTES = 24;

/** Reads the chunks of a track. Undefined if they are damaged, overlap, or start before time 0 of the file. */
function joinTrack({
  bytes,
  prefix,
  shiftTicks,
  trackNumber,
  descriptionIndex,
}: JoinedChunks): JoinedTrack | undefined {
  const chunks: ReadChunk[] = [];
  const data: Uint8Array[] = prefix ? [prefix] : [];
  let dataBytes = prefix?.length ?? 0;
  for (let at = 0; at < bytes.length;) {
    const end = chunkEnd(bytes, at);
    const chunk = readChunk(bytes.subarray(at, end));
    if (!chunk || chunk.samples.count === 0) return undefined;
    chunks.push(chunk);
    data.push(bytes.subarray(at + chunk.dataStart, at + chunk.end));
    dataBytes += chunk.end - chunk.dataStart;
    at = end;
  }
  const [first] = chunks;
  const samples = first && joinSamples(chunks, first.baseDecodeTicks);
  if (!samples || first.baseDecodeTicks + shiftTicks < 0) return undefined;
  if (prefix) {
    samples.sizes[0] = (samples.sizes[0] ?? 0) + prefix.length;
    samples.isSync.fill(0, 1);
  }
  const shape = shapeOf(samples);
  // The layout of video has all fields, so it suits every track.
  return {
    trackNumber,
    descriptionIndex,
    sequenceNumber: first.sequenceNumber,
    startTicks: first.baseDecodeTicks + shiftTicks,
    samples,
    shape,
    layout: layoutOf(shape, true),
    data,
    dataBytes,
  };
}

/** Joins the samples of consecutive chunks into one run; undefined if chunks overlap. */
function joinSamples(chunks: readonly ReadChunk[], startTicks: number): SampleTable | undefined {
  const all = createSampleTable(chunks.reduce((sum, { samples }) => sum + samples.count, 0));
  let endTicks = startTicks;
  for (const { baseDecodeTicks, samples } of chunks) {
    const { count } = samples;
    const at = all.count;
    // A run has no gaps: the sample before a gap becomes longer.
    const gapTicks = baseDecodeTicks - endTicks;
    if (gapTicks < 0) return undefined;
    if (at > 0) all.durations[at - 1] = (all.durations[at - 1] ?? 0) + gapTicks;
    all.sizes.set(samples.sizes.subarray(0, count), at);
    all.durations.set(samples.durations.subarray(0, count), at);
    all.compositionOffsets.set(samples.compositionOffsets.subarray(0, count), at);
    all.isSync.set(samples.isSync.subarray(0, count), at);
    all.count = at + count;
    endTicks = baseDecodeTicks;
    for (let index = 0; index < count; index++) endTicks += samples.durations[index] ?? 0;
  }
  return all;
}

function writeTrack(out: BoxWriter, track: JoinedTrack, dataOffset: number): void {
  const { samples, shape, layout, trackNumber, startTicks, descriptionIndex } = track;
  const { fields, defaultFlags, hasFirstFlags, firstFlags } = layout;
  out.open('traf');
  writeTrackFragmentHeader(out, {
    trackId: trackNumber,
    isBaseMoof: true,
    ...(descriptionIndex === undefined ? {} : { sampleDescriptionIndex: descriptionIndex }),
    sampleFlags: defaultFlags,
    ...((fields & DURATION) === 0 ? { sampleDurationTicks: shape.firstDurationTicks } : {}),
    ...((fields & SIZE) === 0 ? { sampleSizeBytes: shape.firstSizeBytes } : {}),
  });
  writeTrackFragmentDecodeTime(out, { baseDecodeTicks: startTicks });
  out.openFull('trun', 1, RUN_DATA_OFFSET | (hasFirstFlags ? RUN_FIRST_FLAGS : 0) | (fields << 8));
  out.u32(samples.count).u32(dataOffset);
  if (hasFirstFlags) out.u32(firstFlags);
  for (let index = 0; fields !== 0 && index < samples.count; index++) {
    if ((fields & DURATION) !== 0) out.u32(samples.durations[index] as number);
    if ((fields & SIZE) !== 0) out.u32(samples.sizes[index] as number);
    if ((fields & FLAGS) !== 0) out.u32(samples.isSync[index] === 1 ? SYNC_SAMPLE_FLAGS : NON_SYNC_SAMPLE_FLAGS);
    if ((fields & OFFSET) !== 0) out.u32(samples.compositionOffsets[index] as number);
  }
  out.close().close();
}

/**
 * First bytes of a box: its header, and then zeros.
 * @param sizeBytes size in the header
 * @param length number of returned bytes, at least 8
 */
function boxOf(type: 'mdat' | 'free', sizeBytes: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  new DataView(bytes.buffer).setUint32(0, sizeBytes);
  for (let index = 0; index < 4; index++) bytes[4 + index] = type.charCodeAt(index);
  return bytes;
}
