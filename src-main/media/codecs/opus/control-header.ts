/**
 * Control header before an Opus packet in MPEG-TS (`opus_control_header` of "Opus in MPEG-TS"): sync 0x7FE0 in its upper eleven
 * bits.
 */
export interface OpusControlHeader {
  readonly headerBytes: number;
  /** Bytes of the packet that follows. */
  readonly packetBytes: number;
  /** Samples at 48 kHz to discard at the start and the end of the packet. */
  readonly startTrim: number;
  readonly endTrim: number;
}

const SYNC = 0x7fe0;
const SYNC_MASK = 0xffe0;
const START_TRIM = 0x10;
const END_TRIM = 0x08;
const EXTENSION = 0x04;

/** Maximum packet size: 48 frames of 1275 bytes and their lengths, for up to eight streams. */
export const MAX_OPUS_PACKET_BYTES = 64 * 1024;

/** Reads the header at `offset`: `partial` if it extends past `end`, `none` if there is no header. */
export function readOpusControlHeader(
  bytes: Uint8Array,
  offset: number,
  end: number,
): OpusControlHeader | 'partial' | 'none' {
  if (offset + 1 > end) return 'partial';
  if (bytes[offset] !== SYNC >>> 8) return 'none';
  if (offset + 2 > end) return 'partial';
  const second = bytes[offset + 1] ?? 0;
  if ((((SYNC >>> 8) << 8) | second) >>> 5 !== (SYNC & SYNC_MASK) >>> 5) return 'none';
  let at = offset + 2;
  let packetBytes = 0;
  for (;;) {
    if (at >= end) return 'partial';
    const byte = bytes[at++] ?? 0;
    packetBytes += byte;
    if (packetBytes > MAX_OPUS_PACKET_BYTES) return 'none';
    if (byte !== 0xff) break;
  }
  let startTrim = 0;
  let endTrim = 0;
  if (second & START_TRIM) {
    startTrim = trimAt(bytes, at);
    at += 2;
  }
  if (second & END_TRIM) {
    endTrim = trimAt(bytes, at);
    at += 2;
  }
  if (second & EXTENSION) at += 1 + (bytes[at] ?? 0);
  if (at > end) return 'partial';
  return { headerBytes: at - offset, packetBytes, startTrim, endTrim };
}

/** Bytes of the control header, without trims, before a packet of `packetBytes`. */
export function opusControlHeaderSize(packetBytes: number): number {
  return 3 + Math.floor(packetBytes / 255);
}

/** Writes a control header without trims at `offset`; returns the offset after it. */
export function writeOpusControlHeader(target: Uint8Array, offset: number, packetBytes: number): number {
  let at = offset;
  target[at++] = SYNC >>> 8;
  target[at++] = SYNC & 0xff;
  let left = packetBytes;
  for (; left >= 255; left -= 255) target[at++] = 255;
  target[at++] = left;
  return at;
}

/** Thirteen bits after three reserved ones. */
function trimAt(bytes: Uint8Array, at: number): number {
  return (((bytes[at] ?? 0) & 0x1f) << 8) | (bytes[at + 1] ?? 0);
}
