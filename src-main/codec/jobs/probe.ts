import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import { measureSound, type SoundPosition } from '../sound/loudness-meters.ts';
import type { PackedUnits, SoundForm } from '../sound/loudness-meter.ts';
import type { PictureInput } from './picture.ts';
import { SMALL_HEIGHT as HEIGHT, SMALL_WIDTH as WIDTH, smallPicture } from './small-pictures.ts';

/** Coded sound: consecutive units. */
interface CodedSound extends SoundForm {
  readonly units: PackedUnits;
  /** Position in its stream; null if its loudness is not measured. */
  readonly position: SoundPosition | null;
}

/** A key frame and some seconds of sound to probe; null for none. */
export interface ProbeInput {
  readonly picture: Pick<PictureInput, 'codec' | 'decoderConfig' | 'data'> | null;
  readonly sound: CodedSound | null;
}

/** Result of a probe; null for a part that was not probed. */
export interface ProbeOutput {
  /**
   * Luma of the picture, 128 × 72, full range, row by row. The value of a dark pixel is raised to the strength of its colour,
   * so that dark blue does not count as black.
   */
  readonly luma: Uint8Array | null;
  /** Largest absolute sample of all channels; 1 is full scale. */
  readonly peak: number | null;
  /**
   * For each 100 ms: momentary and short-term loudness in LUFS, and true peak in dBTP; NaN if unknown. Null if not
   * measured.
   */
  readonly loudness: Float32Array | null;
}

/** Chroma value without colour. */
const GREY = 128;
/** Maximum luma of a dark pixel. */
const DARK = 32;
const MAX_UNITS = 4000;
const MAX_BYTES = 32 * 1024 * 1024;

/** Decodes a key frame into a small picture, and sound into its peak and loudness. */
export function probe({ picture, sound }: ProbeInput): ProbeOutput {
  const luma = picture && lumaOf(picture);
  if (!sound) return { luma, peak: null, loudness: null };
  if (sound.units.sizes.length > MAX_UNITS) throw new AirdeskError('codec_bad_frame', 'There is too much sound');
  const { peak, loudness } = measureSound(sound, sound.units, sound.position);
  return { luma, peak, loudness: sound.position && loudness };
}

function lumaOf(picture: NonNullable<ProbeInput['picture']>): Uint8Array {
  if (picture.data.length === 0 || picture.data.length > MAX_BYTES)
    throw new AirdeskError('codec_bad_frame', 'The key frame is empty or too large');
  const small = smallPicture(picture);
  const [plane = Buffer.alloc(0), ...colours] = small.data ?? [];
  const [stride = WIDTH, ...strides] = small.linesize;
  const luma = new Uint8Array(WIDTH * HEIGHT);
  for (let row = 0; row < HEIGHT; row++) luma.set(plane.subarray(row * stride, row * stride + WIDTH), row * WIDTH);
  for (const [index, colour] of colours.entries()) addColour(luma, colour, strides[index] ?? WIDTH / 2);
  return luma;
}

/** Raises dark pixels to the difference of a chroma plane from grey; the plane has half the width and height. */
function addColour(luma: Uint8Array, colour: Uint8Array | null, stride: number): void {
  for (let row = 0; colour && row < HEIGHT; row++)
    for (let at = 0; at < WIDTH; at++) {
      const strength = Math.abs((colour[(row >> 1) * stride + (at >> 1)] ?? GREY) - GREY);
      const position = row * WIDTH + at;
      const dark = luma[position] ?? 0;
      if (dark <= DARK && strength > dark) luma[position] = strength;
    }
}
