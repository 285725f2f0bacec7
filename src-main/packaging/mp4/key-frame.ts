import { forEachSample } from '../../media/containers/isobmff/chunk-reader.ts';
import { cutPieces, readMedia } from '../../segment/media-bytes.ts';
import { ticksToMs } from '../../media/timing/ticks.ts';
import type { VideoTrack } from '../../media/track.ts';
import type { Part, SegmentWindow, WindowSegment } from '../../segment/segment-window.ts';
import { prefixOf } from '../address.ts';

/** An independently decodable coded picture of a window, with its decoder settings. */
export interface WindowKeyFrame {
  readonly codec: 'h264' | 'h265';
  readonly decoderConfig: Uint8Array;
  readonly track: VideoTrack;
  /** Start of its segment or part, on the timeline of the window in milliseconds. */
  readonly atMs: number;
  /** Unique id of the picture within its window. */
  readonly key: string;
  /** Its NAL units with four-byte lengths, as a copy. Rejects with the error of the file. */
  data(): Promise<Uint8Array>;
}

/**
 * Key frame of the first video track of a window with an end: the first one after a tenth of its duration, because the start is
 * often black.
 */
export function earlyKeyFrame(window: SegmentWindow): WindowKeyFrame | undefined {
  const video = window.tracks.find(({ track }) => track.content === 'video')?.track;
  const bounds = window.bounds();
  if (!video || !bounds) return undefined;
  const fromMs = bounds.fromMs + Math.floor((bounds.toMs - bounds.fromMs) / 10);
  for (const entry of window.segments(video.id, { fromMs, toMs: bounds.toMs })) {
    const found = keyFrameOf(window, video.id, entry);
    if (found) return found;
  }
  return undefined;
}

/** Newest key frame of the first video track of a window; undefined if there is none. Reads media only on request. */
export function newestKeyFrame(window: SegmentWindow): WindowKeyFrame | undefined {
  return keyFramesBack(window).next().value;
}

/**
 * Key frames of the first video track of a window, newest first: the newest of each segment. Reads media only on
 * request.
 */
export function* keyFramesBack(window: SegmentWindow): Generator<WindowKeyFrame, undefined> {
  const video = window.tracks.find(({ track }) => track.content === 'video')?.track;
  if (!video) return undefined;
  for (let entry = window.lastSegment(video.id); entry; entry = window.segmentByMsn(video.id, entry.msn - 1)) {
    const found = keyFrameOf(window, video.id, entry);
    if (found) yield found;
  }
  return undefined;
}

/**
 * Key frame of the first video track at the start of the segment that is shown at a time, or the next one within 10 s;
 * undefined if there is none.
 */
export function keyFrameAt(window: SegmentWindow, atMs: number): WindowKeyFrame | undefined {
  const video = window.tracks.find(({ track }) => track.content === 'video')?.track;
  if (!video) return undefined;
  for (const entry of window.segments(video.id, { fromMs: atMs, toMs: atMs + MAX_DISTANCE_MS })) {
    const [part] = entry.segment.parts;
    const track = window.init(video.id, entry.segment.initId, prefixOf(entry))?.track;
    if (!part?.isIndependent || track?.content !== 'video' || entry.startMs < atMs - MAX_DISTANCE_MS) continue;
    const { codec, decoderConfig } = track;
    return { codec, decoderConfig, track, atMs: entry.startMs, key: entry.address, data: () => firstSample(part) };
  }
  return undefined;
}

/** Maximum distance of a picture from the requested time, in milliseconds. */
const MAX_DISTANCE_MS = 10_000;

function keyFrameOf(window: SegmentWindow, trackId: string, entry: WindowSegment): WindowKeyFrame | undefined {
  const part = entry.segment.parts.findLast(({ isIndependent }) => isIndependent);
  const track = window.init(trackId, entry.segment.initId, prefixOf(entry))?.track;
  if (!part || track?.content !== 'video') return undefined;
  const { codec, decoderConfig } = track;
  const atMs = ticksToMs(part.startTicks, track.timescale);
  return {
    codec,
    decoderConfig,
    track,
    atMs,
    key: `${entry.address}.${part.index}`,
    data: () => firstSample(part),
  };
}

async function firstSample(part: Part): Promise<Uint8Array> {
  const bytes = await firstChunk(part);
  let found: Uint8Array | undefined;
  forEachSample(bytes, (start, sizeBytes) => {
    found ??= Uint8Array.from(bytes.subarray(start, start + sizeBytes));
  });
  if (!found) throw new RangeError('the part holds no sample');
  return found;
}

/** Bytes read at the start of a part, enough for the boxes before the samples. */
const HEAD_BYTES = 16_384;
const MDAT = 0x6d646174;

/** First chunk of a part. If the part has many chunks in a file, later chunks are not read. */
async function firstChunk(part: Part): Promise<Uint8Array> {
  await part.ready?.();
  const { pieces, sizeBytes, hasManyChunks = false } = part;
  if (!hasManyChunks || sizeBytes <= HEAD_BYTES) return readMedia(part);
  const head = Buffer.from(await readMedia({ pieces: cutPieces(pieces, 0, HEAD_BYTES), sizeBytes: HEAD_BYTES }));
  for (let at = 0; at + 8 <= head.length;) {
    const boxBytes = head.readUInt32BE(at);
    const end = at + boxBytes;
    if (head.readUInt32BE(at + 4) === MDAT && end <= sizeBytes)
      return readMedia({ pieces: cutPieces(pieces, 0, end), sizeBytes: end });
    if (boxBytes < 8) break;
    at = end;
  }
  return readMedia(part);
}
