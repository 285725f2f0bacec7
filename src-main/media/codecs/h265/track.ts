import { INPUT_TIMESCALE } from '../../access-unit.ts';
import { greatestDivisor } from '../../display.ts';
import type { VideoTrack } from '../../track.ts';
import { trackIdentity } from '../track-options.ts';
import type { TrackOptions } from '../track-options.ts';
import { readHvcC, writeHvcC } from '../nal/hvcc.ts';
import type { HvcC } from '../nal/hvcc.ts';
import { NalType } from './nal-type.ts';
import { hevcCodecString, levelName, profileName } from './profile-tier-level.ts';
import { readSps } from './sps.ts';
import type { H265Sps } from './sps.ts';
import { readVps } from './vps.ts';
import type { PictureTiming } from './vui.ts';

/** Parameter sets of an H.265 stream as NAL units. */
export interface H265ParameterSets {
  readonly vps: readonly Uint8Array[];
  readonly sps: readonly Uint8Array[];
  readonly pps: readonly Uint8Array[];
}

/** Track of an H.265 stream; `active` is the SPS of its pictures. Copies the units. */
export function h265Track(active: H265Sps, sets: H265ParameterSets, options: TrackOptions): VideoTrack {
  const timing = active.vui.timing ?? firstTiming(sets.vps);
  const { isFieldSequence, sampleAspectRatio } = active.vui;
  // The stated aspect ratio is that of frames; a line of a field is as high as two lines of a frame.
  const sarHeight = sampleAspectRatio.height * (isFieldSequence ? 2 : 1);
  const divisor = greatestDivisor(sampleAspectRatio.width, sarHeight);
  return {
    ...trackIdentity(options),
    content: 'video',
    codec: 'h265',
    timescale: INPUT_TIMESCALE,
    codecString: hevcCodecString(active.profileTierLevel),
    decoderConfig: writeHvcC(configOf(active, sets)),
    width: active.width,
    height: active.height,
    sarWidth: sampleAspectRatio.width / divisor,
    sarHeight: sarHeight / divisor,
    ...(timing ? { fps: timing.timeScale / timing.unitsInTick / (isFieldSequence ? 2 : 1) } : {}),
    reorderDepth: active.maxReorderPictures,
    ...(isFieldSequence ? { isInterlaced: true, isFieldSequence } : {}),
    profile: profileName(active.profileTierLevel),
    level: levelName(active.profileTierLevel),
  };
}

/**
 * Track of an HEVC decoder configuration record; undefined if the record is damaged or has no parameter sets. Its configuration
 * always has four-byte lengths, like access units.
 */
export function trackFromHvcC(record: Uint8Array, options: TrackOptions): VideoTrack | undefined {
  const hvcC = readHvcC(record);
  const sets = hvcC && parameterSetsOf(hvcC);
  const first = sets?.sps[0];
  const active = first && readSps(first);
  if (!active || sets.pps.length === 0) return undefined;
  return h265Track(active, sets, options);
}

/** The parameter sets of a record, by kind. */
export function parameterSetsOf(hvcC: HvcC): H265ParameterSets {
  const unitsOf = (type: number): Uint8Array[] =>
    hvcC.arrays.filter((array) => array.nalType === type).flatMap((array) => [...array.units]);
  return { vps: unitsOf(NalType.vps), sps: unitsOf(NalType.sps), pps: unitsOf(NalType.pps) };
}

function configOf(active: H265Sps, sets: H265ParameterSets): HvcC {
  const arrays = [
    { nalType: NalType.vps, isComplete: true, units: sets.vps },
    { nalType: NalType.sps, isComplete: true, units: sets.sps },
    { nalType: NalType.pps, isComplete: true, units: sets.pps },
  ];
  return {
    profileTierLevel: active.profileTierLevel,
    minSpatialSegmentation: 0,
    parallelismType: 0,
    chromaFormatIdc: active.chromaFormatIdc,
    bitDepthLuma: active.bitDepthLuma,
    bitDepthChroma: active.bitDepthChroma,
    averageFrameRate: 0,
    constantFrameRate: 0,
    temporalLayers: active.temporalLayers,
    isTemporalIdNested: active.isTemporalIdNested,
    lengthSize: 4,
    arrays: arrays.filter((array) => array.units.length > 0),
  };
}

function firstTiming(vps: readonly Uint8Array[]): PictureTiming | undefined {
  const first = vps[0];
  return first && readVps(first)?.timing;
}
