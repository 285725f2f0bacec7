import { runInTurns } from '../../lib/turns.ts';
import type { MatroskaTrack } from '../../media/containers/matroska/head.ts';
import type { Track } from '../../media/track.ts';
import type { FileRefusal } from './file-index.ts';
import { listFrames, type FrameList } from './matroska-frames.ts';
import { leftOutOf } from './left-out.ts';
import { ListedSamples } from './listed-samples.ts';
import { listedTracks } from './source-of-facts.ts';
import type { IndexedFile, SourceTracks } from './source-track.ts';
import type { TrackFacts } from './track-facts.ts';
import type { UnpackedSegments } from './unpacked-segments.ts';
import { firstSamples, isRewritten, listRewritten } from './unpacked-samples.ts';
import { because } from '../../../src-preload/contract/explanations/explanations.ts';

/** Bytes of a frame needed to detect its format. */
const FRAME_BYTES = 8192;
const MAX_PICTURE_BYTES = 4 << 20;
/** Frames processed in one step. */
const FRAMES_PER_STEP = 2048;

/** Reads the tracks of an MKV or WebM file from all its block headers, which takes a full pass over the file. */
export async function readMatroskaTracks(
  file: IndexedFile,
  unpacked: UnpackedSegments,
): Promise<SourceTracks | FileRefusal> {
  const found = await listFrames(file);
  if (typeof found === 'string') return { code: 'vod_file_damaged', detail: found };
  const { head, lists } = found;
  const listed: TrackFacts[] = [];
  for (const [matroska, frames] of lists) {
    const { nalLengthBytes } = matroska;
    // A length of three bytes is not allowed (ISO/IEC 14496-15, 5.3.3.1.2).
    if (frames.count === 0 || nalLengthBytes === 3) continue;
    const track = await readMatroskaTrack(file, matroska, frames);
    if (!track) continue;
    const { timescale } = track;
    const samples = await runInTurns(
      samplesOf(frames, matroska, timescale, track.content === 'audio' ? track.samplesPerFrame : 0),
    );
    if (track.content === 'video' && (await isRewritten(firstSamples(samples.cursor()), nalLengthBytes, file))) {
      const rewritten = await listRewritten(samples.cursor(), nalLengthBytes, file);
      listed.push({ track, timescale, shiftTicks: 0, samples: rewritten.pack(), lengthBytes: nalLengthBytes });
    } else listed.push({ track, timescale, shiftTicks: 0, samples: samples.pack() });
  }
  if (listed.length === 0) {
    const [{ detail, explanation } = because('file_without_media')] = head.problems;
    return { code: 'vod_file_not_supported', detail, explanation };
  }
  return listedTracks(listed, file.media, unpacked, leftOutOf(head));
}

/** Reads the format of a track from its first frame; undefined if it cannot be read. */
export async function readMatroskaTrack(
  file: IndexedFile,
  matroska: MatroskaTrack,
  { sizes, offsets }: FrameList,
): Promise<Track | undefined> {
  const read = async (maxBytes: number): Promise<Track | undefined> => {
    const first = new Uint8Array(Math.min(sizes[0] ?? 0, maxBytes));
    return matroska.read(first.subarray(0, await file.read(first, offsets[0] ?? 0)));
  };
  const track = await read(FRAME_BYTES);
  // The parameter sets may be in the samples; the reader uses them only after a complete picture.
  return track ?? (matroska.content === 'video' ? read(MAX_PICTURE_BYTES) : undefined);
}

/** Converts the frames of a track to samples in its timescale. Runs in steps. @param samplesPerFrame 0 for video */
function* samplesOf(
  frames: FrameList,
  { frameNs, delayNs }: MatroskaTrack,
  timescale: number,
  samplesPerFrame: number,
): Generator<void, ListedSamples> {
  const ticksOf = (ns: number): number => Math.round((ns / 1e9) * timescale);
  const step = frameNs === undefined ? samplesPerFrame : ticksOf(frameNs);
  const discardTicks = ticksOf(frames.discardNs);
  const times = frames.times.subarray(0, frames.count).map((ns) => ns - delayNs);
  if (samplesPerFrame === 0) spreadTimes(times);
  yield;
  const pts = new Float64Array(times.length);
  if (samplesPerFrame > 0)
    yield* audioTimes(times, pts, ticksOf, { step, toleranceTicks: ticksOf(2 * frames.unitNs) + 1 });
  else for (let index = 0; index < pts.length; index++) pts[index] = ticksOf(times[index] ?? 0);
  const dts = samplesPerFrame > 0 ? pts : yield* decodeTimes(pts);
  const samples = new ListedSamples();
  for (let index = 0; index < pts.length; index++) {
    const dtsTicks = dts[index] ?? 0;
    const next = dts[index + 1];
    samples.add({
      offset: frames.offsets[index] ?? 0,
      sizeBytes: frames.sizes[index] ?? 0,
      dtsTicks,
      compositionOffsetTicks: (pts[index] ?? 0) - dtsTicks,
      durationTicks:
        next === undefined
          ? Math.max(0, (step || dtsTicks - (dts[index - 1] ?? dtsTicks)) - discardTicks)
          : Math.max(0, next - dtsTicks),
      isSync: samplesPerFrame > 0 || frames.keys[index] === 1,
    });
    if (index % FRAMES_PER_STEP === 0) yield;
  }
  return samples;
}

/** Gives laced pictures of unknown duration, whose times are NaN, times at equal intervals up to the next block. */
export function spreadTimes(times: Float64Array): void {
  let step = 0;
  for (let index = 1; index < times.length; index++) {
    if (!Number.isNaN(times[index])) continue;
    const before = times[index - 1] ?? NaN;
    const next = times.subarray(index).findIndex((ns) => !Number.isNaN(ns));
    const count = next < 0 ? times.length - index : next;
    if (next >= 0) step = ((times[index + next] ?? NaN) - before) / (count + 1);
    for (let laced = 0; laced < count; laced++) times[index + laced] = before + (laced + 1) * step;
  }
}

/**
 * Computes audio times: block times are rounded, mostly to milliseconds, while frames follow each other without gaps.
 *
 * @param expected time of the first frame, unless the time of its block differs by more than rounding
 */
export function* audioTimes(
  times: Float64Array,
  pts: Float64Array,
  ticksOf: (ns: number) => number,
  { step, toleranceTicks }: { readonly step: number; readonly toleranceTicks: number },
  expected = NaN,
): Generator<void, void> {
  for (let index = 0; index < times.length; index++) {
    const stated = ticksOf(times[index] ?? NaN);
    const ticks = Number.isNaN(stated) || Math.abs(stated - expected) <= toleranceTicks ? expected : stated;
    pts[index] = ticks;
    expected = ticks + step;
    if (index % FRAMES_PER_STEP === 0) yield;
  }
}

/**
 * Computes decoding times, which Matroska does not store: the sorted presentation times, less a constant, so that no frame is
 * presented before it is decoded.
 */
function* decodeTimes(pts: Float64Array): Generator<void, Float64Array> {
  const sorted = Float64Array.from(pts);
  let delay = 0;
  for (let index = 1; index < sorted.length; index++) {
    const ticks = sorted[index] ?? 0;
    let at = index;
    // Reordering spans a few frames; a frame that is further out of order is an error in the file.
    for (; at > 0 && index - at < MAX_REORDERED && (sorted[at - 1] ?? 0) > ticks; at--)
      sorted[at] = sorted[at - 1] ?? 0;
    sorted[at] = ticks;
    if (index % FRAMES_PER_STEP === 0) yield;
  }
  for (let index = 0; index < sorted.length; index++) delay = Math.max(delay, (sorted[index] ?? 0) - (pts[index] ?? 0));
  yield;
  return sorted.map((ticks) => ticks - delay);
}

/** Maximum reorder distance: H.264 and H.265 allow at most 16 frames. */
const MAX_REORDERED = 64;
