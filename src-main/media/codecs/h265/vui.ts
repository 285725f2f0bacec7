import type { BitReader } from '../nal/bit-reader.ts';
import { readVideoSignal, UNSPECIFIED_SIGNAL, type VideoSignal } from '../nal/video-signal.ts';

/** Video usability information (H.265 E.2.1) up to its timing. */
export interface H265Vui extends VideoSignal {
  /** `field_seq_flag`: each picture is one field. */
  readonly isFieldSequence: boolean;
  readonly timing?: PictureTiming;
}

/** `num_units_in_tick` and `time_scale`: a picture (a field of a field sequence) lasts one such tick. */
export interface PictureTiming {
  readonly unitsInTick: number;
  readonly timeScale: number;
}

/** Values for an SPS without VUI. */
export const ABSENT_VUI: H265Vui = {
  ...UNSPECIFIED_SIGNAL,
  isFieldSequence: false,
};

/** Reads `vui_parameters()` up to the timing; later fields are not needed. */
export function readVui(reader: BitReader): H265Vui {
  const signal = readVideoSignal(reader);
  reader.skip(1); // neutral_chroma_indication_flag
  const isFieldSequence = reader.flag();
  reader.skip(1); // frame_field_info_present_flag
  if (reader.flag()) for (let i = 0; i < 4; i++) reader.ue(); // default display window
  const timing = readTiming(reader);
  return {
    ...signal,
    isFieldSequence,
    ...(timing ? { timing } : {}),
  };
}

/** Reads the timing flag and the timing, which are the same in VUI and VPS. */
export function readTiming(reader: BitReader): PictureTiming | undefined {
  if (!reader.flag()) return undefined;
  const unitsInTick = reader.bits(32);
  const timeScale = reader.bits(32);
  return unitsInTick > 0 && timeScale > 0 && !reader.isBad ? { unitsInTick, timeScale } : undefined;
}
