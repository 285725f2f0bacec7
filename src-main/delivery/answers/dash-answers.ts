import { mpdSteps } from '../../packaging/dash/mpd.ts';
import { stepOf } from '../../packaging/thumbnail-tiles.ts';
import { CORS, MEDIA_TYPES } from '../headers.ts';
import { errorReply } from '../media-error.ts';
import type { AnswersTo } from './media-answer.ts';
import { inXml } from './own-addresses.ts';
import { sendWithQuery } from './rendered-text.ts';

const HEADERS = `Content-Type: ${MEDIA_TYPES.dash}\r\nVary: Accept-Encoding\r\n${CORS}`;

/** What is asked for by players of DASH. */
export const DASH_ANSWERS: AnswersTo<'mpd'> = {
  mpd: {
    from: 'window',
    proto: 'dash',
    step: 'opening',
    needs: 'part',
    answer(exchange, output, _resource, now) {
      const nowMs = now();
      const thumbnailSeconds = thumbnailStep(exchange.query);
      if (thumbnailSeconds === 'bad') {
        exchange.reply(errorReply('bad_request', 'thumbnails is one of 2, 5, 10, 30, 60, 120, 300 and 900'));
        return;
      }
      sendWithQuery(exchange, output, nowMs, {
        key: `mpd ${thumbnailSeconds ?? ''}`,
        headers: HEADERS,
        escape: inXml,
        render: (query) =>
          mpdSteps(output.window, {
            nowMs,
            timeAddress: timeAddress(output.name),
            query,
            ...(thumbnailSeconds === undefined ? {} : { thumbnailSeconds }),
          }),
      });
    },
  },
};

/** Seconds between two thumbnails that are asked for (`thumbnails=10`); undefined where none are. */
function thumbnailStep(query: string): number | 'bad' | undefined {
  const asked = /(?:^|&)thumbnails=([^&]*)/.exec(query)?.[1];
  if (asked === undefined) return undefined;
  return String(stepOf(Number(asked))) === asked ? Number(asked) : 'bad';
}

/** Address of the clock (UTCTiming), as seen from the MPD of a stream. */
function timeAddress(stream: string): string {
  return `${'../'.repeat(stream.split('/').length)}-/time`;
}
