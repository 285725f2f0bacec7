import { BitReader } from '../nal/bit-reader.ts';
import { BitWriter } from '../nal/bit-writer.ts';

/** Body of the box `dac3` (ETSI TS 102 366 F.4): configuration of an AC-3 decoder. */
export interface Dac3 {
  readonly fscod: number;
  readonly bsid: number;
  readonly bsmod: number;
  readonly acmod: number;
  readonly hasLfe: boolean;
  /** `bit_rate_code`: the upper five bits of `frmsizecod`. */
  readonly bitRateCode: number;
}

/** Reads the body of `dac3`; undefined if it is too short. */
export function readDac3(bytes: Uint8Array): Dac3 | undefined {
  if (bytes.length < 3) return undefined;
  const reader = new BitReader(bytes);
  return {
    fscod: reader.bits(2),
    bsid: reader.bits(5),
    bsmod: reader.bits(3),
    acmod: reader.bits(3),
    hasLfe: reader.flag(),
    bitRateCode: reader.bits(5),
  };
}

export function writeDac3(value: Dac3): Uint8Array {
  return new BitWriter()
    .bits(2, value.fscod)
    .bits(5, value.bsid)
    .bits(3, value.bsmod)
    .bits(3, value.acmod)
    .flag(value.hasLfe)
    .bits(5, value.bitRateCode)
    .bits(5, 0)
    .finish();
}
