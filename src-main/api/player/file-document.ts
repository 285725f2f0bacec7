import { mediaInfoSchema } from '../../../src-preload/contract/index.ts';
import type { ErrorStatus } from '../../../src-preload/contract/operations/operation.ts';
import type { EndpointDoc, ParameterDoc } from '../endpoints/endpoint.ts';
import { jsonSchemaOf, type JsonSchema } from '../endpoints/json-schema.ts';
import { address, addressDoc, fileReply, type PlayedAddress } from './played-address.ts';
import { inPath } from '../endpoints/parameters.ts';

/** Error statuses of a file that cannot be played, is damaged, or does not answer. */
export const FILE_ERRORS: readonly ErrorStatus[] = [415, 422, 503];

const TEXT: JsonSchema = { type: 'string' };
const NUMBER: JsonSchema = { type: 'integer', minimum: 0 };

/** Schema of a file's `info.json`. */
export const FILE_INFO: JsonSchema = {
  type: 'object',
  required: ['name', 'stats'],
  properties: {
    name: { ...TEXT, description: 'prefix of the location, and path of the file in it' },
    stats: {
      description: 'properties of the file',
      type: 'object',
      required: ['status', 'media_info'],
      properties: {
        status: { ...TEXT, description: '`running`' },
        media_info: { ...jsonSchemaOf(mediaInfoSchema), description: 'size and tracks' },
      },
    },
  },
};

const NAME: ParameterDoc = {
  name: 'name',
  in: 'path',
  description: 'prefix of a VOD location and the path of the file in it; slashes need no encoding',
  schema: TEXT,
};
const TRACK = inPath('track', 'id of a track: `v1`, `a1`');
const VERSION = inPath('version', 'of the file, as in a playlist');
const SUBTITLES = inPath('number', 'of the subtitles, from 1 on', NUMBER);

const VTT = fileReply('text/vtt', 'The file', []);
const HLS = fileReply('application/vnd.apple.mpegurl', 'The file', []);
const MP4 = fileReply('video/mp4', 'The file', []);
const SEGMENT = fileReply('video/mp4', 'The file', ['audio/mp4']);

const ADDRESSES: readonly PlayedAddress[] = [
  address('s{number}/index.m3u8', 'file_subtitles_hls', 'HLS media playlist of subtitles of a file', HLS, [SUBTITLES]),
  address('s{number}/subtitles.vtt', 'file_subtitles', 'Subtitles of a file as WebVTT', VTT, [SUBTITLES]),
  address(
    'preview-{hours}-{minutes}-{seconds}.mp4',
    'file_preview',
    'The coded key frame of a file at a time since its start',
    MP4,
    [inPath('hours', '0 to 99', NUMBER), inPath('minutes', '00 to 59', NUMBER), inPath('seconds', '00 to 59', NUMBER)],
  ),
  address('{track}/{version}-init-{number}.mp4', 'file_init', 'Init segment of a track of a file', MP4, [
    TRACK,
    VERSION,
    inPath('number', 'as in a playlist', NUMBER),
  ]),
  address('{track}/{version}-{start}.m4s', 'file_segment', 'CMAF segment of a track of a file', SEGMENT, [
    TRACK,
    VERSION,
    inPath('start', 'start of the segment, in milliseconds since the start of the file', NUMBER),
  ]),
];

/** Addresses of files that streams do not have. @param token parameter with the viewer's token */
export function fileDocument(token: ParameterDoc): EndpointDoc[] {
  return [
    downloadDocument(token),
    ...ADDRESSES.map((one) => addressDoc({ ...one, errors: [404, ...FILE_ERRORS] }, [NAME, token], 'location')),
  ];
}

/** Download of the unchanged file. */
function downloadDocument(token: ParameterDoc): EndpointDoc {
  return {
    method: 'GET',
    path: '/{name}',
    id: 'file_download',
    tag: 'playback of files',
    access: 'public',
    summary: 'Download of the unchanged file, complete or by byte ranges',
    description:
      'Only for locations with `download`; others answer 403 `download_not_allowed`. A location with an authorization backend or a signing key takes a token or a signed address.',
    parameters: [NAME, token],
    replies: {
      200: { description: 'The file', schema: TEXT, type: 'application/octet-stream' },
      206: { description: 'The range that `Range` asked for', schema: TEXT, type: 'application/octet-stream' },
    },
    errors: [403, 404, ...FILE_ERRORS],
  };
}
