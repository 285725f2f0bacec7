import { jsonManifestSteps } from '../../packaging/json-manifest.ts';
import { CORS, MEDIA_TYPES, NOSNIFF } from '../headers.ts';
import { errorReply } from '../media-error.ts';
import type { UnservedForm } from '../media-address.ts';
import type { AnswersTo } from '../media-answer.ts';
import { inPlaylist } from './own-addresses.ts';
import { sendWithQuery } from './rendered-text.ts';

const HEADERS = `Content-Type: ${MEDIA_TYPES.json}\r\nVary: Accept-Encoding\r\n${NOSNIFF}${CORS}`;

/** Error messages that name the supported alternatives. */
const INSTEAD: Readonly<Record<UnservedForm, string>> = {
  smooth: 'Smooth Streaming is not served: play index.mpd or index.m3u8',
  hds: 'HDS is not served: play index.mpd or index.m3u8',
  webrtc: 'WebRTC is not served: play index.m3u8 with low latency, publish by SRT or RTMP',
  shoutcast: 'ICY is not served: play index.m3u8, or tracks-a1/mpegts for sound alone',
  logo: 'There are no logos of streams: preview.jpg is the newest picture',
  images: 'These pictures are not made: thumbnails-FROM-DURATION.json lists sprites',
};

/** JSON manifest for programs, and errors for unsupported forms. */
export const JSON_ANSWERS: AnswersTo<'json-manifest' | 'not-served'> = {
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
  'not-served': {
    from: 'stream',
    proto: undefined,
    answer(exchange, _stream, { form }) {
      exchange.reply(errorReply('form_not_served', INSTEAD[form]));
    },
  },
};
