import type { BitReader } from '../nal/bit-reader.ts';
import { readSampleAspectRatio, SQUARE_SAMPLES } from '../nal/sample-aspect-ratio.ts';
import type { SampleAspectRatio } from '../nal/sample-aspect-ratio.ts';

/** Video usability information (H.264 E.1.1), as far as media info and the timeline need it. */
export interface H264Vui {
  readonly sampleAspectRatio: SampleAspectRatio;
  readonly isFullRange: boolean;
  /** `colour_primaries`, `transfer_characteristics` and `matrix_coefficients`; 2 means unspecified. */
  readonly colourPrimaries: number;
  readonly transferCharacteristics: number;
  readonly matrixCoefficients: number;
  /** `num_units_in_tick` and `time_scale`: a field lasts one such tick, a frame two. */
  readonly timing?: { readonly unitsInTick: number; readonly timeScale: number; readonly isFixedFrameRate: boolean };
  /** `max_num_reorder_frames`: how many pictures may come before one in decoding order and after it in output order. */
  readonly maxReorderFrames?: number;
}

/** What counts where the SPS carries no VUI. */
export const ABSENT_VUI: H264Vui = {
  sampleAspectRatio: SQUARE_SAMPLES,
  isFullRange: false,
  colourPrimaries: 2,
  transferCharacteristics: 2,
  matrixCoefficients: 2,
};

/** Reads `vui_parameters()`. */
export function readVui(reader: BitReader): H264Vui {
  const sampleAspectRatio = reader.flag() ? readSampleAspectRatio(reader) : SQUARE_SAMPLES;
  if (reader.flag()) reader.skip(1); // overscan
  let isFullRange = false;
  let colour = [2, 2, 2];
  if (reader.flag()) {
    reader.skip(3); // video_format
    isFullRange = reader.flag();
    if (reader.flag()) colour = [reader.bits(8), reader.bits(8), reader.bits(8)];
  }
  if (reader.flag()) {
    reader.ue(); // chroma sample positions
    reader.ue();
  }
  const hasTiming = reader.flag();
  const unitsInTick = hasTiming ? reader.bits(32) : 0;
  const timeScale = hasTiming ? reader.bits(32) : 0;
  const isFixedFrameRate = hasTiming && reader.flag();
  const maxReorderFrames = readReordering(reader);
  return {
    sampleAspectRatio,
    isFullRange,
    colourPrimaries: colour[0] ?? 2,
    transferCharacteristics: colour[1] ?? 2,
    matrixCoefficients: colour[2] ?? 2,
    ...(unitsInTick > 0 && timeScale > 0 ? { timing: { unitsInTick, timeScale, isFixedFrameRate } } : {}),
    ...(maxReorderFrames === undefined ? {} : { maxReorderFrames }),
  };
}

function readReordering(reader: BitReader): number | undefined {
  const hasNalHrd = reader.flag();
  if (hasNalHrd) skipHrd(reader);
  const hasVclHrd = reader.flag();
  if (hasVclHrd) skipHrd(reader);
  if (hasNalHrd || hasVclHrd) reader.skip(1); // low_delay_hrd_flag
  reader.skip(1); // pic_struct_present_flag
  if (!reader.flag()) return undefined;
  reader.skip(1); // motion_vectors_over_pic_boundaries_flag
  for (let i = 0; i < 4; i++) reader.ue(); // size limits and vector lengths
  const maxReorderFrames = reader.ue();
  return reader.isBad || maxReorderFrames > 16 ? undefined : maxReorderFrames;
}

/** Passes over `hrd_parameters()` (H.264 E.1.2). */
function skipHrd(reader: BitReader): void {
  const count = Math.min(reader.ue(), 31) + 1;
  reader.skip(8);
  for (let i = 0; i < count && !reader.isBad; i++) {
    reader.ue();
    reader.ue();
    reader.skip(1);
  }
  reader.skip(20);
}
