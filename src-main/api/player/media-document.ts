import { playerStreamSchema } from '../../../src-preload/contract/api/player-list.ts';
import type { EndpointDoc, ParameterDoc, ReplyDoc } from '../endpoints/endpoint.ts';
import { jsonSchemaOf, type JsonSchema } from '../endpoints/json-schema.ts';
import type { DescribedApi } from '../endpoints/open-api.ts';
import { archiveDocument, JSON_MANIFEST, TRACKS } from './archive-document.ts';
import { FILE_ERRORS, FILE_INFO, fileDocument } from './file-document.ts';
import { address, addressDoc, fileReply } from './played-address.ts';
import { inPath, inQuery } from '../endpoints/parameters.ts';

const NAME: ParameterDoc = inPath(
  'name',
  'name of the stream, or prefix of a VOD location and path of the file in it; slashes need no encoding',
);
const TOKEN: ParameterDoc = inQuery('token', 'token of the viewer; the directive auth_token may rename the parameter');

const PLAYLIST = /\.(m3u8|mpd|json)$/;
const OF_TRACKS = /^(index|mono|video|manifest|mpegts)/i;
const HLS = fileReply('application/vnd.apple.mpegurl');
/** Parameter for the number of seconds before the live edge in a playlist or MPD. */
const DVR: ParameterDoc = inQuery('dvr', 'seconds of the archive before the live edge, at most 86400', {
  type: 'integer',
  minimum: 0,
});

/** Addresses of each stream at the root of the server. They are only documented here, because the media edge answers them. */
export const MEDIA_API: DescribedApi = {
  prefixes: [''],
  base: 'The root of the server, on each of its `http` and `https` ports; behind a proxy or a CDN the address of that. It has no prefix of an API.',
  endpoints: [
    media('index.m3u8', 'playback_hls', 'HLS multivariant playlist', HLS),
    media('index.ll.m3u8', 'playback_hls_low_latency', 'HLS multivariant playlist, as `index.m3u8`', HLS),
    media('index.json', 'playback_json', 'Segments, tracks and splice points, for programs', JSON_MANIFEST),
    media('index.ts.m3u8', 'playback_hls_ts', 'HLS media playlist of MPEG-TS segments', HLS),
    media('index.mpd', 'playback_dash', 'DASH manifest', fileReply('application/dash+xml')),
    media('Manifest.mpd', 'playback_dash_manifest', 'DASH manifest', fileReply('application/dash+xml')),
    media('manifest.mpd', 'playback_dash_small', 'DASH manifest', fileReply('application/dash+xml')),
    media('manifest', 'playback_manifest', 'DASH manifest', fileReply('application/dash+xml')),
    media('video.m3u8', 'playback_video', 'HLS for older players: video and audio in the same segments', HLS),
    media('mono.m3u8', 'playback_mono', 'HLS for older players: video and audio in the same segments', HLS),
    media('index.ts', 'playback_ts', 'MPEG-TS over HTTP, endless', fileReply('video/mp2t', 'The transport stream')),
    media('mpegts', 'playback_mpegts', 'MPEG-TS over HTTP, endless', fileReply('video/mp2t', 'The transport stream')),
    media('index.mp4', 'playback_mp4', 'Fragmented MP4 with all tracks, endless', fileReply('video/mp4', 'The file')),
    media('preview.jpg', 'playback_preview', 'Picture of the last key frame', fileReply('image/jpeg', 'The picture')),
    media(
      'preview.mp4',
      'playback_preview_mp4',
      'The last key frame as it is coded',
      fileReply('video/mp4', 'The file'),
    ),
    media('embed.html', 'playback_embed', 'Page with a player, to be embedded', fileReply('text/html', 'The page')),
    media('info.json', 'playback_info', 'The stream as players need it', {
      description: 'The stream without its inputs, or the file',
      schema: { anyOf: [jsonSchemaOf(playerStreamSchema), FILE_INFO] },
    }),
    ...feedback(),
    ...archiveDocument([NAME, TOKEN]),
    ...fileDocument(TOKEN),
  ],
};

function media(file: string, id: string, summary: string, reply: ReplyDoc): EndpointDoc {
  const parameters = [...(PLAYLIST.test(file) ? [DVR] : []), ...(OF_TRACKS.test(file) ? [TRACKS] : [])];
  return addressDoc(address(file, id, summary, reply, parameters, [404, ...FILE_ERRORS]), [NAME, TOKEN]);
}

/** Addresses for reports of players about their sessions. */
function feedback(): readonly EndpointDoc[] {
  const id: ParameterDoc = inPath(
    'id',
    'id of the session, or `self` for the session that a media request of this client would have',
  );
  const common = {
    method: 'PUT' as const,
    tag: 'playback',
    access: 'public',
    parameters: [NAME, id, TOKEN],
    replies: { 204: { description: 'The report is accepted; `X-Sid` is the id of the session' } },
    errors: [400, 404] as const,
  };
  const track: JsonSchema = { type: 'string', description: 'id of a track' };
  return [
    {
      ...common,
      path: '/{name}/sessions/{id}',
      id: 'playback_feedback',
      summary: 'Reports the playback state of a session',
      body: {
        schema: {
          type: 'object',
          properties: {
            current_time: {
              type: 'number',
              description: 'position of the player in epoch milliseconds; for a file in milliseconds since its start',
            },
            status: { type: 'string', enum: ['running', 'stalling'], description: 'whether the player is buffering' },
          },
        },
      },
    },
    {
      ...common,
      path: '/{name}/sessions/{id}/request_tracks',
      id: 'playback_request_tracks',
      summary: 'Selects the tracks of a session’s next playlist, manifest or file',
      body: {
        schema: {
          type: 'object',
          required: ['tracks'],
          properties: { tracks: { type: 'array', items: track, description: 'ids of the tracks; empty for all' } },
        },
      },
    },
  ];
}
