import type { VideoTrack } from './track.ts';

/** Maximum ratio of a picture to its display size; a larger ratio is an error of the writer. */
const MAX_RATIO = 8;
/** Maximum deviation of a display size: sizes are rounded, and may leave out lines that the bitstream does not crop. */
const SIZE_TOLERANCE = 0.02;

/** Display of the pictures of a track. */
export interface Display {
  /** Clockwise rotation in whole degrees, from 0 to 359. */
  readonly rotationDegrees: number;
  /** Size after the rotation, in square pixels. */
  readonly width: number;
  readonly height: number;
}

/** Size and rotation of the frames of a track by its sample aspect ratio and its matrix (ISO/IEC 14496-12, 8.3.2). */
export function displayOf(track: VideoTrack): Display {
  const { width, sarWidth, sarHeight, displayMatrix } = track;
  const fields = track.isFieldSequence ? 2 : 1;
  const height = track.height * fields;
  const squareWidth = (width * sarWidth * fields) / Math.max(1, sarHeight);
  // Fields of 16.16 bits: a, b, u, c, d, v, x, y, w.
  const field = (index: number, otherwise: number): number =>
    displayMatrix === undefined ? otherwise : ((displayMatrix[index] ?? 0) | 0) / 0x1_0000;
  const [a, b, c, d] = [field(0, 1), field(1, 0), field(3, 0), field(4, 1)];
  const degrees = Math.round((Math.atan2(b, a) * 180) / Math.PI);
  return {
    rotationDegrees: (degrees + 360) % 360,
    width: Math.round(Math.abs(a) * squareWidth + Math.abs(c) * height),
    height: Math.round(Math.abs(b) * squareWidth + Math.abs(d) * height),
  };
}

/** Matrix of a clockwise rotation, moved back into view (ISO/IEC 14496-12, 8.3.2): 16.16 bits, the last column 2.30. */
export function rotationMatrix({ width, height, sarWidth, sarHeight }: VideoTrack, degrees: number): readonly number[] {
  const squareWidth = (width * sarWidth) / Math.max(1, sarHeight);
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const x = -Math.min(0, cos * squareWidth) - Math.min(0, -sin * height);
  const y = -Math.min(0, sin * squareWidth) - Math.min(0, cos * height);
  const fixed = (value: number): number => Math.round(value * 0x1_0000) >>> 0;
  return [fixed(cos), fixed(sin), 0, fixed(-sin), fixed(cos), 0, fixed(x), fixed(y), 0x4000_0000];
}

/**
 * Computes the sample aspect ratio from the display size that a container states (ISO/IEC 14496-12, 8.3.2; RFC 9559,
 * 5.1.4.1.28), if neither the bitstream nor a sample entry states one.
 */
export function aspectByDisplay(
  { width, height, sarWidth, sarHeight }: VideoTrack,
  displayWidth: number,
  displayHeight: number,
): Partial<VideoTrack> {
  const [wide, high] = [Math.round(displayWidth), Math.round(displayHeight)];
  if (sarWidth !== sarHeight || wide <= 0 || high <= 0) return {};
  const ratio = (wide * height) / (high * width);
  const isPlausible = ratio < MAX_RATIO && ratio > 1 / MAX_RATIO;
  // Some writers state the size after the rotation.
  const isTurned = wide === height && high === width;
  if (!isPlausible || isTurned || Math.abs(ratio - 1) < SIZE_TOLERANCE) return {};
  const divisor = greatestDivisor(wide * height, high * width);
  return { sarWidth: (wide * height) / divisor, sarHeight: (high * width) / divisor };
}

/** Greatest common divisor of two positive integers. */
export function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}
