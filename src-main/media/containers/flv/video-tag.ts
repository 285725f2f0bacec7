import { readExPackets, readUint24, uint24, writeExPackets } from './ex-header.ts';
import { VIDEO_CODEC_ID, videoCodecOfId } from './four-cc.ts';
import type { FlvCodec } from './four-cc.ts';

/** Content of a packet in a video or audio tag. */
export type FlvPacketKind = 'config' | 'frame' | 'end' | 'other';

/** One packet of a video tag: usually the only one (FLV 10.1, section E.4.3; Enhanced RTMP v2, `ExVideoTagHeader`). */
export interface FlvVideoPacket {
  /** `config`: decoder configuration record; `frame`: one picture; `end`: end of sequence; `other`: metadata, commands. */
  readonly kind: FlvPacketKind;
  readonly codec: FlvCodec;
  /** `trackId` of a multitrack tag, 0 otherwise. */
  readonly trackNumber: number;
  /** Frame type 1 or 4. */
  readonly isKeyFrame: boolean;
  /** Presentation time less decoding time, in milliseconds; may be negative. */
  readonly compositionTimeMs: number;
  /** Nanoseconds to add to the presentation time, 0 … 999 999. */
  readonly offsetNs: number;
  /** A view of the tag. */
  readonly data: Uint8Array;
}

/** `VideoFrameType`. */
const KEY_FRAME = 1;
const INTER_FRAME = 2;
const GENERATED_KEY_FRAME = 4;
const COMMAND = 5;

/** `VideoPacketType`. */
const SEQUENCE_START = 0;
const CODED_FRAMES = 1;
const SEQUENCE_END = 2;
const CODED_FRAMES_X = 3;
const METADATA = 4;
const MULTITRACK = 6;

const NONE = new Uint8Array(0);

/** Reads the body of a video tag. Returns undefined if it is damaged. */
export function readVideoTag(body: Uint8Array): FlvVideoPacket[] | undefined {
  if (body.length === 0) return undefined;
  const first = body[0] as number;
  return first & 0x80 ? readExVideoTag(body, first) : readOldVideoTag(body, first);
}

function readOldVideoTag(body: Uint8Array, first: number): FlvVideoPacket[] | undefined {
  const frameType = first >> 4;
  const codec = videoCodecOfId(first & 0x0f);
  const isKeyFrame = frameType === KEY_FRAME || frameType === GENERATED_KEY_FRAME;
  const base = { codec, trackNumber: 0, isKeyFrame, offsetNs: 0 };
  if (frameType === COMMAND) return [{ ...base, kind: 'other', compositionTimeMs: 0, data: NONE }];
  if (codec !== 'avc1' && codec !== 'hvc1')
    return [{ ...base, kind: 'frame', compositionTimeMs: 0, data: body.subarray(1) }];
  const packetType = body[1];
  if (packetType === SEQUENCE_END) return [{ ...base, kind: 'end', compositionTimeMs: 0, data: NONE }];
  if (body.length < 5 || packetType === undefined || packetType > SEQUENCE_END) return undefined;
  const compositionTimeMs = packetType === CODED_FRAMES ? readInt24(body, 2) : 0;
  return [
    { ...base, kind: packetType === SEQUENCE_START ? 'config' : 'frame', compositionTimeMs, data: body.subarray(5) },
  ];
}

function readExVideoTag(body: Uint8Array, first: number): FlvVideoPacket[] | undefined {
  const frameType = (first >> 4) & 0x07;
  const isKeyFrame = frameType === KEY_FRAME || frameType === GENERATED_KEY_FRAME;
  // A command has one byte and neither FourCC nor body.
  if (frameType === COMMAND && (first & 0x0f) !== METADATA) {
    return [{ kind: 'other', codec: '', trackNumber: 0, isKeyFrame, compositionTimeMs: 0, offsetNs: 0, data: NONE }];
  }
  const packets = readExPackets(body, MULTITRACK);
  if (!packets) return undefined;
  const result: FlvVideoPacket[] = [];
  for (const { packetType, codec, trackNumber, offsetNs, start, end } of packets) {
    const hasTime = packetType === CODED_FRAMES && (codec === 'avc1' || codec === 'hvc1' || codec === 'vvc1');
    if (hasTime && end - start < 3) return undefined;
    result.push({
      kind: kindOf(packetType),
      codec,
      trackNumber,
      isKeyFrame,
      compositionTimeMs: hasTime ? readInt24(body, start) : 0,
      offsetNs,
      data: body.subarray(hasTime ? start + 3 : start, end),
    });
  }
  return result;
}

function kindOf(packetType: number): FlvPacketKind {
  switch (packetType) {
    case SEQUENCE_START:
      return 'config';
    case CODED_FRAMES:
    case CODED_FRAMES_X:
      return 'frame';
    case SEQUENCE_END:
      return 'end';
    default:
      return 'other';
  }
}

/** Writes the body of a video tag in the old form, with a codec number; for `avc1` and `hvc1` only. */
export function writeOldVideoTag(packet: Omit<FlvVideoPacket, 'trackNumber' | 'offsetNs'>): Uint8Array {
  const id = VIDEO_CODEC_ID[packet.codec] ?? 0;
  const packetType = packet.kind === 'config' ? SEQUENCE_START : packet.kind === 'end' ? SEQUENCE_END : CODED_FRAMES;
  const frameType = packet.isKeyFrame ? KEY_FRAME : INTER_FRAME;
  return Buffer.concat([
    Uint8Array.of((frameType << 4) | id, packetType),
    uint24(packet.compositionTimeMs),
    packet.data,
  ]);
}

/** Writes the body of a video tag with FourCC. All packets have one kind; composition times are left out if all are 0. */
export function writeExVideoTag(packets: readonly FlvVideoPacket[]): Uint8Array {
  const isPlainTime = packets.every((packet) => packet.compositionTimeMs === 0);
  const contents = packets.map((packet) => {
    const hasTime = packet.kind === 'frame' && !isPlainTime;
    return {
      packetType:
        packet.kind === 'config'
          ? SEQUENCE_START
          : packet.kind === 'end'
            ? SEQUENCE_END
            : hasTime
              ? CODED_FRAMES
              : CODED_FRAMES_X,
      codec: packet.codec,
      trackNumber: packet.trackNumber,
      offsetNs: packet.offsetNs,
      body: hasTime ? Buffer.concat([uint24(packet.compositionTimeMs), packet.data]) : packet.data,
    };
  });
  const frameType = packets.some((packet) => packet.isKeyFrame) ? KEY_FRAME : INTER_FRAME;
  return writeExPackets(0x8 | frameType, contents, MULTITRACK);
}

function readInt24(bytes: Uint8Array, at: number): number {
  return (readUint24(bytes, at) << 8) >> 8;
}
