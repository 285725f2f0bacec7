import type { BitReader } from './bit-reader.ts';
import { readSampleAspectRatio, SQUARE_SAMPLES, type SampleAspectRatio } from './sample-aspect-ratio.ts';

/** Colour description at the start of video usability information (H.264 E.1.1, H.265 E.2.1). */
export interface VideoSignal {
  readonly sampleAspectRatio: SampleAspectRatio;
  readonly isFullRange: boolean;
  /** `colour_primaries`, `transfer_characteristics` and `matrix_coefficients`; 2 means unspecified. */
  readonly colourPrimaries: number;
  readonly transferCharacteristics: number;
  readonly matrixCoefficients: number;
}

/** Values if a bitstream states nothing. */
export const UNSPECIFIED_SIGNAL: VideoSignal = {
  sampleAspectRatio: SQUARE_SAMPLES,
  isFullRange: false,
  colourPrimaries: 2,
  transferCharacteristics: 2,
  matrixCoefficients: 2,
};

/** Reads `vui_parameters()` from the start up to the chroma sample positions. */
export function readVideoSignal(reader: BitReader): VideoSignal {
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
  return {
    sampleAspectRatio,
    isFullRange,
    colourPrimaries: colour[0] ?? 2,
    transferCharacteristics: colour[1] ?? 2,
    matrixCoefficients: colour[2] ?? 2,
  };
}
