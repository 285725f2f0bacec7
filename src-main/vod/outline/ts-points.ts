import { runInTurns } from '../../lib/turns.ts';
import type { LeftOutTrack } from '../../media/access-unit.ts';
import {
  KeyFrameScan,
  type KeyFrameOptions,
  type KeyFramePosition,
} from '../../media/containers/mpegts/key-frame-scan.ts';
import { PACKET_BYTES } from '../../media/containers/mpegts/packet.ts';
import type { FoundProgram } from '../../media/containers/mpegts/reader.ts';
import { streamKind } from '../../media/containers/mpegts/stream-kind.ts';
import type { IndexStore } from '../index/index-store.ts';
import { ReadAhead } from '../index/read-ahead.ts';
import type { IndexedFile } from '../index/source-track.ts';
import { TsScan, type ScannedTrack } from '../index/ts-scan.ts';

/** Bytes at the start of a file in which packets must be found and all tracks must start. */
const FIRST_BYTES = 2 << 20;
/** Bytes processed in one step. */
const STEP_BYTES = 64 * 1024;
/** Size of a packet with its arrival time in front (`m2ts`). */
const M2TS_BYTES = 192;

/** Points of a transport stream and its tracks. */
export interface TsPoints {
  readonly program: FoundProgram;
  /** Video first. */
  readonly tracks: readonly ScannedTrack[];
  readonly startTicks: number;
  readonly points: readonly KeyFramePosition[];
  /** Tracks that cannot be played. */
  readonly leftOut: readonly LeftOutTrack[];
}

/**
 * Finds the points of a transport stream in the store, or from all its packet headers. Undefined if they cannot be trusted, or
 * unless there is exactly one video track.
 */
export async function findPoints(file: IndexedFile, store: IndexStore | undefined): Promise<TsPoints | undefined> {
  const ahead = new ReadAhead(file);
  const head = await ahead.view(0, Math.min(FIRST_BYTES, file.sizeBytes));
  if (!head) return undefined;
  const scan = new TsScan();
  await runInTurns(pushAll(scan, head));
  const { program, tracks, strideBytes, startTicks, leftOut } = scan;
  const [leader, other] = tracks.filter(({ track }) => track.content === 'video');
  if (
    !program ||
    !leader ||
    other ||
    tracks.some(({ formats }) => formats.length > 0) ||
    tracks.length < mediaStreams(program.map)
  )
    return undefined;
  if (leader.transport.programs.length > 1) return undefined;
  const { codec, sourceId } = leader.track;
  if ((codec !== 'h264' && codec !== 'h265') || sourceId === undefined || strideBytes === undefined) return undefined;
  const stored = await store?.get(`points ${file.path}`, file.version);
  const points =
    (stored as readonly KeyFramePosition[] | undefined) ??
    (await scanPoints(file, ahead, { pid: sourceId, codec, strideBytes, programNumber: program.map.programNumber }));
  if (!points || points[0]?.ptsTicks !== firstKeyFrame(leader)) return undefined;
  if (!stored) await store?.put(`points ${file.path}`, file.version, points);
  const ordered = [leader, ...tracks.filter((one) => one !== leader)];
  return { program, tracks: ordered, startTicks, points, leftOut };
}

/** Scans a file for its points; undefined if they cannot be trusted. */
async function scanPoints(
  file: IndexedFile,
  ahead: ReadAhead,
  options: KeyFrameOptions,
): Promise<readonly KeyFramePosition[] | undefined> {
  const scan = new KeyFrameScan(options);
  // An incomplete last packet is left out.
  for (
    let at = options.strideBytes === M2TS_BYTES ? M2TS_BYTES - PACKET_BYTES : 0;
    at + PACKET_BYTES <= file.sizeBytes;
  ) {
    if (!(await ahead.view(at, PACKET_BYTES))) return undefined;
    const readBytes = await runInTurns(scan.scan(ahead.bytes.subarray(at - ahead.start), at));
    if (!scan.isSteady || readBytes === 0) return undefined;
    at += readBytes;
  }
  return scan.positions;
}

/** Presentation time of the first random access point. */
function firstKeyFrame({ samples }: ScannedTrack): number | undefined {
  const cursor = samples.cursor();
  while (cursor.next()) if (cursor.isSync) return cursor.dtsTicks + cursor.compositionOffsetTicks;
  return undefined;
}

function* pushAll(scan: TsScan, head: Uint8Array): Generator<void, void> {
  for (let at = 0; at < head.length; at += STEP_BYTES) {
    scan.push(head.subarray(at, at + STEP_BYTES), at);
    yield;
  }
}

/** Elementary streams of a programme that may be tracks. */
function mediaStreams({ streams, descriptors }: FoundProgram['map']): number {
  return streams.filter((entry) => ['video', 'audio'].includes(streamKind(entry, descriptors).content)).length;
}
