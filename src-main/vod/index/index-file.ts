import { runInTurns } from '../../lib/turns.ts';
import { fileKindOf, KIND_BYTES } from '../../media/containers/file-kind.ts';
import { cutFile } from './cut-file.ts';
import type { FileIndex, FileRefusal } from './file-index.ts';
import { ladderOf } from './ladder.ts';
import { readMatroskaTracks } from './matroska-index.ts';
import { readMp4Tracks } from './mp4-index.ts';
import type { IndexedFile, SourceTracks } from './source-track.ts';
import { readTransportTracks } from './ts-index.ts';
import type { UnpackedSegments } from './unpacked-segments.ts';

/** How files are indexed. */
interface IndexOptions {
  /** Least length of a segment in milliseconds. */
  readonly segmentMs: number;
  /** Where segments are kept that had to be unpacked. */
  readonly unpacked: UnpackedSegments;
}

/**
 * Makes the index of a file, or of several that are the same in other qualities: those that cannot be played are left out then, as long as there is
 * one that can. Raises what keeps them from being read.
 */
export async function indexFiles(
  files: readonly IndexedFile[],
  { segmentMs, unpacked }: IndexOptions,
): Promise<FileIndex | FileRefusal> {
  const found: SourceTracks[] = [];
  let refusal: FileRefusal = { code: 'vod_file_damaged', detail: 'It names no file that is there.' };
  for (const [index, file] of files.entries()) {
    const tracks = await readFileTracks(file, unpacked);
    if (!('code' in tracks)) found.push(tracks);
    else if (index === 0) refusal = tracks;
  }
  if (found.length === 0) return refusal;
  const tableBytes = found.reduce((sum, tracks) => sum + tracks.tableBytes, 0);
  return runInTurns(cutFile(ladderOf(found), { segmentMs, tableBytes }));
}

/** The tracks of a file, whatever it is by its first bytes; its name is ignored. */
async function readFileTracks(file: IndexedFile, unpacked: UnpackedSegments): Promise<SourceTracks | FileRefusal> {
  if (file.sizeBytes === 0) return { code: 'vod_file_damaged', detail: 'The file is empty.' };
  const head = new Uint8Array(Math.min(KIND_BYTES, file.sizeBytes));
  switch (fileKindOf(head.subarray(0, await file.read(head, 0)))) {
    case 'mp4':
      return readMp4Tracks(file, unpacked);
    case 'matroska':
      return readMatroskaTracks(file, unpacked);
    case 'mpegts':
      return readTransportTracks(file, unpacked);
    case undefined:
      return {
        code: 'vod_file_not_supported',
        detail: 'The file is no MP4, QuickTime, MKV, WebM or MPEG-TS file.',
      };
  }
}
