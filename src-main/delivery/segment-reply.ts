import { isTsSegmentReady, leadingTrack } from '../packaging/hls/ts-playlist.ts';
import { muxTsSegment } from '../packaging/mpegts/segment.ts';
import { release, retain } from '../segment/shared-use.ts';
import type { Part, Segment, WindowTrack } from '../segment/segment-window.ts';
import { readByteRange, sliceRange } from './byte-range.ts';
import type { Exchange } from './exchange.ts';
import { isTagNamed } from './entity-tag.ts';
import { CORS, IMMUTABLE, MEDIA_TYPES } from './headers.ts';
import { errorReply } from './media-error.ts';
import { carriesToken } from './own-addresses.ts';
import type { StreamOutput } from './stream-output.ts';
import { countSent } from './session-gate.ts';

/** How long a request for a part that was hinted at may wait, in target durations' worth of milliseconds. */
const PART_WAIT_MS = 6000;

const ACCEPT_RANGES = 'Accept-Ranges: bytes\r\n';
const HEADERS = {
  video: `Content-Type: ${MEDIA_TYPES.video}\r\n${IMMUTABLE}${ACCEPT_RANGES}${CORS}`,
  audio: `Content-Type: ${MEDIA_TYPES.audio}\r\n${IMMUTABLE}${ACCEPT_RANGES}${CORS}`,
  ts: `Content-Type: ${MEDIA_TYPES.ts}\r\n${IMMUTABLE}${ACCEPT_RANGES}${CORS}`,
};

/** Answers with an init segment. */
export function replyWithInit(exchange: Exchange, output: StreamOutput, trackId: string, initId: number): void {
  const init = output.window.init(trackId, initId);
  if (!init) {
    exchange.reply(errorReply('segment_gone', `Init segment ${initId} of ${trackId} is not in the window`));
    return;
  }
  sendBody(exchange, output, HEADERS[init.track.content], `"${initId}"`, [init]);
}

/** Answers with a CMAF segment; of the open one its parts are sent as they come. */
export function replyWithSegment(exchange: Exchange, output: StreamOutput, trackId: string, startMs: number): void {
  const track = findTrack(exchange, output, trackId);
  const segment = track && findSegment(exchange, track, startMs);
  if (!track || !segment) return;
  const headers = HEADERS[track.track.content];
  if (segment.isComplete) sendBody(exchange, output, headers, `"${startMs}"`, segment.parts);
  else streamOpenSegment(exchange, output, headers, segment);
}

/** Answers with a part; one that was hinted at is waited for (RFC 8216bis 6.2.6). */
export function replyWithPart(
  exchange: Exchange,
  output: StreamOutput,
  trackId: string,
  startMs: number,
  index: number,
  nowMs: number,
): void {
  const track = findTrack(exchange, output, trackId);
  const segment = track && findSegment(exchange, track, startMs);
  if (!track || !segment) return;
  const headers = HEADERS[track.track.content];
  const send = (): void => {
    const part = segment.parts[index];
    if (part) sendBody(exchange, output, headers, `"${startMs}.${index}"`, [part]);
    else exchange.reply(errorReply('segment_gone', `Segment ${startMs} has no part ${index}`));
  };
  if (segment.parts[index] || segment.isComplete) {
    send();
    return;
  }
  if (index > segment.parts.length) {
    exchange.reply(errorReply('segment_too_early', `Part ${index} of segment ${startMs} is not the next one`));
    return;
  }
  const isDone = (): boolean => segment.parts.length > index || segment.isComplete;
  exchange.onClose(
    output.wait(isDone, nowMs + PART_WAIT_MS, (isInTime) => {
      if (isInTime) send();
      else exchange.reply(errorReply('blocking_timeout', `Part ${index} of segment ${startMs} did not come in time`));
    }),
  );
}

/** Answers with a muxed segment of the TS rendition, made when the first viewer asks. */
export function replyWithTsSegment(exchange: Exchange, output: StreamOutput, startMs: number): void {
  const leader = leadingTrack(output.window);
  const segment = leader && findSegment(exchange, leader, startMs);
  if (!leader || !segment) return;
  if (!isTsSegmentReady(output.window, segment.msn)) {
    exchange.reply(errorReply('segment_too_early', `Segment ${startMs} is not complete`));
    return;
  }
  const known = tsSegments.get(segment);
  const bytes = known ?? muxTsSegment(output.window, segment.msn);
  if (!known) tsSegments.set(segment, bytes);
  sendBody(exchange, output, HEADERS.ts, `"${startMs}"`, [{ bytes }]);
}

/** Muxed segments live as long as the segments that they are made of. */
const tsSegments = new WeakMap<Segment, Uint8Array>();

function streamOpenSegment(exchange: Exchange, output: StreamOutput, headers: string, segment: Segment): void {
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

function findTrack(exchange: Exchange, output: StreamOutput, trackId: string): WindowTrack | undefined {
  const track = output.window.tracks.find((candidate) => candidate.track.id === trackId);
  if (!track) exchange.reply(errorReply('track_not_found', `${output.name} has no track ${trackId}`));
  return track;
}

function findSegment(exchange: Exchange, track: WindowTrack, startMs: number): Segment | undefined {
  const { segments } = track;
  for (let index = segments.length - 1; index >= 0; index--) {
    const segment = segments[index];
    if (segment?.startMs === startMs) return segment;
  }
  const isLate = startMs < (segments[0]?.startMs ?? Infinity);
  exchange.reply(
    isLate
      ? errorReply('segment_gone', `Segment ${startMs} has left the window`)
      : errorReply('segment_too_early', `There is no segment ${startMs} yet`),
  );
  return undefined;
}

function sendBody(
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

/** Bytes of a body, and the memory that must not be used again before they have left. */
type Piece = Pick<Part, 'bytes' | 'memory'>;
