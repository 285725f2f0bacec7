import { jsonManifestSteps } from '../../packaging/json-manifest.ts';
import { CORS, MEDIA_TYPES, NOSNIFF } from '../headers.ts';
import { errorReply } from '../media-error.ts';
import type { UnsupportedFormat } from '../media-address.ts';
import type { AnswersTo } from '../media-answer.ts';
import { inPlaylist } from './own-addresses.ts';
import { sendWithQuery } from './rendered-text.ts';

const HEADERS = `Content-Type: ${MEDIA_TYPES.json}\r\nVary: Accept-Encoding\r\n${NOSNIFF}${CORS}`;

/** Error messages that name the supported alternatives. */
const INSTEAD: Readonly<Record<UnsupportedFormat, string>> = {
  smooth: 'Smooth Streaming is not supported: play index.mpd or index.m3u8',
  hds: 'HDS is not supported: play index.mpd or index.m3u8',
  webrtc: 'WebRTC is not supported: play index.m3u8 with low latency, and publish by SRT or RTMP',
  shoutcast: 'ICY is not supported: play index.m3u8, or tracks-a1/mpegts for sound alone',
  logo: 'Streams have no logos: preview.jpg is the newest picture',
  images: 'Pictures of this kind are not supported: thumbnails-FROM-DURATION.json lists sprites',
};

/** JSON manifest for programs, and errors for unsupported formats. */
export const JSON_ANSWERS: AnswersTo<'json-manifest' | 'unsupported-format'> = {
  'json-manifest': {
    from: 'window',
    proto: 'hls',
    step: 'opening',
    needs: 'segment',
    answer(exchange, output, _resource, now) {
      sendWithQuery(exchange, output, now(), {
        key: 'json',
        headers: HEADERS,
        escape: inPlaylist,
        render: (query) => jsonManifestSteps(output.window, inPlaylist(query)),
      });
    },
  },
  'unsupported-format': {
    from: 'stream',
    proto: undefined,
    answer(exchange, _stream, { format }) {
      exchange.reply(errorReply('format_not_supported', INSTEAD[format]));
    },
  },
};
