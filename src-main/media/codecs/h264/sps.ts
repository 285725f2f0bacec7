import { BitReader } from '../nal/bit-reader.ts';
import { removeEmulation } from '../nal/emulation.ts';
import { ABSENT_VUI, readVui } from './vui.ts';
import type { H264Vui } from './vui.ts';

/** Maximum size of an SPS; in practice it has 10 to 100 bytes, or about 700 with all scaling lists. */
export const MAX_SPS_BYTES = 4096;

/** Sequence parameter set of H.264 (7.3.2.1.1): fields for media info and the decoder configuration. */
export interface H264Sps {
  /** `profile_idc`, the constraint flags as one byte (`constraint_set0_flag` is bit 7), and `level_idc`. */
  readonly profileIdc: number;
  readonly constraints: number;
  readonly levelIdc: number;
  /** `seq_parameter_set_id`, 0 to 31. */
  readonly id: number;
  /** Chroma format: 0 for monochrome, 1 for 4:2:0, 2 for 4:2:2, 3 for 4:4:4. */
  readonly chromaFormatIdc: number;
  readonly bitDepthLuma: number;
  readonly bitDepthChroma: number;
  /** Size in pixels after cropping. */
  readonly width: number;
  readonly height: number;
  /** `frame_mbs_only_flag` is 0: pictures may be fields. */
  readonly isInterlaced: boolean;
  readonly maxReferenceFrames: number;
  /** Bits of `frame_num` and `pic_order_cnt_lsb` in slice headers. */
  readonly frameNumberBits: number;
  readonly orderBits: number;
  /** `pic_order_cnt_type`: 2 if pictures are shown in decoding order. */
  readonly orderType: number;
  /** `delta_pic_order_always_zero_flag`. */
  readonly hasNoOrderDelta: boolean;
  /** `separate_colour_plane_flag`: a picture consists of slices of three colour planes. */
  readonly isSeparate: boolean;
  readonly vui: H264Vui;
  /** Frames per second from the VUI timing; absent if not stated. */
  readonly fps?: number;
}

/** Profiles whose SPS carries chroma format, bit depth and scaling lists (H.264 7.3.2.1.1). */
const HIGH_PROFILES: ReadonlySet<number> = new Set([100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135]);

/** profile_idc of Baseline: without B slices (H.264 A.2.1). */
export const BASELINE = 66;

/** Maximum number of pictures decoded before a picture that is shown earlier; undefined if the set does not state it. */
export function reorderDepthOf({ vui, orderType, profileIdc }: H264Sps): number | undefined {
  return vui.maxReorderFrames ?? (orderType === 2 || profileIdc === BASELINE ? 0 : undefined);
}

/** Reads a sequence parameter set from its NAL unit; undefined if it is damaged or states an impossible size. */
export function readSps(unit: Uint8Array): H264Sps | undefined {
  if (unit.length < 4 || unit.length > MAX_SPS_BYTES) return undefined;
  const reader = new BitReader(removeEmulation(unit, 1));
  const profileIdc = reader.bits(8);
  const constraints = reader.bits(8);
  const levelIdc = reader.bits(8);
  const id = reader.ue();
  const chroma = HIGH_PROFILES.has(profileIdc)
    ? readChroma(reader)
    : { formatIdc: 1, bitDepthLuma: 8, bitDepthChroma: 8, isSeparate: false };
  const frameNumberBits = reader.ue() + 4;
  const order = readPictureOrder(reader);
  const maxReferenceFrames = reader.ue();
  reader.skip(1); // gaps_in_frame_num_value_allowed_flag
  const widthInMbs = reader.ue() + 1;
  const heightInMapUnits = reader.ue() + 1;
  const isInterlaced = !reader.flag();
  if (isInterlaced) reader.skip(1); // mb_adaptive_frame_field_flag
  reader.skip(1); // direct_8x8_inference_flag
  const [left, right, top, bottom] = reader.flag()
    ? [reader.ue(), reader.ue(), reader.ue(), reader.ue()]
    : [0, 0, 0, 0];
  if (reader.isBad || id > 31 || chroma.formatIdc > 3 || chroma.bitDepthLuma > 14 || chroma.bitDepthChroma > 14)
    return undefined;
  if (frameNumberBits > 16 || order.orderBits > 16) return undefined;

  const cropX = chroma.formatIdc === 1 || chroma.formatIdc === 2 ? 2 : 1;
  const cropY = (chroma.formatIdc === 1 ? 2 : 1) * (isInterlaced ? 2 : 1);
  const width = widthInMbs * 16 - (left + right) * (chroma.isSeparate ? 1 : cropX);
  const height = heightInMapUnits * 16 * (isInterlaced ? 2 : 1) - (top + bottom) * cropY;
  if (width < 1 || height < 1 || width > 16384 || height > 16384) return undefined;

  // If the VUI is truncated, the picture size before it is still used, as decoders do.
  const vui = reader.flag() ? readVui(reader) : ABSENT_VUI;
  const fps = vui.timing && !reader.isBad ? vui.timing.timeScale / (2 * vui.timing.unitsInTick) : 0;
  return {
    profileIdc,
    constraints,
    levelIdc,
    id,
    chromaFormatIdc: chroma.formatIdc,
    bitDepthLuma: chroma.bitDepthLuma,
    bitDepthChroma: chroma.bitDepthChroma,
    width,
    height,
    isInterlaced,
    maxReferenceFrames,
    frameNumberBits,
    ...order,
    isSeparate: chroma.isSeparate,
    vui: reader.isBad ? ABSENT_VUI : vui,
    ...(fps > 0 ? { fps } : {}),
  };
}

interface Chroma {
  readonly formatIdc: number;
  readonly bitDepthLuma: number;
  readonly bitDepthChroma: number;
  /** `separate_colour_plane_flag`. */
  readonly isSeparate: boolean;
}

function readChroma(reader: BitReader): Chroma {
  const formatIdc = reader.ue();
  const isSeparate = formatIdc === 3 && reader.flag();
  const bitDepthLuma = reader.ue() + 8;
  const bitDepthChroma = reader.ue() + 8;
  reader.skip(1); // qpprime_y_zero_transform_bypass_flag
  if (reader.flag()) {
    const lists = formatIdc === 3 ? 12 : 8;
    for (let i = 0; i < lists; i++) if (reader.flag()) skipScalingList(reader, i < 6 ? 16 : 64);
  }
  return { formatIdc, bitDepthLuma, bitDepthChroma, isSeparate };
}

/** Skips `scaling_list()` (H.264 7.3.2.1.1.1): it ends early when a scale becomes 0. */
function skipScalingList(reader: BitReader, size: number): void {
  let last = 8;
  for (let i = 0; i < size && !reader.isBad; i++) {
    const next = (((last + reader.se()) % 256) + 256) % 256;
    if (next === 0) return;
    last = next;
  }
}

function readPictureOrder(reader: BitReader): Pick<H264Sps, 'orderBits' | 'orderType' | 'hasNoOrderDelta'> {
  const orderType = reader.ue();
  let orderBits = 0;
  let hasNoOrderDelta = false;
  if (orderType === 0) {
    orderBits = reader.ue() + 4;
  } else if (orderType === 1) {
    hasNoOrderDelta = reader.flag();
    reader.se();
    reader.se();
    const cycle = reader.ue();
    for (let i = 0; i < cycle && i < 256 && !reader.isBad; i++) reader.se();
    if (cycle > 255) reader.isBad = true;
  } else if (orderType > 2) {
    reader.isBad = true;
  }
  return { orderBits, orderType, hasNoOrderDelta };
}
