import { BitReader } from '../nal/bit-reader.ts';
import { removeEmulation } from '../nal/emulation.ts';

/** Longest PPS that is taken; real ones have 4 to 20 bytes, with all scaling lists about 700. */
export const MAX_PPS_BYTES = 4096;

/** A picture parameter set of H.264 (7.3.2.2): only which it is and which SPS it refers to. */
export interface H264Pps {
  /** `pic_parameter_set_id`, 0 to 255. */
  readonly id: number;
  /** `seq_parameter_set_id`, 0 to 31. */
  readonly spsId: number;
}

/** Reads the ids of a picture parameter set from its NAL unit; undefined when it is damaged. */
export function readPps(unit: Uint8Array): H264Pps | undefined {
  if (unit.length < 2 || unit.length > MAX_PPS_BYTES) return undefined;
  const reader = new BitReader(removeEmulation(unit, 1, Math.min(unit.length, 16)));
  const id = reader.ue();
  const spsId = reader.ue();
  return reader.isBad || id > 255 || spsId > 31 ? undefined : { id, spsId };
}
