import { readExPackets, writeExPackets } from './ex-header.ts';
import { AUDIO_CODEC_ID, audioCodecOfId } from './four-cc.ts';
import type { FlvCodec } from './four-cc.ts';
import type { FlvPacketKind } from './video-tag.ts';

/** One packet of an audio tag: usually the only one (FLV 10.1, section E.4.2; Enhanced RTMP v2, `ExAudioTagHeader`). */
export interface FlvAudioPacket {
  /** `config`: decoder configuration; `frame`: coded audio; `end`: end of sequence; `other`: channel layouts and the like. */
  readonly kind: FlvPacketKind;
  readonly codec: FlvCodec;
  /** `trackId` of a multitrack tag, 0 otherwise. */
  readonly trackNumber: number;
  /** Nanoseconds to add to the presentation time, 0 … 999 999. */
  readonly offsetNs: number;
  /** A view of the tag. */
  readonly data: Uint8Array;
}

const EX_HEADER = 9;

/** `AudioPacketType`. */
const SEQUENCE_START = 0;
const CODED_FRAMES = 1;
const SEQUENCE_END = 2;
const MULTITRACK = 5;

/** Reads the body of an audio tag. Returns undefined if it is damaged. */
export function readAudioTag(body: Uint8Array): FlvAudioPacket[] | undefined {
  if (body.length === 0) return undefined;
  const format = (body[0] as number) >> 4;
  if (format === EX_HEADER) return readExAudioTag(body);
  const codec = audioCodecOfId(format);
  if (codec !== 'mp4a') return [{ kind: 'frame', codec, trackNumber: 0, offsetNs: 0, data: body.subarray(1) }];
  const packetType = body[1];
  if (packetType !== SEQUENCE_START && packetType !== CODED_FRAMES) return undefined;
  return [
    {
      kind: packetType === SEQUENCE_START ? 'config' : 'frame',
      codec,
      trackNumber: 0,
      offsetNs: 0,
      data: body.subarray(2),
    },
  ];
}

function readExAudioTag(body: Uint8Array): FlvAudioPacket[] | undefined {
  return readExPackets(body, MULTITRACK)?.map(({ packetType, codec, trackNumber, offsetNs, start, end }) => ({
    kind: kindOf(packetType),
    codec,
    trackNumber,
    offsetNs,
    data: body.subarray(start, end),
  }));
}

function kindOf(packetType: number): FlvPacketKind {
  switch (packetType) {
    case SEQUENCE_START:
      return 'config';
    case CODED_FRAMES:
      return 'frame';
    case SEQUENCE_END:
      return 'end';
    default:
      return 'other';
  }
}

/** Writes the body of an audio tag in the old form, with a codec number; for `mp4a` and `.mp3` only. */
export function writeOldAudioTag(packet: Pick<FlvAudioPacket, 'kind' | 'codec' | 'data'>): Uint8Array {
  // 44 kHz, 16 bits, stereo: constant for AAC; MP3 decoders ignore it (FLV 10.1, section E.4.2.1).
  const first = ((AUDIO_CODEC_ID[packet.codec] ?? 0) << 4) | 0x0f;
  const header = packet.codec === 'mp4a' ? [first, packet.kind === 'config' ? SEQUENCE_START : CODED_FRAMES] : [first];
  return Buffer.concat([Uint8Array.from(header), packet.data]);
}

/** Writes the body of an audio tag with FourCC. All packets have one kind. */
export function writeExAudioTag(packets: readonly FlvAudioPacket[]): Uint8Array {
  const contents = packets.map(({ kind, codec, trackNumber, offsetNs, data }) => ({
    packetType: kind === 'config' ? SEQUENCE_START : kind === 'end' ? SEQUENCE_END : CODED_FRAMES,
    codec,
    trackNumber,
    offsetNs,
    body: data,
  }));
  return writeExPackets(EX_HEADER, contents, MULTITRACK);
}
