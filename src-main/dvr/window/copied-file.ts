import { join } from 'node:path';
import { readInto, type MediaFile } from '../../segment/media-bytes.ts';
import { contentKey } from '../catalog/block-ranges.ts';
import type { StoredBlock } from '../catalog/catalog-store.ts';
import type { ArchiveFiles } from './archive-files.ts';

/** Position of a block, and the properties that distinguish its copies from other blocks. */
export type CopiedBlock = Pick<StoredBlock, 'stream' | 'disk' | 'path' | 'startMs' | 'endMs' | 'sizeBytes'>;

/** Finds all blocks of the stream in the catalog that overlap the time of a block, copies and others. */
export type FindBlocks = (block: CopiedBlock) => Promise<readonly CopyPosition[]>;

type CopyPosition = Omit<CopiedBlock, 'stream'>;

/**
 * Media of a block, with failover to a copy: if the file becomes unreadable, for example because the disk was removed
 * or the block was moved, a copy on another disk is used from then on.
 */
export class CopiedFile implements MediaFile {
  readonly #files: ArchiveFiles;
  readonly #block: CopiedBlock;
  readonly #find: FindBlocks;
  #file: MediaFile;

  /** @param find called when the block is unreadable at its position */
  constructor(files: ArchiveFiles, block: CopiedBlock, find: FindBlocks) {
    this.#files = files;
    this.#block = block;
    this.#find = find;
    this.#file = this.#fileOf(block);
  }

  /** Throws the error of the current position if no other position can be read. */
  async read(offset: number, sizeBytes: number): Promise<Uint8Array> {
    return this.tryCopies(async (file) => file.read(offset, sizeBytes));
  }

  async readInto(bytes: Uint8Array, offset: number): Promise<void> {
    return this.tryCopies(async (file) => readInto(file, bytes, offset));
  }

  async tryCopies<T>(read: (file: MediaFile) => Promise<T>): Promise<T> {
    const tried = this.#file;
    try {
      return await read(tried);
    } catch (error) {
      // Another reader may have found another position meanwhile.
      if (this.#file !== tried) return read(this.#file);
      return this.#readCopy(error, read);
    }
  }

  async #readCopy<T>(error: unknown, read: (file: MediaFile) => Promise<T>): Promise<T> {
    const key = contentKey(this.#block);
    for (const position of await this.#find(this.#block)) {
      if (contentKey(position) !== key) continue;
      const file = this.#fileOf(position);
      try {
        const found = await read(file);
        this.#file = file;
        return found;
      } catch {
        // Tries the next position.
      }
    }
    throw error;
  }

  #fileOf({ disk, path }: Pick<CopiedBlock, 'disk' | 'path'>): MediaFile {
    return this.#files.file(disk, join(disk, path));
  }
}
