import { BitReader } from '../nal/bit-reader.ts';
import { removeEmulation } from '../nal/emulation.ts';
import { readProfileTierLevel } from './profile-tier-level.ts';
import type { ProfileTierLevel } from '../nal/hvcc.ts';
import { skipShortTermReferenceSets } from './reference-sets.ts';
import { ABSENT_VUI, readVui } from './vui.ts';
import type { H265Vui } from './vui.ts';

/** Maximum size of an SPS; in practice it has 30 to 150 bytes. */
export const MAX_SPS_BYTES = 8192;
/** Maximum reorder depth: the size of the decoded picture buffer (A.4.2). */
const MAX_REORDERED = 16;

/** Sequence parameter set of H.265 (7.3.2.2): fields for media info and the decoder configuration. */
export interface H265Sps {
  /** `sps_seq_parameter_set_id`, 0 to 15. */
  readonly id: number;
  /** `sps_video_parameter_set_id`, 0 to 15. */
  readonly vpsId: number;
  /** `sps_max_sub_layers_minus1` + 1. */
  readonly temporalLayers: number;
  readonly isTemporalIdNested: boolean;
  readonly profileTierLevel: ProfileTierLevel;
  /** Chroma format: 0 for monochrome, 1 for 4:2:0, 2 for 4:2:2, 3 for 4:4:4. */
  readonly chromaFormatIdc: number;
  readonly bitDepthLuma: number;
  readonly bitDepthChroma: number;
  /** Size in pixels inside the conformance window. */
  readonly width: number;
  readonly height: number;
  /**
   * `sps_max_num_reorder_pics` of all layers: maximum number of pictures before one in decoding order and after it in output
   * order.
   */
  readonly maxReorderPictures: number;
  /** Bits of `slice_pic_order_cnt_lsb`, and of `slice_segment_address`; 0 if the SPS is truncated before them. */
  readonly orderBits: number;
  readonly addressBits: number;
  /** `separate_colour_plane_flag`. */
  readonly isSeparate: boolean;
  readonly vui: H265Vui;
}

/** Reads a sequence parameter set from its NAL unit; undefined if it is damaged or states an impossible size. */
export function readSps(unit: Uint8Array): H265Sps | undefined {
  if (unit.length < 8 || unit.length > MAX_SPS_BYTES) return undefined;
  const reader = new BitReader(removeEmulation(unit, 2));
  const vpsId = reader.bits(4);
  const maxSubLayersMinus1 = reader.bits(3);
  const isTemporalIdNested = reader.flag();
  const profileTierLevel = readProfileTierLevel(reader, maxSubLayersMinus1);
  const id = reader.ue();
  const chromaFormatIdc = reader.ue();
  const isSeparate = chromaFormatIdc === 3 && reader.flag();
  const codedWidth = reader.ue();
  const codedHeight = reader.ue();
  const [left, right, top, bottom] = reader.flag()
    ? [reader.ue(), reader.ue(), reader.ue(), reader.ue()]
    : [0, 0, 0, 0];
  const bitDepthLuma = reader.ue() + 8;
  const bitDepthChroma = reader.ue() + 8;
  if (reader.isBad || id > 15 || chromaFormatIdc > 3 || bitDepthLuma > 15 || bitDepthChroma > 15) return undefined;

  const cropX = !isSeparate && (chromaFormatIdc === 1 || chromaFormatIdc === 2) ? 2 : 1;
  const cropY = !isSeparate && chromaFormatIdc === 1 ? 2 : 1;
  const width = codedWidth - (left + right) * cropX;
  const height = codedHeight - (top + bottom) * cropY;
  if (width < 1 || height < 1 || width > 16384 || height > 16384) return undefined;

  const pocBits = reader.ue() + 4;
  if (pocBits > 16) reader.isBad = true;
  const maxReorderPictures = readReordering(reader, maxSubLayersMinus1);
  const addressBits = readAddressBits(reader, codedWidth, codedHeight);
  const isTruncated = reader.isBad;
  const vui = readUpToVui(reader, pocBits);
  return {
    id,
    vpsId,
    temporalLayers: maxSubLayersMinus1 + 1,
    isTemporalIdNested,
    profileTierLevel,
    chromaFormatIdc,
    bitDepthLuma,
    bitDepthChroma,
    width,
    height,
    maxReorderPictures,
    orderBits: isTruncated ? 0 : pocBits,
    addressBits: isTruncated ? 0 : addressBits,
    isSeparate,
    // If the end is damaged, the picture size before it is still used, as decoders do.
    vui: reader.isBad ? ABSENT_VUI : vui,
  };
}

/** Reads the decoded picture buffer fields; the last layer counts. */
function readReordering(reader: BitReader, maxSubLayersMinus1: number): number {
  const layers = reader.flag() ? maxSubLayersMinus1 + 1 : 1;
  let maxReorderPictures = 0;
  for (let i = 0; i < layers; i++) {
    reader.ue(); // sps_max_dec_pic_buffering_minus1
    maxReorderPictures = reader.ue();
    reader.ue(); // sps_max_latency_increase_plus1
  }
  return reader.isBad ? 0 : Math.min(maxReorderPictures, MAX_REORDERED);
}

/** Bits of the address of a coding tree block (7.4.7.1). */
function readAddressBits(reader: BitReader, width: number, height: number): number {
  const smallestLog2 = reader.ue() + 3;
  const sizeLog2 = smallestLog2 + reader.ue();
  if (sizeLog2 > 6) return 0;
  const blocks = Math.ceil(width / 2 ** sizeLog2) * Math.ceil(height / 2 ** sizeLog2);
  return 32 - Math.clz32(blocks - 1);
}

/** Skips the coding tools between the decoded picture buffer and the VUI. */
function readUpToVui(reader: BitReader, pocBits: number): H265Vui {
  for (let i = 0; i < 4; i++) reader.ue(); // sizes and depths of transform blocks
  if (reader.flag() && reader.flag()) skipScalingLists(reader);
  reader.skip(2); // amp_enabled_flag, sample_adaptive_offset_enabled_flag
  if (reader.flag()) {
    reader.skip(8); // pcm bit depths
    reader.ue();
    reader.ue();
    reader.skip(1);
  }
  skipShortTermReferenceSets(reader);
  if (reader.flag()) {
    const count = reader.ue();
    if (count > 32 || reader.isBad) reader.isBad = true;
    else reader.skip(count * (pocBits + 1));
  }
  reader.skip(2); // sps_temporal_mvp_enabled_flag, strong_intra_smoothing_enabled_flag
  return !reader.isBad && reader.flag() ? readVui(reader) : ABSENT_VUI;
}

/** Skips `scaling_list_data()` (H.265 7.3.4). */
function skipScalingLists(reader: BitReader): void {
  for (let sizeId = 0; sizeId < 4; sizeId++) {
    const coefficients = Math.min(64, 1 << (4 + sizeId * 2));
    for (let matrixId = 0; matrixId < 6 && !reader.isBad; matrixId += sizeId === 3 ? 3 : 1) {
      if (!reader.flag()) {
        reader.ue(); // scaling_list_pred_matrix_id_delta
        continue;
      }
      if (sizeId > 1) reader.se(); // scaling_list_dc_coef_minus8
      for (let i = 0; i < coefficients && !reader.isBad; i++) reader.se();
    }
  }
}
