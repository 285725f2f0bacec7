/** Values of `nal_unit_type` of H.264 (table 7-1) that Airdesk uses. */
export const NalType = {
  slice: 1,
  sliceDataA: 2,
  sliceDataB: 3,
  sliceDataC: 4,
  idrSlice: 5,
  sei: 6,
  sps: 7,
  pps: 8,
  accessUnitDelimiter: 9,
  endOfSequence: 10,
  endOfStream: 11,
  filler: 12,
  spsExtension: 13,
  auxiliarySlice: 19,
} as const;

/** `nal_unit_type` of a unit from the first byte of its header (H.264 7.3.1). */
export function nalTypeOf(header: number): number {
  return header & 0x1f;
}

/** Whether a unit carries coded data of the primary picture. */
export function isCodedSlice(type: number): boolean {
  return type >= NalType.slice && type <= NalType.idrSlice;
}

/**
 * Whether a unit belongs in a sample: slices and supplemental information. Parameter sets are in the decoder configuration,
 * delimiters and filler carry nothing, and extension layers (SVC, MVC) are not announced by `avc1`.
 */
export function belongsInSample(type: number): boolean {
  return (type >= NalType.slice && type <= NalType.sei) || type === NalType.auxiliarySlice;
}
