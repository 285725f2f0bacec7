/** Fields of an RTP packet (RFC 3550, 5.1) that matter for a transport stream, and its payload. */
export interface RtpPacket {
  readonly payloadType: number;
  readonly sequence: number;
  readonly ssrc: number;
  readonly payload: Uint8Array;
}

/** Payload type of MPEG-2 transport streams (RFC 3551, table 5). */
export const MPEG_TS_PAYLOAD_TYPE = 33;

const FIXED_BYTES = 12;

/** Parses a packet; undefined if it is invalid. The payload is a view. */
export function readRtpPacket(bytes: Uint8Array): RtpPacket | undefined {
  if (bytes.length < FIXED_BYTES || bytes[0]! >> 6 !== 2) return undefined;
  let start = FIXED_BYTES + 4 * (bytes[0]! & 0x0f);
  if ((bytes[0]! & 0x10) !== 0) {
    if (start + 4 > bytes.length) return undefined;
    start += 4 + 4 * ((bytes[start + 2]! << 8) | bytes[start + 3]!);
  }
  const padding = (bytes[0]! & 0x20) !== 0 ? bytes[bytes.length - 1]! : 0;
  const end = bytes.length - padding;
  if (start > end) return undefined;
  return {
    payloadType: bytes[1]! & 0x7f,
    sequence: (bytes[2]! << 8) | bytes[3]!,
    ssrc: ((bytes[8]! << 24) | (bytes[9]! << 16) | (bytes[10]! << 8) | bytes[11]!) >>> 0,
    payload: bytes.subarray(start, end),
  };
}

/** Writes a packet with a plain header. */
export function writeRtpPacket(packet: RtpPacket, timestamp = 0): Uint8Array {
  const bytes = new Uint8Array(FIXED_BYTES + packet.payload.length);
  const view = new DataView(bytes.buffer);
  bytes[0] = 0x80;
  bytes[1] = packet.payloadType;
  view.setUint16(2, packet.sequence);
  view.setUint32(4, timestamp);
  view.setUint32(8, packet.ssrc);
  bytes.set(packet.payload, FIXED_BYTES);
  return bytes;
}
