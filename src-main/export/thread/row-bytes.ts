import { chunkEnd, chunkStartTicks, MOVED_HEAD_BYTES } from '../../media/containers/isobmff/move-chunk.ts';
import { isLost as isLostMedia } from '../../segment/media-bytes.ts';
import { ExportFailure } from './export-task.ts';
import type { RowChunks } from './archive-rows.ts';

/** Maximum ratio of the bytes read to the bytes needed if the interleaved tracks of a row are read at once. */
const MAX_WASTE = 1.25;

/** Reads the media of a row, each track as its consecutive chunks; in one read if they are close together. Throws read errors. */
async function readRow(chunks: readonly RowChunks[]): Promise<readonly Uint8Array[]> {
  const [first] = chunks;
  if (!first) return [];
  const pieces = chunks.flatMap((one) => one.pieces);
  const from = Math.min(...pieces.map(({ offset }) => offset));
  const end = Math.max(...pieces.map(({ offset, sizeBytes }) => offset + sizeBytes));
  const bytes = chunks.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  if (chunks.every(({ file }) => file === first.file) && end - from <= bytes * MAX_WASTE) {
    const all = await first.file.read(from, end - from);
    return chunks.map((one) =>
      joined(one.pieces.map(({ offset, sizeBytes }) => all.subarray(offset - from, offset - from + sizeBytes))),
    );
  }
  return Promise.all(
    chunks.map(async ({ file, pieces: filePieces }) =>
      joined(await Promise.all(filePieces.map(async ({ offset, sizeBytes }) => file.read(offset, sizeBytes)))),
    ),
  );
}

/** Whether an error means missing or damaged media. */
export function isLost(error: unknown): boolean {
  return error instanceof ExportFailure ? error.code === 'media_unreadable' : isLostMedia(error);
}

/** Reads the media of a row; undefined if media is missing or damaged. Throws other errors. */
export async function readIntact(chunks: readonly RowChunks[]): Promise<readonly Uint8Array[] | undefined> {
  try {
    const read = await readRow(chunks);
    return read.every(isIntact) ? read : undefined;
  } catch (error) {
    if (isLost(error)) return undefined;
    throw error;
  }
}

/** Whether bytes are complete chunks with readable times. */
function isIntact(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length;) {
    const end = chunkEnd(bytes, at);
    if (chunkStartTicks(bytes.subarray(at, Math.min(end, at + MOVED_HEAD_BYTES))) === undefined) return false;
    at = end;
  }
  return true;
}

/** Joins byte arrays; copies only if they are not adjacent. */
function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [first] = pieces;
  return pieces.length === 1 && first ? first : Buffer.concat(pieces);
}
