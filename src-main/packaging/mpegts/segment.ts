import { PAT_PID } from '../../media/containers/mpegts/packet.ts';
import { MpegTsWriter, PMT_PID } from '../../media/containers/mpegts/writer.ts';
import type { Track } from '../../media/track.ts';
import { bytesInMemory, whileRetained, isLost, readMedia } from '../../segment/media-bytes.ts';
import type { Part, SegmentWindow } from '../../segment/segment-window.ts';
import { prefixOf } from '../address.ts';
import { Programme } from '../programme.ts';
import { closeCounters } from './closed-counters.ts';
import { mergeByTime, unitsOf } from './interleave.ts';

/** Ratio of the size of packets to the size of their samples. */
const PACKET_OVERHEAD = 1.06;
const TABLES: ReadonlySet<number> = new Set([PAT_PID, PMT_PID]);

/**
 * Muxed MPEG-TS segment with a media sequence number, created from the CMAF segments of all tracks with that number. It
 * can be decoded independently: tables first, then a random access point; and it can follow any other segment. Damaged or missing
 * media of an archive is left out.
 *
 * @param damaged called if media was left out
 */
export async function muxTsSegment(window: SegmentWindow, msn: number, damaged?: () => void): Promise<Uint8Array> {
  const tracks: Track[] = [];
  const parts: TrackPart[] = [];
  for (const { track: newest } of new Programme(window).tracksAt(msn)) {
    const entry = window.segmentByMsn(newest.id, msn);
    const track = (entry && window.init(newest.id, entry.segment.initId, prefixOf(entry))?.track) ?? newest;
    tracks.push(track);
    for (const part of entry?.segment.parts ?? []) parts.push({ track, part });
  }
  const media = parts.map(({ part }) => part);
  // Live media is in memory: it is muxed at once and need not be retained.
  const inMemory = media.map(bytesInMemory);
  if (inMemory.every((bytes) => bytes !== undefined)) return mux(tracks, parts, inMemory);
  const read = async (part: Part): Promise<Uint8Array> => readIntact(part, damaged);
  return whileRetained(media, async () => mux(tracks, parts, await Promise.all(media.map(read))));
}

/** Bytes of a part; none if the recording is damaged. */
async function readIntact(part: Part, damaged?: () => void): Promise<Uint8Array> {
  try {
    await part.check?.();
    return await readMedia(part);
  } catch (error) {
    if (!part.check || !isLost(error)) throw error;
    damaged?.();
    return new Uint8Array();
  }
}

interface TrackPart {
  readonly track: Track;
  readonly part: Part;
}

function mux(tracks: readonly Track[], parts: readonly TrackPart[], chunks: readonly Uint8Array[]): Uint8Array {
  const lists = parts.map(({ track }, index) => unitsOf(track.id, track.timescale, chunks[index] as Uint8Array));
  const bytes = parts.reduce((sum, { part }) => sum + part.sizeBytes, 0);
  const writer = new MpegTsWriter(tracks);
  writer.reserve(Math.ceil(bytes * PACKET_OVERHEAD));
  for (const unit of mergeByTime(lists)) writer.accessUnit(unit);
  return closeCounters(writer.take(), TABLES);
}
