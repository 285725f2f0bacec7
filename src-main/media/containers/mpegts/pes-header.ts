import { TIMESTAMP_WRAP_TICKS, wrapTicks } from './packet.ts';

/** Header of a PES packet (ISO/IEC 13818-1, 2.4.3.6), with the fields that Airdesk uses. */
export interface PesHeader {
  readonly streamId: number;
  /** PES_packet_length: number of bytes after this field; 0 if not stated, which is allowed for video only. */
  readonly packetLengthBytes: number;
  /** PTS and DTS in 90 kHz ticks, 33 bits. A packet with one time has it in `ptsTicks`. */
  readonly ptsTicks?: number | undefined;
  readonly dtsTicks?: number | undefined;
  /** data_alignment_indicator: the payload starts with a new unit. */
  readonly isAligned: boolean;
  readonly isScrambled: boolean;
}

/** PES header with the position of its payload. */
export interface ReadPesHeader extends PesHeader {
  readonly payloadStart: number;
}

/** Bytes up to and including PES_packet_length. */
export const PES_PREFIX_BYTES = 6;

/** Maximum header size: nine bytes and an 8-bit length. */
export const MAX_PES_HEADER_BYTES = 9 + 255;

/** Reads the header at the start of `bytes[0..end)`; undefined if it is damaged or not of audio or video. */
export function readPesHeader(bytes: Uint8Array, end: number): ReadPesHeader | undefined {
  if (end < 9 || bytes[0] !== 0 || bytes[1] !== 0 || bytes[2] !== 1 || (bytes[6]! & 0xc0) !== 0x80) return undefined;
  const payloadStart = 9 + bytes[8]!;
  if (payloadStart > end) return undefined;
  const hasPts = (bytes[7]! & 0x80) !== 0 && payloadStart >= 14;
  const hasDts = (bytes[7]! & 0xc0) === 0xc0 && payloadStart >= 19;
  return {
    streamId: bytes[3]!,
    packetLengthBytes: (bytes[4]! << 8) | bytes[5]!,
    ptsTicks: hasPts ? readTimestamp(bytes, 9) : undefined,
    dtsTicks: hasDts ? readTimestamp(bytes, 14) : undefined,
    isAligned: (bytes[6]! & 0x04) !== 0,
    isScrambled: (bytes[6]! & 0x30) !== 0,
    payloadStart,
  };
}

/** Position of the payload of the PES packet that starts at `start`; -1 if its header is incomplete, damaged or scrambled. */
export function pesPayloadAt(bytes: Uint8Array, start: number, end: number): number {
  if (end - start < 9 || bytes[start] !== 0 || bytes[start + 1] !== 0 || bytes[start + 2] !== 1) return -1;
  const payload = start + 9 + bytes[start + 8]!;
  return (bytes[start + 6]! & 0xf0) === 0x80 && payload <= end ? payload : -1;
}

/** Size of a header. */
function pesHeaderBytes(header: PesHeader): number {
  return 9 + (header.ptsTicks === undefined ? 0 : 5) + (header.dtsTicks === undefined ? 0 : 5);
}

/** Writes a header at `at` and returns the start of its payload. Times may be any integer; 33 bits are kept. */
export function writePesHeader(header: PesHeader, bytes: Uint8Array, at = 0): number {
  const { ptsTicks, dtsTicks } = header;
  bytes[at] = 0;
  bytes[at + 1] = 0;
  bytes[at + 2] = 1;
  bytes[at + 3] = header.streamId;
  bytes[at + 4] = header.packetLengthBytes >> 8;
  bytes[at + 5] = header.packetLengthBytes;
  bytes[at + 6] = 0x80 | (header.isScrambled ? 0x10 : 0) | (header.isAligned ? 0x04 : 0);
  bytes[at + 7] = ptsTicks === undefined ? 0 : dtsTicks === undefined ? 0x80 : 0xc0;
  bytes[at + 8] = pesHeaderBytes(header) - 9;
  if (ptsTicks !== undefined) writeTimestamp(bytes, at + 9, dtsTicks === undefined ? 2 : 3, ptsTicks);
  if (ptsTicks !== undefined && dtsTicks !== undefined) writeTimestamp(bytes, at + 14, 1, dtsTicks);
  return at + pesHeaderBytes(header);
}

/** Reads a time of five bytes with its marker bits. */
function readTimestamp(bytes: Uint8Array, at: number): number {
  const low =
    ((bytes[at + 1]! << 22) | ((bytes[at + 2]! >> 1) << 15) | (bytes[at + 3]! << 7) | (bytes[at + 4]! >> 1)) >>> 0;
  return ((bytes[at]! >> 1) & 0x07) * 2 ** 30 + low;
}

function writeTimestamp(bytes: Uint8Array, at: number, prefix: number, ticks: number): void {
  const wrapped = wrapTicks(ticks) % TIMESTAMP_WRAP_TICKS;
  const high = Math.floor(wrapped / 2 ** 30);
  const low = wrapped % 2 ** 30;
  bytes[at] = (prefix << 4) | (high << 1) | 1;
  bytes[at + 1] = low >> 22;
  bytes[at + 2] = ((low >> 14) & 0xfe) | 1;
  bytes[at + 3] = low >> 7;
  bytes[at + 4] = ((low << 1) & 0xfe) | 1;
}
