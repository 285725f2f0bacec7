import { join } from 'node:path';
import { readInto, type MediaFile } from '../../segment/media-bytes.ts';
import { contentKey } from '../catalog/block-ranges.ts';
import type { StoredBlock } from '../catalog/catalog-store.ts';
import type { ArchiveFiles } from './archive-files.ts';

/** Where a block lies, and what distinguishes its copies from other blocks. */
export type CopiedBlock = Pick<StoredBlock, 'stream' | 'disk' | 'path' | 'startMs' | 'endMs' | 'sizeBytes'>;

/** Finds the blocks of a time in the catalog. */
export type FindBlocks = (block: CopiedBlock) => Promise<readonly CopiedPlace[]>;

type CopiedPlace = Omit<CopiedBlock, 'stream'>;

/** The media of a block: where it cannot be read any more, because its disk is gone or it was moved, a copy on another disk is read from then on. */
export class CopiedFile implements MediaFile {
  readonly #files: ArchiveFiles;
  readonly #block: CopiedBlock;
  readonly #find: FindBlocks;
  #file: MediaFile;

  /** @param find asked when the block cannot be read where it was */
  constructor(files: ArchiveFiles, block: CopiedBlock, find: FindBlocks) {
    this.#files = files;
    this.#block = block;
    this.#find = find;
    this.#file = this.#fileOf(block);
  }

  /** Raises what the first place raised where no other one has it. */
  async read(offset: number, sizeBytes: number): Promise<Uint8Array> {
    return this.#with(async (file) => file.read(offset, sizeBytes));
  }

  async readInto(bytes: Uint8Array, offset: number): Promise<void> {
    return this.#with(async (file) => readInto(file, bytes, offset));
  }

  async #with<T>(read: (file: MediaFile) => Promise<T>): Promise<T> {
    const tried = this.#file;
    try {
      return await read(tried);
    } catch (error) {
      // Another reader may have found another place meanwhile.
      if (this.#file !== tried) return read(this.#file);
      return this.#readCopy(error, read);
    }
  }

  async #readCopy<T>(error: unknown, read: (file: MediaFile) => Promise<T>): Promise<T> {
    const key = contentKey(this.#block);
    for (const place of await this.#find(this.#block)) {
      if (contentKey(place) !== key) continue;
      const file = this.#fileOf(place);
      try {
        const found = await read(file);
        this.#file = file;
        return found;
      } catch {
        // The next one.
      }
    }
    throw error;
  }

  #fileOf({ disk, path }: Pick<CopiedBlock, 'disk' | 'path'>): MediaFile {
    return this.#files.file(disk, join(disk, path));
  }
}
