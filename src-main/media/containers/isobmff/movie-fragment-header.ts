import type { BoxWriter } from './box-writer.ts';
import type { ByteReader } from './byte-reader.ts';

/** `mfhd` (ISO/IEC 14496-12, 8.8.5): the position of a fragment in their sequence. */
export interface MovieFragmentHeader {
  readonly sequenceNumber: number;
}

/** Reads the body of `mfhd`. */
export function readMovieFragmentHeader(body: ByteReader): MovieFragmentHeader | undefined {
  body.skip(4);
  const sequenceNumber = body.u32();
  return body.isShort ? undefined : { sequenceNumber };
}

/** Writes `mfhd`. */
export function writeMovieFragmentHeader(out: BoxWriter, value: MovieFragmentHeader): void {
  out.openFull('mfhd', 0, 0).u32(value.sequenceNumber).close();
}
