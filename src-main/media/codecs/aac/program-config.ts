import { BitReader } from '../nal/bit-reader.ts';
import { BitWriter } from '../nal/bit-writer.ts';

/** Longest comment: its length has 8 bits. */
const MAX_COMMENT_BYTES = 255;

/** Program config element (ISO 14496-3 4.4.1.1): the channels of a stream with channel configuration 0. */
export interface ProgramConfig {
  /** Front, side, back and low frequency channels together. */
  readonly channels: number;
  /** Bits of the element before its first byte alignment, kept so that the element can be written at another bit position. */
  readonly bits: readonly number[];
  readonly comment: Uint8Array;
}

/** Reads a program config element from its `element_instance_tag` on; undefined if it is damaged. */
export function readProgramConfig(reader: BitReader, bytes: Uint8Array): ProgramConfig | undefined {
  const start = reader.positionBits;
  reader.skip(4 + 2 + 4); // element_instance_tag, object_type, sampling_frequency_index
  const front = reader.bits(4);
  const side = reader.bits(4);
  const back = reader.bits(4);
  const lowFrequency = reader.bits(2);
  const associated = reader.bits(3);
  const coupling = reader.bits(4);
  for (const bits of [4, 4, 3]) if (reader.flag()) reader.skip(bits); // mono, stereo and matrix mixdown
  let channels = lowFrequency;
  for (let i = 0; i < front + side + back; i++) {
    channels += reader.flag() ? 2 : 1;
    reader.skip(4);
  }
  reader.skip(4 * lowFrequency + 4 * associated + 5 * coupling);
  const end = reader.positionBits;
  reader.align();
  const commentBytes = Math.min(reader.bits(8), MAX_COMMENT_BYTES);
  const comment = new Uint8Array(commentBytes);
  for (let i = 0; i < commentBytes; i++) comment[i] = reader.bits(8);
  if (reader.isBad || channels === 0) return undefined;
  const again = new BitReader(bytes);
  again.skip(start);
  return { channels, bits: Array.from({ length: end - start }, () => again.bits(1)), comment };
}

/** Writes a program config element; its alignment counts from the first bit of `writer`. */
export function writeProgramConfig(writer: BitWriter, config: ProgramConfig): void {
  for (const bit of config.bits) writer.bits(1, bit);
  writer.align().bits(8, config.comment.length).bytes(config.comment);
}

/** `id_syn_ele` of a program config element (ISO 14496-3 table 4.85). */
export const PROGRAM_CONFIG_ELEMENT = 5;

/** Numbers of channel elements of a layout; `true` stands for a pair. */
interface Layout {
  readonly front: readonly boolean[];
  readonly side: readonly boolean[];
  readonly back: readonly boolean[];
}

/** Layouts above channel configuration 7, with one low frequency channel each (ISO 14496-3 table 1.19). */
const LAYOUTS: Readonly<Record<number, Layout>> = {
  11: { front: [false, true], side: [], back: [true, false] },
  12: { front: [false, true], side: [true], back: [true] },
};

/**
 * Program config element of a channel configuration that ADTS cannot state; undefined for others.
 *
 * @param objectType object type of the core coder
 */
export function programConfigOf(
  channelConfiguration: number,
  objectType: number,
  frequencyIndex: number,
): ProgramConfig | undefined {
  const layout = LAYOUTS[channelConfiguration];
  if (!layout) return undefined;
  const { front, side, back } = layout;
  const writer = new BitWriter();
  writer
    .bits(4, 0)
    .bits(2, objectType - 1)
    .bits(4, frequencyIndex);
  writer.bits(4, front.length).bits(4, side.length).bits(4, back.length).bits(2, 1).bits(3, 0).bits(4, 0);
  writer.bits(3, 0); // no mixdown
  // Tags of single channels and of pairs are counted separately, in element order.
  const tags = { single: 0, pair: 0 };
  for (const isPair of [...front, ...side, ...back]) writer.flag(isPair).bits(4, isPair ? tags.pair++ : tags.single++);
  writer.bits(4, 0);
  const reader = new BitReader(writer.finish());
  const bits = Array.from({ length: writer.lengthBits }, () => reader.bits(1));
  const channels = [...front, ...side, ...back].reduce((sum, isPair) => sum + (isPair ? 2 : 1), 1);
  return { channels, bits, comment: new Uint8Array(0) };
}
