import { mediaInfoSchema } from '../../../src-preload/contract/index.ts';
import { playerStreamSchema } from '../../../src-preload/contract/api/player-list.ts';
import type { EndpointDoc, ParameterDoc, ReplyDoc } from '../endpoints/endpoint.ts';
import { jsonSchemaOf, type JsonSchema } from '../endpoints/json-schema.ts';
import type { DescribedApi } from '../endpoints/open-api.ts';

const text: JsonSchema = { type: 'string' };
const NAME: ParameterDoc = {
  name: 'name',
  in: 'path',
  description: 'name of the stream; its slashes may stand as they are',
  schema: text,
};
const TOKEN: ParameterDoc = {
  name: 'token',
  in: 'query',
  description: 'what the viewer is let in with; the parameter may have another name (directive auth_token)',
  schema: text,
};

/** What is served of each stream at the root of the server, for the document: the media edge answers it, not the APIs. */
export const MEDIA_API: DescribedApi = {
  prefixes: [''],
  base: 'The root of the server, on each of its `http` and `https` ports; behind a proxy or a CDN the address of that. No prefix of an API stands before it.',
  endpoints: [
    media('index.m3u8', 'playback_hls', 'HLS multivariant playlist', file('application/vnd.apple.mpegurl')),
    media(
      'index.ts.m3u8',
      'playback_hls_ts',
      'HLS media playlist of MPEG-TS segments',
      file('application/vnd.apple.mpegurl'),
    ),
    media('index.mpd', 'playback_dash', 'DASH manifest', file('application/dash+xml')),
    media('mpegts', 'playback_mpegts', 'MPEG-TS over HTTP, without an end', file('video/mp2t', 'The transport stream')),
    media('index.mp4', 'playback_mp4', 'Fragmented MP4 with all tracks, without an end', file('video/mp4', 'The file')),
    media('preview.jpg', 'playback_preview', 'Picture of the last key frame', file('image/jpeg', 'The picture')),
    media('embed.html', 'playback_embed', 'Page with a player, to be embedded', file('text/html', 'The page')),
    media('info.json', 'playback_info', 'The stream as players need it', {
      description: 'The stream, without anything of its inputs',
      schema: jsonSchemaOf(playerStreamSchema),
    }),
    media('media_info.json', 'playback_media_info', 'Size and tracks of a stream', {
      description: 'Size and tracks; no tracks before the first frame',
      schema: jsonSchemaOf(mediaInfoSchema),
    }),
  ],
};

function media(file: string, id: string, summary: string, reply: ReplyDoc): EndpointDoc {
  return {
    ...{ method: 'GET', path: `/{name}/${file}`, id, tag: 'playback', access: 'public', summary },
    description: `${summary}. A stream with an authorization backend or a signing key takes a token or a signed address.`,
    parameters: [NAME, TOKEN],
    replies: { 200: reply },
    errors: [403],
  };
}

function file(type: string, description = 'The manifest'): ReplyDoc {
  return { description, schema: text, type };
}
