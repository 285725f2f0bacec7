import type { BitReader } from '../nal/bit-reader.ts';
import { readVideoSignal, UNSPECIFIED_SIGNAL, type VideoSignal } from '../nal/video-signal.ts';

/** Video usability information (H.264 E.1.1): fields for media info and the timeline. */
export interface H264Vui extends VideoSignal {
  /** `num_units_in_tick` and `time_scale`: a field lasts one such tick, a frame two. */
  readonly timing?: { readonly unitsInTick: number; readonly timeScale: number; readonly isFixedFrameRate: boolean };
  /** `max_num_reorder_frames`: maximum number of pictures that are decoded before a picture and shown after it. */
  readonly maxReorderFrames?: number;
}

/** Values for an SPS without VUI. */
export const ABSENT_VUI: H264Vui = UNSPECIFIED_SIGNAL;

/** Reads `vui_parameters()`. */
export function readVui(reader: BitReader): H264Vui {
  const signal = readVideoSignal(reader);
  const hasTiming = reader.flag();
  const unitsInTick = hasTiming ? reader.bits(32) : 0;
  const timeScale = hasTiming ? reader.bits(32) : 0;
  const isFixedFrameRate = hasTiming && reader.flag();
  const maxReorderFrames = readReordering(reader);
  return {
    ...signal,
    ...(unitsInTick > 0 && timeScale > 0 ? { timing: { unitsInTick, timeScale, isFixedFrameRate } } : {}),
    ...(maxReorderFrames === undefined ? {} : { maxReorderFrames }),
  };
}

function readReordering(reader: BitReader): number | undefined {
  const hasNalHrd = reader.flag();
  if (hasNalHrd) skipHrd(reader);
  const hasVclHrd = reader.flag();
  if (hasVclHrd) skipHrd(reader);
  if (hasNalHrd || hasVclHrd) reader.skip(1); // low_delay_hrd_flag
  reader.skip(1); // pic_struct_present_flag
  if (!reader.flag()) return undefined;
  reader.skip(1); // motion_vectors_over_pic_boundaries_flag
  for (let i = 0; i < 4; i++) reader.ue(); // size limits and vector lengths
  const maxReorderFrames = reader.ue();
  return reader.isBad || maxReorderFrames > 16 ? undefined : maxReorderFrames;
}

/** Skips `hrd_parameters()` (H.264 E.1.2). */
function skipHrd(reader: BitReader): void {
  const count = Math.min(reader.ue(), 31) + 1;
  reader.skip(8);
  for (let i = 0; i < count && !reader.isBad; i++) {
    reader.ue();
    reader.ue();
    reader.skip(1);
  }
  reader.skip(20);
}
