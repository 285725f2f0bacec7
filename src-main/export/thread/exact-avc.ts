import { readAvcC, writeAvcC } from '../../media/codecs/h264/avcc.ts';
import { NalType, nalTypeOf } from '../../media/codecs/h264/nal-type.ts';
import { readPps } from '../../media/codecs/h264/pps.ts';
import { readSps } from '../../media/codecs/h264/sps.ts';
import type { VideoTrack } from '../../media/track.ts';
import { notExact, type CutFormat } from './exact-coding.ts';

const PROFILES = new Map([
  [66, 'baseline'],
  [77, 'main'],
  [100, 'high'],
] as const);
const MOST_ID = 31;

/** How a track of H.264 is cut. */
export function avcFormat(track: VideoTrack): CutFormat {
  const config = readAvcC(track.decoderConfig);
  const sets = config?.sps.map(readSps) ?? [];
  const [first] = sets;
  const profile = PROFILES.get(config?.profileIdc as 66);
  if (!config || !first || !profile || config.lengthSize !== 4)
    throw notExact(`the profile ${track.profile} is not encoded`);
  if (first.chromaFormatIdc !== 1 || first.bitDepthLuma !== 8 || first.bitDepthChroma !== 8)
    throw notExact('its pictures are not 4:2:0 with 8 bits');
  const used = new Set([...sets.map((set) => set?.id), ...config.pps.map((unit) => readPps(unit)?.id)]);
  let parameterSetId = 1;
  while (used.has(parameterSetId)) parameterSetId++;
  if (parameterSetId > MOST_ID) throw notExact('it has no number left for further parameter sets');
  return {
    coding: {
      ...{ codec: 'h264', profile, levelIdc: config.levelIdc, parameterSetId, isInterlaced: first.isInterlaced },
      reordered: first.vui?.maxReorderFrames ?? (profile === 'baseline' ? 0 : 2),
    },
    isEntry: isIdr,
    alone: (data) => data,
    // The encoder is asked for the number.
    numbered: (made) => made,
    withSets,
  };
}

function withSets(track: VideoTrack, added: readonly Uint8Array[]): VideoTrack {
  const own = readAvcC(track.decoderConfig);
  if (!own || added.length === 0) return track;
  const [sps, pps] = [[...own.sps], [...own.pps]];
  for (const unit of added) {
    const units = nalTypeOf(unit[0] ?? 0) === NalType.sps ? sps : pps;
    if (!units.some((known) => Buffer.compare(known, unit) === 0)) units.push(unit);
  }
  return { ...track, decoderConfig: writeAvcC({ ...own, sps, pps }) };
}

/** Whether a picture is one before which nothing is needed (IDR). */
function isIdr(data: Uint8Array): boolean {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  for (let at = 0; at + 5 <= data.length; at += 4 + view.getUint32(at)) {
    const type = nalTypeOf(data[at + 4] ?? 0);
    if (type === NalType.idrSlice) return true;
    if (type === NalType.slice) return false;
  }
  return false;
}
