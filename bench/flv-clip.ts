import { readFileSync } from 'node:fs';
import { CLIP_SECONDS } from './bench-media.ts';

/** Chunk size that the publishers announce, as ffmpeg does. */
export const CHUNK_BYTES = 60_000;

/** Message type of video (RTMP 1.0, section 7.1). */
const VIDEO = 9;
const AUDIO = 8;

/** Message of the clip, ready for repeated sending. */
export interface ClipMessage {
  readonly type: number;
  readonly timestampMs: number;
  readonly payloadBytes: number;
  /** Payload with the headers of its further chunks. */
  readonly chunked: Uint8Array;
  /** Number of the picture in decoding order; -1 for everything else. */
  readonly picture: number;
}

/** The clip as RTMP messages. */
export interface FlvClip {
  /** Metadata and decoder configurations: sent once. */
  readonly head: readonly ClipMessage[];
  /** Media in time order, sent in a loop. */
  readonly loop: readonly ClipMessage[];
  /** Pictures of one loop. */
  readonly pictures: number;
}

/** Reads an FLV file (FLV 10.1, section E.3). */
export function readFlvClip(path: string): FlvClip {
  const bytes = readFileSync(path);
  const head: ClipMessage[] = [];
  const loop: ClipMessage[] = [];
  let pictures = 0;
  let at = bytes.readUInt32BE(5) + 4;
  while (at + 11 <= bytes.length) {
    const type = bytes.readUInt8(at) & 0x1f;
    const length = bytes.readUIntBE(at + 1, 3);
    const timestampMs = bytes.readUIntBE(at + 4, 3) + bytes.readUInt8(at + 7) * 0x1000000;
    const payload = bytes.subarray(at + 11, at + 11 + length);
    at += 11 + length + 4;
    const isMedia = (type === VIDEO || type === AUDIO) && payload[1] === 1;
    const isHead = type === 18 || payload[1] === 0;
    if (isHead) head.push(message(type, 0, payload, -1));
    else if (isMedia && timestampMs < CLIP_SECONDS * 1000)
      loop.push(message(type, timestampMs, payload, type === VIDEO ? pictures++ : -1));
  }
  return { head, loop: loop.toSorted((a, b) => a.timestampMs - b.timestampMs), pictures };
}

/** Chunk stream for a message type. */
function chunkStreamOf(type: number): number {
  return type === VIDEO ? 6 : 4;
}

/** Header of a message: basic header and message header of type 0 (RTMP 1.0, section 5.3.1.2.1). */
export function messageHeader({ type, payloadBytes }: ClipMessage, timestampMs: number): Buffer {
  const header = Buffer.allocUnsafe(12);
  header[0] = chunkStreamOf(type);
  header.writeUIntBE(timestampMs, 1, 3);
  header.writeUIntBE(payloadBytes, 4, 3);
  header[7] = type;
  header.writeUInt32LE(1, 8);
  return header;
}

function message(type: number, timestampMs: number, payload: Uint8Array, picture: number): ClipMessage {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < payload.length; at += CHUNK_BYTES) {
    if (at > 0) pieces.push(Uint8Array.of(0xc0 | chunkStreamOf(type)));
    pieces.push(payload.subarray(at, at + CHUNK_BYTES));
  }
  return { type, timestampMs, payloadBytes: payload.length, chunked: Buffer.concat(pieces), picture };
}
