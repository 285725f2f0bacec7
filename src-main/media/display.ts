import type { VideoTrack } from './track.ts';

/** Display of the pictures of a track. */
export interface Display {
  /** Clockwise rotation in whole degrees, from 0 to 359. */
  readonly rotationDegrees: number;
  /** Size after the rotation, in square pixels. */
  readonly width: number;
  readonly height: number;
}

/** Size and rotation of the pictures of a track by its sample aspect ratio and its matrix (ISO/IEC 14496-12, 8.3.3). */
export function displayOf({ width, height, sarWidth, sarHeight, displayMatrix }: VideoTrack): Display {
  const squareWidth = (width * sarWidth) / Math.max(1, sarHeight);
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
