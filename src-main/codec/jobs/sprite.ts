import type { Frame } from 'node-av/lib';
import { throwOnError } from '../libav/codec-error.ts';
import { decode, encode, fit, jpegFrame, scale, type PictureInput } from './picture.ts';

/** Key frames to combine into one JPEG, tile by tile. */
export interface SpriteInput {
  /** Frames row by row; null for a black tile. A frame that cannot be decoded also becomes a black tile. */
  readonly frames: readonly (Pick<PictureInput, 'codec' | 'decoderConfig' | 'data'> | null)[];
  readonly columns: number;
  /** Size of a tile in pixels, both even; pictures of another shape have black edges. */
  readonly tileWidth: number;
  readonly tileHeight: number;
  /** Quantizer of the JPEG, 2 (best) to 31; default 6. */
  readonly quality?: number;
}

/** A JPEG with all tiles. */
export interface SpriteOutput {
  readonly jpeg: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Decodes key frames, scales them and arranges them in rows into one JPEG. */
export function sprite({ frames, columns, tileWidth, tileHeight, quality = 6 }: SpriteInput): SpriteOutput {
  const width = columns * tileWidth;
  const height = Math.max(1, Math.ceil(frames.length / columns)) * tileHeight;
  const planes = [Buffer.alloc(width * height), ...chroma(width, height)];
  for (const [index, frame] of frames.entries()) {
    if (!frame || frame.data.length === 0) continue;
    const [x, y] = [(index % columns) * tileWidth, Math.floor(index / columns) * tileHeight];
    try {
      draw(planes, width, { frame, x, y, tileWidth, tileHeight });
    } catch {
      // A frame that cannot be decoded leaves a black tile.
    }
  }
  const spriteFrame = frameOf(planes, width, height);
  try {
    return { jpeg: encode(spriteFrame, quality), width, height };
  } finally {
    spriteFrame.free();
  }
}

interface Tile {
  readonly frame: Pick<PictureInput, 'codec' | 'decoderConfig' | 'data'>;
  readonly x: number;
  readonly y: number;
  readonly tileWidth: number;
  readonly tileHeight: number;
}

function draw(planes: readonly Buffer[], width: number, { frame, x, y, tileWidth, tileHeight }: Tile): void {
  const decoded = decode(frame);
  try {
    const size = fit(decoded, tileWidth, tileHeight);
    const small = scale(decoded, size.width, size.height);
    try {
      const left = x + 2 * Math.floor((tileWidth - size.width) / 4);
      const top = y + 2 * Math.floor((tileHeight - size.height) / 4);
      const bytes = small.toBuffer();
      let at = 0;
      for (const [index, plane] of planes.entries()) {
        const by = index === 0 ? 1 : 2;
        const [lineBytes, lines, stride] = [size.width / by, size.height / by, width / by];
        for (let line = 0; line < lines; line++, at += lineBytes)
          bytes.copy(plane, (top / by + line) * stride + left / by, at, at + lineBytes);
      }
    } finally {
      small.free();
    }
  } finally {
    decoded.free();
  }
}

/** Chroma planes of black. */
function chroma(width: number, height: number): [Buffer, Buffer] {
  const plane = (): Buffer => Buffer.alloc((width / 2) * (height / 2), 128);
  return [plane(), plane()];
}

function frameOf(planes: readonly Buffer[], width: number, height: number): Frame {
  const frame = jpegFrame(width, height);
  throwOnError(frame.fromBuffer(Buffer.concat(planes)), 'internal', 'Filling a picture');
  return frame;
}
