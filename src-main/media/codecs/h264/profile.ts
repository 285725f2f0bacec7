const SET0 = 0x80;
const SET1 = 0x40;
const SET3 = 0x10;
const SET4 = 0x08;
const SET5 = 0x04;

/** Name of an H.264 profile (annex A.2) from `profile_idc` and the constraint flags, for example `Constrained Baseline`. */
export function profileName(profileIdc: number, constraints: number): string {
  const isIntra = (constraints & SET3) !== 0;
  switch (profileIdc) {
    case 66:
      return constraints & SET1 ? 'Constrained Baseline' : 'Baseline';
    case 77:
      return constraints & SET0 && constraints & SET1 ? 'Constrained Baseline' : 'Main';
    case 88:
      return 'Extended';
    case 100:
      return constraints & SET4 ? (constraints & SET5 ? 'Constrained High' : 'Progressive High') : 'High';
    case 110:
      return isIntra ? 'High 10 Intra' : 'High 10';
    case 122:
      return isIntra ? 'High 4:2:2 Intra' : 'High 4:2:2';
    case 244:
      return isIntra ? 'High 4:4:4 Intra' : 'High 4:4:4 Predictive';
    case 44:
      return 'CAVLC 4:4:4 Intra';
    case 83:
      return 'Scalable Baseline';
    case 86:
      return 'Scalable High';
    case 118:
      return 'Multiview High';
    case 128:
      return 'Stereo High';
    default:
      return `Profile ${profileIdc}`;
  }
}

/** Level of H.264 (annex A.3) in the usual notation: `3.1`, `4.0`, `1b`. */
export function levelName(profileIdc: number, constraints: number, levelIdc: number): string {
  const isOld = profileIdc === 66 || profileIdc === 77 || profileIdc === 88;
  if (levelIdc === 9 || (isOld && levelIdc === 11 && constraints & SET3)) return '1b';
  return (levelIdc / 10).toFixed(1);
}

/** RFC 6381 codec string of an `avc1` sample entry: `avc1.` and profile, constraints and level in hexadecimal. */
export function avcCodecString(profileIdc: number, constraints: number, levelIdc: number): string {
  return `avc1.${hex(profileIdc)}${hex(constraints)}${hex(levelIdc)}`;
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}
