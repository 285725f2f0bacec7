import { because, type Explained } from '../../../../src-preload/contract/explanations/explanations.ts';
import { GatherBuffer } from './gather-buffer.ts';
import { MESSAGE_TYPE } from './message.ts';
import type { RtmpMessageSink } from './message.ts';

/** Limits of a chunk stream reader. */
export interface ChunkStreamReaderOptions {
  /** Maximum message size in bytes; default 16 MiB. A larger one ends the reader with `rtmp_message_too_large`. */
  readonly maxMessageBytes?: number;
  /** Maximum number of chunk streams of a connection; default 64. More end the reader with `rtmp_bad_chunk`. */
  readonly maxChunkStreams?: number;
  /** Maximum memory in bytes for incomplete messages of all chunk streams; default twice the maximum message size. */
  readonly maxGatheredBytes?: number;
}

/** Chunk size before a Set Chunk Size message (RTMP 1.0, section 5.4.1). */
export const DEFAULT_CHUNK_BYTES = 128;

/** A larger chunk size has no effect, because a message is never longer (RTMP 1.0, section 5.4.1). */
const MAX_CHUNK_BYTES = 0xffffff;

/** Basic header of three bytes, message header of eleven, extended timestamp of four (RTMP 1.0, section 5.3.1). */
const MAX_HEADER_BYTES = 18;

const EXTENDED = 0xffffff;

/** Header fields shared by the chunks of one chunk stream (RTMP 1.0, section 5.3.1.2). */
class ChunkStream {
  type = 0;
  streamId = 0;
  lengthBytes = 0;
  timestampMs = 0;
  /** The timestamp or delta of the last header of type 0, 1 or 2; a header of type 3 repeats it. */
  fieldMs = 0;
  isExtended = false;
  /** Whether a message has started and is incomplete. */
  isOpen = false;
  readonly gathered = new GatherBuffer();
}

/**
 * Reader of an RTMP chunk stream: converts bytes in pieces of any size to complete messages. A message in one chunk and in one
 * piece is passed on as a view of that piece; any other is collected in a buffer kept by its chunk stream. Set Chunk Size and
 * Abort are handled here and not passed on.
 */
export class ChunkStreamReader {
  readonly #sink: RtmpMessageSink;
  readonly #maxMessageBytes: number;
  readonly #maxChunkStreams: number;
  /** Maximum memory in bytes for incomplete messages. */
  maxGatheredBytes: number;
  readonly #streams = new Map<number, ChunkStream>();
  /** Header whose first bytes came in an earlier piece. */
  readonly #carry = new Uint8Array(MAX_HEADER_BYTES);
  #carryLength = 0;
  #chunkBytes = DEFAULT_CHUNK_BYTES;
  #gatheredBytes = 0;
  #current: ChunkStream | undefined;
  #chunkLeft = 0;
  #failed = false;

  constructor(sink: RtmpMessageSink, options: ChunkStreamReaderOptions = {}) {
    this.#sink = sink;
    this.#maxMessageBytes = options.maxMessageBytes ?? 16 * 1024 * 1024;
    this.#maxChunkStreams = options.maxChunkStreams ?? 64;
    this.maxGatheredBytes = options.maxGatheredBytes ?? 2 * this.#maxMessageBytes;
  }

  /** Whether the stream was damaged or closed; later bytes are ignored. */
  get failed(): boolean {
    return this.#failed;
  }

  /** Memory of incomplete messages, and of buffers kept for the next ones. */
  get gatheredBytes(): number {
    return this.#gatheredBytes;
  }

  /** Drops incomplete messages and ignores later bytes. */
  close(): void {
    this.#failed = true;
    this.#streams.clear();
    this.#gatheredBytes = 0;
    this.#current = undefined;
  }

  /** Processes the bytes from `start` to `end`. They are borrowed. */
  push(bytes: Uint8Array, start = 0, end = bytes.length): void {
    let pos = start;
    while (pos < end && !this.#failed) {
      const current = this.#current;
      if (current === undefined) {
        pos = this.#carryLength === 0 ? this.#startChunk(bytes, pos, end) : this.#continueHeader(bytes, pos, end);
        continue;
      }
      const length = current.lengthBytes;
      if (length === this.#chunkLeft && length <= end - pos && current.gathered.length === 0) {
        this.#complete(current, bytes.subarray(pos, pos + length));
        pos += length;
      } else {
        pos += this.#gather(current, bytes, pos, end);
      }
    }
  }

  /** Reads the header at `pos` and returns the start of its chunk data, or keeps a partial header. */
  #startChunk(bytes: Uint8Array, pos: number, end: number): number {
    const headerBytes = this.#readHeader(bytes, pos, end);
    if (headerBytes > 0) return pos + headerBytes;
    this.#carry.set(bytes.subarray(pos, Math.min(end, pos + MAX_HEADER_BYTES)));
    this.#carryLength = end - pos;
    return end;
  }

  /** Completes a header that started in an earlier piece; returns the start of its chunk data. */
  #continueHeader(bytes: Uint8Array, pos: number, end: number): number {
    const had = this.#carryLength;
    const added = Math.min(MAX_HEADER_BYTES - had, end - pos);
    this.#carry.set(bytes.subarray(pos, pos + added), had);
    const headerBytes = this.#readHeader(this.#carry, 0, had + added);
    if (headerBytes === 0) {
      this.#carryLength = had + added;
      return pos + added;
    }
    this.#carryLength = 0;
    if (headerBytes >= had) return pos + headerBytes - had;
    // The bytes that looked like an extended timestamp were chunk data of an older sender.
    this.push(this.#carry.slice(headerBytes, had));
    return pos;
  }

  /** Returns the length of the header, or 0 if more bytes are needed (or the stream is damaged). */
  #readHeader(bytes: Uint8Array, pos: number, end: number): number {
    const first = bytes[pos] as number;
    const format = first >> 6;
    let id = first & 0x3f;
    let at = pos + 1;
    if (id === 0) {
      if (at + 1 > end) return 0;
      id = 64 + (bytes[at] as number);
      at += 1;
    } else if (id === 1) {
      if (at + 2 > end) return 0;
      id = 64 + (bytes[at] as number) + 256 * (bytes[at + 1] as number);
      at += 2;
    }
    if (format === 3) return this.#readRepeatedHeader(id, bytes, pos, at, end);

    const headerEnd = at + (format === 0 ? 11 : format === 1 ? 7 : 3);
    if (headerEnd > end) return 0;
    let field = readUint24(bytes, at);
    const isExtended = field === EXTENDED;
    if (isExtended) {
      if (headerEnd + 4 > end) return 0;
      field = readUint32(bytes, headerEnd);
    }
    const stream = this.#streams.get(id) ?? this.#open(id, format);
    if (!stream) return 0;
    if (stream.isOpen) return this.#fail('rtmp_bad_chunk', because('rtmp_message_overlap', { id }));
    if (format < 2) {
      stream.lengthBytes = readUint24(bytes, at + 3);
      stream.type = bytes[at + 6] as number;
    }
    if (format === 0) {
      stream.streamId = readUint32LittleEndian(bytes, at + 7);
      stream.timestampMs = field;
    } else {
      stream.timestampMs = (stream.timestampMs + field) >>> 0;
    }
    stream.fieldMs = field;
    stream.isExtended = isExtended;
    if (!this.#startMessage(stream)) return 0;
    return headerEnd + (isExtended ? 4 : 0) - pos;
  }

  /** A header of type 3: the next chunk of a message, or a new message with the same header as the last one. */
  #readRepeatedHeader(id: number, bytes: Uint8Array, pos: number, at: number, end: number): number {
    const stream = this.#streams.get(id);
    if (!stream) return this.#fail('rtmp_bad_chunk', because('rtmp_first_header_short', { id }));
    let headerEnd = at;
    if (stream.isExtended) {
      if (at + 4 > end) return 0;
      // Older senders (librtmp before 2024, FMLE of some versions) omit the repetition inside a message.
      const extended = readUint32(bytes, at);
      if (!stream.isOpen) stream.fieldMs = extended;
      if (!stream.isOpen || extended === stream.fieldMs) headerEnd += 4;
    }
    if (!stream.isOpen) {
      stream.timestampMs = (stream.timestampMs + stream.fieldMs) >>> 0;
      if (!this.#startMessage(stream)) return 0;
    } else {
      this.#current = stream;
      this.#chunkLeft = Math.min(this.#chunkBytes, stream.lengthBytes - stream.gathered.length);
    }
    return headerEnd - pos;
  }

  #open(id: number, format: number): ChunkStream | undefined {
    // A first header of type 1 violates the standard, but known senders use it for control messages.
    if (format === 2) {
      this.#fail('rtmp_bad_chunk', because('rtmp_first_header_short', { id }));
      return undefined;
    }
    if (this.#streams.size >= this.#maxChunkStreams) {
      this.#fail('rtmp_bad_chunk', because('rtmp_chunk_streams', { limit: this.#maxChunkStreams }));
      return undefined;
    }
    const stream = new ChunkStream();
    this.#streams.set(id, stream);
    return stream;
  }

  #startMessage(stream: ChunkStream): boolean {
    if (stream.lengthBytes > this.#maxMessageBytes) {
      this.#fail(
        'rtmp_message_too_large',
        because('rtmp_message_size', { bytes: stream.lengthBytes, limit: this.#maxMessageBytes }),
      );
      return false;
    }
    if (stream.lengthBytes === 0) {
      this.#deliver(stream, EMPTY);
      return true;
    }
    stream.isOpen = true;
    this.#current = stream;
    this.#chunkLeft = Math.min(this.#chunkBytes, stream.lengthBytes);
    return true;
  }

  /** Copies the available part of the chunk; returns its size. */
  #gather(stream: ChunkStream, bytes: Uint8Array, pos: number, end: number): number {
    const gathered = stream.gathered;
    const count = Math.min(this.#chunkLeft, end - pos);
    this.#gatheredBytes += gathered.append(bytes, pos, count, stream.lengthBytes);
    if (this.#gatheredBytes > this.maxGatheredBytes) {
      this.#fail('rtmp_message_too_large', because('rtmp_incomplete_size', { limit: this.maxGatheredBytes }));
      return count;
    }
    this.#chunkLeft -= count;
    if (gathered.length === stream.lengthBytes) {
      this.#complete(stream, gathered.view());
      this.#gatheredBytes -= gathered.reset();
    } else if (this.#chunkLeft === 0) {
      this.#current = undefined;
    }
    return count;
  }

  #complete(stream: ChunkStream, payload: Uint8Array): void {
    stream.isOpen = false;
    this.#current = undefined;
    this.#deliver(stream, payload);
  }

  #deliver(stream: ChunkStream, payload: Uint8Array): void {
    if (stream.type === MESSAGE_TYPE.setChunkSize) this.#setChunkSize(payload);
    else if (stream.type === MESSAGE_TYPE.abort) this.#abort(payload);
    else this.#sink.message(stream.type, stream.streamId, stream.timestampMs, payload);
  }

  #setChunkSize(payload: Uint8Array): void {
    const bytes = payload.length < 4 ? 0 : readUint32(payload, 0);
    if (bytes < 1 || bytes > 0x7fffffff) this.#fail('rtmp_bad_chunk', because('rtmp_chunk_size', { bytes }));
    else this.#chunkBytes = Math.min(bytes, MAX_CHUNK_BYTES);
  }

  #abort(payload: Uint8Array): void {
    const stream = payload.length < 4 ? undefined : this.#streams.get(readUint32(payload, 0));
    if (!stream?.isOpen) return;
    stream.isOpen = false;
    this.#gatheredBytes -= stream.gathered.reset();
  }

  #fail(code: string, why: Explained): 0 {
    this.close();
    this.#sink.problem({ code, ...why });
    return 0;
  }
}

const EMPTY = new Uint8Array(0);

function readUint24(bytes: Uint8Array, at: number): number {
  return ((bytes[at] as number) << 16) | ((bytes[at + 1] as number) << 8) | (bytes[at + 2] as number);
}

function readUint32(bytes: Uint8Array, at: number): number {
  return (bytes[at] as number) * 0x1000000 + readUint24(bytes, at + 1);
}

function readUint32LittleEndian(bytes: Uint8Array, at: number): number {
  return (
    (bytes[at] as number) +
    ((bytes[at + 1] as number) << 8) +
    ((bytes[at + 2] as number) << 16) +
    (bytes[at + 3] as number) * 0x1000000
  );
}
