import type { BoxWriter } from './box-writer.ts';
import type { ByteReader } from './byte-reader.ts';

/** Start of a track by its edit list (`elst`, ISO/IEC 14496-12, 8.6.6); later edits are ignored. */
export interface EditStart {
  /** Total duration of the empty edits before the first media, in ticks of the movie. */
  readonly delayTicks: number;
  /** First presented media time (`media_time`), in ticks of the track. */
  readonly mediaTicks: number;
  /**
   * Duration of the presentation in ticks of the movie; absent if the duration is not stated, or another edit also shows media.
   */
  readonly durationTicks?: number;
}

const MAX_EDITS = 1024;

/** Reads the body of `elst` up to the second edit that shows media. */
export function readEditStart(body: ByteReader): EditStart {
  const version = body.u32() >>> 24;
  const count = Math.min(body.u32(), MAX_EDITS);
  let delayTicks = 0;
  let found: EditStart | undefined;
  for (let i = 0; i < count; i++) {
    const durationTicks = version === 1 ? body.u64() : body.u32();
    const mediaTicks = version === 1 ? body.i64() : body.i32();
    body.skip(4);
    if (body.isShort) break;
    if (mediaTicks < 0) delayTicks += durationTicks;
    else if (found) return { delayTicks: found.delayTicks, mediaTicks: found.mediaTicks };
    else found = { delayTicks, mediaTicks, ...(durationTicks > 0 ? { durationTicks } : {}) };
  }
  return found ?? { delayTicks, mediaTicks: 0 };
}

/** Writes `edts` with one edit, which shows everything from a media time on; a duration of 0 includes fragments (8.6.6.1). */
export function writeEditStart(out: BoxWriter, mediaTicks: number): void {
  out.open('edts').openFull('elst', 1, 0).u32(1);
  out.u64(0).u64(mediaTicks).u16(1).u16(0).close().close();
}
