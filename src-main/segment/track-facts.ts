import type { Track } from '../media/track.ts';
import type { TrackRate, WindowSegment, WindowTrack } from './segment-window.ts';

/** Assumed bit rate of an unknown track, in bits per second. */
const GUESSED_RATE = { video: 2_000_000, audio: 128_000 };

/**
 * `user_identifier` of ATSC user data (ATSC A/53 part 4, 6.2.3), which carries CEA-608 and CEA-708 captions in an SEI
 * message.
 */
const ATSC_USER_DATA = Buffer.from('GA94', 'latin1');
/** Number of bytes searched: SEI messages come before the first slice of a picture. */
const SEARCHED_BYTES = 4096;

/**
 * Group of a track in a stream without group information: all video tracks of one codec are qualities of one picture;
 * each audio track is different audio, for example another language.
 */
export function groupOf(track: Track): string {
  return track.content === 'video' ? track.codec : track.id;
}

/**
 * Peak and mean bit rate of segments in bits per second. An open segment counts only if no segment is complete: it
 * starts with a key frame, so its rate is too high. Without media the peak is an assumption.
 */
export function measuredRate({ content, timescale }: Track, segments: readonly WindowSegment[]): TrackRate {
  let peak = 0;
  let bytes = 0;
  let ticks = 0;
  const hasComplete = segments.some(({ segment }) => segment.isComplete && !segment.isGap);
  for (const { segment } of segments) {
    const { durationTicks, sizeBytes, isComplete } = segment;
    if (durationTicks <= 0 || (hasComplete && !isComplete)) continue;
    bytes += sizeBytes;
    ticks += durationTicks;
    peak = Math.max(peak, (sizeBytes * 8 * timescale) / durationTicks);
  }
  const guess = GUESSED_RATE[content];
  if (ticks === 0) return { peak: guess };
  return hasComplete
    ? { peak: Math.ceil(peak), average: Math.ceil((bytes * 8 * timescale) / ticks) }
    : { peak: Math.ceil(peak) };
}

/** Whether a coded picture carries closed captions. In a stream with captions every picture does. */
export function carriesCaptions(picture: Uint8Array): boolean {
  const { buffer, byteOffset, length } = picture;
  return Buffer.from(buffer, byteOffset, Math.min(length, SEARCHED_BYTES)).includes(ATSC_USER_DATA);
}

/** Tracks of an MPEG-TS programme: the first quality of the first video, and all audio. */
export function programmeOf<T extends Pick<WindowTrack, 'track'>>(tracks: readonly T[]): readonly T[] {
  const leader = tracks.find(({ track }) => track.content === 'video');
  return tracks.filter((one) => one === leader || one.track.content === 'audio');
}
