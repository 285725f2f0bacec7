import type { LengthSize } from './length-prefixed.ts';

/** General part of `profile_tier_level()` (H.265 7.3.3), which the decoder configuration and the codec string repeat. */
export interface ProfileTierLevel {
  readonly profileSpace: number;
  readonly isHighTier: boolean;
  readonly profileIdc: number;
  /** `general_profile_compatibility_flag` 0 to 31, flag 0 as the top bit. */
  readonly compatibility: number;
  /** The six bytes from `general_progressive_source_flag` on. */
  readonly constraints: readonly number[];
  /** Thirty times the level. */
  readonly levelIdc: number;
}

/** An HEVC decoder configuration record (ISO 14496-15 8.3.3.1), the body of the box `hvcC`. */
export interface HvcC {
  readonly profileTierLevel: ProfileTierLevel;
  /** `min_spatial_segmentation_idc`, 0 if unknown. */
  readonly minSpatialSegmentation: number;
  /** `parallelismType`, 0 if mixed or unknown. */
  readonly parallelismType: number;
  readonly chromaFormatIdc: number;
  readonly bitDepthLuma: number;
  readonly bitDepthChroma: number;
  /** Frames in 256 seconds; 0 if unknown. */
  readonly averageFrameRate: number;
  readonly constantFrameRate: number;
  readonly temporalLayers: number;
  readonly isTemporalIdNested: boolean;
  readonly lengthSize: LengthSize;
  readonly arrays: readonly HvcCArray[];
}

/** NAL units of one type in the record. */
interface HvcCArray {
  readonly nalType: number;
  /** `array_completeness`: no other units of this type are in the stream. */
  readonly isComplete: boolean;
  readonly units: readonly Uint8Array[];
}

const HEADER_BYTES = 23;
const MAX_ARRAYS = 64;
/** Maximum size of a record. */
const MAX_RECORD_BYTES = 64 * 1024;

/** Reads a record; undefined if it is damaged. The units are views of `bytes`. */
export function readHvcC(bytes: Uint8Array): HvcC | undefined {
  if (bytes.length < HEADER_BYTES || bytes.length > MAX_RECORD_BYTES || bytes[0] !== 1) return undefined;
  const at = (offset: number): number => bytes[offset] ?? 0;
  const lengthSize = (at(21) & 3) + 1;
  if (lengthSize !== 1 && lengthSize !== 2 && lengthSize !== 4) return undefined;
  const arrays = readArrays(bytes);
  if (!arrays) return undefined;
  return {
    profileTierLevel: {
      profileSpace: at(1) >>> 6,
      isHighTier: (at(1) & 0x20) !== 0,
      profileIdc: at(1) & 0x1f,
      compatibility: at(2) * 0x1000000 + ((at(3) << 16) | (at(4) << 8) | at(5)),
      constraints: [at(6), at(7), at(8), at(9), at(10), at(11)],
      levelIdc: at(12),
    },
    minSpatialSegmentation: ((at(13) & 0x0f) << 8) | at(14),
    parallelismType: at(15) & 3,
    chromaFormatIdc: at(16) & 3,
    bitDepthLuma: (at(17) & 7) + 8,
    bitDepthChroma: (at(18) & 7) + 8,
    averageFrameRate: (at(19) << 8) | at(20),
    constantFrameRate: at(21) >>> 6,
    temporalLayers: (at(21) >>> 3) & 7,
    isTemporalIdNested: (at(21) & 4) !== 0,
    lengthSize,
    arrays,
  };
}

/** Writes a record. Throws a RangeError for units longer than the format can count. */
export function writeHvcC(record: HvcC): Uint8Array {
  let size = HEADER_BYTES;
  for (const array of record.arrays) {
    size += 3;
    for (const unit of array.units) size += 2 + unit.length;
  }
  const out = new Uint8Array(size);
  writeHeader(out, record);
  let at = HEADER_BYTES;
  for (const array of record.arrays) {
    out[at++] = (array.isComplete ? 0x80 : 0) | array.nalType;
    at = writeUint16(out, at, array.units.length);
    for (const unit of array.units) {
      at = writeUint16(out, at, unit.length);
      out.set(unit, at);
      at += unit.length;
    }
  }
  return out;
}

function writeHeader(out: Uint8Array, record: HvcC): void {
  const { profileTierLevel: level } = record;
  out[0] = 1;
  out[1] = (level.profileSpace << 6) | (level.isHighTier ? 0x20 : 0) | level.profileIdc;
  writeUint16(out, 2, Math.floor(level.compatibility / 0x10000));
  writeUint16(out, 4, level.compatibility % 0x10000);
  out.set(level.constraints, 6);
  out[12] = level.levelIdc;
  writeUint16(out, 13, 0xf000 | record.minSpatialSegmentation);
  out[15] = 0xfc | record.parallelismType;
  out[16] = 0xfc | record.chromaFormatIdc;
  out[17] = 0xf8 | (record.bitDepthLuma - 8);
  out[18] = 0xf8 | (record.bitDepthChroma - 8);
  writeUint16(out, 19, record.averageFrameRate);
  out[21] =
    (record.constantFrameRate << 6) |
    (record.temporalLayers << 3) |
    (record.isTemporalIdNested ? 4 : 0) |
    (record.lengthSize - 1);
  out[22] = record.arrays.length;
}

function writeUint16(out: Uint8Array, at: number, value: number): number {
  if (value > 0xffff) throw new RangeError('parameter sets too long for hvcC');
  out[at] = value >>> 8;
  out[at + 1] = value & 0xff;
  return at + 2;
}

function readArrays(bytes: Uint8Array): HvcCArray[] | undefined {
  const count = bytes[22] ?? 0;
  if (count > MAX_ARRAYS) return undefined;
  const arrays: HvcCArray[] = [];
  let at = HEADER_BYTES;
  for (let i = 0; i < count; i++) {
    if (at + 3 > bytes.length) return undefined;
    const head = bytes[at] ?? 0;
    const unitCount = ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    const units: Uint8Array[] = [];
    at += 3;
    for (let j = 0; j < unitCount; j++) {
      const length = ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
      if (at + 2 + length > bytes.length) return undefined;
      if (length > 0) units.push(bytes.subarray(at + 2, at + 2 + length));
      at += 2 + length;
    }
    arrays.push({ nalType: head & 0x3f, isComplete: (head & 0x80) !== 0, units });
  }
  return arrays;
}
