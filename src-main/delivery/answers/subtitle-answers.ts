import { renderSubtitlePlaylist } from '../../packaging/hls/subtitle-playlist.ts';
import type { WindowSubtitles } from '../../segment/segment-window.ts';
import type { Exchange } from '../exchange.ts';
import { CORS } from '../headers.ts';
import { errorReply } from '../media-error.ts';
import type { StreamOutput } from '../stream-output.ts';
import { atOnce, sendPlaylist } from './hls-answers.ts';
import type { AnswersTo, ResourceOf } from '../media-answer.ts';
import { sendMedia } from './send-media.ts';

const HEADERS = `Content-Type: text/vtt; charset=utf-8\r\nCache-Control: max-age=60\r\nAccept-Ranges: bytes\r\n${CORS}`;

/**
 * Answers with the playlist of subtitles, and with their complete text.
 * @param tokenName name of the query parameter with the viewer's token
 */
export function subtitleAnswers(tokenName: () => string): AnswersTo<'subtitle-playlist' | 'subtitles'> {
  const common = { from: 'window', proto: 'hls', needs: 'nothing' } as const;
  return {
    'subtitle-playlist': {
      ...common,
      step: 'opening',
      answer(exchange, output, { id }, now) {
        if (!subtitlesOf(exchange, output, id)) return;
        const playlist = {
          key: id,
          maxAgeSeconds: 1,
          render: () => atOnce(() => renderSubtitlePlaylist(output.window, id)),
        };
        sendPlaylist(exchange, output, playlist, now, tokenName);
      },
    },
    subtitles: {
      ...common,
      step: 'segment',
      answer(exchange: Exchange, output: StreamOutput, { id }: ResourceOf<'subtitles'>) {
        const found = subtitlesOf(exchange, output, id);
        if (found)
          sendMedia(exchange, output, { headers: HEADERS, etag: `"${id}-${found.media.sizeBytes}"` }, [found.media]);
      },
    },
  };
}

/** Subtitles with an id; undefined, after an error reply, if the window has none. */
function subtitlesOf(exchange: Exchange, { window }: StreamOutput, id: string): WindowSubtitles | undefined {
  const found = window.subtitles?.find((one) => one.id === id);
  if (!found) exchange.reply(errorReply('segment_gone', `There are no subtitles ${id}`));
  return found;
}
