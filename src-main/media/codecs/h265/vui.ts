import type { BitReader } from '../nal/bit-reader.ts';
import { readSampleAspectRatio, SQUARE_SAMPLES } from '../nal/sample-aspect-ratio.ts';
import type { SampleAspectRatio } from '../nal/sample-aspect-ratio.ts';

/** Video usability information (H.265 E.2.1) up to its timing. */
export interface H265Vui {
  readonly sampleAspectRatio: SampleAspectRatio;
  readonly isFullRange: boolean;
  /** `colour_primaries`, `transfer_characteristics` and `matrix_coeffs`; 2 means unspecified. */
  readonly colourPrimaries: number;
  readonly transferCharacteristics: number;
  readonly matrixCoefficients: number;
  /** `field_seq_flag`: each picture is one field. */
  readonly isFieldSequence: boolean;
  readonly timing?: PictureTiming;
}

/** `num_units_in_tick` and `time_scale`: a picture lasts one such tick. */
export interface PictureTiming {
  readonly unitsInTick: number;
  readonly timeScale: number;
}

/** What counts where the SPS carries no VUI. */
export const ABSENT_VUI: H265Vui = {
  sampleAspectRatio: SQUARE_SAMPLES,
  isFullRange: false,
  colourPrimaries: 2,
  transferCharacteristics: 2,
  matrixCoefficients: 2,
  isFieldSequence: false,
};

/** Reads `vui_parameters()` as far as the timing; what follows is not needed. */
export function readVui(reader: BitReader): H265Vui {
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
  reader.skip(1); // neutral_chroma_indication_flag
  const isFieldSequence = reader.flag();
  reader.skip(1); // frame_field_info_present_flag
  if (reader.flag()) for (let i = 0; i < 4; i++) reader.ue(); // default display window
  const timing = readTiming(reader);
  return {
    sampleAspectRatio,
    isFullRange,
    colourPrimaries: colour[0] ?? 2,
    transferCharacteristics: colour[1] ?? 2,
    matrixCoefficients: colour[2] ?? 2,
    isFieldSequence,
    ...(timing ? { timing } : {}),
  };
}

/** Reads the flag for timing, and the timing: the same in VUI and VPS. */
export function readTiming(reader: BitReader): PictureTiming | undefined {
  if (!reader.flag()) return undefined;
  const unitsInTick = reader.bits(32);
  const timeScale = reader.bits(32);
  return unitsInTick > 0 && timeScale > 0 && !reader.isBad ? { unitsInTick, timeScale } : undefined;
}
