import { fileKindOf, KIND_BYTES } from '../../media/containers/file-kind.ts';
import type { FileRefusal } from './file-index.ts';
import type { IndexStore } from './index-store.ts';
import { storeTracks, storedTracks } from './stored-index.ts';
import { listedTracks } from './source-of-facts.ts';
import { readMatroskaTracks } from './matroska-index.ts';
import { readMp4Tracks } from './mp4-index.ts';
import type { IndexedFile, SourceTracks } from './source-track.ts';
import { readTransportTracks } from './ts-index.ts';
import type { UnpackedSegments } from './unpacked-segments.ts';
import { because } from '../../../src-preload/contract/explanations/explanations.ts';

/** Tracks of a file, from the index store or by reading the file. */
export async function loadTracks(
  file: IndexedFile,
  unpacked: UnpackedSegments,
  store: IndexStore | undefined,
): Promise<SourceTracks | FileRefusal> {
  const stored = store && (await storedTracks(store, file));
  if (stored) return listedTracks(stored.tracks, file.media, unpacked, stored.leftOut);
  const tracks = await readFileTracks(file, unpacked);
  if (store && 'sources' in tracks && tracks.isListed) void storeTracks(store, file, tracks);
  return tracks;
}

/** Reads the tracks of a file. The container is detected by its first bytes; the file name is ignored. */
async function readFileTracks(file: IndexedFile, unpacked: UnpackedSegments): Promise<SourceTracks | FileRefusal> {
  if (file.sizeBytes === 0) return { code: 'vod_file_damaged', ...because('file_empty') };
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
        ...because('file_type_unknown'),
      };
  }
}
