import type { LengthSize } from './length-prefixed.ts';

/** An AVC decoder configuration record (ISO 14496-15 5.3.3.1), the body of the box `avcC`. */
export interface AvcC {
  readonly profileIdc: number;
  /** Constraint flags of the SPS as one byte. */
  readonly constraints: number;
  readonly levelIdc: number;
  readonly lengthSize: LengthSize;
  /** NAL units of the sequence parameter sets, at most 31. */
  readonly sps: readonly Uint8Array[];
  /** NAL units of the picture parameter sets, at most 255. */
  readonly pps: readonly Uint8Array[];
  /** Present for profiles 100, 110, 122, 144 and related ones, if the writer added it. */
  readonly chroma?: { readonly formatIdc: number; readonly bitDepthLuma: number; readonly bitDepthChroma: number };
  /** NAL units of sequence parameter set extensions, at most 255; only next to `chroma`. */
  readonly spsExtensions?: readonly Uint8Array[];
}

const HEADER_BYTES = 6;

/** Reads a record; undefined if it is damaged. The parameter sets are views of `bytes`. */
export function readAvcC(bytes: Uint8Array): AvcC | undefined {
  const lengthSize = ((bytes[4] ?? 0) & 3) + 1;
  if (bytes.length < HEADER_BYTES + 1 || bytes[0] !== 1 || (lengthSize !== 1 && lengthSize !== 2 && lengthSize !== 4))
    return undefined;
  const sps = readUnits(bytes, HEADER_BYTES, (bytes[5] ?? 0) & 0x1f);
  if (!sps || sps.end >= bytes.length) return undefined;
  const pps = readUnits(bytes, sps.end + 1, bytes[sps.end] ?? 0);
  if (!pps) return undefined;
  const profileIdc = bytes[1] ?? 0;
  const base = {
    profileIdc,
    constraints: bytes[2] ?? 0,
    levelIdc: bytes[3] ?? 0,
    lengthSize,
    sps: sps.units,
    pps: pps.units,
  } as const;
  if (!hasChromaFields(profileIdc) || pps.end + 4 > bytes.length) return base;
  const chroma = {
    formatIdc: (bytes[pps.end] ?? 0) & 3,
    bitDepthLuma: ((bytes[pps.end + 1] ?? 0) & 7) + 8,
    bitDepthChroma: ((bytes[pps.end + 2] ?? 0) & 7) + 8,
  };
  const extensions = readUnits(bytes, pps.end + 4, bytes[pps.end + 3] ?? 0);
  return extensions && extensions.units.length > 0
    ? { ...base, chroma, spsExtensions: extensions.units }
    : { ...base, chroma };
}

/** Writes a record. Throws a RangeError for more or longer parameter sets than the format can count. */
export function writeAvcC(record: AvcC): Uint8Array {
  const extensions = record.spsExtensions ?? [];
  if (record.sps.length > 31 || record.pps.length > 255 || extensions.length > 255)
    throw new RangeError('too many parameter sets for avcC');
  const size =
    HEADER_BYTES + sizeOf(record.sps) + 1 + sizeOf(record.pps) + (record.chroma ? 4 + sizeOf(extensions) : 0);
  const out = new Uint8Array(size);
  out.set([
    1,
    record.profileIdc,
    record.constraints,
    record.levelIdc,
    0xfc | (record.lengthSize - 1),
    0xe0 | record.sps.length,
  ]);
  let at = writeUnits(out, HEADER_BYTES, record.sps);
  out[at++] = record.pps.length;
  at = writeUnits(out, at, record.pps);
  if (record.chroma) {
    out[at++] = 0xfc | record.chroma.formatIdc;
    out[at++] = 0xf8 | (record.chroma.bitDepthLuma - 8);
    out[at++] = 0xf8 | (record.chroma.bitDepthChroma - 8);
    out[at++] = extensions.length;
    writeUnits(out, at, extensions);
  }
  return out;
}

/** Whether a record of this profile ends with chroma format and bit depths (ISO 14496-15 5.3.3.1.2). */
export function hasChromaFields(profileIdc: number): boolean {
  return profileIdc !== 66 && profileIdc !== 77 && profileIdc !== 88;
}

function readUnits(bytes: Uint8Array, from: number, count: number): { units: Uint8Array[]; end: number } | undefined {
  const units: Uint8Array[] = [];
  let at = from;
  for (let i = 0; i < count; i++) {
    const length = (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0);
    if (at + 2 + length > bytes.length) return undefined;
    if (length > 0) units.push(bytes.subarray(at + 2, at + 2 + length));
    at += 2 + length;
  }
  return { units, end: at };
}

function sizeOf(units: readonly Uint8Array[]): number {
  let size = 0;
  for (const unit of units) size += 2 + unit.length;
  return size;
}

function writeUnits(out: Uint8Array, from: number, units: readonly Uint8Array[]): number {
  let at = from;
  for (const unit of units) {
    if (unit.length > 0xffff) throw new RangeError('parameter set too long for avcC');
    out[at++] = unit.length >>> 8;
    out[at++] = unit.length & 0xff;
    out.set(unit, at);
    at += unit.length;
  }
  return at;
}
