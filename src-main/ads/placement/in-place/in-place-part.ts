import { chunkStartTicks } from '../../../media/containers/isobmff/move-chunk.ts';
import { chunkHeaderBytes } from '../../../media/containers/isobmff/chunk-shape.ts';
import { writeChunkHeader } from '../../../media/containers/isobmff/chunk.ts';
import { forEachSample, type SampleVisitor } from '../../../media/containers/isobmff/chunk-reader.ts';
import { createSampleTable, type SampleTable } from '../../../media/containers/isobmff/sample-table.ts';
import { inBandSets } from '../../../media/codecs/nal/in-band-sets.ts';
import { convertTicks } from '../../../media/timing/ticks.ts';
import { trackNumber, type Track } from '../../../media/track.ts';
import { bytesInMemory, type MediaBytes, type Piece } from '../../../segment/media-bytes.ts';
import type { Part, Segment, SegmentWindow, WindowSegment } from '../../../segment/segment-window.ts';
import { InPlaceSegment } from './in-place-segment.ts';
import { piecesOf, type ClipSample } from '../../clips/clip-samples.ts';
import type { Clip } from '../../clips/clip.ts';
import { samplesFrom, type Replacement, type SampledTrack } from '../../clips/clip-loop.ts';

/** Position of a part within a segment. */
interface PartPosition {
  readonly track: SampledTrack;
  /** Start of its segment, in ticks of the track. */
  readonly segmentTicks: number;
  /** Start of the leading track's segment, in ticks of the track. */
  readonly leaderTicks: number;
  /** Sequence number of the chunk. */
  readonly sequenceNumber: number;
}

/**
 * Replaces the samples of a stream part by samples of clips. Start and end stay the same, in decoding and in
 * presentation. Reads only headers of the clips. Undefined if the part has left memory, or the clips have no media for
 * the track.
 * @param setsOf parameter sets before each key frame of a clip
 */
export function clipPart(
  source: Part,
  { loop, step }: Replacement,
  position: PartPosition,
  setsOf: (clip: Clip) => Uint8Array | undefined,
): MediaBytes | undefined {
  const { track, segmentTicks, leaderTicks } = position;
  const { startTicks, durationTicks } = source;
  const sourceBytes = bytesInMemory(source);
  const decodeTicks = sourceBytes && chunkStartTicks(sourceBytes);
  if (!sourceBytes || decodeTicks === undefined) return undefined;
  const samples = samplesFrom(loop, step, track, setsOf);
  if (track.content === 'audio') {
    const chosen = chosenUnits(samples, {
      fromTicks: segmentTicks - leaderTicks,
      skipTicks: startTicks - segmentTicks,
      sourceBytes,
    });
    return chosen && chunkOf(chosen.table, piecesOf(chosen.units), decodeTicks, position);
  }
  const fromTicks = startTicks - segmentTicks;
  const chosen = chosenPictures(samples, fromTicks, durationTicks);
  if (chosen.length === 0) return undefined;
  const table = createSampleTable(chosen.length);
  let passedTicks = 0;
  for (const [index, sample] of chosen.entries()) {
    const next = chosen[index + 1];
    // Pictures keep their durations, and the last picture fills the part.
    const left = durationTicks - passedTicks;
    const length = Math.max(0, Math.min(next ? next.dtsTicks - fromTicks - passedTicks : left, left));
    table.sizes[index] = sample.sizeBytes + (sample.sets?.length ?? 0);
    table.durations[index] = length;
    // While the clock of the stream is corrected, a part may be decoded after its segment has started.
    table.compositionOffsets[index] = Math.max(0, segmentTicks + sample.ptsTicks - (decodeTicks + passedTicks));
    table.isSync[index] = sample.isSync ? 1 : 0;
    passedTicks += length;
  }
  table.count = chosen.length;
  return chunkOf(table, piecesOf(chosen), decodeTicks, position);
}

/** Adds parameter sets to the key frames of a stream part, so that a decoder with the sets of a clip can continue. */
function resumedPart(source: Part, position: PartPosition, sets: Uint8Array): MediaBytes | undefined {
  const sourceBytes = bytesInMemory(source);
  const decodeTicks = sourceBytes && chunkStartTicks(sourceBytes);
  if (!sourceBytes || decodeTicks === undefined) return undefined;
  const samples: ClipSample[] = [];
  forAllSamples(sourceBytes, (offset, sizeBytes, dtsTicks, ptsTicks, ticks, isSync) => {
    const sample = { dtsTicks, ptsTicks, durationTicks: ticks, sizeBytes, isSync, offset, part: source };
    samples.push({ ...sample, sets: isSync ? sets : undefined });
  });
  const table = createSampleTable(samples.length);
  for (const [index, { sizeBytes, dtsTicks, ptsTicks, durationTicks, isSync }] of samples.entries()) {
    table.sizes[index] = sizeBytes + (isSync ? sets.length : 0);
    table.durations[index] = durationTicks;
    table.compositionOffsets[index] = ptsTicks - dtsTicks;
    table.isSync[index] = isSync ? 1 : 0;
  }
  table.count = samples.length;
  return chunkOf(table, piecesOf(samples), decodeTicks, position);
}

/**
 * Maximum time by which an audio unit may be earlier than the unit that it replaces, in units. The offset between
 * units of clip and stream is a multiple of an eighth of a unit (at 48 kHz with segments of whole seconds). This
 * value is between two such multiples, because otherwise a rounding error of one tick would drop or repeat a unit.
 */
const EARLY_SOUND = 9 / 16;

/**
 * Chooses the nearest audio unit of the clip for each unit of the stream part, and keeps the times of the stream.
 * Units count from the start of the segment, without the units of its earlier parts.
 * @param sourceBytes bytes of the stream part
 */
function chosenUnits(
  samples: Iterable<ClipSample>,
  {
    fromTicks,
    skipTicks,
    sourceBytes,
  }: { readonly fromTicks: number; readonly skipTicks: number; readonly sourceBytes: Uint8Array },
): { readonly units: readonly ClipSample[]; readonly table: SampleTable } | undefined {
  const replaced: { readonly durationTicks: number; readonly compositionTicks: number }[] = [];
  forAllSamples(sourceBytes, (_offset, _sizeBytes, dtsTicks, ptsTicks, durationTicks) => {
    replaced.push({ durationTicks, compositionTicks: ptsTicks - dtsTicks });
  });
  const unitTicks = Math.max(1, replaced[0]?.durationTicks ?? 1);
  let skip = Math.round(skipTicks / unitTicks);
  let positionTicks = fromTicks;
  const units: ClipSample[] = [];
  for (const sample of samples) {
    if (units.length === replaced.length) break;
    if (sample.dtsTicks < positionTicks - unitTicks * EARLY_SOUND) continue;
    positionTicks += unitTicks;
    if (skip-- <= 0) units.push(sample);
  }
  if (units.length === 0) return undefined;
  const table = createSampleTable(units.length);
  for (const [index, { sizeBytes }] of units.entries()) {
    table.sizes[index] = sizeBytes;
    table.durations[index] = replaced[index]?.durationTicks ?? unitTicks;
    table.compositionOffsets[index] = replaced[index]?.compositionTicks ?? 0;
    table.isSync[index] = 1;
  }
  table.count = units.length;
  return { units, table };
}

/** Pictures that start in the part or at most half a picture before its start; at least one. */
function chosenPictures(samples: Iterable<ClipSample>, fromTicks: number, durationTicks: number): ClipSample[] {
  const chosen: ClipSample[] = [];
  for (const sample of samples) {
    const { dtsTicks, durationTicks: length } = sample;
    if (dtsTicks < fromTicks - length / 2) continue;
    if (dtsTicks >= fromTicks + durationTicks - length / 2 && chosen.length > 0) break;
    chosen.push(sample);
  }
  return chosen;
}

/** Visits the samples of all chunks of a part: a part of a recording is a complete segment. */
function forAllSamples(bytes: Uint8Array, visit: SampleVisitor): void {
  for (let at = 0; at >= 0 && at < bytes.length;) at = forEachSample(bytes, visit, at);
}

function chunkOf(
  samples: SampleTable,
  data: readonly Piece[],
  baseDecodeTicks: number,
  { track, sequenceNumber }: PartPosition,
): MediaBytes {
  const { content } = track;
  const headerBytes = chunkHeaderBytes(samples.count, { content, hasWall: false });
  const bytes = new Uint8Array(headerBytes);
  const chunk = { trackNumber: trackNumber(track.id), sequenceNumber, baseDecodeTicks, samples, content };
  const header = bytes.subarray(writeChunkHeader(bytes, headerBytes, chunk));
  const dataBytes = samples.sizes.subarray(0, samples.count).reduce((sum, size) => sum + size, 0);
  return { sizeBytes: header.length + dataBytes, pieces: [{ bytes: header }, ...data] };
}

/** Cached results of `resumedSegment` by segment of the stream, shared by all viewers. */
const resumed = new WeakMap<Segment, Segment>();

/**
 * Segment of the stream with parameter sets in its key frames, because a previous clip may have had different sets. Unchanged for
 * audio, or if the sets are unknown. Shared by all viewers.
 */
export function resumedSegment(stream: SegmentWindow, trackId: string, entry: WindowSegment): Segment {
  const { segment } = entry;
  const cached = resumed.get(segment);
  if (cached) return cached;
  const track = stream.tracks.find((one) => one.track.id === trackId)?.track;
  const sets = track?.content === 'video' ? inBandSets(track)?.bytes : undefined;
  if (!track || !sets) return segment;
  const shown = new InPlaceSegment(segment, (source) =>
    resumedPart(source, positionOf(stream, track, entry, source), sets),
  );
  resumed.set(segment, shown);
  return shown;
}

/** Position of a part within a segment of the stream. */
export function positionOf(
  stream: SegmentWindow,
  track: Track,
  { msn, segment }: WindowSegment,
  source: Part,
): PartPosition {
  const [leader] = stream.tracks;
  const leading = leader && stream.segmentByMsn(leader.track.id, msn)?.segment;
  return {
    track,
    segmentTicks: segment.startTicks,
    leaderTicks:
      leader && leading
        ? convertTicks(leading.startTicks, leader.track.timescale, track.timescale)
        : segment.startTicks,
    sequenceNumber: msn + source.index + 1,
  };
}
