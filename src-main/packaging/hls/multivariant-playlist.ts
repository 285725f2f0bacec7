import type { AudioTrack, VideoTrack } from '../../media/track.ts';
import type { SegmentWindow, WindowTrack } from '../../segment/segment-window.ts';
import { decimal, quoted } from './attributes.ts';
import { newestKeyFrame } from '../mp4/key-frame.ts';

/**
 * The multivariant playlist of a window: a variant for each video track, all audio tracks as renditions of one group;
 * for sound alone a variant for each audio track (RFC 8216bis 4.4.6).
 *
 * @param query query string, without `?`, that every address in it carries on, so that a token reaches the playlists
 * @returns undefined before the first part of every track: a player reads this once, and would never hear of a track that
 * comes a moment later
 */
export function renderMultivariant(window: SegmentWindow, query = ''): string | undefined {
  const tracks = playableTracks(window);
  if (tracks.length === 0) return undefined;
  const suffix = query === '' ? '' : `?${query}`;
  const lines = ['#EXTM3U', '#EXT-X-VERSION:9', '#EXT-X-INDEPENDENT-SEGMENTS'];
  const videos = tracks.filter(({ track }) => track.content === 'video');
  const audios = tracks.filter(({ track }) => track.content === 'audio');
  if (videos.length === 0) {
    for (const audio of audios) lines.push(streamInf(audio, [], false), `${audio.track.id}/index.m3u8${suffix}`);
  } else {
    const isCaptioned = hasCaptions(window);
    for (const [index, audio] of audios.entries())
      lines.push(rendition(audio.track as AudioTrack, nameOf(audio, audios), index === 0, suffix));
    if (isCaptioned)
      lines.push(
        '#EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID="captions",NAME="CC1",INSTREAM-ID="CC1",DEFAULT=NO,AUTOSELECT=YES',
      );
    for (const video of videos)
      lines.push(streamInf(video, audios, isCaptioned), `${video.track.id}/index.m3u8${suffix}`);
  }
  lines.push('');
  return lines.join('\n');
}

/** The tracks that have something to play. A track that stays silent is not waited for once the first segment is complete. */
function playableTracks(window: SegmentWindow): readonly WindowTrack[] {
  const playable = window.tracks.filter(({ segments }) => segments.some(({ parts }) => parts.length > 0));
  const isWaiting =
    playable.length < window.tracks.length &&
    !playable.some(({ segments }) => segments.some(({ isComplete }) => isComplete));
  return isWaiting ? [] : playable;
}

/** Name of a rendition, different from all others of its group (RFC 8216bis 4.4.6.1.1). */
function nameOf({ track }: WindowTrack, audios: readonly WindowTrack[]): string {
  if (track.language === undefined) return track.id;
  const isAlone = audios.filter((other) => other.track.language === track.language).length === 1;
  return isAlone ? track.language : `${track.language} ${track.id}`;
}

function rendition(track: AudioTrack, name: string, isDefault: boolean, suffix: string): string {
  const attributes = ['TYPE=AUDIO', 'GROUP-ID="audio"', `NAME=${quoted(name)}`];
  if (track.language !== undefined) attributes.push(`LANGUAGE=${quoted(track.language)}`);
  attributes.push(`DEFAULT=${isDefault ? 'YES' : 'NO'}`, 'AUTOSELECT=YES', `CHANNELS="${track.channels}"`);
  attributes.push(`URI=${quoted(`${track.id}/index.m3u8${suffix}`)}`);
  return `#EXT-X-MEDIA:${attributes.join(',')}`;
}

function streamInf(main: WindowTrack, audios: readonly WindowTrack[], isCaptioned: boolean): string {
  const rates = [main, ...audios.slice(0, 1)].map(measuredRate);
  const peak = rates.reduce((sum, rate) => sum + rate.peak, 0);
  const average = rates.reduce((sum, rate) => sum + rate.average, 0);
  const codecs = new Set([main, ...audios].map(({ track }) => track.codecString));
  const attributes = [`BANDWIDTH=${peak}`, `AVERAGE-BANDWIDTH=${average}`, `CODECS=${quoted([...codecs].join(','))}`];
  if (main.track.content === 'video') {
    attributes.push(...pictureAttributes(main.track));
    if (audios.length > 0) attributes.push('AUDIO="audio"');
    // Without a word about captions players look for them in several segments before they start.
    attributes.push(`CLOSED-CAPTIONS=${isCaptioned ? '"captions"' : 'NONE'}`);
  }
  return `#EXT-X-STREAM-INF:${attributes.join(',')}`;
}

function pictureAttributes(track: VideoTrack): string[] {
  const attributes = [`RESOLUTION=${track.width}x${track.height}`];
  if (track.fps !== undefined) attributes.push(`FRAME-RATE=${decimal(Math.round(track.fps * 1000) / 1000)}`);
  return attributes;
}

/**
 * Bits per second of the segments in the window: the highest of one segment, and the mean. An open segment counts only
 * as long as there is no other one: it begins with a key frame, which is much for its time.
 */
export function measuredRate(track: WindowTrack): { peak: number; average: number } {
  let peak = 0;
  let bytes = 0;
  let ticks = 0;
  const hasComplete = track.segments.some((segment) => segment.isComplete && !segment.isGap);
  for (const segment of track.segments) {
    if (segment.durationTicks <= 0 || (hasComplete && !segment.isComplete)) continue;
    let segmentBytes = 0;
    for (const part of segment.parts) segmentBytes += part.bytes.length;
    bytes += segmentBytes;
    ticks += segment.durationTicks;
    peak = Math.max(peak, (segmentBytes * 8 * track.track.timescale) / segment.durationTicks);
  }
  const guess = track.track.content === 'video' ? 2_000_000 : 128_000;
  if (ticks === 0) return { peak: guess, average: guess };
  return { peak: Math.ceil(peak), average: Math.ceil((bytes * 8 * track.track.timescale) / ticks) };
}

/** `user_identifier` of ATSC user data (ATSC A/53 part 4, 6.2.3), which carries CEA-608 and CEA-708 captions in an SEI message. */
const ATSC_USER_DATA = 'GA94';
/** The messages stand before the first slice of a picture. */
const SEARCHED_BYTES = 4096;

/** Whether the pictures of a window carry closed captions, by the newest key frame: where there are captions, every picture carries them. */
function hasCaptions(window: SegmentWindow): boolean {
  const data = newestKeyFrame(window)?.data;
  if (!data) return false;
  return Buffer.from(data.buffer, data.byteOffset, Math.min(data.length, SEARCHED_BYTES)).includes(
    ATSC_USER_DATA,
    0,
    'latin1',
  );
}
