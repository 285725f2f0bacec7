import { DEFAULT_CHUNK_BYTES } from './chunk-stream-reader.ts';
import { MESSAGE_TYPE } from './message.ts';
import type { RtmpMessage } from './message.ts';

interface LastHeader {
  readonly type: number;
  readonly streamId: number;
  readonly lengthBytes: number;
  readonly timestampMs: number;
  /** Timestamp of a header of type 0, delta of one of type 1 or 2: a header of type 3 repeats this value. */
  readonly fieldMs: number;
}

/** Writer of an RTMP chunk stream (RTMP 1.0, section 5.3): the other side of `ChunkStreamReader`. */
export class ChunkStreamWriter {
  readonly #last = new Map<number, LastHeader>();
  #chunkBytes = DEFAULT_CHUNK_BYTES;

  /** Message as one piece of bytes on the given chunk stream. */
  write(chunkStreamId: number, message: RtmpMessage): Uint8Array {
    return Buffer.concat(this.chunks(chunkStreamId, message));
  }

  /**
   * Message as its chunks, each header in the shortest form. Chunks of different chunk streams may be interleaved. A Set Chunk
   * Size message applies to every message written after it.
   */
  chunks(chunkStreamId: number, message: RtmpMessage): Uint8Array[] {
    const { payload } = message;
    const { bytes: first, fieldMs } = this.#header(chunkStreamId, message);
    const repeated = writeHeader(chunkStreamId, 3, fieldMs, new Uint8Array(0));
    const chunks: Uint8Array[] = [];
    let at = 0;
    do {
      const end = Math.min(payload.length, at + this.#chunkBytes);
      chunks.push(Buffer.concat([at === 0 ? first : repeated, payload.subarray(at, end)]));
      at = end;
    } while (at < payload.length);
    if (message.type === MESSAGE_TYPE.setChunkSize) this.#chunkBytes = Buffer.from(payload).readUInt32BE(0);
    return chunks;
  }

  #header(chunkStreamId: number, message: RtmpMessage): { bytes: Uint8Array; fieldMs: number } {
    const { type, streamId, timestampMs, payload } = message;
    const last = this.#last.get(chunkStreamId);
    const deltaMs = last && timestampMs >= last.timestampMs ? timestampMs - last.timestampMs : undefined;
    let format = 0;
    if (last && deltaMs !== undefined && last.streamId === streamId) {
      const isSameKind = last.type === type && last.lengthBytes === payload.length;
      format = !isSameKind ? 1 : last.fieldMs === deltaMs ? 3 : 2;
    }
    const fieldMs = format === 0 || deltaMs === undefined ? timestampMs : deltaMs;
    this.#last.set(chunkStreamId, { type, streamId, lengthBytes: payload.length, timestampMs, fieldMs });

    return {
      bytes: writeHeader(chunkStreamId, format, fieldMs, writeFields(format, message, payload.length)),
      fieldMs,
    };
  }
}

/** Header with an absolute time. @param isNext for a further chunk of the message */
export function writeChunkHeader(
  chunkStreamId: number,
  message: Pick<RtmpMessage, 'type' | 'streamId' | 'timestampMs'> & { readonly lengthBytes: number },
  isNext = false,
): Uint8Array {
  const format = isNext ? 3 : 0;
  return writeHeader(chunkStreamId, format, message.timestampMs, writeFields(format, message, message.lengthBytes));
}

/** Length, type and message stream id, as far as the form of the header has them. */
function writeFields(format: number, message: Pick<RtmpMessage, 'type' | 'streamId'>, lengthBytes: number): Uint8Array {
  const fields = Buffer.alloc(format === 0 ? 8 : format === 1 ? 4 : 0);
  if (format < 2) {
    fields.writeUIntBE(lengthBytes, 0, 3);
    fields.writeUInt8(message.type, 3);
  }
  if (format === 0) fields.writeUInt32LE(message.streamId, 4);
  return fields;
}

/** Basic header, timestamp or delta, the rest of the message header, extended timestamp. */
function writeHeader(chunkStreamId: number, format: number, fieldMs: number, fields: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [writeBasicHeader(chunkStreamId, format)];
  const isExtended = fieldMs >= 0xffffff;
  if (format < 3) {
    const field = Buffer.alloc(3);
    field.writeUIntBE(Math.min(fieldMs, 0xffffff), 0, 3);
    parts.push(field, fields);
  }
  if (isExtended) {
    const extended = Buffer.alloc(4);
    extended.writeUInt32BE(fieldMs, 0);
    parts.push(extended);
  }
  return Buffer.concat(parts);
}

/** Basic header of one, two or three bytes (RTMP 1.0, section 5.3.1.1). */
function writeBasicHeader(id: number, format: number): Uint8Array {
  if (id < 64) return Uint8Array.of((format << 6) | id);
  if (id < 320) return Uint8Array.of(format << 6, id - 64);
  return Uint8Array.of((format << 6) | 1, (id - 64) & 0xff, (id - 64) >> 8);
}
