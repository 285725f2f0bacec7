import { readBoxStart } from '../../media/containers/isobmff/box.ts';
import { forEachSample } from '../../media/containers/isobmff/chunk-reader.ts';
import type { MediaFile } from '../../segment/media-bytes.ts';
import type { BlockPiece } from '../block/block-index.ts';
import { DAMAGED, INTACT, piecesOf, type BlockTable, type TrackRows } from './block-table.ts';

/** Bytes read at the start of a chunk before the size of its header is known; most headers are shorter. */
const FIRST_READ_BYTES = 4096;
/** Maximum size of the header of a chunk; a larger size means damage. */
const MAX_HEAD_BYTES = 1 << 20;
const BOX_BYTES = 8;

/**
 * Checks the headers of the chunks of a row until they are found intact: a chunk that was zeroed, overwritten or
 * truncated would stop players. Uses another copy of the block if this one is damaged. Rejects with a RangeError for
 * damage, or with the error of the file.
 */
export async function checkRow(table: BlockTable, rows: TrackRows, row: number): Promise<void> {
  if (((rows.flags[row] ?? 0) & INTACT) !== 0) return;
  const pieces = piecesOf(rows, row);
  const check = async (file: MediaFile): Promise<void> => checkChunks(file, pieces);
  try {
    await (table.file.tryCopies?.(check) ?? check(table.file));
    mark(rows, row, INTACT, DAMAGED);
  } catch (error) {
    if (error instanceof RangeError && mark(rows, row, DAMAGED, INTACT)) table.damaged?.(rows.startMs[row] ?? 0);
    throw error;
  }
}

/** Checks all rows of a block in order, to find all damage. */
export async function checkBlock({ tracks, ...table }: BlockTable): Promise<void> {
  for (const rows of tracks.values())
    for (let row = 0; row < rows.count; row++)
      await checkRow({ ...table, tracks, damaged: undefined }, rows, row).catch(() => undefined);
}

/** Sets `flag` of a row and clears `other`. Returns whether `flag` was not set before. */
function mark({ flags }: TrackRows, row: number, flag: number, other: number): boolean {
  const before = flags[row] ?? 0;
  flags[row] = (before | flag) & ~other;
  return (before & flag) === 0;
}

async function checkChunks(file: MediaFile, pieces: readonly BlockPiece[]): Promise<void> {
  for (const { offset, sizeBytes } of pieces) {
    const end = offset + sizeBytes;
    for (let at = offset; at < end;) at = await checkChunk(file, at, end);
  }
}

/** Checks a chunk by its header. @returns offset after the chunk */
async function checkChunk(file: MediaFile, at: number, end: number): Promise<number> {
  let head = await file.read(at, Math.min(FIRST_READ_BYTES, end - at));
  let mdat = findMdat(head);
  if (mdat.at + BOX_BYTES > head.length && mdat.at + BOX_BYTES <= Math.min(end - at, MAX_HEAD_BYTES)) {
    head = await file.read(at, mdat.at + BOX_BYTES);
    mdat = findMdat(head);
  }
  const next = at + mdat.at + mdat.sizeBytes;
  const isChunk = mdat.sizeBytes > 0 && next <= end;
  if (!isChunk || forEachSample(head.subarray(0, mdat.at + BOX_BYTES), ignore, 0, false) < 0)
    throw new RangeError(`the chunk at ${at} is damaged`);
  return next;
}

/** Position and size of the `mdat` of a chunk; size 0 if its header is not in these bytes. */
function findMdat(head: Uint8Array): { readonly at: number; readonly sizeBytes: number } {
  let at = 0;
  while (at + BOX_BYTES <= head.length) {
    const box = readBoxStart(head, at);
    if (!box || box.sizeBytes === 0) return { at: Infinity, sizeBytes: 0 };
    if (box.type === 'mdat') return { at, sizeBytes: box.sizeBytes };
    at += box.sizeBytes;
  }
  return { at, sizeBytes: 0 };
}

function ignore(): void {
  // Only the header is checked.
}
