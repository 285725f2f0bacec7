import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import { hearSound, type SoundPlace } from '../sound/ears.ts';
import type { PackedUnits, SoundForm } from '../sound/ear.ts';
import type { PictureInput } from './picture.ts';
import { SMALL_HEIGHT as HEIGHT, SMALL_WIDTH as WIDTH, smallPicture } from './small-pictures.ts';

/** Coded sound: units that follow each other. */
interface CodedSound extends SoundForm {
  readonly units: PackedUnits;
  /** Where it stands; null where its loudness is not measured. */
  readonly place: SoundPlace | null;
}

/** A key frame and some seconds of sound that are looked at; null for what there is nothing of. */
export interface LookInput {
  readonly picture: Pick<PictureInput, 'codec' | 'decoderConfig' | 'data'> | null;
  readonly sound: CodedSound | null;
}

/** What is seen and heard; null for what was not looked at. */
export interface LookOutput {
  /** Luma of the picture, 128 × 72, full range, row by row; of what is dark and coloured how strong its colour is: dark blue is not black. */
  readonly luma: Uint8Array | null;
  /** Largest absolute sample of all channels, 1 is full scale. */
  readonly peak: number | null;
  /** Of each 100 ms: momentary and short-term loudness in LUFS, and true peak in dBTP; NaN where it is not known. Null where it is not measured. */
  readonly loudness: Float32Array | null;
}

/** Chroma without colour. */
const GREY = 128;
/** Luma up to here is dark. */
const DARK = 32;
const MOST_UNITS = 4000;
const MOST_BYTES = 32 * 1024 * 1024;

/** Decodes a key frame into a small picture, and sound into its peak and loudness. */
export function look({ picture, sound }: LookInput): LookOutput {
  const luma = picture && lumaOf(picture);
  if (!sound) return { luma, peak: null, loudness: null };
  if (sound.units.sizes.length > MOST_UNITS) throw new AirdeskError('codec_bad_frame', 'There is too much sound');
  const { peak, loudness } = hearSound(sound, sound.units, sound.place);
  return { luma, peak, loudness: sound.place && loudness };
}

function lumaOf(picture: NonNullable<LookInput['picture']>): Uint8Array {
  if (picture.data.length === 0 || picture.data.length > MOST_BYTES)
    throw new AirdeskError('codec_bad_frame', 'The key frame is empty or too large');
  const small = smallPicture(picture);
  const [plane = Buffer.alloc(0), ...colours] = small.data ?? [];
  const [stride = WIDTH, ...strides] = small.linesize;
  const luma = new Uint8Array(WIDTH * HEIGHT);
  for (let row = 0; row < HEIGHT; row++) luma.set(plane.subarray(row * stride, row * stride + WIDTH), row * WIDTH);
  for (const [index, colour] of colours.entries()) addColour(luma, colour, strides[index] ?? WIDTH / 2);
  return luma;
}

/** Raises what is dark to how far a plane of colour differs from grey; it has half the width and height. */
function addColour(luma: Uint8Array, colour: Uint8Array | null, stride: number): void {
  for (let row = 0; colour && row < HEIGHT; row++)
    for (let at = 0; at < WIDTH; at++) {
      const strength = Math.abs((colour[(row >> 1) * stride + (at >> 1)] ?? GREY) - GREY);
      const place = row * WIDTH + at;
      const dark = luma[place] ?? 0;
      if (dark <= DARK && strength > dark) luma[place] = strength;
    }
}
