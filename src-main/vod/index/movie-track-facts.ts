import { trackFromMpegAudioFrame } from '../../media/codecs/mp3/track.ts';
import type { FileBytes } from '../../media/containers/file-bytes.ts';
import type { MovieTrack } from '../../media/containers/isobmff/movie-track.ts';
import type { SampleCursor } from '../../media/containers/isobmff/sample-cursor.ts';
import type { Track } from '../../media/track.ts';
import type { TrackFacts } from './track-facts.ts';

/** Bytes of an MPEG audio frame needed to detect its format. */
const FRAME_BYTES = 4096;

/** Description of an MP4 track without its samples. @param cursor cursor before the first sample of the track */
export async function movieTrackFacts(
  file: FileBytes,
  { track, timescale, shiftTicks, endTicks }: MovieTrack,
  cursor: SampleCursor,
): Promise<Pick<TrackFacts, 'track' | 'timescale' | 'shiftTicks' | 'endTicks'>> {
  const known = track.codec === 'mp3' ? await trackOfFrame(file, track, cursor) : track;
  return { track: known, timescale, shiftTicks, ...(endTicks === undefined ? {} : { endTicks }) };
}

/** Reads the format of MPEG audio from a frame: only frames state the layer and the frame length. */
async function trackOfFrame(file: FileBytes, track: Track, cursor: SampleCursor): Promise<Track> {
  if (!cursor.next()) return track;
  const frame = new Uint8Array(Math.min(cursor.sizeBytes, FRAME_BYTES));
  const length = await file.read(frame, cursor.offset);
  const { id: trackId, language, sourceId } = track;
  const identity = {
    trackId,
    ...(language === undefined ? {} : { language }),
    ...(sourceId === undefined ? {} : { sourceId }),
  };
  return trackFromMpegAudioFrame(frame.subarray(0, length), identity) ?? track;
}
