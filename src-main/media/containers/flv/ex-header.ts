import { readFourCc, writeFourCc } from './four-cc.ts';
import type { FlvCodec } from './four-cc.ts';

/** `AvMultitrackType` of Enhanced RTMP v2. */
const ONE_TRACK = 0;
const MANY_CODECS = 2;

/** Packet type of a modifier, which the real packet type follows. */
const MOD_EX = 7;
const TIMESTAMP_OFFSET_NANO = 0;

/** One packet of one track in a tag with FourCC (Enhanced RTMP v2, `ExVideoTagHeader` and `ExAudioTagHeader`). */
export interface ExPacket {
  /** `VideoPacketType` or `AudioPacketType`. */
  readonly packetType: number;
  readonly codec: FlvCodec;
  /** `trackId` of a multitrack tag, 0 otherwise. */
  readonly trackNumber: number;
  /** Nanoseconds to add to the presentation time, 0 … 999 999. */
  readonly offsetNs: number;
  /** Start of the packet's body in the tag. */
  readonly start: number;
  readonly end: number;
}

/**
 * Reads a tag with FourCC after its first byte; `multitrackType` is the packet type that announces several tracks. Returns
 * undefined if the tag is damaged.
 */
export function readExPackets(body: Uint8Array, multitrackType: number): ExPacket[] | undefined {
  const end = body.length;
  let packetType = (body[0] as number) & 0x0f;
  let at = 1;
  let offsetNs = 0;
  while (packetType === MOD_EX) {
    let size = (body[at] ?? 0) + 1;
    at += 1;
    if (size === 256) {
      size = (((body[at] ?? 0) << 8) | (body[at + 1] ?? 0)) + 1;
      at += 2;
    }
    const data = at;
    at += size;
    if (at >= end) return undefined;
    const next = body[at] as number;
    if (next >> 4 === TIMESTAMP_OFFSET_NANO && size >= 3) offsetNs = Math.min(readUint24(body, data), 999_999);
    packetType = next & 0x0f;
    at += 1;
  }
  if (packetType !== multitrackType) {
    if (at + 4 > end) return undefined;
    return [{ packetType, codec: readFourCc(body, at), trackNumber: 0, offsetNs, start: at + 4, end }];
  }
  return readTracks(body, at, offsetNs);
}

function readTracks(body: Uint8Array, from: number, offsetNs: number): ExPacket[] | undefined {
  const end = body.length;
  if (from >= end) return undefined;
  const layout = (body[from] as number) >> 4;
  const packetType = (body[from] as number) & 0x0f;
  if (layout > MANY_CODECS) return undefined;
  let at = from + 1;
  let codec = '';
  if (layout !== MANY_CODECS) {
    if (at + 4 > end) return undefined;
    codec = readFourCc(body, at);
    at += 4;
  }
  const packets: ExPacket[] = [];
  while (at < end) {
    if (at + (layout === MANY_CODECS ? 8 : layout === ONE_TRACK ? 1 : 4) > end) return undefined;
    if (layout === MANY_CODECS) {
      codec = readFourCc(body, at);
      at += 4;
    }
    const trackNumber = body[at] as number;
    const size = layout === ONE_TRACK ? end - at - 1 : readUint24(body, at + 1);
    const start = at + (layout === ONE_TRACK ? 1 : 4);
    if (start + size > end) return undefined;
    packets.push({ packetType, codec, trackNumber, offsetNs, start, end: start + size });
    at = start + size;
  }
  return packets;
}

/** Content of a packet to write. */
export interface ExPacketContent {
  readonly packetType: number;
  readonly codec: FlvCodec;
  readonly trackNumber: number;
  readonly offsetNs: number;
  readonly body: Uint8Array;
}

/**
 * Writes a tag with FourCC of one or more packets of one packet type. `flags` are the upper four bits of its first byte. One
 * packet of track 0 gets the plain form; otherwise the tag gets the matching multitrack form.
 */
export function writeExPackets(flags: number, packets: readonly ExPacketContent[], multitrackType: number): Uint8Array {
  const first = packets[0];
  if (!first) return Uint8Array.of(flags << 4);
  const isPlain = packets.length === 1 && first.trackNumber === 0;
  const outerType = isPlain ? first.packetType : multitrackType;
  const parts: Uint8Array[] = [];
  if (first.offsetNs > 0) {
    parts.push(
      Uint8Array.of((flags << 4) | MOD_EX, 2),
      uint24(first.offsetNs),
      Uint8Array.of((TIMESTAMP_OFFSET_NANO << 4) | outerType),
    );
  } else {
    parts.push(Uint8Array.of((flags << 4) | outerType));
  }
  if (isPlain) {
    parts.push(writeFourCc(first.codec), first.body);
    return Buffer.concat(parts);
  }
  const isOneCodec = packets.every((packet) => packet.codec === first.codec);
  const layout = packets.length === 1 ? ONE_TRACK : isOneCodec ? 1 : MANY_CODECS;
  parts.push(Uint8Array.of((layout << 4) | first.packetType));
  if (layout !== MANY_CODECS) parts.push(writeFourCc(first.codec));
  for (const { codec, trackNumber, body } of packets) {
    if (layout === MANY_CODECS) parts.push(writeFourCc(codec));
    parts.push(Uint8Array.of(trackNumber));
    if (layout !== ONE_TRACK) parts.push(uint24(body.length));
    parts.push(body);
  }
  return Buffer.concat(parts);
}

/** Writes a number as three bytes, big-endian. */
export function uint24(value: number): Uint8Array {
  return Uint8Array.of((value >> 16) & 0xff, (value >> 8) & 0xff, value & 0xff);
}

/** Unsigned number in the three bytes at `at`; missing bytes count as 0. */
export function readUint24(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
}
