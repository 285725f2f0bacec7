import { aspectByDisplay, rotationMatrix } from '../../display.ts';
import { frameSamples } from '../../timing/frame-samples.ts';
import type { Track } from '../../track.ts';
import { elementsIn, ID, readUint, type Element } from './element.ts';

/** Display of the pictures of a track as its entry states it. */
export interface StatedDisplay {
  /** `DisplayWidth` and `DisplayHeight` in any unit; 0 if not stated. */
  readonly width: number;
  readonly height: number;
  /** Columns and rows that are not displayed. The display size is the size without them. */
  readonly croppedColumns: number;
  readonly croppedRows: number;
  /** Clockwise rotation in degrees. */
  readonly rotationDegrees: number;
}

/** `DisplayUnit`: pixels, centimetres, inches and aspect ratio; 4 is unknown. */
const LAST_DISPLAY_UNIT = 3;

/** Display in the data of `Video` (RFC 9559, 5.1.4.1.28). */
export function readDisplay(bytes: Uint8Array, video: Element | undefined): StatedDisplay {
  const fields = new Map<number, Element>();
  for (const element of video ? elementsIn(bytes, video.start, video.end) : []) fields.set(element.id, element);
  const uint = (id: number): number => {
    const found = fields.get(id);
    return found ? readUint(bytes, found.start, found.end) : 0;
  };
  const hasRatio = uint(ID.displayUnit) <= LAST_DISPLAY_UNIT;
  return {
    width: hasRatio ? uint(ID.displayWidth) : 0,
    height: hasRatio ? uint(ID.displayHeight) : 0,
    croppedColumns: uint(ID.pixelCropLeft) + uint(ID.pixelCropRight),
    croppedRows: uint(ID.pixelCropTop) + uint(ID.pixelCropBottom),
    rotationDegrees: rotationOf(bytes, fields.get(ID.projection)),
  };
}

/** Rotation of flat pictures in whole degrees: `ProjectionPoseRoll` is counter-clockwise (RFC 9559, 5.1.4.1.28.46). */
function rotationOf(bytes: Uint8Array, projection: Element | undefined): number {
  for (const { id, start, end } of projection ? elementsIn(bytes, projection.start, projection.end) : []) {
    if (id !== ID.projectionPoseRoll) continue;
    const view = new DataView(bytes.buffer, bytes.byteOffset + start, end - start);
    const roll = view.byteLength === 8 ? view.getFloat64(0) : view.byteLength === 4 ? view.getFloat32(0) : 0;
    return Math.abs(roll) <= 180 ? -Math.round(roll) : 0;
  }
  return 0;
}

/** Track of a configuration, with the duration of its first frame, and the aspect ratio and rotation of its display. */
export function statedTrack(track: Track, firstFrame: Uint8Array, display: StatedDisplay): Track {
  if (track.content === 'audio') return { ...track, samplesPerFrame: frameSamples(track, firstFrame) };
  const uncropped = (size: number, pixels: number, cropped: number): number =>
    cropped < pixels ? (size * pixels) / (pixels - cropped) : size;
  const shown = {
    ...track,
    ...aspectByDisplay(
      track,
      uncropped(display.width, track.width, display.croppedColumns),
      uncropped(display.height, track.height, display.croppedRows),
    ),
  };
  return display.rotationDegrees === 0
    ? shown
    : { ...shown, displayMatrix: rotationMatrix(shown, display.rotationDegrees) };
}
