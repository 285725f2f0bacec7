import { displayOf } from '../../media/display.ts';
import type { AudioTrack, VideoTrack } from '../../media/track.ts';
import type { SegmentWindow, WindowSubtitles, WindowTrack } from '../../segment/segment-window.ts';
import { decimal, quoted } from './attributes.ts';
import { playableTracks, startsIndependent } from '../playable-tracks.ts';
import { spriteBandwidth, TILE_HEIGHT, TILE_WIDTH } from '../thumbnail-tiles.ts';

/** Image playlist of a recorded time. */
export interface ImagePlaylist {
  /** Address without a query. */
  readonly address: string;
  /** Seconds between two pictures. */
  readonly stepSeconds: number;
}

/** Options for rendering a multivariant playlist. */
export interface MultivariantOptions {
  /** Query string, without `?`, appended to every address, so that a token reaches the playlists. */
  readonly query?: string;
  /** Name of the playlists of the tracks in their folders, without the extension; default: `index`. */
  readonly name?: string | undefined;
  /** Image playlist, listed if the window never changes. */
  readonly images?: ImagePlaylist | undefined;
  /** Prefix of track ids in the names of their folders. */
  readonly folderPrefix?: string;
}

/**
 * Multivariant playlist of a window: a variant for each video track, all audio tracks as renditions of one group; without video,
 * a variant for each audio track (RFC 8216bis 4.4.6).
 *
 * @returns undefined before the first part of every track, because a player reads this playlist once and would miss a later track
 */
export function renderMultivariant(
  window: SegmentWindow,
  { query = '', name = 'index', images, folderPrefix = '' }: MultivariantOptions = {},
): string | undefined {
  const tracks = playableTracks(window);
  if (tracks.length === 0) return undefined;
  const end = `.m3u8${query === '' ? '' : `?${query}`}`;
  const suffix = `${name}${end}`;
  const lines = ['#EXTM3U', '#EXT-X-VERSION:9'];
  if (tracks.every(({ track }) => startsIndependent(window, track.id))) lines.push('#EXT-X-INDEPENDENT-SEGMENTS');
  const videos = tracks.filter(({ track }) => track.content === 'video');
  const audios = tracks.filter(({ track }) => track.content === 'audio');
  if (videos.length === 0) {
    for (const audio of audios) lines.push(streamInf(audio, [], false), `${folderPrefix}${audio.track.id}/${suffix}`);
  } else {
    const isCaptioned = videos.some(({ hasCaptions }) => hasCaptions);
    for (const [index, audio] of audios.entries())
      lines.push(rendition(audio.track as AudioTrack, nameOf(audio, audios), index === 0, folderPrefix, suffix));
    if (isCaptioned)
      lines.push(
        '#EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID="captions",NAME="CC1",INSTREAM-ID="CC1",DEFAULT=NO,AUTOSELECT=YES',
      );
    const subtitles = window.subtitles ?? [];
    for (const one of subtitles) lines.push(subtitleRendition(one, subtitles, `index${end}`));
    for (const video of videos)
      lines.push(
        `${streamInf(video, audios, isCaptioned)}${subtitles.length > 0 ? ',SUBTITLES="subtitles"' : ''}`,
        `${folderPrefix}${video.track.id}/${suffix}`,
      );
    if (images && window.mutability === 'static') lines.push(imageStreamInf(images, query));
  }
  lines.push('');
  return lines.join('\n');
}

/** Name of a rendition, unique within its group (RFC 8216bis 4.4.6.1.1). */
function nameOf({ track }: WindowTrack, audios: readonly WindowTrack[]): string {
  if (track.language === undefined) return track.id;
  const isAlone = audios.filter((other) => other.track.language === track.language).length === 1;
  return isAlone ? track.language : `${track.language} ${track.id}`;
}

function rendition(track: AudioTrack, name: string, isDefault: boolean, folderPrefix: string, suffix: string): string {
  const attributes = ['TYPE=AUDIO', 'GROUP-ID="audio"', `NAME=${quoted(name)}`];
  if (track.language !== undefined) attributes.push(`LANGUAGE=${quoted(track.language)}`);
  attributes.push(`DEFAULT=${isDefault ? 'YES' : 'NO'}`, 'AUTOSELECT=YES', `CHANNELS="${track.channels}"`);
  attributes.push(`URI=${quoted(`${folderPrefix}${track.id}/${suffix}`)}`);
  return `#EXT-X-MEDIA:${attributes.join(',')}`;
}

function subtitleRendition(one: WindowSubtitles, all: readonly WindowSubtitles[], suffix: string): string {
  const isAlone = all.filter(({ name }) => name === one.name).length === 1;
  const attributes = ['TYPE=SUBTITLES', 'GROUP-ID="subtitles"'];
  attributes.push(`NAME=${quoted(isAlone ? one.name : `${one.name} ${one.id}`)}`);
  if (one.language !== undefined) attributes.push(`LANGUAGE=${quoted(one.language)}`);
  attributes.push('DEFAULT=NO', 'AUTOSELECT=YES', `URI=${quoted(`${one.id}/${suffix}`)}`);
  return `#EXT-X-MEDIA:${attributes.join(',')}`;
}

function streamInf(main: WindowTrack, audios: readonly WindowTrack[], isCaptioned: boolean): string {
  const rates = [main, ...audios.slice(0, 1)].map(({ rate }) => rate);
  const peak = rates.reduce((sum, rate) => sum + rate.peak, 0);
  const averages = rates.flatMap(({ average }) => average ?? []);
  const codecs = new Set([main, ...audios].map(({ track }) => track.codecString));
  const attributes = [`BANDWIDTH=${peak}`];
  // AVERAGE-BANDWIDTH is optional (RFC 8216bis 4.4.6.2); the first parts would give a wrong value.
  if (averages.length === rates.length)
    attributes.push(`AVERAGE-BANDWIDTH=${averages.reduce((sum, average) => sum + average, 0)}`);
  attributes.push(`CODECS=${quoted([...codecs].join(','))}`);
  if (main.track.content === 'video') {
    attributes.push(...pictureAttributes(main.track));
    if (audios.length > 0) attributes.push('AUDIO="audio"');
    // Without CLOSED-CAPTIONS, players search several segments for captions before they start.
    attributes.push(`CLOSED-CAPTIONS=${isCaptioned ? '"captions"' : 'NONE'}`);
  }
  return `#EXT-X-STREAM-INF:${attributes.join(',')}`;
}

/** Attributes of the video. RESOLUTION is the size for display (RFC 8216bis 4.4.6.2), after scale and rotation. */
function pictureAttributes(track: VideoTrack): string[] {
  const display = displayOf(track);
  const { width, height } = display.width > 0 && display.height > 0 ? display : track;
  const attributes = [`RESOLUTION=${width}x${height}`];
  if (track.fps !== undefined) attributes.push(`FRAME-RATE=${decimal(Math.round(track.fps * 1000) / 1000)}`);
  return attributes;
}

/** Lists the small pictures of a seek bar (HLS image media playlists, 1.0). */
function imageStreamInf({ address, stepSeconds }: ImagePlaylist, query: string): string {
  const uri = `${address}?step=${stepSeconds}${query === '' ? '' : `&${query}`}`;
  const attributes = [`BANDWIDTH=${spriteBandwidth(stepSeconds)}`, `RESOLUTION=${TILE_WIDTH}x${TILE_HEIGHT}`];
  return `#EXT-X-IMAGE-STREAM-INF:${[...attributes, 'CODECS="jpeg"', `URI=${quoted(uri)}`].join(',')}`;
}
