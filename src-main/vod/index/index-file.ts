import type { FileBytes } from '../../media/containers/file-bytes.ts';
import { fileKindOf, KIND_BYTES } from '../../media/containers/file-kind.ts';
import type { FileIndex, FileRefusal } from './file-index.ts';
import { indexMp4 } from './mp4-index.ts';

/** Makes the index of a file, whatever it is by its first bytes; its name is ignored. Raises what keeps it from being read. */
export async function indexFile(file: FileBytes, segmentMs: number): Promise<FileIndex | FileRefusal> {
  if (file.sizeBytes === 0) return { code: 'vod_file_damaged', detail: 'The file is empty.' };
  const head = new Uint8Array(Math.min(KIND_BYTES, file.sizeBytes));
  const kind = fileKindOf(head.subarray(0, await file.read(head, 0)));
  if (kind === 'mp4') return indexMp4(file, segmentMs);
  return { code: 'vod_file_not_supported', detail: 'The file is no MP4 or QuickTime file.' };
}
