import { writeChunkHeader } from './chunk-stream-writer.ts';
import { MESSAGE_TYPE } from './message.ts';

/** Chunk size that a connection must set before its first shared message. */
export const SHARED_CHUNK_BYTES = 65_536;
/** Message stream id of shared messages: the number of the first stream of a connection. */
const SHARED_STREAM_ID = 1;

/** Start of the message stream id in a message. */
const STREAM_ID_AT = 8;

/**
 * Writes a media or data message as the chunks that all connections share: the header is of type 0, with an absolute time, and
 * the chunk size and the message stream id are the same for all. The payload is copied once.
 * @param timestampMs reduced to 32 bits
 */
export function writeSharedMessage(type: number, timestampMs: number, head: Uint8Array, data: Uint8Array): Buffer {
  const chunkStreamId = type === MESSAGE_TYPE.video ? 6 : type === MESSAGE_TYPE.audio ? 4 : 7;
  const lengthBytes = head.length + data.length;
  const message = { type, streamId: SHARED_STREAM_ID, timestampMs: timestampMs % 2 ** 32, lengthBytes };
  const first = writeChunkHeader(chunkStreamId, message);
  const chunks = Math.max(1, Math.ceil(lengthBytes / SHARED_CHUNK_BYTES));
  const next = chunks > 1 ? writeChunkHeader(chunkStreamId, message, true) : first;
  const bytes = Buffer.allocUnsafe(first.length + (chunks - 1) * next.length + lengthBytes);
  bytes.set(first, 0);
  bytes.set(head, first.length);
  let at = first.length + head.length;
  let taken = 0;
  for (let chunk = 0; chunk < chunks; chunk += 1) {
    if (chunk > 0) {
      bytes.set(next, at);
      at += next.length;
    }
    const end = Math.min(data.length, (chunk + 1) * SHARED_CHUNK_BYTES - head.length);
    bytes.set(data.subarray(taken, end), at);
    at += end - taken;
    taken = end;
  }
  return bytes;
}

/** The same message on another message stream; a copy unless the number is that of shared messages. */
export function withStreamId(message: Buffer, streamId: number): Buffer {
  if (streamId === SHARED_STREAM_ID) return message;
  const copy = Buffer.from(message);
  copy.writeUInt32LE(streamId, STREAM_ID_AT);
  return copy;
}
