import type { BoxWriter } from './box-writer.ts';
import type { ByteReader } from './byte-reader.ts';

/** `mvhd` (ISO/IEC 14496-12, 8.2.2): header of the whole presentation. */
export interface MovieHeader {
  /** Ticks per second of the movie: of `mvhd`, `tkhd` and the durations of edit lists. */
  readonly timescale: number;
  /** 0 if fragments follow. */
  readonly durationTicks: number;
  readonly nextTrackId: number;
}

/** Unity transformation (8.2.2): u, v and w in 2.30, the other fields in 16.16. */
const UNITY_MATRIX = [0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000];

/** Writes the identity matrix of `mvhd` and `tkhd`. */
export function writeUnityMatrix(out: BoxWriter): void {
  for (const value of UNITY_MATRIX) out.u32(value);
}

/** Whether a matrix is the identity matrix. */
export function isUnityMatrix(matrix: readonly number[]): boolean {
  return matrix.every((value, index) => value === UNITY_MATRIX[index]);
}

export function readMovieHeader(body: ByteReader): MovieHeader | undefined {
  const version = body.u32() >>> 24;
  body.skip(version === 1 ? 16 : 8);
  const timescale = body.u32();
  const durationTicks = version === 1 ? body.u64() : body.u32();
  body.skip(4 + 2 + 2 + 8 + 36 + 24);
  const nextTrackId = body.u32();
  return body.isShort || timescale === 0 ? undefined : { timescale, durationTicks, nextTrackId };
}

/** Writes `mvhd`. Creation and modification times are 0, so that the same track always gives the same bytes. */
export function writeMovieHeader(out: BoxWriter, value: MovieHeader): void {
  const version = value.durationTicks > 0xffff_ffff ? 1 : 0;
  out.openFull('mvhd', version, 0).zeros(version === 1 ? 16 : 8);
  out.u32(value.timescale);
  if (version === 1) out.u64(value.durationTicks);
  else out.u32(value.durationTicks);
  out.u32(0x1_0000).u16(0x0100).zeros(10);
  writeUnityMatrix(out);
  out.zeros(24).u32(value.nextTrackId).close();
}
