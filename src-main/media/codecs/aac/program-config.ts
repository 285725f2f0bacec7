import { BitReader } from '../nal/bit-reader.ts';
import type { BitWriter } from '../nal/bit-writer.ts';

/** Longest program config element without its comment: 71 channel elements at most, in bits. */
const MAX_COMMENT_BYTES = 255;

/** A program config element (ISO 14496-3 4.4.1.1): which channels a stream with channel configuration 0 has. */
export interface ProgramConfig {
  /** Front, side, back and low frequency channels together. */
  readonly channels: number;
  /** Everything before the first byte alignment, as single bits, to write it elsewhere. */
  readonly bits: readonly number[];
  readonly comment: Uint8Array;
}

/** Reads a program config element from its `element_instance_tag` on; undefined when it is damaged. */
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
