/** Bytes of one transport packet (ISO/IEC 13818-1, 2.4.3.2). */
export const PACKET_BYTES = 188;

/** First byte of each transport packet. */
export const SYNC_BYTE = 0x47;

/** Number of packet identifiers: 13 bits. */
export const PID_COUNT = 0x2000;

/** Packet identifier of the programme association table. */
export const PAT_PID = 0;

/** Packet identifier of packets that only pad the rate. */
export const NULL_PID = 0x1fff;

/** First packet identifier that a programme map may assign; lower ones belong to other tables. */
export const FIRST_FREE_PID = 0x10;

/** Ticks at which a 33-bit time stamp wraps to 0. */
export const TIMESTAMP_WRAP_TICKS = 2 ** 33;

/** The fields of a packet header and adaptation field that Airdesk writes and tests (ISO/IEC 13818-1, 2.4.3). */
export interface PacketHeader {
  readonly pid: number;
  readonly isUnitStart: boolean;
  readonly hasTransportError: boolean;
  /** transport_scrambling_control: 0 for clear packets. */
  readonly scrambling: number;
  readonly continuity: number;
  readonly isDiscontinuity: boolean;
  readonly isRandomAccess: boolean;
  /** PCR base in 90 kHz ticks, 33 bits; absent if the packet carries none. */
  readonly pcrTicks?: number;
  /** Start and end of the payload inside the packet; equal for a packet without payload. */
  readonly payloadStart: number;
  readonly payloadEnd: number;
}

/** Reads the header of the packet at `at`; undefined if it is invalid or its adaptation field does not fit. */
export function readPacketHeader(bytes: Uint8Array, at = 0): PacketHeader | undefined {
  if (bytes.length < at + PACKET_BYTES || bytes[at] !== SYNC_BYTE) return undefined;
  const b1 = bytes[at + 1]!;
  const b3 = bytes[at + 3]!;
  const adaptationBytes = b3 & 0x20 ? 1 + bytes[at + 4]! : 0;
  if (4 + adaptationBytes > PACKET_BYTES) return undefined;
  const flags = adaptationBytes > 1 ? bytes[at + 5]! : 0;
  const hasPcr = (flags & 0x10) !== 0 && adaptationBytes >= 8;
  return {
    pid: ((b1 & 0x1f) << 8) | bytes[at + 2]!,
    isUnitStart: (b1 & 0x40) !== 0,
    hasTransportError: (b1 & 0x80) !== 0,
    scrambling: b3 >> 6,
    continuity: b3 & 0x0f,
    isDiscontinuity: (flags & 0x80) !== 0,
    isRandomAccess: (flags & 0x40) !== 0,
    ...(hasPcr ? { pcrTicks: readPcr(bytes, at + 6) } : {}),
    payloadStart: b3 & 0x10 ? 4 + adaptationBytes : PACKET_BYTES,
    payloadEnd: PACKET_BYTES,
  };
}

/** Reads the base of a programme clock reference (2.4.3.5) in 90 kHz ticks, 33 bits. The extension is ignored. */
export function readPcr(bytes: Uint8Array, at: number): number {
  const high = ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0;
  return high * 2 + (bytes[at + 4]! >> 7);
}

/**
 * Writes a programme clock reference of six bytes (2.4.3.5).
 * @param ticks base in 90 kHz ticks; may be any integer, 33 bits are kept
 * @param extension further ticks of 27 MHz, 0 to 299
 */
export function writePcr(bytes: Uint8Array, at: number, ticks: number, extension = 0): void {
  const wrapped = wrapTicks(ticks);
  const high = Math.floor(wrapped / 2);
  bytes[at] = high >>> 24;
  bytes[at + 1] = high >>> 16;
  bytes[at + 2] = high >>> 8;
  bytes[at + 3] = high;
  bytes[at + 4] = (wrapped % 2 === 1 ? 0x80 : 0) | 0x7e | (extension >> 8);
  bytes[at + 5] = extension;
}

/** Reads a programme clock reference in 27 MHz ticks: base and extension. */
export function readFullPcr(bytes: Uint8Array, at: number): number {
  return readPcr(bytes, at) * 300 + ((bytes[at + 4]! & 1) << 8) + bytes[at + 5]!;
}

/** Position of the clock reference of the packet at `at`; -1 if it has none. */
export function pcrPosition(bytes: Uint8Array, at: number): number {
  const hasField = (bytes[at + 3]! & 0x20) !== 0 && bytes[at + 4]! >= 7 && (bytes[at + 5]! & 0x10) !== 0;
  return hasField ? at + 6 : -1;
}

/** Identifier of the packet at `at`. */
export function pidAt(bytes: Uint8Array, at: number): number {
  return ((bytes[at + 1]! & 0x1f) << 8) | bytes[at + 2]!;
}

/** The 33 bits of an unrolled time. */
export function wrapTicks(ticks: number): number {
  return ticks - Math.floor(ticks / TIMESTAMP_WRAP_TICKS) * TIMESTAMP_WRAP_TICKS;
}
