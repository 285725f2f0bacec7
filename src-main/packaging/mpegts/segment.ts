import { PAT_PID } from '../../media/containers/mpegts/packet.ts';
import { MpegTsWriter, PMT_PID } from '../../media/containers/mpegts/writer.ts';
import type { Track } from '../../media/track.ts';
import type { SegmentWindow } from '../../segment/segment-window.ts';
import { closeCounters } from './closed-counters.ts';
import { mergeByTime, unitsOf, type QueuedUnit } from './interleave.ts';

/** Packets and their headers take a little more room than the samples in them. */
const PACKET_OVERHEAD = 1.06;
const TABLES: ReadonlySet<number> = new Set([PAT_PID, PMT_PID]);

/**
 * The muxed MPEG-TS segment with a media sequence number, made from the CMAF segments of all tracks with that number.
 * It can be decoded by itself: tables first, then a random access point; and it goes on where any other one ends.
 */
export function muxTsSegment(window: SegmentWindow, msn: number): Uint8Array {
  const tracks: Track[] = [];
  const lists: QueuedUnit[][] = [];
  let bytes = 0;
  for (const windowTrack of window.tracks) {
    const segment = windowTrack.segments.find((candidate) => candidate.msn === msn);
    const track = segment && window.init(windowTrack.track.id, segment.initId)?.track;
    if (!segment || !track) continue;
    tracks.push(track);
    for (const part of segment.parts) {
      bytes += part.bytes.length;
      lists.push(unitsOf(track.id, track.timescale, part.bytes));
    }
  }
  const writer = new MpegTsWriter(tracks);
  writer.reserve(Math.ceil(bytes * PACKET_OVERHEAD));
  for (const unit of mergeByTime(lists)) writer.accessUnit(unit);
  return closeCounters(writer.take(), TABLES);
}
