import { fileKindOf, KIND_BYTES } from '../../media/containers/file-kind.ts';
import type { FileIndex } from '../index/file-index.ts';
import type { IndexStore } from '../index/index-store.ts';
import type { IndexedFile } from '../index/source-track.ts';
import { isRewritten } from '../index/unpacked-samples.ts';
import { fragmentsOutline } from './fragments-outline.ts';
import { matroskaOutline } from './matroska-outline.ts';
import type { Outline } from './outline.ts';
import { outlinedIndex } from './outlined-index.ts';
import { tsOutline } from './ts-outline.ts';

/** Index of a file by its outline, without a full pass; undefined if it has no outline. */
export async function outlinedFile(
  file: IndexedFile,
  segmentMs: number,
  store: IndexStore | undefined,
): Promise<FileIndex | undefined> {
  const outline = await outlineOf(file, store);
  if (outline?.pictures && (await isRewritten(outline.pictures, 4, file))) return undefined;
  const index = outline && (await outlinedIndex(outline, { segmentMs, sizeBytes: file.sizeBytes }));
  return index && outline.leftOut && outline.leftOut.length > 0 ? { ...index, leftOut: outline.leftOut } : index;
}

async function outlineOf(file: IndexedFile, store: IndexStore | undefined): Promise<Outline | undefined> {
  const head = new Uint8Array(Math.min(KIND_BYTES, file.sizeBytes));
  switch (fileKindOf(head.subarray(0, await file.read(head, 0)))) {
    case 'matroska':
      return matroskaOutline(file);
    case 'mp4':
      return fragmentsOutline(file);
    case 'mpegts':
      return tsOutline(file, store);
    default:
      return undefined;
  }
}
