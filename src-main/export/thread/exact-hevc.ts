import { readHvcC, writeHvcC } from '../../media/codecs/h265/hvcc.ts';
import { isIrap, isSlice, NalType, nalTypeOf } from '../../media/codecs/h265/nal-type.ts';
import { readPps } from '../../media/codecs/h265/pps.ts';
import { LEAST_PPS, MOST_PPS, renumberSet, renumberSlice } from '../../media/codecs/h265/renumber.ts';
import { readSps } from '../../media/codecs/h265/sps.ts';
import { readVps } from '../../media/codecs/h265/vps.ts';
import type { VideoTrack } from '../../media/track.ts';
import { notExact, type CutFormat } from './exact-coding.ts';

/** Numbers of VPS and SPS end here. */
const MOST_ID = 15;

/**
 * How a track of H.265 is cut. Its random access points may have pictures behind them that are shown before them and need others of before (RASL): these go with
 * what is encoded again, and the point says that its link to the past is broken (BLA), so that decoders begin anew with it.
 */
export function hevcFormat(track: VideoTrack): CutFormat {
  const config = readHvcC(track.decoderConfig);
  const units = config?.arrays.flatMap((array) => array.units) ?? [];
  const ofType = (type: number): readonly Uint8Array[] => units.filter((unit) => nalTypeOf(unit[0] ?? 0) === type);
  const sets = ofType(NalType.sps).map(readSps);
  const [first] = sets;
  if (config?.lengthSize !== 4 || !first) throw notExact(`the profile ${track.profile} is not encoded`);
  const { bitDepthLuma: bits } = first;
  if (first.chromaFormatIdc !== 1 || bits !== first.bitDepthChroma || (bits !== 8 && bits !== 10))
    throw notExact('its pictures are not 4:2:0 with 8 or 10 bits');
  const numbers = {
    vps: free(0, MOST_ID, [...ofType(NalType.vps).map((unit) => readVps(unit)?.id), ...sets.map((set) => set?.vpsId)]),
    sps: free(
      0,
      MOST_ID,
      sets.map((set) => set?.id),
    ),
    pps: free(
      LEAST_PPS,
      MOST_PPS,
      ofType(NalType.pps).map((unit) => readPps(unit)?.id),
    ),
  };
  return {
    coding: { codec: 'h265', profile: bits === 10 ? 'main10' : 'main', reordered: first.maxReorderPictures },
    isEntry: (data) => isIrap(sliceTypeOf(data)),
    alone: withoutLeading,
    numbered: ({ parameterSets, pictures }) => ({
      parameterSets: parameterSets.map((unit) => renumberSet(unit, numbers)),
      pictures: pictures.map((picture) => ({
        ...picture,
        data: withLengths([...unitsOf(picture.data)].map((unit) => renumberSlice(unit, numbers))),
      })),
    }),
    withSets,
  };
}

function free(from: number, to: number, used: readonly (number | undefined)[]): number {
  for (let id = from; id <= to; id++) if (!used.includes(id)) return id;
  throw notExact('it has no number left for further parameter sets');
}

function withSets(track: VideoTrack, added: readonly Uint8Array[]): VideoTrack {
  const own = readHvcC(track.decoderConfig);
  if (!own || added.length === 0) return track;
  const arrays = own.arrays.map((array) => ({ ...array, units: [...array.units] }));
  for (const unit of added) {
    const nalType = nalTypeOf(unit[0] ?? 0);
    const array = arrays.find((one) => one.nalType === nalType);
    if (!array) arrays.push({ nalType, isComplete: true, units: [unit] });
    else if (!array.units.some((known) => Buffer.compare(known, unit) === 0)) array.units.push(unit);
  }
  return { ...track, decoderConfig: writeHvcC({ ...own, arrays }) };
}

/** A random access point as one without leading pictures. */
function withoutLeading(data: Uint8Array): Uint8Array {
  const made = Uint8Array.from(data);
  for (const unit of unitsOf(made)) {
    const type = nalTypeOf(unit[0] ?? 0);
    if (!isIrap(type)) continue;
    const isIdr = type === NalType.idrWithRadl || type === NalType.idrNoLeading;
    unit[0] = ((unit[0] ?? 0) & 0x81) | ((isIdr ? NalType.idrNoLeading : NalType.blaNoLeading) << 1);
  }
  return made;
}

function sliceTypeOf(data: Uint8Array): number {
  for (const unit of unitsOf(data)) {
    const type = nalTypeOf(unit[0] ?? 0);
    if (isSlice(type)) return type;
  }
  return 0;
}

/** The NAL units of a picture: views. */
function* unitsOf(data: Uint8Array): Generator<Uint8Array, void> {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  for (let at = 0; at + 6 <= data.length;) {
    const end = at + 4 + view.getUint32(at);
    yield data.subarray(at + 4, end);
    at = end;
  }
}

function withLengths(units: readonly Uint8Array[]): Uint8Array {
  const made = Buffer.alloc(units.reduce((sum, { length }) => sum + 4 + length, 0));
  let at = 0;
  for (const unit of units) {
    at = made.writeUInt32BE(unit.length, at);
    made.set(unit, at);
    at += unit.length;
  }
  return made;
}
