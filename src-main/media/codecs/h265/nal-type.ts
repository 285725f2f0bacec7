/** Values of `nal_unit_type` of H.265 (table 7-1) that Airdesk uses. */
export const NalType = {
  blaWithLeading: 16,
  idrWithRadl: 19,
  idrNoLeading: 20,
  cra: 21,
  lastIrap: 23,
  lastSlice: 31,
  vps: 32,
  sps: 33,
  pps: 34,
  accessUnitDelimiter: 35,
  endOfSequence: 36,
  endOfBitstream: 37,
  filler: 38,
  prefixSei: 39,
  suffixSei: 40,
} as const;

/** `nal_unit_type` of a unit from the first byte of its header (H.265 7.3.1.2). */
export function nalTypeOf(header: number): number {
  return (header >>> 1) & 0x3f;
}

/** `nuh_layer_id` from the two bytes of a header: 0 is the base layer. */
export function layerIdOf(first: number, second: number): number {
  return ((first & 1) << 5) | (second >>> 3);
}

/** Whether a unit carries a slice segment of a picture. */
export function isSlice(type: number): boolean {
  return type <= NalType.lastSlice;
}

/** Whether the picture is a random access point: BLA, IDR or CRA (H.265 7.4.2.2). */
export function isIrap(type: number): boolean {
  return type >= NalType.blaWithLeading && type <= NalType.lastIrap;
}

/** Whether a unit of the base layer belongs in a sample: not parameter sets, delimiters, ends and filler. */
export function belongsInSample(type: number): boolean {
  return type < NalType.vps || type > NalType.filler;
}
