import { addressGroup } from '../../lib/network-address.ts';
import type { Exchange, Reply } from '../exchange.ts';
import { errorReply } from '../media-error.ts';
import type { TextSteps } from '../long-texts.ts';
import type { CachedPieces, StreamOutput } from '../stream-output.ts';
import { isTagNamed } from '../../lib/entity-tag.ts';
import { answerMemory, MediaBusy, PIECE_BYTES } from './answer-memory.ts';
import { busy } from './paced-body.ts';
import { carriesToken, VIEWER_QUERY } from './own-addresses.ts';

/** A text rendered from a window. */
export interface RenderedText {
  /** Unique among the texts of the stream. */
  readonly key: string;
  /** Header lines that depend only on the key. */
  readonly headers: string;
  readonly render: TextSteps;
}

/** A text whose addresses pass on the query of the request. */
export interface TextWithQuery {
  readonly key: string;
  readonly headers: string;
  /** Escapes a query for the text. */
  readonly escape: (query: string) => string;
  readonly render: (query: string) => ReturnType<TextSteps>;
  /** Query to pass on; default: the complete query. */
  readonly query?: string;
}

/**
 * Sends a text with the query of the request in its addresses: rendered for each query, or with the query of a
 * viewer with a token.
 */
export function sendWithQuery(exchange: Exchange, output: StreamOutput, nowMs: number, text: TextWithQuery): void {
  const { key, headers, escape, render, query = exchange.query } = text;
  if (carriesToken(exchange))
    sendForViewer(exchange, output, nowMs, { key, headers, render: () => render(VIEWER_QUERY) }, escape(query));
  else
    sendShared(exchange, output, nowMs, {
      key: `${key} ${query}`,
      headers: `${headers}Cache-Control: max-age=1\r\n`,
      render: () => render(query),
    });
}

/** Sends a text that is the same for all viewers. */
export function sendShared(
  exchange: Exchange,
  output: StreamOutput,
  nowMs: number,
  { key, headers, render }: RenderedText,
): void {
  const { acceptsGzip } = exchange;
  if (output.hasLongTexts) later(exchange, output, output.renderedInTurns(key, acceptsGzip, nowMs, headers, render));
  else send(exchange, output, output.rendered(key, acceptsGzip, nowMs, headers, render));
}

/**
 * Sends a text in which the viewer's query replaces `VIEWER_QUERY`: rendered once for all viewers, assembled for each. It is not
 * compressed, which would cost more than it saves.
 */
export function sendForViewer(
  exchange: Exchange,
  output: StreamOutput,
  nowMs: number,
  { key, headers, render }: RenderedText,
  query: string,
): void {
  const replyOf = (cached: CachedPieces | undefined): Reply | undefined =>
    cached && viewerReply(cached, headers, query);
  if (output.hasLongTexts)
    later(exchange, output, output.piecesInTurns(key, VIEWER_QUERY, nowMs, render).then(replyOf));
  else send(exchange, output, replyOf(output.pieces(key, VIEWER_QUERY, nowMs, render)));
}

function viewerReply({ pieces, etag }: CachedPieces, headers: string, query: string): Reply {
  const body = Buffer.from(pieces.join(query));
  return {
    status: 200,
    headers: `${headers}Cache-Control: private, max-age=1\r\nETag: ${etag}\r\n`,
    body: [body],
    bodyBytes: body.length,
    etag,
  };
}

/** Sends a text rendered in short turns, if the client still waits. */
function later(exchange: Exchange, output: StreamOutput, making: Promise<Reply | undefined>): void {
  let isWaiting = true;
  exchange.onClose(() => {
    isWaiting = false;
  });
  making.then(
    (reply) => {
      if (isWaiting) send(exchange, output, reply);
    },
    () => {
      if (isWaiting) exchange.reply(errorReply('unavailable', 'It could not be rendered'));
    },
  );
}

function send(exchange: Exchange, output: StreamOutput, reply: Reply | undefined): void {
  if (!reply) {
    exchange.reply(errorReply('stream_not_running', `${output.name} has no complete segment yet`));
    return;
  }
  const ifNoneMatch = exchange.header('if-none-match');
  if (ifNoneMatch !== undefined && isTagNamed(ifNoneMatch, reply.etag ?? '')) {
    exchange.reply({ status: 304, headers: reply.headers, body: [], bodyBytes: 0 });
    return;
  }
  let sent: (() => void) | undefined;
  const [body] = reply.body;
  if (body && reply.bodyBytes > PIECE_BYTES) {
    try {
      sent = answerMemory.share(addressGroup(exchange.peer), body, false);
    } catch (error) {
      if (!(error instanceof MediaBusy)) throw error;
      exchange.reply(busy());
      return;
    }
  }
  output.sent(reply.bodyBytes);
  // A playlist alone is not playback: a session starts with its first media.
  const { session } = exchange.connectionSession;
  if (session) session.bytes += reply.bodyBytes;
  exchange.reply(sent ? { ...reply, sent } : reply);
}
