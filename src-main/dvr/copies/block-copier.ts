import { codeOf } from '../disk-files.ts';
import type { ArchiveCatalog } from '../catalog/archive-catalog.ts';
import { removeBlock } from '../block-removal.ts';
import {
  BlockTransferError,
  copyToDisk,
  haveSameBytes,
  type BlockPosition,
  type BlockTransferOptions,
} from './block-transfer.ts';

export interface BlockCopierOptions extends BlockTransferOptions {
  readonly catalog: Pick<ArchiveCatalog, 'add' | 'remove'>;
  /** Called after a block was removed from a disk, or from the catalog only. @param path below the folder of the disk */
  readonly removed: (folder: string, path: string) => void;
}

/** Result of copying a block. */
export interface CopyResult {
  /** Reason for failure; undefined on success. */
  readonly error?: string;
  /** Whether the copy was cancelled, or the block is already being copied. */
  readonly isStopped?: boolean;
}

/** Copies and removes blocks on disks and in the catalog. A block that is deleted during copying leaves no copy. */
export class BlockCopier {
  readonly #options: BlockCopierOptions;
  /** Blocks being read, and whether they were deleted during the read. */
  readonly #read = new Map<string, { isGone: boolean }>();
  #isClosed = false;

  constructor(options: BlockCopierOptions) {
    this.#options = options;
  }

  /** Cancels the copy of a block that was deleted or cut. */
  cancel(folder: string, path: string): void {
    const read = this.#read.get(keyOf(folder, path));
    if (read) read.isGone = true;
  }

  /** Cancels the copy of a block that was removed from the catalog but not from its disk, and reports the removal. */
  forget(folder: string, path: string): void {
    this.cancel(folder, path);
    this.#options.removed(folder, path);
  }

  /** Stops all copying. */
  close(): void {
    this.#isClosed = true;
  }

  /** Copies a block to a disk, from the first readable source. Never rejects. */
  async copy(sources: readonly BlockPosition[], folder: string, isRunning: () => boolean): Promise<CopyResult> {
    let error = 'ENOENT: no disk has it';
    for (const source of sources) {
      const key = keyOf(source.disk, source.path);
      // The block is already being copied.
      if (this.#read.has(key)) return { isStopped: true };
      const read = { isGone: false };
      this.#read.set(key, read);
      try {
        const isNeeded = (): boolean => isRunning() && !read.isGone && !this.#isClosed;
        const block = await copyToDisk(this.#options, source, folder, isNeeded);
        this.#options.catalog.add(block);
        return {};
      } catch (cause) {
        if (cause instanceof BlockTransferError && cause.code === 'stopped') return { isStopped: true };
        if (read.isGone) return { isStopped: true };
        error = errorText(cause);
      } finally {
        this.#read.delete(key);
      }
    }
    return { error };
  }

  /**
   * Removes a block from a disk that is taken out of use. Never rejects.
   *
   * @param other another copy that must have the same bytes; undefined if it was just verified
   * @returns the reason for failure; undefined on success
   */
  async remove(
    block: BlockPosition,
    other: BlockPosition | undefined,
    isRunning: () => boolean,
  ): Promise<string | undefined> {
    const { files, onDisk, catalog, removed } = this.#options;
    try {
      const isSame = !other || (await haveSameBytes(this.#options, block, other, () => isRunning() && !this.#isClosed));
      if (!isSame) return `copy_differs: ${other.disk} has different bytes for it`;
      await onDisk(block.disk, async () => removeBlock(files, block.disk, block.path));
      catalog.remove(block.disk, block.path);
      removed(block.disk, block.path);
      return undefined;
    } catch (cause) {
      return errorText(cause);
    }
  }
}

function keyOf(folder: string, path: string): string {
  return `${folder}\n${path}`;
}

function errorText(cause: unknown): string {
  const detail = cause instanceof Error ? cause.message : String(cause);
  const code = codeOf(cause);
  return code === '' || detail.startsWith(code) ? detail : `${code}: ${detail}`;
}
