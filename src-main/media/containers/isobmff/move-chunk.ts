import { readBoxStart, type Box } from './box.ts';

/** Position of a chunk after it was copied to another file. */
export interface ChunkPosition {
  /** Offset added to the times of the chunk, in ticks of its track. */
  readonly shiftTicks: number;
  /** `track_ID` in the other file. */
  readonly trackNumber: number;
}

/** Maximum bytes needed at the start of a chunk: those up to the end of `tfdt`. */
export const MOVED_HEAD_BYTES = 256;

/**
 * Decoding time of the first sample of a chunk, in ticks of its track; undefined if it is not in these bytes.
 *
 * @param head first bytes of the chunk
 */
export function chunkStartTicks(head: Uint8Array): number | undefined {
  const found = findBoxes(head);
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  return found && ticksAt(view, found.tfdt.bodyStart, found.tfdt.bodyStart + 4);
}

/**
 * Start of a chunk (`prft`, and `moof` up to `tfdt`) for another position: a copy with shifted times and another track number.
 * The bytes after it stay unchanged.
 *
 * @param head first bytes of the chunk
 * @returns undefined if `tfhd` and `tfdt` are not complete in these bytes, or a shifted time does not fit into its field
 */
export function moveChunk(head: Uint8Array, { shiftTicks, trackNumber }: ChunkPosition): Uint8Array | undefined {
  const found = findBoxes(head);
  if (!found) return undefined;
  const { prft, tfhd, tfdt } = found;
  // The constructor always copies; `slice` of a Buffer would be a view.
  const bytes = new Uint8Array(head.subarray(0, tfdt.end));
  const view = new DataView(bytes.buffer);
  if (prft) {
    view.setUint32(prft.bodyStart + 4, trackNumber);
    if (!addTicks(view, prft.bodyStart, prft.bodyStart + 16, shiftTicks)) return undefined;
  }
  view.setUint32(tfhd.bodyStart + 4, trackNumber);
  return addTicks(view, tfdt.bodyStart, tfdt.bodyStart + 4, shiftTicks) ? bytes : undefined;
}

/** End of the chunk that starts at `start`: after its `mdat`, or the end of the bytes. */
export function chunkEnd(bytes: Uint8Array, start: number): number {
  for (let at = start; at < bytes.length;) {
    const head = readBoxStart(bytes, at);
    if (!head || head.sizeBytes === 0) break;
    at += head.sizeBytes;
    if (head.type === 'mdat') return Math.min(at, bytes.length);
  }
  return bytes.length;
}

/** Boxes of a chunk that state its position. */
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

/** Adjacent boxes that start in the bytes. The last one may end after them. */
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

/** Time with 32 bits in version 0 of its box and 64 in version 1; undefined if it is missing. */
function ticksAt(view: DataView, versionAt: number, at: number): number | undefined {
  const isLong = view.getUint8(versionAt) !== 0;
  if (at + (isLong ? 8 : 4) > view.byteLength) return undefined;
  return isLong ? view.getUint32(at) * 0x1_0000_0000 + view.getUint32(at + 4) : view.getUint32(at);
}

/** Adds ticks to a time of 32 or 64 bits; false if it is missing or the sum does not fit. */
function addTicks(view: DataView, versionAt: number, at: number, shiftTicks: number): boolean {
  const isLong = view.getUint8(versionAt) !== 0;
  const ticks = (ticksAt(view, versionAt, at) ?? Number.NaN) + shiftTicks;
  if (!(ticks >= 0 && ticks <= (isLong ? Number.MAX_SAFE_INTEGER : 0xffff_ffff))) return false;
  if (isLong) view.setUint32(at, Math.floor(ticks / 0x1_0000_0000));
  view.setUint32(isLong ? at + 4 : at, ticks % 0x1_0000_0000);
  return true;
}
