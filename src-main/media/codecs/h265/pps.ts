import { BitReader } from '../nal/bit-reader.ts';
import { removeEmulation } from '../nal/emulation.ts';

/** Maximum size of a PPS; in practice it has 6 to 20 bytes. */
export const MAX_PPS_BYTES = 8192;

/** Picture parameter set of H.265 (7.3.2.3), up to the fields needed to parse slices. */
export interface H265Pps {
  /** `pps_pic_parameter_set_id`, 0 to 63. */
  readonly id: number;
  /** `pps_seq_parameter_set_id`, 0 to 15. */
  readonly spsId: number;
  /** `dependent_slice_segments_enabled_flag`, `output_flag_present_flag` and `num_extra_slice_header_bits`. */
  readonly hasDependentSlices: boolean;
  readonly hasOutputFlag: boolean;
  readonly extraBits: number;
}

/** Reads the start of a picture parameter set from its NAL unit; undefined if it is damaged. */
export function readPps(unit: Uint8Array): H265Pps | undefined {
  if (unit.length < 3 || unit.length > MAX_PPS_BYTES) return undefined;
  const reader = new BitReader(removeEmulation(unit, 2, Math.min(unit.length, 16)));
  const id = reader.ue();
  const spsId = reader.ue();
  if (reader.isBad || id > 63 || spsId > 15) return undefined;
  return { id, spsId, hasDependentSlices: reader.flag(), hasOutputFlag: reader.flag(), extraBits: reader.bits(3) };
}

/**
 * `slice_pic_parameter_set_id` of the first slice segment of a picture whose NAL unit is from `start` to `end` (H.265 7.3.6.1).
 */
export function readFirstPpsId(bytes: Uint8Array, start: number, end: number, isIrap: boolean): number | undefined {
  const reader = new BitReader(removeEmulation(bytes, start + 2, Math.min(end, start + 12)));
  reader.skip(isIrap ? 2 : 1); // first_slice_segment_in_pic_flag, no_output_of_prior_pics_flag
  const id = reader.ue();
  return reader.isBad || id > 63 ? undefined : id;
}
