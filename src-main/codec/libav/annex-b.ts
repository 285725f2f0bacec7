/**
 * Splits Annex B bytes (H.264 Annex B.1) into NAL units: start and end of each, without start code and trailing zeros.
 */
function findNalUnits(bytes: Buffer): { start: number; end: number }[] {
  const units: { start: number; end: number }[] = [];
  let at = bytes.indexOf(START_CODE);
  while (at >= 0) {
    const start = at + 3;
    at = bytes.indexOf(START_CODE, start);
    let end = at < 0 ? bytes.length : at;
    while (end > start && bytes[end - 1] === 0) end--;
    if (end > start) units.push({ start, end });
  }
  return units;
}

const START_CODE = Buffer.from([0, 0, 1]);
const SLICE_TYPES_LAST = 5;
const SPS = 7;
const PPS = 8;

/** Coded slices of an access unit, each after its length in four bytes, without parameter sets, SEI and delimiters. */
export function slicesWithLengths(annexB: Buffer): Buffer {
  const slices = findNalUnits(annexB).filter(({ start }) => nalType(annexB, start) <= SLICE_TYPES_LAST);
  const out = Buffer.allocUnsafe(slices.reduce((sum, { start, end }) => sum + 4 + end - start, 0));
  let at = 0;
  for (const { start, end } of slices) {
    at = out.writeUInt32BE(end - start, at);
    at += annexB.copy(out, at, start, end);
  }
  return out;
}

/** AVC decoder configuration record (ISO/IEC 14496-15, 5.3.3.1) of 4:2:0, 8 bit, from Annex B parameter sets. */
export function avcDecoderConfig(annexB: Buffer): Buffer | undefined {
  const units = findNalUnits(annexB);
  const find = (type: number): Buffer | undefined => {
    const unit = units.find(({ start }) => nalType(annexB, start) === type);
    return unit && annexB.subarray(unit.start, unit.end);
  };
  const sps = find(SPS);
  const pps = find(PPS);
  if (!sps || !pps || sps.length < 4) return undefined;
  const head = [1, sps[1] ?? 0, sps[2] ?? 0, sps[3] ?? 0, 0xff, 0xe1];
  const parts = [Buffer.from(head), length16(sps), sps, Buffer.from([1]), length16(pps), pps];
  const profile = sps[1] ?? 0;
  // High profiles repeat chroma format and bit depths.
  if (profile === 100 || profile === 110 || profile === 122 || profile === 144)
    parts.push(Buffer.from([0xfd, 0xf8, 0xf8, 0]));
  return Buffer.concat(parts);
}

function nalType(bytes: Buffer, start: number): number {
  return (bytes[start] ?? 0) & 0x1f;
}

function length16(bytes: Buffer): Buffer {
  const out = Buffer.allocUnsafe(2);
  out.writeUInt16BE(bytes.length);
  return out;
}
