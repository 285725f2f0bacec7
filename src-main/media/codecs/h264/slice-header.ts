import { BitReader } from '../nal/bit-reader.ts';
import { removeEmulation } from '../nal/emulation.ts';

/** The start of a slice header of H.264 (7.3.3). */
export interface H264SliceStart {
  readonly firstMacroblock: number;
  /** `slice_type` modulo 5 is 2 or 4 (I or SI): nothing is predicted from other pictures. */
  readonly isIntra: boolean;
  readonly ppsId: number;
}

const INTRA = 2;
const SWITCHING_INTRA = 4;
/** Maximum size of three valid Exp-Golomb codes. */
const START_BYTES = 24;

/** Reads the start of the slice whose NAL unit is from `start` to `end`; undefined if it is damaged. */
export function readSliceStart(bytes: Uint8Array, start: number, end: number): H264SliceStart | undefined {
  const reader = new BitReader(removeEmulation(bytes, start + 1, Math.min(end, start + START_BYTES)));
  const firstMacroblock = reader.ue();
  const type = reader.ue();
  const ppsId = reader.ue();
  if (reader.isBad || type > 9 || ppsId > 255) return undefined;
  return { firstMacroblock, isIntra: type % 5 === INTRA || type % 5 === SWITCHING_INTRA, ppsId };
}
