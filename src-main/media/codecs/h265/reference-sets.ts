import type { BitReader } from '../nal/bit-reader.ts';

const MAX_SETS = 64;
const MAX_PICTURES = 16;

/** Skips the short-term reference picture sets of an SPS (H.265 7.3.7); damaged ones set `isBad`. */
export function skipShortTermReferenceSets(reader: BitReader): void {
  const count = reader.ue();
  if (count > MAX_SETS) reader.isBad = true;
  let pictures = 0;
  for (let i = 0; i < count && !reader.isBad; i++) {
    const isPredicted = i > 0 && reader.flag();
    pictures = isPredicted ? skipPredicted(reader, pictures) : skipExplicit(reader);
    if (pictures > 2 * MAX_PICTURES) reader.isBad = true;
  }
}

/** Returns the number of pictures in the set, which determines the length of a set predicted from it. */
function skipPredicted(reader: BitReader, referencePictures: number): number {
  reader.skip(1); // delta_rps_sign
  reader.ue(); // abs_delta_rps_minus1
  let pictures = 0;
  for (let i = 0; i <= referencePictures && !reader.isBad; i++) {
    const isUsed = reader.flag();
    if (isUsed || reader.flag()) pictures++;
  }
  return pictures;
}

function skipExplicit(reader: BitReader): number {
  const pictures = reader.ue() + reader.ue();
  if (pictures > 2 * MAX_PICTURES) reader.isBad = true;
  for (let i = 0; i < pictures && !reader.isBad; i++) {
    reader.ue(); // delta_poc_minus1
    reader.skip(1); // used_by_curr_pic
  }
  return pictures;
}
