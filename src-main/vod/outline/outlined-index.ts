import { convertTicks } from '../../media/timing/ticks.ts';
import type { FileIndex, IndexedTrack, SegmentRow } from '../index/file-index.ts';
import { ListCursor, ListedSamples, type PackedList } from '../index/listed-samples.ts';
import { SampleCache } from '../index/sample-cache.ts';
import type { FoundSample, Outline, OutlinePoint, OutlineTrack } from './outline.ts';
import { Ranges } from './ranges.ts';

/**
 * Maximum distance of random access points in seconds; with a larger distance the complete file is read, because segments may
 * start between them.
 */
const LONGEST_SECONDS = 30;
/** Maximum number of segments of a track. */
const MAX_SEGMENTS = 40_000;
/** Maximum lead of the audio over the video, in seconds; with a longer lead the complete file is read. */
const LEAD_IN_SECONDS = 0.25;
/** Number of ranges, spread over the file, that are read to verify the points. */
const PROBED_RANGES = 5;
/** Maximum reorder distance plus one: H.264 and H.265 allow 16 frames. */
const MAX_REORDERED = 17;
/** Estimated memory of a segment row, and of a looked-up sample, in bytes. */
const ROW_BYTES = 700;
const SAMPLE_BYTES = 8;

/** Observations of a track in the verified ranges. */
interface Observations {
  readonly first: FoundSample;
  /** Second sample of the track: the first one often has an unusual duration. */
  readonly second: FoundSample;
  /** End of its last sample. */
  readonly endTicks: number;
  readonly bytesPerSecond: number;
  readonly samplesPerSecond: number;
}

/**
 * Index of a file by its outline: segments start at points, and their samples are looked up on request. Undefined if the outline
 * is incomplete or wrong.
 */
export async function outlinedIndex(
  outline: Outline,
  { segmentMs, sizeBytes }: { readonly segmentMs: number; readonly sizeBytes: number },
): Promise<FileIndex | undefined> {
  const [leader] = outline.tracks;
  const points = leader && cutPoints(outline.points, leader.timescale, segmentMs);
  if (!points) return undefined;
  const ranges = new Ranges(outline, points, sizeBytes);
  const observations = await sampleRanges(outline, points, ranges);
  if (!observations) return undefined;
  const starts = observations.map(({ first }, index) => first.dtsTicks / (outline.tracks[index]?.timescale ?? 1));
  const biasMs = Math.ceil(Math.max(0, -Math.min(...starts) * 1000));
  const extents = points.map(({ offset }, index) => (points[index + 1]?.offset ?? sizeBytes) - offset);
  const audioBytesPerSecond = observations.slice(1).reduce((sum, { bytesPerSecond }) => sum + bytesPerSecond, 0);
  const tracks = outline.tracks.map((source, index): IndexedTrack | undefined => {
    const cut = { source, observations: observations[index] as Observations, biasMs };
    if (index === 0) return videoTrack(cut, points, ranges, { extents, audioBytesPerSecond });
    return audioTrack(cut, index, ranges, { points, timescale: leader.timescale });
  });
  if (!tracks.every((track) => track !== undefined)) return undefined;
  const memoryBytes = tracks.reduce((sum, { rows }) => sum + rows.length * ROW_BYTES, 0);
  const samples = observations.reduce(
    (sum, one, index) => sum + one.samplesPerSecond * secondsOf(one, outline.tracks[index]),
    0,
  );
  return { tracks, biasMs, memoryBytes: memoryBytes + samples * SAMPLE_BYTES };
}

function secondsOf({ first, endTicks }: Observations, source: OutlineTrack | undefined): number {
  return (endTicks - first.ptsTicks) / (source?.timescale ?? 1);
}

/** Points at which segments start; undefined if they are out of order or too far apart. */
function cutPoints(
  points: readonly OutlinePoint[],
  timescale: number,
  segmentMs: number,
): readonly OutlinePoint[] | undefined {
  const minTicks = (segmentMs * timescale) / 1000;
  const cuts: OutlinePoint[] = [];
  let last: OutlinePoint | undefined;
  // If a point is before the presentation, the outline cannot be used.
  if ((points[0]?.ptsTicks ?? -1) < 0) return undefined;
  for (const point of points) {
    if (last && (point.ptsTicks <= last.ptsTicks || point.offset < last.offset)) return undefined;
    if (last && point.ptsTicks - last.ptsTicks > LONGEST_SECONDS * timescale) return undefined;
    const start = cuts.at(-1)?.ptsTicks ?? -Infinity;
    if (point.ptsTicks - start >= minTicks) cuts.push(point);
    last = point;
  }
  return cuts.length >= 2 && cuts.length <= MAX_SEGMENTS ? cuts : undefined;
}

/** Reads some ranges to check that pictures are where the points say, and to find where tracks start and end. */
async function sampleRanges(
  outline: Outline,
  points: readonly OutlinePoint[],
  ranges: Ranges,
): Promise<readonly Observations[] | undefined> {
  const last = points.length - 1;
  const probed = new Set(
    Array.from({ length: PROBED_RANGES }, (_, index) => Math.round((last * index) / (PROBED_RANGES - 1))),
  );
  const found: FoundSample[][] = outline.tracks.map(() => []);
  const [scale] = outline.tracks.map(({ timescale }) => timescale);
  for (const number of probed) {
    const pictures = await ranges.probe(number);
    if (pictures.length === 0) return undefined;
    found[0]?.push(...pictures);
    const fromTicks = points[number]?.ptsTicks ?? 0;
    const toTicks = points[number + 1]?.ptsTicks;
    for (const [index, { timescale }] of outline.tracks.entries()) {
      if (index === 0) continue;
      const inTrack = (ticks: number): number => convertTicks(ticks, scale ?? 1, timescale);
      // In the first range, tracks may start earlier; in the last range, they may end later.
      const from = number === 0 ? -Infinity : inTrack(fromTicks);
      const to = toTicks === undefined ? Infinity : inTrack(toTicks);
      found[index]?.push(...(await ranges.audio(number, index, from, to)));
    }
  }
  const [first] = await ranges.pictures(0);
  const ends = await ranges.pictures(last);
  if (first) found[0] = [first, ...(found[0] ?? []).slice(1), ...ends.slice(-MAX_REORDERED)];
  const observations = found.map((samples, index) => observationsOf(samples, outline.tracks[index]));
  return observations.every((one) => one !== undefined) ? observations : undefined;
}

function observationsOf(samples: readonly FoundSample[], source: OutlineTrack | undefined): Observations | undefined {
  const [first, second] = samples;
  if (!first || !second || !source) return undefined;
  if (samples.some(({ ptsTicks, dtsTicks }) => !Number.isFinite(ptsTicks) || !Number.isFinite(dtsTicks)))
    return undefined;
  const endTicks = samples.reduce((end, one) => Math.max(end, one.ptsTicks + one.durationTicks), -Infinity);
  const bytes = samples.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const seconds = samples.reduce((sum, { durationTicks }) => sum + durationTicks, 0) / source.timescale;
  const [bytesPerSecond, samplesPerSecond] = [bytes / Math.max(1, seconds), samples.length / Math.max(1, seconds)];
  return { first, second, endTicks, bytesPerSecond, samplesPerSecond };
}

interface CutTrack {
  readonly source: OutlineTrack;
  readonly observations: Observations;
  readonly biasMs: number;
}

/** Video track: the track of the points. Segment sizes are estimates: the size in the file without audio. */
function videoTrack(
  { source, observations, biasMs }: CutTrack,
  points: readonly OutlinePoint[],
  ranges: Ranges,
  { extents, audioBytesPerSecond }: { readonly extents: readonly number[]; readonly audioBytesPerSecond: number },
): IndexedTrack | undefined {
  const starts = points.map(({ ptsTicks }) => ptsTicks);
  const sampleCache = new SampleCache(async (number) => listOf(await ranges.pictures(number)));
  const bytesOf = (number: number, seconds: number): number =>
    Math.max(1, Math.round((extents[number] ?? 0) - audioBytesPerSecond * seconds));
  return indexed({ source, observations, biasMs }, starts, sampleCache, bytesOf);
}

/**
 * Audio track, cut at the times of the video. Its times advance evenly, so they are known before the lookup. Undefined
 * if it starts much earlier than the video, or has no media in the first or last segment.
 */
function audioTrack(
  { source, observations, biasMs }: CutTrack,
  track: number,
  ranges: Ranges,
  { points, timescale }: { readonly points: readonly OutlinePoint[]; readonly timescale: number },
): IndexedTrack | undefined {
  const { first, second, endTicks, bytesPerSecond } = observations;
  const step = stepOf(source, second);
  const cuts = points.map(({ ptsTicks }) => convertTicks(ptsTicks, timescale, source.timescale));
  const [start = 0, next = Infinity] = cuts;
  const isEarly = first.ptsTicks + step < Math.min(0, start) - LEAD_IN_SECONDS * source.timescale;
  if (step <= 0 || isEarly || second.ptsTicks >= next || endTicks <= (cuts.at(-1) ?? Infinity)) return undefined;
  const starts = cuts.map((ticks, index) =>
    index === 0 ? first.ptsTicks : second.ptsTicks + Math.round(Math.ceil((ticks - second.ptsTicks) / step) * step),
  );
  const sampleCache = new SampleCache(async (number) => {
    const from = number === 0 ? -Infinity : (starts[number] ?? 0) - step / 2;
    return listOf(await ranges.audio(number, track, from, (starts[number + 1] ?? Infinity) - step / 2));
  });
  return indexed({ source, observations, biasMs }, starts, sampleCache, (_, seconds) =>
    Math.round(bytesPerSecond * seconds),
  );
}

/** Duration of an audio sample, although the file has rounded the times. */
function stepOf({ track, timescale }: OutlineTrack, { durationTicks }: FoundSample): number {
  const exact = track.content === 'audio' ? (track.samplesPerFrame * timescale) / track.sampleRate : 0;
  return Math.abs(exact - durationTicks) < durationTicks / 50 ? exact : durationTicks;
}

function indexed(
  { source, observations: { endTicks }, biasMs }: CutTrack,
  starts: readonly number[],
  sampleCache: SampleCache,
  bytesOf: (number: number, seconds: number) => number,
): IndexedTrack {
  const { timescale } = source.track;
  const biasTicks = convertTicks(biasMs, 1000, timescale);
  const outputTicks = (ticks: number): number => convertTicks(ticks, source.timescale, timescale) + biasTicks;
  const rows = starts.map((ticks, number): SegmentRow => {
    const startTicks = outputTicks(ticks);
    const durationTicks = Math.max(1, outputTicks(starts[number + 1] ?? endTicks) - startTicks);
    const dataBytes = bytesOf(number, durationTicks / timescale);
    return { mark: [number], sampleCount: 0, startTicks, durationTicks, dataBytes, isSync: true };
  });
  const samples = new ListedSamples().pack();
  const none = { shiftTicks: 0, samples, cursor: () => new ListCursor(samples) };
  return { source: { ...source, ...none }, biasTicks, rows, sampleCache };
}

function listOf(found: readonly FoundSample[]): PackedList {
  const samples = new ListedSamples();
  for (const { ptsTicks, ...sample } of found)
    samples.add({ ...sample, compositionOffsetTicks: ptsTicks - sample.dtsTicks });
  return samples.pack();
}
