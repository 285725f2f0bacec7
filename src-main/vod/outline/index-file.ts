import { messageOf } from '../../lib/error-message.ts';
import { runInTurns } from '../../lib/turns.ts';
import { outlinedFile } from './outlined-file.ts';
import { cutFile } from '../index/cut-file.ts';
import type { FileIndex, FileRefusal } from '../index/file-index.ts';
import { loadTracks } from '../index/file-tracks.ts';
import type { IndexStore } from '../index/index-store.ts';
import { cutName, storeCut, storedCut } from '../index/stored-index.ts';
import { ladderOf } from '../index/ladder.ts';
import type { IndexedFile, SourceTracks } from '../index/source-track.ts';
import type { UnpackedSegments } from '../index/unpacked-segments.ts';
import { because } from '../../../src-preload/contract/explanations/explanations.ts';

interface IndexOptions {
  /** Minimum segment duration in milliseconds. */
  readonly segmentMs: number;
  /** Cache of segments that had to be unpacked. */
  readonly unpacked: UnpackedSegments;
  /** Store of sample lists on disk; without it every file is read again. */
  readonly store?: IndexStore;
  /** Files of at least this size (bytes) are opened by their outline if they have one; default: none. */
  readonly outlineFromBytes?: number;
}

/**
 * Indexes a file, or several files that are renditions of the same content. Renditions that cannot be played are left out if at
 * least one can. Throws read errors.
 */
export async function indexFiles(
  files: readonly IndexedFile[],
  options: IndexOptions,
): Promise<FileIndex | FileRefusal> {
  try {
    return await readIndex(files, options);
  } catch (error) {
    // A RangeError or TypeError comes from a parser and would occur again. Other errors are those of reading.
    if (!(error instanceof RangeError || error instanceof TypeError)) throw error;
    return { code: 'vod_file_damaged', ...because('file_not_parsed', { explanation: messageOf(error) }) };
  }
}

async function readIndex(
  files: readonly IndexedFile[],
  { segmentMs, unpacked, store, outlineFromBytes = Infinity }: IndexOptions,
): Promise<FileIndex | FileRefusal> {
  const [only, other] = files;
  if (only && !other && only.sizeBytes >= outlineFromBytes) {
    const outlined = await outlinedFile(only, segmentMs, store);
    if (outlined) return outlined;
  }
  const found: SourceTracks[] = [];
  let refusal: FileRefusal = { code: 'vod_file_damaged', ...because('renditions_missing') };
  for (const [index, file] of files.entries()) {
    const tracks = await loadTracks(file, unpacked, store);
    if (!('code' in tracks)) found.push(tracks);
    else if (index === 0) refusal = tracks;
  }
  if (found.length === 0) return refusal;
  const tableBytes = found.reduce((sum, tracks) => sum + tracks.tableBytes, 0);
  const sources = ladderOf(found);
  const cut = cutName(files, segmentMs);
  const stored = store && (await storedCut(store, cut, sources));
  const index = stored ?? (await runInTurns(cutFile(sources, { segmentMs, tableBytes })));
  if (!('tracks' in index)) return index;
  if (store && !stored) void storeCut(store, cut, sources, index);
  const leftOut = found.flatMap((tracks) => tracks.leftOut);
  return leftOut.length > 0 ? { ...index, leftOut } : index;
}
