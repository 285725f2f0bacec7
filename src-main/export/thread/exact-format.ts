import { readAvcC, writeAvcC } from '../../media/codecs/nal/avcc.ts';
import { NalType, nalTypeOf } from '../../media/codecs/h264/nal-type.ts';
import { readPps } from '../../media/codecs/h264/pps.ts';
import { readSps } from '../../media/codecs/h264/sps.ts';
import type { VideoTrack } from '../../media/track.ts';
import { ExportFailure } from './export-task.ts';
import { because, type Explained } from '../../../src-preload/contract/explanations/explanations.ts';

/** Encoded picture with its times in ticks of its track. */
interface CodedPicture {
  readonly ptsTicks: number;
  readonly data: Uint8Array;
}

/** Encodes the H.264 pictures of a time range again. */
export type CutPictures = (input: {
  readonly decoderConfig: Uint8Array;
  readonly pictures: readonly CodedPicture[];
  readonly fromTicks: number;
  readonly toTicks: number;
  readonly timescale: number;
  readonly fps: number;
  readonly parameterSetId: number;
  readonly levelIdc: number;
  readonly profile: 'baseline' | 'main' | 'high';
}) => Promise<{ readonly decoderConfig: Uint8Array; readonly pictures: readonly CodedPicture[] }>;

const PROFILES = new Map([
  [66, 'baseline'],
  [77, 'main'],
  [100, 'high'],
] as const);
const MAX_ID = 31;

/** Parameters for encoding more pictures of a track. Throws `export_not_exact` for unsupported formats. */
export function cutFacts(
  track: VideoTrack,
): Pick<Parameters<CutPictures>[0], 'parameterSetId' | 'levelIdc' | 'profile'> {
  const config = track.codec === 'h264' ? readAvcC(track.decoderConfig) : undefined;
  if (!config) throw refusal(because('cut_codec', { track: track.id, codec: track.codec }));
  const sets = config.sps.map(readSps);
  const [first] = sets;
  const profile = PROFILES.get(config.profileIdc as 66);
  if (!first || !profile || config.lengthSize !== 4) throw refusal(because('cut_profile', { profile: track.profile }));
  if (first.isInterlaced) throw refusal(because('cut_interlaced'));
  if (first.chromaFormatIdc !== 1 || first.bitDepthLuma !== 8 || first.bitDepthChroma !== 8)
    throw refusal(because('cut_pixel_format'));
  const used = new Set([...sets.map((set) => set?.id), ...config.pps.map((unit) => readPps(unit)?.id)]);
  let parameterSetId = 1;
  while (used.has(parameterSetId)) parameterSetId++;
  if (parameterSetId > MAX_ID) throw refusal(because('cut_parameter_sets'));
  return { parameterSetId, levelIdc: config.levelIdc, profile };
}

/** Track with additional parameter sets: one sample entry serves all pictures, because each refers to its sets by id. */
export function withParameterSets(track: VideoTrack, configs: readonly Uint8Array[]): VideoTrack {
  const config = readAvcC(track.decoderConfig);
  if (!config || configs.length === 0) return track;
  const [sps, pps] = [[...config.sps], [...config.pps]];
  for (const config of configs) {
    const added = readAvcC(config);
    for (const unit of added?.sps ?? []) add(sps, unit);
    for (const unit of added?.pps ?? []) add(pps, unit);
  }
  return { ...track, decoderConfig: writeAvcC({ ...config, sps, pps }) };
}

function add(units: Uint8Array[], unit: Uint8Array): void {
  if (!units.some((listed) => Buffer.compare(listed, unit) === 0)) units.push(unit);
}

/** Whether a picture needs no earlier picture (IDR). @param data NAL units, each after its length in four bytes */
export function isIdr(data: Uint8Array): boolean {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  for (let at = 0; at + 5 <= data.length; at += 4 + view.getUint32(at)) {
    const type = nalTypeOf(data[at + 4] ?? 0);
    if (type === NalType.idrSlice) return true;
    if (type === NalType.slice) return false;
  }
  return false;
}

function refusal(why: Explained): ExportFailure {
  return new ExportFailure('export_not_exact', why);
}
