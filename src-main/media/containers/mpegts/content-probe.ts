import { ADTS_HEADER_BYTES, adtsFrameBytes } from '../../codecs/aac/adts.ts';
import { AC3_HEADER_BYTES, readSyncFrame, syncFrameBytes } from '../../codecs/ac3/sync-frame.ts';
import { NalType as H264Nal, nalTypeOf as h264NalType } from '../../codecs/h264/nal-type.ts';
import { readSps as readH264Sps } from '../../codecs/h264/sps.ts';
import { NalType as H265Nal, nalTypeOf as h265NalType } from '../../codecs/h265/nal-type.ts';
import { readSps as readH265Sps } from '../../codecs/h265/sps.ts';
import { MPEG_AUDIO_HEADER_BYTES, mpegAudioFrameBytes } from '../../codecs/mp3/header.ts';
import { NalCursor } from '../../codecs/nal/annexb.ts';
import { readOpusControlHeader } from '../../codecs/opus/control-header.ts';
import { registration, type Descriptor } from './descriptor.ts';
import { STREAM_TYPE } from './stream-kind.ts';

/** Declaration of a codec in a programme map. */
export interface Declaration {
  readonly streamType: number;
  readonly descriptors: readonly Descriptor[];
}

/** Consecutive headers that prove a format: each matches random bytes with a probability of 2^-11 or less. */
const MIN_FRAMES = 4;

/** Format of audio whose frames state their own length. */
interface Framing {
  readonly syncByte: number;
  readonly headerBytes: number;
  /** Length of the frame that starts at `offset`, or 0 if there is no header. */
  frameBytesAt(bytes: Uint8Array, offset: number): number;
  /** Declaration of the stream whose first frame is at `offset`. */
  declaration(bytes: Uint8Array, offset: number): Declaration;
}

const declared = (streamType: number, ...descriptors: readonly Descriptor[]): Declaration => ({
  streamType,
  descriptors,
});
const as =
  (streamType: number, ...descriptors: readonly Descriptor[]) =>
  () =>
    declared(streamType, ...descriptors);

const FRAMINGS: readonly Framing[] = [
  { syncByte: 0xff, headerBytes: ADTS_HEADER_BYTES, frameBytesAt: adtsFrameBytes, declaration: as(STREAM_TYPE.adts) },
  {
    syncByte: 0x0b,
    headerBytes: AC3_HEADER_BYTES,
    frameBytesAt: syncFrameBytes,
    declaration: (bytes, offset) =>
      declared(readSyncFrame(bytes, offset)?.isEnhanced ? STREAM_TYPE.eac3 : STREAM_TYPE.ac3),
  },
  {
    syncByte: 0xff,
    headerBytes: MPEG_AUDIO_HEADER_BYTES,
    frameBytesAt: mpegAudioFrameBytes,
    declaration: as(STREAM_TYPE.mpeg1Audio),
  },
  {
    syncByte: 0x7f,
    headerBytes: 3,
    frameBytesAt: opusPacketBytes,
    declaration: as(STREAM_TYPE.privatePes, registration('Opus')),
  },
  { syncByte: 0x56, headerBytes: 3, frameBytesAt: loasFrameBytes, declaration: as(STREAM_TYPE.latm) },
  {
    syncByte: 0x7f,
    headerBytes: 8,
    frameBytesAt: dtsFrameBytes,
    declaration: as(STREAM_TYPE.privatePes, registration('DTS1')),
  },
];

/** Declaration of the audio or video in the bytes of an elementary stream; undefined if no codec is recognised. */
export function declarationOf(bytes: Uint8Array): Declaration | undefined {
  for (const framing of FRAMINGS) {
    const at = findFrames(bytes, framing);
    if (at >= 0) return framing.declaration(bytes, at);
  }
  return videoDeclaration(bytes);
}

/** Position of the first of `MIN_FRAMES` consecutive frames, or -1. */
function findFrames(bytes: Uint8Array, framing: Framing): number {
  const { syncByte, headerBytes } = framing;
  let at = bytes.indexOf(syncByte);
  while (at >= 0 && at + headerBytes <= bytes.length) {
    let frames = 0;
    for (let next = at; next + headerBytes <= bytes.length; frames++) {
      const length = framing.frameBytesAt(bytes, next);
      if (length === 0) break;
      if (frames + 1 === MIN_FRAMES) return at;
      next += length;
    }
    at = bytes.indexOf(syncByte, at + 1);
  }
  return -1;
}

function opusPacketBytes(bytes: Uint8Array, offset: number): number {
  const header = readOpusControlHeader(bytes, offset, bytes.length);
  return typeof header === 'string' ? 0 : header.headerBytes + header.packetBytes;
}

/** AudioSyncStream (ISO/IEC 14496-3, 1.7.2): an 11-bit sync word and the 13-bit length of the element after it. */
function loasFrameBytes(bytes: Uint8Array, offset: number): number {
  const second = bytes[offset + 1]!;
  if (bytes[offset] !== 0x56 || (second & 0xe0) !== 0xe0) return 0;
  const length = ((second & 0x1f) << 8) | bytes[offset + 2]!;
  return length === 0 ? 0 : 3 + length;
}

/** Core frame of DTS (ETSI TS 102 114, 5.3.1): a 32-bit sync word; FSIZE, one less than the length, is at bit 46. */
function dtsFrameBytes(bytes: Uint8Array, offset: number): number {
  const isSync = [0x7f, 0xfe, 0x80, 0x01].every((byte, index) => bytes[offset + index] === byte);
  if (!isSync) return 0;
  return ((((bytes[offset + 5]! & 3) << 12) | (bytes[offset + 6]! << 4) | (bytes[offset + 7]! >>> 4)) & 0x3fff) + 1;
}

/** Video is recognised by a readable sequence parameter set followed by a picture parameter set. */
function videoDeclaration(bytes: Uint8Array): Declaration | undefined {
  const cursor = new NalCursor();
  cursor.reset(bytes);
  let hasH264 = false;
  let hasH265 = false;
  while (cursor.next()) {
    const unit = bytes.subarray(cursor.start, cursor.end);
    const h264 = h264NalType(unit[0]!);
    const h265 = h265NalType(unit[0]!);
    if (hasH264 && h264 === H264Nal.pps) return declared(STREAM_TYPE.h264);
    if (hasH265 && h265 === H265Nal.pps) return declared(STREAM_TYPE.h265);
    if (h264 === H264Nal.sps) hasH264 = readH264Sps(unit) !== undefined;
    if (h265 === H265Nal.sps) hasH265 = readH265Sps(unit) !== undefined;
  }
  return undefined;
}
