import { BitReader } from '../nal/bit-reader.ts';
import { addEmulation, removeEmulation } from '../nal/emulation.ts';
import { isIrap, NalType, nalTypeOf } from './nal-type.ts';
import { readProfileTierLevel } from './profile-tier-level.ts';

/** Numbers of parameter sets (7.4.3). */
interface SetNumbers {
  /** 0 to 15. */
  readonly vps: number;
  /** 0 to 15. */
  readonly sps: number;
  /** `LEAST_PPS` to `MOST_PPS`, so that slice data stays as it is behind a longer header. */
  readonly pps: number;
}

const HEADER_BYTES = 2;
/** Numbers of PPS whose codes are a byte longer than that of 0. */
export const LEAST_PPS = 15;
export const MOST_PPS = 30;

/** A parameter set with other numbers, by its type; of any other NAL unit the same. */
export function renumberSet(unit: Uint8Array, numbers: SetNumbers): Uint8Array {
  const rbsp = removeEmulation(unit, HEADER_BYTES);
  const reader = new BitReader(rbsp);
  switch (nalTypeOf(unit[0] ?? 0)) {
    case NalType.vps:
      return written(unit, [fixed(numbers.vps, 4), rest(rbsp, 4)]);
    case NalType.sps: {
      reader.skip(4); // sps_video_parameter_set_id
      const maxSubLayersMinus1 = reader.bits(3);
      reader.skip(1);
      readProfileTierLevel(reader, maxSubLayersMinus1);
      const at = reader.positionBits;
      reader.ue();
      const between = rest(rbsp, 4).slice(0, at - 4);
      return written(unit, [fixed(numbers.vps, 4), between, code(numbers.sps), rest(rbsp, reader.positionBits)]);
    }
    case NalType.pps:
      reader.ue();
      reader.ue();
      return written(unit, [code(numbers.pps), code(numbers.sps), rest(rbsp, reader.positionBits)]);
    default:
      return unit;
  }
}

/** A slice segment of the PPS 0 that refers to another one. */
export function renumberSlice(unit: Uint8Array, { pps }: SetNumbers): Uint8Array {
  const rbsp = removeEmulation(unit, HEADER_BYTES);
  // first_slice_segment_in_pic_flag, and no_output_of_prior_pics_flag of random access points
  const before = isIrap(nalTypeOf(unit[0] ?? 0)) ? 2 : 1;
  const start = ((rbsp[0] ?? 0) << 8) | (rbsp[1] ?? 0);
  const behindBits = 15 - before;
  const head =
    ((start >>> (16 - before)) << (24 - before)) | ((pps + 1) << behindBits) | (start & ((1 << behindBits) - 1));
  const made = new Uint8Array(rbsp.length + 1);
  made.set([(head >>> 16) & 0xff, (head >>> 8) & 0xff, head & 0xff]);
  made.set(rbsp.subarray(2), 3);
  return withHeader(unit, made);
}

function fixed(value: number, bits: number): string {
  return value.toString(2).padStart(bits, '0');
}

/** An unsigned Exp-Golomb code. */
function code(value: number): string {
  const digits = (value + 1).toString(2);
  return '0'.repeat(digits.length - 1) + digits;
}

/** Bits from a place on, up to the one that ends the RBSP. */
function rest(rbsp: Uint8Array, fromBit: number): string {
  const all = Array.from(rbsp, (byte) => fixed(byte, 8)).join('');
  return all.slice(fromBit, all.lastIndexOf('1') + 1);
}

function written(unit: Uint8Array, parts: readonly string[]): Uint8Array {
  const bits = parts.join('');
  const rbsp = Uint8Array.from({ length: Math.ceil(bits.length / 8) }, (_, index) =>
    Number.parseInt(bits.slice(index * 8, index * 8 + 8).padEnd(8, '0'), 2),
  );
  return withHeader(unit, rbsp);
}

function withHeader(unit: Uint8Array, rbsp: Uint8Array): Uint8Array {
  const body = addEmulation(rbsp);
  const made = new Uint8Array(HEADER_BYTES + body.length);
  made.set(unit.subarray(0, HEADER_BYTES));
  made.set(body, HEADER_BYTES);
  return made;
}
