import { renderMultivariant } from '../../packaging/hls/multivariant-playlist.ts';
import { tsPlaylistSteps } from '../../packaging/hls/ts-playlist.ts';
import type { Exchange } from '../exchange.ts';
import type { StreamOutput } from '../stream-output.ts';
import { trackQuery } from '../track-query.ts';
import { atOnce, HLS_HEADERS, sendPlaylist } from './hls-answers.ts';
import type { AnswersTo, ResourceOf } from '../media-answer.ts';
import { inPlaylist } from './own-addresses.ts';
import { sendWithQuery } from './rendered-text.ts';

/**
 * Answers to HLS players that support only transport streams.
 * @param tokenName name of the query parameter with the viewer's token
 */
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

/** Query parameter for separate audio, which CMAF always has. */
const SEPARATE = /(?:^|&)separate_audio=(?:true|1)(?=&|$)/;

/** Sends a multivariant playlist of transport streams with one track each. */
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
    // The playlists of tracks would be multivariant playlists again.
    query: exchange.query.replace(SEPARATE, '').replace(/^&/, ''),
    render: (query) => atOnce(() => renderMultivariant(output.window, { query, name, folderPrefix: 'tracks-' })),
  });
}
