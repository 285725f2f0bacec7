import { renderMultivariant } from '../../packaging/hls/multivariant-playlist.ts';
import { tsPlaylistSteps } from '../../packaging/hls/ts-playlist.ts';
import type { Exchange } from '../exchange.ts';
import type { StreamOutput } from '../stream-output.ts';
import { trackQuery } from '../track-query.ts';
import { atOnce, HLS_HEADERS, sendPlaylist } from './hls-answers.ts';
import type { AnswersTo, ResourceOf } from './media-answer.ts';
import { inPlaylist } from './own-addresses.ts';
import { sendWithQuery } from './rendered-text.ts';

/** What is asked for by players of HLS that know transport streams only. @param tokenName name of the query parameter with the token of a viewer */
export function tsPlaylistAnswers(tokenName: () => string): AnswersTo<'ts-playlist'> {
  return {
    'ts-playlist': {
      from: 'window',
      proto: 'hls',
      step: 'opening',
      needs: 'segment',
      answer(exchange, output, { span }, now) {
        if (SEPARATE.test(exchange.query)) {
          sendSeparate(exchange, output, span, now);
          return;
        }
        const query = trackQuery(exchange.query);
        const playlist = {
          key: `ts ${query ?? ''}`,
          maxAgeSeconds: 1,
          render: () => tsPlaylistSteps(output.window, { marks: output.marks, ...(query ? { query } : {}) }),
        };
        sendPlaylist(exchange, output, playlist, now, tokenName);
      },
    },
  };
}

/** Sound is wanted apart from the picture: of CMAF it always is. */
const SEPARATE = /(?:^|&)separate_audio=(?:true|1)(?=&|$)/;

/** A multivariant playlist of transport streams, each of one track. */
function sendSeparate(
  exchange: Exchange,
  output: StreamOutput,
  span: ResourceOf<'ts-playlist'>['span'],
  now: () => number,
): void {
  const name = `${span?.name ?? 'index'}.ts`;
  sendWithQuery(exchange, output, now(), {
    key: `separate ${name}`,
    headers: HLS_HEADERS,
    escape: inPlaylist,
    // The playlists of tracks would be such ones again.
    query: exchange.query.replace(SEPARATE, '').replace(/^&/, ''),
    render: (query) => atOnce(() => renderMultivariant(output.window, { query, name, folderPrefix: 'tracks-' })),
  });
}
