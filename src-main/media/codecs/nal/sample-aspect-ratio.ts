import type { BitReader } from './bit-reader.ts';

/** Width and height of one sample of the picture. */
export interface SampleAspectRatio {
  readonly width: number;
  readonly height: number;
}

/** Square samples, the default if a bitstream states nothing. */
export const SQUARE_SAMPLES: SampleAspectRatio = { width: 1, height: 1 };

const EXTENDED_SAR = 255;

/** `aspect_ratio_idc` 1 to 16 (H.264 table E-1, H.265 table E.1): width and height in turn. */
// prettier-ignore
const TABLE = [
  0, 0, 1, 1, 12, 11, 10, 11, 16, 11, 40, 33, 24, 11, 20, 11, 32, 11,
  80, 33, 18, 11, 15, 11, 64, 33, 160, 99, 4, 3, 3, 2, 2, 1,
];

/** Reads `aspect_ratio_idc` and the explicit ratio. Unspecified and reserved values, and zero sizes, give square samples. */
export function readSampleAspectRatio(reader: BitReader): SampleAspectRatio {
  const idc = reader.bits(8);
  const width = idc === EXTENDED_SAR ? reader.bits(16) : (TABLE[idc * 2] ?? 0);
  const height = idc === EXTENDED_SAR ? reader.bits(16) : (TABLE[idc * 2 + 1] ?? 0);
  return width > 0 && height > 0 ? { width, height } : SQUARE_SAMPLES;
}
