import { addressGroup } from '../../lib/network-address.ts';
import {
  bytesInMemory,
  cutPieces,
  retainMedia,
  readMedia,
  type MediaBytes,
  type Piece,
} from '../../segment/media-bytes.ts';
import type { BodyStream, Exchange } from '../exchange.ts';
import { errorReply, unreadableReply } from '../media-error.ts';
import { countSent } from '../session-gate.ts';
import type { StreamOutput } from '../stream-output.ts';
import { readByteRange } from './byte-range.ts';
import { isTagNamed } from '../../lib/entity-tag.ts';
import { cachedBody, READ_BYTES, readWhole, type ReadBytes } from './file-reads.ts';
import { answerMemory, MediaBusy, PIECE_BYTES } from './answer-memory.ts';
import { gapReply, type SentSegment } from './gap-reply.ts';
import { PacedBody } from './paced-body.ts';

/** Maximum size of a body from a file that is read completely and sent with its head in one piece. */
const WHOLE_BYTES = 4 * READ_BYTES;

/** Header lines of a body, and its entity tag. */
export interface MediaHead {
  readonly headers: string;
  readonly etag: string;
}

/** Callbacks of a reply, and the segment that it sends. */
export interface MediaCallbacks {
  /** Called when everything up to the end of the body was passed to the connection. */
  readonly delivered?: () => void;
  /**
   * Called when the media cannot be read or is damaged.
   * @returns alternative answer, if any; ignored if the reply has started
   */
  readonly unreadable?: () => (() => void) | undefined;
  /** Segment that the media belongs to: if it is recorded and damaged, players get a gap. */
  readonly segment?: SentSegment;
}

/**
 * Sends media, or the requested range of it (RFC 9110 section 14), from memory without a copy, or from files at the pace of the
 * client.
 */
export function sendMedia(
  exchange: Exchange,
  output: StreamOutput,
  head: MediaHead,
  media: readonly MediaBytes[],
  callbacks: MediaCallbacks = {},
): void {
  if (media.some(({ ready, check }) => ready ?? check)) void sendWhenReady(exchange, output, head, media, callbacks);
  else sendReady(exchange, output, head, media, callbacks);
}

async function sendWhenReady(
  exchange: Exchange,
  output: StreamOutput,
  head: MediaHead,
  media: readonly MediaBytes[],
  callbacks: MediaCallbacks,
): Promise<void> {
  let isGone = false;
  exchange.onClose(() => {
    isGone = true;
  });
  try {
    await Promise.all(media.map(async ({ ready }) => ready?.()));
    await Promise.all(media.map(async ({ check }) => check?.()));
  } catch (error) {
    const answer = answerOf(exchange, callbacks, error);
    if (!isGone) answer();
    return;
  }
  if (!isGone) sendReady(exchange, output, head, media, callbacks);
}

/** Answer that replaces unreadable media. */
function answerOf(exchange: Exchange, { unreadable: report, segment }: MediaCallbacks, error: unknown): () => void {
  return (
    report?.() ??
    ((): void => {
      exchange.reply(gapReply(segment, error) ?? unreadableReply(error));
    })
  );
}

function sendReady(
  exchange: Exchange,
  output: StreamOutput,
  { headers, etag }: MediaHead,
  media: readonly MediaBytes[],
  { delivered, ...callbacks }: MediaCallbacks,
): void {
  let totalBytes = 0;
  for (const { sizeBytes } of media) totalBytes += sizeBytes;
  const requested = requestedBytes(exchange, { headers, etag }, totalBytes);
  if (!requested) return;
  const { first, end, ...head } = requested;
  const all = piecesOf(media);
  const pieces = end - first === totalBytes ? all : cutPieces(all, first, end);
  const isToEnd = end === totalBytes && exchange.method !== 'HEAD';
  send(exchange, output, {
    ...head,
    pieces,
    bodyBytes: end - first,
    media,
    ...callbacks,
    ...(isToEnd && delivered ? { delivered } : {}),
  });
}

/** Requested bytes of a body, from `first` up to `end`, with the head of the reply. */
interface RequestedBytes {
  readonly status: number;
  readonly headers: string;
  readonly first: number;
  readonly end: number;
}

/**
 * Evaluates the conditions and the range of a request (RFC 9110, sections 13 and 14) for a body of some size.
 * @returns undefined if the request was answered: not modified, or range not satisfiable
 */
export function requestedBytes(
  exchange: Exchange,
  { headers, etag }: MediaHead,
  totalBytes: number,
): RequestedBytes | undefined {
  const lines = `${headers}ETag: ${etag}\r\n`;
  if (isTagNamed(exchange.header('if-none-match'), etag)) {
    exchange.reply({ status: 304, headers: lines, body: [], bodyBytes: 0 });
    return undefined;
  }
  // A range of an earlier version of the body is ignored (13.1.5).
  const isOther = (exchange.header('if-range') ?? etag) !== etag;
  const range = isOther ? 'all' : readByteRange(exchange.header('range'), totalBytes);
  if (range === 'all') return { status: 200, headers: lines, first: 0, end: totalBytes };
  if (range === 'unsatisfiable') {
    const error = errorReply('range_not_satisfiable', `The body has ${totalBytes} bytes`);
    exchange.reply({ ...error, headers: `${error.headers}Content-Range: bytes */${totalBytes}\r\n` });
    return undefined;
  }
  const { first, last } = range;
  return {
    status: 206,
    headers: `${lines}Content-Range: bytes ${first}-${last}/${totalBytes}\r\n`,
    first,
    end: last + 1,
  };
}

function piecesOf(media: readonly MediaBytes[]): readonly Piece[] {
  const [first] = media;
  // Parts and init segments are single media.
  return media.length === 1 && first ? first.pieces : media.flatMap(({ pieces }) => pieces);
}

interface Sending extends MediaCallbacks {
  readonly status: number;
  readonly headers: string;
  readonly pieces: readonly Piece[];
  readonly bodyBytes: number;
  /** Media to retain until the end of the reply. */
  readonly media: readonly MediaBytes[];
}

function send(exchange: Exchange, output: StreamOutput, sending: Sending): void {
  const { status, headers, pieces, bodyBytes, media } = sending;
  const body: Uint8Array[] = [];
  for (const piece of pieces) {
    if ('file' in piece) {
      sendRead(exchange, output, sending);
      return;
    }
    body.push(piece.bytes);
  }
  // Live media is in memory for all viewers anyway; generated media is in memory for this viewer only.
  if (bodyBytes > PIECE_BYTES && output.window.mutability !== 'live') {
    void sendInPieces(exchange, output, sending);
    return;
  }
  countSent(exchange, output, bodyBytes);
  exchange.reply({ status, headers, body, bodyBytes, sent: retainMedia(media) });
  sending.delivered?.();
}

/** Sends a body that is in files. */
function sendRead(exchange: Exchange, output: StreamOutput, sending: Sending): void {
  const isShort = sending.bodyBytes <= WHOLE_BYTES;
  const cached = isShort && exchange.method !== 'HEAD' ? cachedBody(sending.pieces) : undefined;
  if (cached) replyWith(exchange, output, sending, cached, retainMedia(sending.media));
  else void (isShort ? sendComplete : sendInPieces)(exchange, output, sending);
}

/** @param release releases its media */
function replyWith(
  exchange: Exchange,
  output: StreamOutput,
  { status, headers, bodyBytes, delivered }: Sending,
  { bytes, done }: ReadBytes,
  release: () => void,
): void {
  countSent(exchange, output, bodyBytes);
  const sent = (): void => {
    done();
    release();
  };
  exchange.reply({ status, headers, body: bytes, bodyBytes, sent });
  delivered?.();
}

async function sendComplete(exchange: Exchange, output: StreamOutput, sending: Sending): Promise<void> {
  const { status, headers, pieces, bodyBytes, media } = sending;
  if (exchange.method === 'HEAD') {
    exchange.reply({ status, headers, body: [], bodyBytes });
    return;
  }
  let isGone = false;
  exchange.onClose(() => {
    isGone = true;
  });
  const release = retainMedia(media);
  try {
    const read = await readWhole(pieces);
    if (!isGone) {
      replyWith(exchange, output, sending, read, release);
      return;
    }
    read.done();
    release();
  } catch (error) {
    release();
    const answer = answerOf(exchange, sending, error);
    if (!isGone) answer();
  }
}

/** Sends a body at the pace of the client. */
async function sendInPieces(exchange: Exchange, output: StreamOutput, sending: Sending): Promise<void> {
  const { status, headers, pieces, bodyBytes, media } = sending;
  const done = retainMedia(media);
  const body = new PacedBody(exchange, output, () => exchange.stream(status, headers, bodyBytes));
  const releases: (() => void)[] = [];
  try {
    if (exchange.method !== 'HEAD') {
      for (const piece of pieces)
        if (!('file' in piece) && !piece.memory && piece.bytes.length > PIECE_BYTES)
          releases.push(answerMemory.share(addressGroup(exchange.peer), piece.bytes, false));
      await body.write(pieces);
    }
    body.end();
    if (!body.isGone) sending.delivered?.();
  } catch (error) {
    const answer = error instanceof MediaBusy ? undefined : answerOf(exchange, sending, error);
    if (answer && !body.hasStarted && !body.isGone) answer();
    else body.fail(error);
  } finally {
    done();
    for (const give of releases) give();
  }
}

/** Writes media in memory into a body of unknown length; false if it is not in memory. */
export function writeMedia(exchange: Exchange, output: StreamOutput, body: BodyStream, media: MediaBytes): boolean {
  const bytes = bytesInMemory(media);
  if (!bytes) return false;
  countSent(exchange, output, bytes.length);
  body.write(bytes, retainMedia([media]));
  return true;
}

/** Writes media from files; false if it cannot be read. */
export async function writeRead(
  exchange: Exchange,
  output: StreamOutput,
  body: BodyStream,
  media: MediaBytes,
): Promise<boolean> {
  const bytes = await readMedia(media).catch(() => undefined);
  if (!bytes) return false;
  countSent(exchange, output, bytes.length);
  body.write(bytes, () => undefined);
  return true;
}
