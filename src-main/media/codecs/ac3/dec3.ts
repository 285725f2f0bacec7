import { BitReader } from '../nal/bit-reader.ts';
import { BitWriter } from '../nal/bit-writer.ts';

/** Body of the box `dec3` (ETSI TS 102 366 F.6): configuration of an E-AC-3 decoder. */
export interface Dec3 {
  /** `data_rate` of all substreams together in kbit/s, at most 8191. */
  readonly dataRate: number;
  /** Independent substreams, 1 to 8. */
  readonly substreams: readonly Dec3Substream[];
}

/** Independent substream with its dependent ones. */
export interface Dec3Substream {
  readonly fscod: number;
  readonly bsid: number;
  readonly bsmod: number;
  readonly acmod: number;
  readonly hasLfe: boolean;
  /** `num_dep_sub`, 0 to 15. */
  readonly dependents: number;
  /** `chan_loc`: the channels that the dependent substreams add (table F.6.1); 0 without them. */
  readonly channelLocations: number;
}

/** Reads the body of `dec3`; undefined if it is damaged. Ignores bytes after the substreams. */
export function readDec3(bytes: Uint8Array): Dec3 | undefined {
  const reader = new BitReader(bytes);
  const dataRate = reader.bits(13);
  const count = reader.bits(3) + 1;
  const substreams: Dec3Substream[] = [];
  for (let i = 0; i < count; i++) {
    const [fscod, bsid] = [reader.bits(2), reader.bits(5)];
    reader.skip(2); // reserved, asvc
    const [bsmod, acmod, hasLfe] = [reader.bits(3), reader.bits(3), reader.flag()];
    reader.skip(3);
    const dependents = reader.bits(4);
    const channelLocations = reader.bits(dependents > 0 ? 9 : 1);
    substreams.push({
      fscod,
      bsid,
      bsmod,
      acmod,
      hasLfe,
      dependents,
      channelLocations: dependents > 0 ? channelLocations : 0,
    });
  }
  return reader.isBad ? undefined : { dataRate, substreams };
}

export function writeDec3(value: Dec3): Uint8Array {
  const writer = new BitWriter().bits(13, value.dataRate).bits(3, value.substreams.length - 1);
  for (const sub of value.substreams) {
    writer
      .bits(2, sub.fscod)
      .bits(5, sub.bsid)
      .bits(2, 0)
      .bits(3, sub.bsmod)
      .bits(3, sub.acmod)
      .flag(sub.hasLfe)
      .bits(3, 0);
    writer.bits(4, sub.dependents).bits(sub.dependents > 0 ? 9 : 1, sub.dependents > 0 ? sub.channelLocations : 0);
  }
  return writer.finish();
}

/**
 * `chan_loc` from the `chanmap` of a dependent substream: the same channel locations in reverse bit order, without the locations
 * of an independent substream (tables E.1.4 and F.6.1).
 */
export function channelLocationsOf(channelMap: number): number {
  let locations = 0;
  for (let i = 0; i < 8; i++) if ((channelMap >>> (10 - i)) & 1) locations |= 1 << i;
  return locations | ((channelMap & 2) << 7);
}

/** Number of channels of a `chan_loc`: most locations are pairs of channels. */
export function channelsAt(channelLocations: number): number {
  const PAIRS = 0b0_0111_0011;
  let channels = 0;
  for (let i = 0; i < 9; i++) if ((channelLocations >>> i) & 1) channels += (PAIRS >>> i) & 1 ? 2 : 1;
  return channels;
}
