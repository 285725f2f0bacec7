import { inBandSets } from '../media/codecs/in-band-sets.ts';
import { convertTicks } from '../media/timing/ticks.ts';
import type { Track } from '../media/track.ts';
import type { Part, Segment, SegmentWindow, WindowSegment } from '../segment/segment-window.ts';
import { resumedPart, type PartPlace } from './in-place-part.ts';
import { InPlaceSegment } from './in-place-segment.ts';

const made = new WeakMap<Segment, Segment>();

/**
 * Segment of the stream with parameter sets in its key frames, because a clip before it may have had different ones.
 * Unchanged for sound or if the sets are unknown. Shared by all viewers.
 */
export function resumedSegment(stream: SegmentWindow, trackId: string, entry: WindowSegment): Segment {
  const { segment } = entry;
  const known = made.get(segment);
  if (known) return known;
  const track = stream.tracks.find((one) => one.track.id === trackId)?.track;
  const sets = track?.content === 'video' ? inBandSets(track)?.bytes : undefined;
  if (!track || !sets) return segment;
  const shown = new InPlaceSegment(segment, (source) =>
    resumedPart(source, placeOf(stream, track, entry, source), sets),
  );
  made.set(segment, shown);
  return shown;
}

/** Place of a part within a segment of the stream. */
export function placeOf(stream: SegmentWindow, track: Track, { msn, segment }: WindowSegment, source: Part): PartPlace {
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
