import { runAtOnce, runInTurns } from '../../lib/turns.ts';
import { FileBlock } from '../../media/containers/file-bytes.ts';
import { readCues, readSeeks, type CuePoint } from '../../media/containers/matroska/cues.ts';
import { ID, MAX_ELEMENT_START_BYTES, readElementStart } from '../../media/containers/matroska/element.ts';
import { readTracks, readUnitNs, type MatroskaHead, type MatroskaTrack } from '../../media/containers/matroska/head.ts';
import type { Track } from '../../media/track.ts';
import { leftOutOf } from '../index/left-out.ts';
import { listFramesFrom, type FoundFrames, type FrameList } from '../index/matroska-frames.ts';
import { audioTimes, readMatroskaTrack, spreadTimes } from '../index/matroska-index.ts';
import type { IndexedFile } from '../index/source-track.ts';
import type { FoundSample, Outline, OutlinePoint } from './outline.ts';
import { truncatedFile } from './truncated-file.ts';

/** Maximum number of elements before the first cluster, and maximum size of an element that is read. */
const MAX_ELEMENTS = 200;
const MAX_HEAD_BYTES = 4 << 20;
const MAX_CUES_BYTES = 16 << 20;
const BLOCK_BYTES = 64 * 1024;
/** Bytes needed to read the start of a block. */
const BLOCK_START_BYTES = 64;

/** Elements before the first cluster. */
interface HeadElements {
  readonly head: MatroskaHead;
  readonly leader: MatroskaTrack;
  readonly clusterAt: number;
  readonly points: readonly CuePoint[];
  /** Start of the data of `Segment`. */
  readonly segmentAt: number;
}

/** Outline of an MKV or WebM file by its `Cues`. Undefined unless they index exactly one video track. */
export async function matroskaOutline(file: IndexedFile): Promise<Outline | undefined> {
  const found = await readHead(file);
  if (!found) return undefined;
  const { head, leader, segmentAt, clusterAt } = found;
  const cues = found.points.map(({ time, clusterPosition, latestPosition }, index) => ({
    ns: time * head.unitNs - leader.delayNs,
    offset: segmentAt + clusterPosition,
    // The key frame is in its cluster, which ends at the latest where the cluster of another point starts.
    endOffset: segmentAt + (latestPosition ?? nextCluster(found.points, index)) + BLOCK_START_BYTES,
  }));
  const [, second] = cues;
  if (!second) return undefined;
  const first = await listFramesFrom(truncatedFile(file, second.endOffset), head, clusterAt);
  const tracks = await tracksOf(file, head, first);
  const [pictures] = tracks;
  const frames = first.get(leader);
  if (!frames || pictures?.matroska !== leader || tracks.length < head.tracks.length) return undefined;
  const points = cues.map(({ ns, offset, endOffset }, index): OutlinePoint => ({
    ptsTicks: ticksOf(ns, pictures.track),
    offset: index === 0 ? clusterAt : offset,
    endOffset,
  }));
  return {
    tracks: tracks.map(({ track }) => ({ track, timescale: track.timescale, shiftTicks: 0, file: file.media })),
    points,
    hasDecodeTimes: false,
    leftOut: leftOutOf(head),
    pictures: samplesOf(frames, pictures),
    async read(offset, endOffset) {
      const lists = await listFramesFrom(truncatedFile(file, endOffset), head, offset);
      return tracks.map((one) => {
        const frames = lists.get(one.matroska);
        return frames ? samplesOf(frames, one) : [];
      });
    },
  };
}

/** Start of the next cluster that has a point. */
function nextCluster(points: HeadElements['points'], index: number): number {
  const position = points[index]?.clusterPosition ?? 0;
  for (let next = index + 1; next < points.length; next++) {
    const { clusterPosition = position } = points[next] ?? {};
    if (clusterPosition !== position) return clusterPosition;
  }
  return Infinity;
}

/** Track whose frames are looked up. */
interface PlayedTrack {
  readonly matroska: MatroskaTrack;
  readonly track: Track;
  /** Time of the first frame, in ticks of the track. */
  readonly firstTicks: number;
}

/** Tracks that have media at the start of the file, video first. */
async function tracksOf(
  file: IndexedFile,
  { tracks }: MatroskaHead,
  lists: FoundFrames['lists'],
): Promise<PlayedTrack[]> {
  const found: PlayedTrack[] = [];
  for (const matroska of tracks) {
    const frames = lists.get(matroska);
    if (!frames || frames.count === 0 || matroska.nalLengthBytes !== 4) continue;
    const track = await readMatroskaTrack(file, matroska, frames);
    if (track) found.push({ matroska, track, firstTicks: ticksOf((frames.times[0] ?? 0) - matroska.delayNs, track) });
  }
  return found.sort((a, b) => Number(b.matroska.content === 'video') - Number(a.matroska.content === 'video'));
}

function samplesOf(frames: FrameList, { matroska, track, firstTicks }: PlayedTrack): FoundSample[] {
  const { frameNs, delayNs } = matroska;
  const { timescale } = track;
  const step =
    frameNs === undefined ? (track.content === 'audio' ? track.samplesPerFrame : 0) : ticksOf(frameNs, track);
  const times = frames.times.subarray(0, frames.count).map((ns) => ns - delayNs);
  if (track.content === 'video') spreadTimes(times);
  const discardTicks = ticksOf(frames.discardNs, track);
  const pts = Float64Array.from(times, (ns) => ticksOf(ns, track));
  if (track.content === 'audio' && step > 0) {
    // Audio times advance evenly from the first frame on, within the rounding of the file.
    const near = firstTicks + Math.round(((pts[0] ?? firstTicks) - firstTicks) / step) * step;
    const toleranceTicks = Math.round((2 * frames.unitNs * timescale) / 1e9) + 1;
    runAtOnce(audioTimes(times, pts, (ns) => ticksOf(ns, track), { step, toleranceTicks }, near));
  }
  return Array.from(pts, (ptsTicks, index) => ({
    offset: frames.offsets[index] ?? 0,
    sizeBytes: frames.sizes[index] ?? 0,
    ptsTicks,
    dtsTicks: ptsTicks,
    durationTicks:
      track.content === 'audio' ? Math.max(0, (pts[index + 1] ?? ptsTicks + step - discardTicks) - ptsTicks) : step,
    isSync: track.content === 'audio' || frames.keys[index] === 1,
  }));
}

function ticksOf(ns: number, { timescale }: Track): number {
  return Math.round((ns / 1e9) * timescale);
}

/** Reads the elements before the first cluster, and the cues wherever they are. */
async function readHead(file: IndexedFile): Promise<HeadElements | undefined> {
  const block = new FileBlock(file, BLOCK_BYTES);
  const dataAt = async (at: number, maxBytes: number, expectedId?: number): Promise<Uint8Array | undefined> => {
    const start = await startAt(block, file, at);
    if (start?.dataBytes === undefined || start.dataBytes > maxBytes || (expectedId ?? start.id) !== start.id)
      return undefined;
    return (await block.view(at + start.headBytes, start.dataBytes))?.slice();
  };
  let [segmentAt, clusterAt, cuesAt] = [0, 0, 0];
  let unitNs: number | undefined;
  let tracks: ReturnType<typeof readTracks> | undefined;
  for (let at = 0, step = 0; step < MAX_ELEMENTS && clusterAt === 0; step++) {
    const start = await startAt(block, file, at);
    if (!start) return undefined;
    const { id, headBytes, dataBytes } = start;
    if (id === ID.cluster) clusterAt = at;
    else if (id === ID.segment) segmentAt = at + headBytes;
    else if (dataBytes === undefined) return undefined;
    if (id === ID.cues) cuesAt = at;
    const bytes =
      id === ID.seekHead || id === ID.info || id === ID.tracks ? await dataAt(at, MAX_HEAD_BYTES) : undefined;
    if (bytes && id === ID.info) unitNs = readUnitNs(bytes);
    else if (bytes && id === ID.tracks) tracks ??= readTracks(bytes);
    else if (bytes) cuesAt ||= segmentAt + (readSeeks(bytes).get(ID.cues) ?? -segmentAt);
    at += headBytes + (id === ID.segment ? 0 : (dataBytes ?? 0));
  }
  const [leader, other] = tracks?.tracks.filter(({ content }) => content === 'video') ?? [];
  const cues = cuesAt > 0 ? await dataAt(cuesAt, MAX_CUES_BYTES, ID.cues) : undefined;
  if (!cues || !leader || other || !tracks || unitNs === undefined || clusterAt === 0) return undefined;
  return {
    head: { unitNs, ...tracks },
    leader,
    segmentAt,
    clusterAt,
    points: await runInTurns(readCues(cues, leader.number)),
  };
}

async function startAt(block: FileBlock, file: IndexedFile, at: number): Promise<ReturnType<typeof readElementStart>> {
  const bytes = await block.view(at, Math.min(MAX_ELEMENT_START_BYTES, file.sizeBytes - at));
  return bytes && readElementStart(bytes, 0);
}
