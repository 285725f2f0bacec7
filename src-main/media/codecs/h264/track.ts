import { INPUT_TIMESCALE } from '../../access-unit.ts';
import type { VideoTrack } from '../../track.ts';
import { trackIdentity } from '../track-options.ts';
import type { TrackOptions } from '../track-options.ts';
import { hasChromaFields, readAvcC, writeAvcC } from '../nal/avcc.ts';
import { avcCodecString, levelName, profileName } from './profile.ts';
import { readSps, reorderDepthOf, type H264Sps } from './sps.ts';

/** Track of an H.264 stream from its parameter sets; `active` is the SPS of its pictures. Copies the units. */
export function h264Track(
  active: H264Sps,
  sps: readonly Uint8Array[],
  pps: readonly Uint8Array[],
  options: TrackOptions,
): VideoTrack {
  const { profileIdc, constraints, levelIdc } = active;
  const chroma = {
    formatIdc: active.chromaFormatIdc,
    bitDepthLuma: active.bitDepthLuma,
    bitDepthChroma: active.bitDepthChroma,
  };
  const reorderDepth = reorderDepthOf(active);
  return {
    ...trackIdentity(options),
    content: 'video',
    codec: 'h264',
    timescale: INPUT_TIMESCALE,
    codecString: avcCodecString(profileIdc, constraints, levelIdc),
    decoderConfig: writeAvcC({
      profileIdc,
      constraints,
      levelIdc,
      lengthSize: 4,
      sps,
      pps,
      ...(hasChromaFields(profileIdc) ? { chroma } : {}),
    }),
    width: active.width,
    height: active.height,
    sarWidth: active.vui.sampleAspectRatio.width,
    sarHeight: active.vui.sampleAspectRatio.height,
    ...(active.fps === undefined ? {} : { fps: active.fps }),
    ...(reorderDepth === undefined ? {} : { reorderDepth }),
    ...(active.isInterlaced ? { isInterlaced: true } : {}),
    profile: profileName(profileIdc, constraints),
    level: levelName(profileIdc, constraints, levelIdc),
  };
}

/**
 * Track of an AVC decoder configuration record; undefined if the record is damaged or has no parameter sets. Its configuration
 * always has four-byte lengths, like access units.
 */
export function trackFromAvcC(record: Uint8Array, options: TrackOptions): VideoTrack | undefined {
  const avcC = readAvcC(record);
  const first = avcC?.sps[0];
  const active = first && readSps(first);
  if (!avcC || !active || avcC.pps.length === 0) return undefined;
  return h264Track(active, avcC.sps, avcC.pps, options);
}
