import { mediaInfoSchema } from '../../../src-preload/contract/index.ts';
import type { ErrorStatus } from '../../../src-preload/contract/operations/operation.ts';
import type { EndpointDoc, ParameterDoc, ReplyDoc } from '../endpoints/endpoint.ts';
import { type JsonSchema } from '../endpoints/json-schema.ts';
import { inPath, inQuery } from '../endpoints/parameters.ts';
import { address, addressDoc, fileReply, type PlayedAddress } from './played-address.ts';

/** Segments, tracks and splice points as JSON. */
export const JSON_MANIFEST: ReplyDoc = {
  description:
    'Periods with tracks, segments and splice points; times are milliseconds, since 1970 where there are dates',
  schema: {
    type: 'object',
    required: ['mutability', 'segment_prefix', 'periods'],
    properties: {
      mutability: { type: 'string', description: '`live` slides, `event` grows, `static` stays as it is' },
      segment_prefix: { type: 'string', description: 'source of the segments: `live`, `dvr` or `vod`' },
      periods: { type: 'array', items: { type: 'object' }, description: 'ranges of one format without a gap' },
    },
  },
};

const SECONDS: JsonSchema = { type: 'integer', minimum: 0 };

const FROM = inPath('from', 'seconds since 1970 (UTC)', SECONDS);
const DURATION = inPath(
  'duration',
  'seconds, at most 86400 in a playlist or an MPD and any number in a file; `now` goes on as long as the stream is recorded',
);
const AGO = inPath('seconds', 'age in seconds', SECONDS);
const TRACK = inPath('track', 'id of a track: `v1`, `a1`');
const BREAK = inPath('break', 'as in a playlist');
const START = inPath('start', 'start of the segment, in milliseconds since 1970', SECONDS);
/** Error statuses of a refused time range, and of a time range without recordings. */
const OF_TIME: readonly ErrorStatus[] = [400, 404];
const OF_PICTURES: readonly ErrorStatus[] = [400, 404, 503];
const THUMBNAILS = inQuery(
  'thumbnails',
  'seconds between two thumbnails; with it, the MPD or the multivariant playlist of a complete range lists thumbnails',
  SECONDS,
);
/** Parameter for the selection of tracks. */
export const TRACKS = inQuery(
  'filter.tracks',
  'ids of tracks without separators, such as `v1a2`; default: all tracks. `tracks-v1a2/` before the file name has the same effect',
);
const SEPARATE = inQuery(
  'separate_audio',
  '`true`: a multivariant playlist with separate renditions of video and audio',
);
const PERIOD = inQuery('period', '`mono`: a single Period while the format stays the same');
const EVENT = inQuery('event', 'no effect: the playlist always has the type EVENT until its range ends');
const HLS = fileReply('application/vnd.apple.mpegurl');
const SEGMENT: ReplyDoc = fileReply('video/mp4', 'The segment', ['audio/mp4']);
const TS = fileReply('video/mp2t', 'The transport stream');
const MP4 = fileReply('video/mp4', 'The file');
const JPEG = fileReply('image/jpeg', 'The picture');
const DASH = fileReply('application/dash+xml');

const BY_FORM: Readonly<Record<string, readonly ParameterDoc[]>> = {
  hls: [THUMBNAILS, EVENT],
  hls_ts: [SEPARATE, EVENT],
  dash: [THUMBNAILS, PERIOD],
};

/** Formats of a time range of the archive, by the end of the address. */
const FORMS: readonly (readonly [end: string, id: string, what: string, reply: ReplyDoc])[] = [
  ['m3u8', 'hls', 'HLS multivariant playlist', HLS],
  ['ts.m3u8', 'hls_ts', 'HLS media playlist of MPEG-TS segments', HLS],
  ['mpd', 'dash', 'DASH manifest', DASH],
  ['json', 'json', 'JSON, for programs', JSON_MANIFEST],
  ['ts', 'mpegts', 'one MPEG-TS', TS],
  ['mp4', 'mp4', 'one fragmented MP4', MP4],
];
const PLAYLISTS = FORMS.slice(0, 4);

function forms(
  name: string,
  id: string,
  what: string,
  parameters: readonly ParameterDoc[],
  which = FORMS,
): PlayedAddress[] {
  return which.map(([end, form, how, reply]) =>
    address(
      `${name}.${end}`,
      `playback_${id}_${form}`,
      `${what} as ${how}`,
      reply,
      [...parameters, TRACKS, ...(BY_FORM[form] ?? [])],
      OF_TIME,
    ),
  );
}

const THUMBNAIL_LISTS: Readonly<Record<'vtt' | 'json' | 'm3u8', ReplyDoc>> = {
  vtt: fileReply('text/vtt', 'The list'),
  json: { description: 'The list', schema: { type: 'object' } },
  m3u8: fileReply('application/vnd.apple.mpegurl', 'The image playlist'),
};

const ADDRESSES: readonly PlayedAddress[] = [
  ...forms('archive-{from}-{duration}', 'archive', 'An archive range', [FROM, DURATION]),
  ...forms('index-{from}-{duration}', 'archive_index', 'An archive range', [FROM, DURATION]),
  ...['video', 'mono'].flatMap((form) => [
    ...forms(
      `${form}-{from}-{duration}`,
      `archive_${form}`,
      'An archive range for older players',
      [FROM, DURATION],
      [['m3u8', 'hls', 'HLS media playlist of MPEG-TS segments', HLS]],
    ),
  ]),
  ...forms('rewind-{seconds}', 'rewind', 'The live stream and the time before it, at most 86400 s,', [AGO], PLAYLISTS),
  ...forms('timeshift_rel-{seconds}', 'timeshift_rel', 'The stream with a delay of n seconds', [AGO]),
  ...forms(
    'timeshift_abs-{from}',
    'timeshift_abs',
    'The stream from a time, advancing from the start of the session,',
    [FROM],
  ),
  address(
    '{from}-preview.jpg',
    'playback_archive_preview',
    'Picture of the archive: the key frame before a time',
    JPEG,
    [FROM],
  ),
  address('{from}-preview.mp4', 'playback_archive_preview_mp4', 'Coded key frame of the archive', MP4, [FROM]),
  address('{from}.jpg', 'playback_archive_picture', 'Picture of the archive: the key frame before a time', JPEG, [
    FROM,
  ]),
  address(
    '{from}.{fraction}.jpg',
    'playback_archive_exact',
    'The picture of the archive that is shown at a time',
    JPEG,
    [FROM, inPath('fraction', 'one to three digits of the second after the point')],
  ),
  address(
    'sprite-{from}-{step}.jpg',
    'playback_sprite',
    'Sprite of archive thumbnails',
    JPEG,
    [FROM, inPath('step', 'seconds between two thumbnails', SECONDS)],
    OF_PICTURES,
  ),
  ...(['vtt', 'json', 'm3u8'] as const).map((form) =>
    address(
      `thumbnails-{from}-{duration}.${form}`,
      `playback_thumbnails_${form}`,
      'List of the thumbnails of an archive range',
      THUMBNAIL_LISTS[form],
      [
        FROM,
        inPath('duration', 'seconds, at most 86400', SECONDS),
        inQuery('step', 'seconds between two thumbnails', SECONDS),
      ],
      OF_TIME,
    ),
  ),
  address(
    'recording_status.json',
    'playback_recording_status',
    'Recorded and locked ranges',
    { description: 'One object, or a list with this object if `request` is present', schema: {} },
    [
      inQuery('from', 'seconds since 1970', SECONDS),
      inQuery('to', 'seconds since 1970, or `now`'),
      inQuery('request', '`ranges,locks`: the older form'),
    ],
    [],
  ),
  address(
    'media_info.json',
    'playback_media_info',
    'Size and tracks of a stream',
    {
      description: 'Size and tracks, now or at a time of the archive; no tracks before the first frame',
      schema: mediaInfoSchema,
    },
    [inQuery('from', 'seconds since 1970, for a time of the archive', SECONDS)],
  ),
  address('{track}/index.m3u8', 'playback_track_hls', 'HLS media playlist of a track', HLS, [TRACK], OF_PICTURES),
  address(
    '{track}/archive-{from}-{duration}.m3u8',
    'playback_archive_track_hls',
    'HLS media playlist of a track of the archive',
    HLS,
    [TRACK, FROM, DURATION],
    OF_TIME,
  ),
  address(
    'tracks-{tracks}/mono.m3u8',
    'playback_tracks_hls',
    'HLS media playlist of MPEG-TS segments with some tracks',
    HLS,
    [inPath('tracks', 'ids of tracks without separators, such as `v1a2`')],
    OF_TIME,
  ),
  address('{track}/init-{number}.mp4', 'playback_init', 'Init segment of a track', MP4, [
    TRACK,
    inPath('number', 'as in a playlist', SECONDS),
  ]),
  address('{track}/{start}.m4s', 'playback_segment', 'CMAF segment of a track, live and recorded', SEGMENT, [
    TRACK,
    START,
  ]),
  address('{track}/{start}.{part}.m4s', 'playback_part', 'Part of a segment, for low latency', SEGMENT, [
    TRACK,
    START,
    inPath('part', 'index in the segment, from 0', SECONDS),
  ]),
  address('break-{break}.m3u8', 'playback_break_hls', 'HLS multivariant playlist of an ad break', HLS, [BREAK]),
  address(
    '{track}/break-{break}.m3u8',
    'playback_break_track_hls',
    'HLS media playlist of a track of an ad break',
    HLS,
    [TRACK, BREAK],
  ),
  address('ts/{start}.ts', 'playback_ts_segment', 'MPEG-TS segment, live and recorded', TS, [START]),
];

/** Addresses of the archive of each stream, and of its segments. @param common parameters of all these addresses */
export function archiveDocument(common: readonly ParameterDoc[]): EndpointDoc[] {
  return ADDRESSES.map((one) => addressDoc(one, common));
}
