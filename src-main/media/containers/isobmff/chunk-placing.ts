import { readBoxes, readBoxStart, type Box } from './box.ts';
import { RUN_DATA_OFFSET, RUN_DURATION, RUN_FIRST_FLAGS, RUN_SIZE } from './track-run.ts';

/** Bits of `tfhd` (ISO/IEC 14496-12, 8.8.7). */
const TFHD_OFFSET = 0x01;
const TFHD_DESCRIPTION = 0x02;
const TFHD_DURATION = 0x08;
const TFHD_SIZE = 0x10;

/** Where a chunk stands in another file than the one that it was written for. */
export interface ChunkPlace {
  /** What is added to its times, in ticks of its track. */
  readonly shiftTicks: number;
  /** `track_ID` there. */
  readonly trackNumber: number;
}

/** Bytes at the start of a chunk that are needed at most here: those up to the end of `tfdt`. */
export const PLACED_BYTES = 256;

/** The decoding time of the first sample of a chunk, in ticks of its track. @param head the first bytes of the chunk */
export function chunkStartTicks(head: Uint8Array): number | undefined {
  const found = findBoxes(head);
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  return found && ticksAt(view, found.tfdt.bodyStart, found.tfdt.bodyStart + 4);
}

/**
 * The start of a chunk (`prft`, and `moof` up to `tfdt`) as it is written at another place: with other times and another track number, as bytes of its
 * own. What follows in the chunk stays as it is.
 *
 * @param head the first bytes of the chunk
 * @returns undefined where there is no `tfdt` in these bytes, or it has no room for the time
 */
export function placeChunk(head: Uint8Array, { shiftTicks, trackNumber }: ChunkPlace): Uint8Array | undefined {
  const found = findBoxes(head);
  if (!found) return undefined;
  const { prft, tfhd, tfdt } = found;
  // A copy, also of a Buffer, whose slices are not.
  const bytes = new Uint8Array(head.subarray(0, tfdt.end));
  const view = new DataView(bytes.buffer);
  if (prft) {
    view.setUint32(prft.bodyStart + 4, trackNumber);
    if (!addTicks(view, prft.bodyStart, prft.bodyStart + 16, shiftTicks)) return undefined;
  }
  view.setUint32(tfhd.bodyStart + 4, trackNumber);
  return addTicks(view, tfdt.bodyStart, tfdt.bodyStart + 4, shiftTicks) ? bytes : undefined;
}

/** Where the chunk ends that begins at `start`: behind its `mdat`, or with the bytes. */
export function chunkEnd(bytes: Uint8Array, start: number): number {
  for (let at = start; at < bytes.length;) {
    const head = readBoxStart(bytes, at);
    if (!head || head.sizeBytes === 0) break;
    at += head.sizeBytes;
    if (head.type === 'mdat') return Math.min(at, bytes.length);
  }
  return bytes.length;
}

/** What of a chunk says where it stands. */
function findBoxes(bytes: Uint8Array): { prft: Box | undefined; tfhd: Box; tfdt: Box } | undefined {
  const boxes = startedBoxes(bytes, 0);
  const prft = boxes.find(({ type }) => type === 'prft');
  const moof = boxes.find(({ type }) => type === 'moof');
  const traf = moof && startedBoxes(bytes, moof.bodyStart).find(({ type }) => type === 'traf');
  const parts = traf ? startedBoxes(bytes, traf.bodyStart) : [];
  const tfhd = parts.find(({ type }) => type === 'tfhd');
  const tfdt = parts.find(({ type }) => type === 'tfdt');
  if (!tfhd || !tfdt || (moof && prft && prft.end > moof.start)) return undefined;
  const haveFields = hasBody(tfhd, 8) && hasBody(tfdt, 8) && (!prft || hasBody(prft, 20));
  return haveFields && tfhd.end <= tfdt.start && tfdt.end <= bytes.length ? { prft, tfhd, tfdt } : undefined;
}

function hasBody({ bodyStart, end }: Box, bytes: number): boolean {
  return end - bodyStart >= bytes;
}

/** The boxes side by side that begin in the bytes. The last one may end behind them. */
function startedBoxes(bytes: Uint8Array, start: number): Box[] {
  const boxes: Box[] = [];
  for (let at = start; at < bytes.length;) {
    const head = readBoxStart(bytes, at);
    if (!head || head.sizeBytes === 0) break;
    const end = at + head.sizeBytes;
    boxes.push({ type: head.type, start: at, bodyStart: at + head.headerBytes, end });
    at = end;
  }
  return boxes;
}

/** A time that has 32 bits in version 0 of its box and 64 in version 1; undefined where it is not there. */
function ticksAt(view: DataView, versionAt: number, at: number): number | undefined {
  const isLong = view.getUint8(versionAt) !== 0;
  if (at + (isLong ? 8 : 4) > view.byteLength) return undefined;
  return isLong ? view.getUint32(at) * 0x1_0000_0000 + view.getUint32(at + 4) : view.getUint32(at);
}

/** Adds to such a time; false where it is not there or does not fit. */
function addTicks(view: DataView, versionAt: number, at: number, shiftTicks: number): boolean {
  const isLong = view.getUint8(versionAt) !== 0;
  const ticks = (ticksAt(view, versionAt, at) ?? Number.NaN) + shiftTicks;
  if (!(ticks >= 0 && ticks <= (isLong ? Number.MAX_SAFE_INTEGER : 0xffff_ffff))) return false;
  if (isLong) view.setUint32(at, Math.floor(ticks / 0x1_0000_0000));
  view.setUint32(isLong ? at + 4 : at, ticks % 0x1_0000_0000);
  return true;
}

/**
 * A chunk whose first sample begins with further bytes, as a copy: longer by just these. Where its `moof` has no room for the size of that sample, because
 * many samples share one size, they stand behind it in a box that readers pass over.
 *
 * @param prefix at least 8 bytes
 */
export function prefixFirstSample(chunk: Uint8Array, prefix: Uint8Array): Uint8Array {
  const made = new Uint8Array(chunk.length + prefix.length);
  const view = new DataView(made.buffer);
  const mdat = readBoxes(chunk).find(({ type }) => type === 'mdat');
  const sizeAt = mdat && mdat.bodyStart - mdat.start === 8 ? sizePlace(chunk) : undefined;
  if (!mdat || sizeAt === undefined) {
    made.set(chunk);
    view.setUint32(chunk.length, prefix.length);
    made.set([0x66, 0x72, 0x65, 0x65], chunk.length + 4); // free
    return made;
  }
  made.set(chunk.subarray(0, mdat.bodyStart));
  made.set(prefix, mdat.bodyStart);
  made.set(chunk.subarray(mdat.bodyStart), mdat.bodyStart + prefix.length);
  for (const at of [mdat.start, sizeAt]) view.setUint32(at, view.getUint32(at) + prefix.length);
  return made;
}

/** Where the size of the first sample stands, of it alone. */
function sizePlace(chunk: Uint8Array): number | undefined {
  const view = new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  const moof = readBoxes(chunk).find(({ type }) => type === 'moof');
  const traf = moof && inside(chunk, moof, 'traf');
  const [tfhd, trun] = [traf && inside(chunk, traf, 'tfhd'), traf && inside(chunk, traf, 'trun')];
  if (!tfhd || !trun) return undefined;
  const flags = view.getUint32(trun.bodyStart);
  const count = view.getUint32(trun.bodyStart + 4);
  if ((flags & RUN_SIZE) !== 0) {
    const before = [RUN_DATA_OFFSET, RUN_FIRST_FLAGS, RUN_DURATION].filter((bit) => (flags & bit) !== 0).length;
    return trun.bodyStart + 8 + before * 4;
  }
  const shared = view.getUint32(tfhd.bodyStart);
  if (count !== 1 || (shared & TFHD_SIZE) === 0) return undefined;
  const offsetBytes = (shared & TFHD_OFFSET) === 0 ? 0 : 8;
  const before = [TFHD_DESCRIPTION, TFHD_DURATION].filter((bit) => (shared & bit) !== 0).length;
  return tfhd.bodyStart + 8 + offsetBytes + before * 4;
}

function inside(bytes: Uint8Array, { bodyStart, end }: Box, type: string): Box | undefined {
  return readBoxes(bytes, bodyStart, end).find((box) => box.type === type);
}
