import { bytesInMemory, hold, sizeOfPiece, type MediaBytes, type Piece } from '../../segment/media-bytes.ts';
import type { BodyStream, Exchange } from '../exchange.ts';
import { errorReply } from '../media-error.ts';
import { countSent } from '../session-gate.ts';
import type { StreamOutput } from '../stream-output.ts';
import { readByteRange } from './byte-range.ts';
import { isTagNamed } from './entity-tag.ts';

/** Most bytes of a file that one viewer has in memory. */
const READ_BYTES = 256 * 1024;

/** Header lines of a body, and the tag that names it as long as it exists. */
export interface MediaHead {
  readonly headers: string;
  readonly etag: string;
}

/**
 * Sends media, or the range of it that is asked for (RFC 9110 section 14), from wherever it lies: memory leaves without a copy, files are
 * read as fast as the other side takes them.
 */
export function sendMedia(
  exchange: Exchange,
  output: StreamOutput,
  { headers, etag }: MediaHead,
  media: readonly MediaBytes[],
): void {
  const totalBytes = media.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const lines = `${headers}ETag: ${etag}\r\n`;
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
  const pieces = media.flatMap((one) => one.pieces);
  if (range === 'all') {
    send(exchange, output, { status: 200, headers: lines, pieces, bodyBytes: totalBytes, media });
    return;
  }
  const { first, last } = range;
  send(exchange, output, {
    status: 206,
    headers: `${lines}Content-Range: bytes ${first}-${last}/${totalBytes}\r\n`,
    pieces: cutPieces(pieces, first, last + 1),
    bodyBytes: last + 1 - first,
    media,
  });
}

interface Sending {
  readonly status: number;
  readonly headers: string;
  readonly pieces: readonly Piece[];
  readonly bodyBytes: number;
  /** What is held meanwhile. */
  readonly media: readonly MediaBytes[];
}

function send(exchange: Exchange, output: StreamOutput, sending: Sending): void {
  const { status, headers, pieces, bodyBytes, media } = sending;
  const body = pieces.flatMap((piece) => ('file' in piece ? [] : [piece.bytes]));
  if (body.length < pieces.length) {
    void sendFromFiles(exchange, output, sending);
    return;
  }
  countSent(exchange, output, bodyBytes);
  exchange.reply({ status, headers, body, bodyBytes, sent: hold(media) });
}

async function sendFromFiles(exchange: Exchange, output: StreamOutput, sending: Sending): Promise<void> {
  const { status, headers, pieces, bodyBytes, media } = sending;
  const done = hold(media);
  let body: BodyStream | undefined;
  let isGone = false;
  exchange.onClose(() => {
    isGone = true;
  });
  try {
    for (const piece of exchange.method === 'HEAD' ? [] : inReads(pieces)) {
      const bytes = 'file' in piece ? await piece.file.read(piece.offset, piece.sizeBytes) : piece.bytes;
      if (isGone) return;
      // A file that cannot be read at all is said so, and not in the middle of a body.
      const stream = (body ??= exchange.stream(status, headers, bodyBytes));
      countSent(exchange, output, bytes.length);
      await new Promise<void>((resolve) => {
        stream.write(bytes, resolve);
      });
      if (isGone) return;
    }
    (body ?? exchange.stream(status, headers, bodyBytes)).end();
  } catch {
    if (body) body.abort();
    else if (!isGone) exchange.reply(errorReply('media_unreadable', 'The file with this media cannot be read'));
  } finally {
    done();
  }
}

/** Pieces that one read each takes. */
function* inReads(pieces: readonly Piece[]): Iterable<Piece> {
  for (const piece of pieces) {
    const sizeBytes = sizeOfPiece(piece);
    if (!('file' in piece)) yield piece;
    else
      for (let at = 0; at < sizeBytes; at += READ_BYTES)
        yield cutPiece(piece, at, Math.min(sizeBytes, at + READ_BYTES));
  }
}

/** The bytes from `first` up to `end` of a body that lies in several pieces. Nothing is copied. */
export function cutPieces(pieces: readonly Piece[], first: number, end: number): Piece[] {
  const result: Piece[] = [];
  let position = 0;
  for (const piece of pieces) {
    const sizeBytes = sizeOfPiece(piece);
    const from = Math.max(first - position, 0);
    const to = Math.min(end - position, sizeBytes);
    if (from < to) result.push(cutPiece(piece, from, to));
    position += sizeBytes;
  }
  return result;
}

function cutPiece(piece: Piece, from: number, to: number): Piece {
  return 'file' in piece
    ? { file: piece.file, offset: piece.offset + from, sizeBytes: to - from }
    : { ...piece, bytes: piece.bytes.subarray(from, to) };
}

/** Writes media that lies in memory into a body of unknown length; breaks off where it does not. */
export function writeMedia(exchange: Exchange, output: StreamOutput, body: BodyStream, media: MediaBytes): void {
  const bytes = bytesInMemory(media);
  if (!bytes) {
    body.abort();
    return;
  }
  countSent(exchange, output, bytes.length);
  body.write(bytes, hold([media]));
}
