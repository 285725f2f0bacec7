import { mediaPlaylistSteps, targetDuration } from '../../packaging/hls/media-playlist.ts';
import { renderMultivariant } from '../../packaging/hls/multivariant-playlist.ts';
import { withToken } from '../../sessions/token.ts';
import type { Exchange } from '../exchange.ts';
import { CORS, MEDIA_TYPES } from '../headers.ts';
import { errorReply } from '../media-error.ts';
import type { StreamOutput } from '../stream-output.ts';
import { readImageQuery, readDirectives, whenReached, requestedWindow } from './hls-directives.ts';
import type { AnswersTo } from '../media-answer.ts';
import { carriesToken, inPlaylist, addViewerQuery, streamFolder } from './own-addresses.ts';
import { sendForViewer, sendShared, sendWithQuery, type RenderedText } from './rendered-text.ts';

/** Header lines of playlists. */
export const HLS_HEADERS = `Content-Type: ${MEDIA_TYPES.hls}\r\nVary: Accept-Encoding\r\n${CORS}`;

/** A text rendered in steps. */
type Steps = ReturnType<RenderedText['render']>;

/** A media playlist as it is rendered for all viewers, without their tokens. */
interface RenderedPlaylist {
  /** Unique among the playlists of the stream. */
  readonly key: string;
  readonly maxAgeSeconds: number;
  readonly render: RenderedText['render'];
}

/**
 * Answers to HLS players, except segments.
 * @param tokenName name of the query parameter with the viewer's token
 */
export function hlsAnswers(tokenName: () => string): AnswersTo<'multivariant' | 'media-playlist'> {
  return {
    multivariant: {
      from: 'window',
      proto: 'hls',
      step: 'opening',
      needs: 'part',
      answer(exchange, output, { span, interstitial }, now) {
        const query = readImageQuery(exchange, span);
        const found = query && requestedWindow(exchange, output, interstitial);
        if (!found) return;
        const { images } = query;
        const { window, name = span?.name } = found;
        sendWithQuery(exchange, output, now(), {
          key: `multivariant ${name ?? ''} ${images?.stepSeconds ?? ''}`,
          headers: HLS_HEADERS,
          escape: inPlaylist,
          render: (query) => atOnce(() => renderMultivariant(window, { query, name, images })),
        });
      },
    },
    'media-playlist': {
      from: 'window',
      proto: 'hls',
      step: 'opening',
      needs: 'part',
      answer(exchange, output, { trackId, span, interstitial }, now) {
        const directives = readDirectives(exchange.query);
        if (!directives) {
          const detail = '_HLS_msn and _HLS_part are whole numbers; _HLS_part needs _HLS_msn';
          exchange.reply(errorReply('bad_delivery_directive', detail));
          return;
        }
        const found = requestedWindow(exchange, output, interstitial);
        if (!found) return;
        const { window, name = span?.name } = found;
        const { msn, isDelta } = directives;
        const playlist = {
          key: `${trackId} ${name ?? ''}${isDelta ? ' delta' : ''}${msn === undefined ? '' : ' blocking'}`,
          maxAgeSeconds: msn === undefined ? 1 : targetDuration(output.window) * 6,
          render: () =>
            mediaPlaylistSteps(window, {
              trackId,
              isDelta,
              isFirst: msn === undefined,
              marks: output.marks,
              folder: streamFolder(exchange),
              ...(name === undefined ? {} : { name }),
            }),
        };
        const send = (): void => {
          sendPlaylist(exchange, output, playlist, now, tokenName);
        };
        if (window === output.window) whenReached(exchange, output, trackId, directives, now, send);
        else send();
      },
    },
  };
}

/** Sends a media playlist: the same to all viewers, or with the viewer's token in each address. */
export function sendPlaylist(
  exchange: Exchange,
  output: StreamOutput,
  { key, maxAgeSeconds, render }: RenderedPlaylist,
  now: () => number,
  tokenName: () => string,
): void {
  if (!carriesToken(exchange)) {
    const headers = `${HLS_HEADERS}Cache-Control: max-age=${maxAgeSeconds}\r\n`;
    sendShared(exchange, output, now(), { key, headers, render });
    return;
  }
  const query = withToken('', tokenName(), exchange.connectionSession.token);
  sendForViewer(exchange, output, now(), { key, headers: HLS_HEADERS, render: () => withViewerQuery(render()) }, query);
}

/** Number of characters of a playlist processed in one step. */
const STEP_CHARACTERS = 65_536;

/** Adds the placeholder `VIEWER_QUERY` to every address of a playlist, some lines per step. */
function* withViewerQuery(steps: Steps): Steps {
  const text = yield* steps;
  if (text === undefined) return undefined;
  const pieces: string[] = [];
  for (let at = 0; at < text.length;) {
    const line = text.indexOf('\n', at + STEP_CHARACTERS);
    const end = line < 0 ? text.length : line + 1;
    pieces.push(addViewerQuery(text.slice(at, end)));
    at = end;
    yield;
  }
  return pieces.join('');
}

/** A short text, rendered in one step. */
export function* atOnce(render: () => string | undefined): Steps {
  return render();
}
