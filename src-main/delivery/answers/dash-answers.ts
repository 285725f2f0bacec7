import { mpdSteps } from '../../packaging/dash/mpd.ts';
import { CORS, MEDIA_TYPES } from '../headers.ts';
import { withoutTracks } from '../track-query.ts';
import type { AnswersTo } from '../media-answer.ts';
import { inXml } from './own-addresses.ts';
import { sendWithQuery } from './rendered-text.ts';
import { badStep, thumbnailStep } from './thumbnail-answers.ts';

const HEADERS = `Content-Type: ${MEDIA_TYPES.dash}\r\nVary: Accept-Encoding\r\n${CORS}`;

/** Query parameter that merges Periods of the same format. */
const JOINED = /(?:^|&)period=mono(?:&|$)/;

/** Answers to DASH players. */
export const DASH_ANSWERS: AnswersTo<'mpd'> = {
  mpd: {
    from: 'window',
    proto: 'dash',
    step: 'opening',
    needs: 'manifest',
    answer(exchange, output, _resource, now) {
      const nowMs = now();
      const thumbnailSeconds = thumbnailStep(exchange.query);
      if (thumbnailSeconds === 'bad') {
        exchange.reply(badStep());
        return;
      }
      const areJoined = JOINED.test(exchange.query);
      sendWithQuery(exchange, output, nowMs, {
        key: `mpd ${thumbnailSeconds ?? ''}${areJoined ? ' mono' : ''}`,
        headers: HEADERS,
        escape: inXml,
        // A segment belongs to one track, so its address does not depend on the choice of tracks.
        query: withoutTracks(exchange.query),
        render: (query) =>
          mpdSteps(output.window, {
            nowMs,
            timeAddress: timeAddress(output.name),
            query,
            areJoined,
            ...(thumbnailSeconds === undefined ? {} : { thumbnailSeconds }),
          }),
      });
    },
  },
};

/** Relative address of the clock (UTCTiming) from the MPD of a stream. */
function timeAddress(stream: string): string {
  return `${'../'.repeat(stream.split('/').length)}-/time`;
}
