import { release, retain } from '../../segment/shared-use.ts';
import type { Part, Segment } from '../../segment/segment-window.ts';
import type { Exchange } from '../exchange.ts';
import { errorReply } from '../media-error.ts';
import { countSent } from '../session-gate.ts';
import type { StreamOutput } from '../stream-output.ts';
import { readByteRange, sliceRange } from './byte-range.ts';
import { isTagNamed } from './entity-tag.ts';
import { carriesToken } from './own-addresses.ts';

/** Bytes of a body, and the memory that must not be used again before they have left. */
type Piece = Pick<Part, 'bytes' | 'memory'>;

/** Sends a body that is complete, or the range of it that the request asks for. */
export function sendBody(
  exchange: Exchange,
  output: StreamOutput,
  headers: string,
  etag: string,
  pieces: readonly Piece[],
): void {
  const body = pieces.map(({ bytes }) => bytes);
  let totalBytes = 0;
  for (const piece of body) totalBytes += piece.length;
  const lines = `${cachedBy(exchange, headers)}ETag: ${etag}\r\n`;
  if (isTagNamed(exchange.header('if-none-match'), etag)) {
    exchange.reply({ status: 304, headers: lines, body: [], bodyBytes: 0 });
    return;
  }
  const range = readByteRange(exchange.header('range'), totalBytes);
  if (range === 'unsatisfiable') {
    const error = errorReply('range_not_satisfiable', `The body has ${totalBytes} bytes`);
    exchange.reply({ ...error, headers: `${error.headers}Content-Range: bytes */${totalBytes}\r\n` });
    return;
  }
  if (range === 'all') {
    countSent(exchange, output, totalBytes);
    exchange.reply({ status: 200, headers: lines, body, bodyBytes: totalBytes, sent: lease(pieces) });
    return;
  }
  const bodyBytes = range.last - range.first + 1;
  countSent(exchange, output, bodyBytes);
  const contentRange = `Content-Range: bytes ${range.first}-${range.last}/${totalBytes}\r\n`;
  exchange.reply({
    status: 206,
    headers: lines + contentRange,
    body: sliceRange(body, range),
    bodyBytes,
    sent: lease(pieces),
  });
}

/** Sends the parts of a segment as they come, until it is complete. */
export function sendOpenSegment(exchange: Exchange, output: StreamOutput, headers: string, segment: Segment): void {
  const body = exchange.stream(200, cachedBy(exchange, headers));
  if (exchange.method === 'HEAD') {
    body.end();
    return;
  }
  let sent = 0;
  let giveUp: (() => void) | undefined;
  const sendNew = (): void => {
    // Parts leave a segment only with the window: what is missing would be taken for the end.
    if (segment.parts.length < sent || (segment.isComplete && segment.parts.length === 0)) {
      body.abort();
      return;
    }
    for (; sent < segment.parts.length; sent++) {
      const part = segment.parts[sent];
      if (!part) continue;
      countSent(exchange, output, part.bytes.length);
      body.write(part.bytes, lease([part]));
    }
    if (segment.isComplete) {
      body.end();
      return;
    }
    const seen = sent;
    giveUp = output.wait(
      () => segment.parts.length > seen || segment.isComplete,
      Infinity,
      (isInTime) => {
        if (isInTime) sendNew();
        else body.abort();
      },
    );
  };
  exchange.onClose(() => giveUp?.());
  sendNew();
}

/** Replies that a backend decided about are not for shared caches, which do not ask it. */
function cachedBy(exchange: Exchange, headers: string): string {
  return carriesToken(exchange) ? headers.replace('public, ', 'private, ') : headers;
}

/** Keeps the memory of a body from being used again until it has left; returns the end of that. */
function lease(pieces: readonly Piece[]): () => void {
  for (const { memory } of pieces) if (memory) retain(memory);
  let isHeld = true;
  return () => {
    if (isHeld) for (const { memory } of pieces) if (memory) release(memory);
    isHeld = false;
  };
}
