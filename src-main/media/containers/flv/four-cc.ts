import { because } from '../../../../src-preload/contract/explanations/explanations.ts';
import type { FormatProblem } from '../../access-unit.ts';
import { leftOutProblem } from '../../left-out.ts';

/** Names of codecs in FLV: the FourCC of Enhanced RTMP v2 (`VideoFourCc`, `AudioFourCc`), or `flv:` and the old codec number. */
export type FlvCodec = string;

/** Codec numbers of tags without FourCC (FLV 10.1, sections E.4.2.1 and E.4.3.1) that have a FourCC. */
export const VIDEO_CODEC_ID: Readonly<Record<string, number>> = { avc1: 7, hvc1: 12 };
export const AUDIO_CODEC_ID: Readonly<Record<string, number>> = { '.mp3': 2, mp4a: 10 };

/** MP3 at 8 kHz has its own number. */
const AUDIO_MP3_8K = 14;

const FOUR_CCS = ['avc1', 'hvc1', 'av01', 'vp08', 'vp09', 'vvc1', 'mp4a', '.mp3', 'Opus', 'ac-3', 'ec-3', 'fLaC'];

const BY_NUMBER = new Map(FOUR_CCS.map((name) => [fourCcNumber(name), name]));

/** FourCC at `at`. */
export function readFourCc(bytes: Uint8Array, at: number): FlvCodec {
  const number =
    (bytes[at] as number) * 0x1000000 +
    (((bytes[at + 1] as number) << 16) | ((bytes[at + 2] as number) << 8) | (bytes[at + 3] as number));
  return BY_NUMBER.get(number) ?? Buffer.from(bytes.subarray(at, at + 4)).toString('latin1');
}

/** Four bytes of a FourCC. */
export function writeFourCc(name: FlvCodec): Uint8Array {
  return Buffer.from(name.padEnd(4).slice(0, 4), 'latin1');
}

/** Name of an old video codec number; 12 for H.265 is in use without a standard. */
export function videoCodecOfId(id: number): FlvCodec {
  return id === 7 ? 'avc1' : id === 12 ? 'hvc1' : `flv:${id}`;
}

/** Name of an old audio codec number. */
export function audioCodecOfId(id: number): FlvCodec {
  return id === 10 ? 'mp4a' : id === 2 || id === AUDIO_MP3_8K ? '.mp3' : `flv:${id}`;
}

/** `videocodecid` or `audiocodecid` of `onMetaData`: an old number, a FourCC as a number, or (from some encoders) a text. */
export function codecOfMetadata(value: unknown, ofId: (id: number) => FlvCodec): FlvCodec | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  if (typeof value !== 'number') return undefined;
  return BY_NUMBER.get(value) ?? ofId(value);
}

/** FourCC as a number, the form in metadata. */
export function fourCcNumber(name: string): number {
  return Buffer.from(name, 'latin1').readUInt32BE(0);
}

/** Problem of a track that is left out because its codec cannot be carried. */
export function codecProblem(content: 'video' | 'audio', codec: FlvCodec): FormatProblem {
  return leftOutProblem(content, codec, because('place_encoder'));
}
