import { BitReader } from '../nal/bit-reader.ts';
import { removeEmulation } from '../nal/emulation.ts';

/** Maximum size of a PPS; in practice it has 4 to 20 bytes, or about 700 with all scaling lists. */
export const MAX_PPS_BYTES = 4096;

/** Picture parameter set of H.264 (7.3.2.2), up to the fields needed to parse slices. */
export interface H264Pps {
  /** `pic_parameter_set_id`, 0 to 255. */
  readonly id: number;
  /** `seq_parameter_set_id`, 0 to 31. */
  readonly spsId: number;
  /** `bottom_field_pic_order_in_frame_present_flag`. */
  readonly hasBottomOrder: boolean;
  /** `redundant_pic_cnt_present_flag`; true also if it cannot be read because of slice groups. */
  readonly hasRedundantPictures: boolean;
}

/** Reads the start of a picture parameter set from its NAL unit; undefined if it is damaged. */
export function readPps(unit: Uint8Array): H264Pps | undefined {
  if (unit.length < 2 || unit.length > MAX_PPS_BYTES) return undefined;
  const reader = new BitReader(removeEmulation(unit, 1, Math.min(unit.length, 40)));
  const id = reader.ue();
  const spsId = reader.ue();
  if (reader.isBad || id > 255 || spsId > 31) return undefined;
  reader.skip(1); // entropy_coding_mode_flag
  const hasBottomOrder = reader.flag();
  return { id, spsId, hasBottomOrder, hasRedundantPictures: readHasRedundantPictures(reader) };
}

function readHasRedundantPictures(reader: BitReader): boolean {
  if (reader.ue() > 0) return true; // num_slice_groups_minus1
  reader.ue(); // num_ref_idx_l0_default_active_minus1
  reader.ue(); // num_ref_idx_l1_default_active_minus1
  reader.skip(3); // weighted_pred_flag, weighted_bipred_idc
  for (let i = 0; i < 3; i++) reader.se(); // pic_init_qp_minus26, pic_init_qs_minus26, chroma_qp_index_offset
  reader.skip(2); // deblocking_filter_control_present_flag, constrained_intra_pred_flag
  return reader.flag();
}
