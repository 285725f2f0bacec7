import { BitReader } from '../nal/bit-reader.ts';
import { removeEmulation } from '../nal/emulation.ts';
import { readProfileTierLevel } from './profile-tier-level.ts';
import { readTiming } from './vui.ts';
import type { PictureTiming } from './vui.ts';

/** Maximum size of a VPS; in practice it has 20 to 40 bytes. */
export const MAX_VPS_BYTES = 4096;

const MAX_LAYER_SETS = 1024;

/** Video parameter set of H.265 (7.3.2.1): its id, and the timing if present. */
export interface H265Vps {
  /** `vps_video_parameter_set_id`, 0 to 15. */
  readonly id: number;
  readonly timing?: PictureTiming;
}

/** Reads a video parameter set from its NAL unit; undefined if it is too short or too long. */
export function readVps(unit: Uint8Array): H265Vps | undefined {
  if (unit.length < 6 || unit.length > MAX_VPS_BYTES) return undefined;
  const reader = new BitReader(removeEmulation(unit, 2));
  const id = reader.bits(4);
  reader.skip(2 + 6); // base layer flags, vps_max_layers_minus1
  const maxSubLayersMinus1 = reader.bits(3);
  reader.skip(1 + 16); // vps_temporal_id_nesting_flag, reserved
  readProfileTierLevel(reader, maxSubLayersMinus1);
  const orderings = reader.flag() ? maxSubLayersMinus1 + 1 : 1;
  for (let i = 0; i < orderings * 3; i++) reader.ue();
  const maxLayerId = reader.bits(6);
  const layerSetsMinus1 = reader.ue();
  if (reader.isBad || layerSetsMinus1 >= MAX_LAYER_SETS) return { id };
  reader.skip(layerSetsMinus1 * (maxLayerId + 1));
  const timing = readTiming(reader);
  return timing ? { id, timing } : { id };
}
