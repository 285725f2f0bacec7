import type { RtmpMessage } from './message.ts';

/** Maximum number of messages in an aggregate; more are left out. Encoders that use it put some seconds of media into one. */
const MAX_MESSAGES = 4096;

/**
 * Messages inside an aggregate message (RTMP 1.0, section 7.1.6): FLV tags, each followed by its length. Their times are shifted
 * so that the first has the time of the aggregate. Stops at the first incomplete tag.
 */
export function readAggregate(timestampMs: number, streamId: number, payload: Uint8Array): RtmpMessage[] {
  const view = new DataView(payload.buffer, payload.byteOffset, payload.length);
  const messages: RtmpMessage[] = [];
  let shiftMs: number | undefined;
  let at = 0;
  while (at + 11 <= payload.length && messages.length < MAX_MESSAGES) {
    const length = view.getUint32(at) & 0xffffff;
    const end = at + 11 + length;
    if (end > payload.length) break;
    const tagMs = (view.getUint32(at + 4) >>> 8) | (view.getUint8(at + 7) << 24);
    shiftMs ??= timestampMs - (tagMs >>> 0);
    messages.push({
      type: view.getUint8(at) & 0x1f,
      streamId,
      timestampMs: (tagMs + shiftMs) >>> 0,
      payload: payload.subarray(at + 11, end),
    });
    at = end + 4;
  }
  return messages;
}

/** Writes messages as the payload of an aggregate message. */
export function writeAggregate(messages: readonly RtmpMessage[]): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const { type, timestampMs, payload } of messages) {
    const header = Buffer.alloc(11);
    header.writeUInt8(type, 0);
    header.writeUIntBE(payload.length, 1, 3);
    header.writeUIntBE(timestampMs & 0xffffff, 4, 3);
    header.writeUInt8(timestampMs >>> 24, 7);
    const trailer = Buffer.alloc(4);
    trailer.writeUInt32BE(11 + payload.length, 0);
    parts.push(header, payload, trailer);
  }
  return Buffer.concat(parts);
}
