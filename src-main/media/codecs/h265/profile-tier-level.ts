import type { BitReader } from '../nal/bit-reader.ts';
import type { ProfileTierLevel } from '../nal/hvcc.ts';

/** Reads `profile_tier_level(1, maxSubLayersMinus1)` and skips its sub-layers. */
export function readProfileTierLevel(reader: BitReader, maxSubLayersMinus1: number): ProfileTierLevel {
  const value = readGeneral(reader);
  let skipBits = 0;
  for (let i = 0; i < maxSubLayersMinus1; i++) {
    if (reader.flag()) skipBits += 88;
    if (reader.flag()) skipBits += 8;
  }
  if (maxSubLayersMinus1 > 0) reader.skip(2 * (8 - maxSubLayersMinus1));
  reader.skip(skipBits);
  return value;
}

function readGeneral(reader: BitReader): ProfileTierLevel {
  return {
    profileSpace: reader.bits(2),
    isHighTier: reader.flag(),
    profileIdc: reader.bits(5),
    compatibility: reader.bits(32),
    constraints: [reader.bits(8), reader.bits(8), reader.bits(8), reader.bits(8), reader.bits(8), reader.bits(8)],
    levelIdc: reader.bits(8),
  };
}

/** Name of an H.265 profile (annex A.3). */
export function profileName(value: ProfileTierLevel): string {
  // An encoder may leave the number at 0 and set only the flags.
  let idc = value.profileIdc;
  if (idc === 0) idc = [1, 2, 3, 4].find((flag) => (value.compatibility >>> (31 - flag)) & 1) ?? 0;
  switch (idc) {
    case 1:
      return 'Main';
    case 2:
      return 'Main 10';
    case 3:
      return 'Main Still Picture';
    case 4:
      return 'Range Extensions';
    case 5:
      return 'High Throughput';
    case 6:
      return 'Multiview Main';
    case 7:
      return 'Scalable Main';
    case 9:
      return 'Screen Content Coding';
    default:
      return `Profile ${idc}`;
  }
}

/** Level of H.265 in the usual notation: `3.1`, `4.0`. */
export function levelName(value: ProfileTierLevel): string {
  return (value.levelIdc / 30).toFixed(1);
}

/** RFC 6381 codec string of an `hvc1` sample entry (ISO 14496-15 annex E.3), for example `hvc1.1.6.L93.B0`. */
export function hevcCodecString(value: ProfileTierLevel): string {
  const space = value.profileSpace === 0 ? '' : String.fromCharCode(64 + value.profileSpace);
  const parts = [
    'hvc1',
    `${space}${value.profileIdc}`,
    hex(reverseBits(value.compatibility)),
    `${value.isHighTier ? 'H' : 'L'}${value.levelIdc}`,
  ];
  const used = value.constraints.findLastIndex((byte) => byte !== 0) + 1;
  return [...parts, ...value.constraints.slice(0, used).map(hex)].join('.');
}

function hex(value: number): string {
  return value.toString(16).toUpperCase();
}

function reverseBits(value: number): number {
  let out = 0;
  for (let i = 0; i < 32; i++) if ((value >>> i) & 1) out += 2 ** (31 - i);
  return out;
}
