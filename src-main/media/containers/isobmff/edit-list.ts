import type { BoxWriter } from './box-writer.ts';
import type { ByteReader } from './byte-reader.ts';

/** What an edit list (`elst`, ISO/IEC 14496-12, 8.6.6) says about the start of a track; later edits are not followed. */
export interface EditStart {
  /** How long nothing is shown first, in ticks of the movie. */
  readonly delayTicks: number;
  /** Which media time is shown first, in ticks of the track. */
  readonly mediaTicks: number;
  /** How long it is shown, in ticks of the movie; absent where another edit shows media as well, or the length is not said. */
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

/** Writes `edts` with one edit, which shows everything from a media time on: fragments belong to it too where its own length is 0 (8.6.6.1). */
export function writeEditStart(out: BoxWriter, mediaTicks: number): void {
  out.open('edts').openFull('elst', 1, 0).u32(1);
  out.u64(0).u64(mediaTicks).u16(1).u16(0).close().close();
}
