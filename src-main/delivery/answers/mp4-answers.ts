import { progressiveMp4 } from '../../packaging/mp4/progressive.ts';
import { CORS, MEDIA_TYPES } from '../headers.ts';
import type { AnswersTo } from './media-answer.ts';
import { sendPaced } from './paced-body.ts';

const HEADERS = `Content-Type: ${MEDIA_TYPES.video}\r\nCache-Control: no-store\r\n${CORS}`;

/** A window as one MP4, from its start or of a live one from the newest segment on, for each viewer by itself. */
export const MP4_ANSWERS: AnswersTo<'mp4'> = {
  mp4: {
    from: 'window',
    proto: 'mp4',
    step: 'opening',
    // The file says at its start which tracks it has.
    needs: 'part',
    answer(exchange, output) {
      void sendPaced(exchange, output, HEADERS, (signal) => progressiveMp4(output.window, { signal }));
    },
  },
};
