import { constants, fstat, writev } from 'node:fs';
import { mkdir, open, readdir, rename, rmdir, stat, statfs, unlink, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { MediaFile } from '../segment/media-bytes.ts';

/** File open for reading and writing. All methods throw system errors. */
export interface DiskFile extends MediaFile {
  sizeBytes(): Promise<number>;
  /** Whether the file is still in a folder. Data written to a removed file is lost. */
  isLinked(): Promise<boolean>;
  /** Writes all buffers consecutively from an offset. */
  write(bytes: readonly Uint8Array[], offset: number): Promise<void>;
  /** Resolves when written data survives a power loss. */
  sync(): Promise<void>;
  truncate(sizeBytes: number): Promise<void>;
  close(): Promise<void>;
}

/** Total and free bytes of a file system. */
export interface DiskSpace {
  readonly totalBytes: number;
  readonly freeBytes: number;
  /** Device number of the file system; undefined if unknown. */
  readonly device?: number;
}

/** File operations of archives on disks. */
export interface DiskFiles {
  /** Creates a new file and the folders above it. Throws `EEXIST`. */
  create(path: string): Promise<DiskFile>;
  /** Opens a file for reading and writing. */
  open(path: string): Promise<DiskFile>;
  /** Names in a folder; empty if the folder is missing. */
  list(folder: string): Promise<readonly string[]>;
  /** Removes a file. Returns its size in bytes. */
  remove(path: string): Promise<number>;
  /** Renames a file within its folder. Resolves when the new name survives a power loss. */
  rename(path: string, to: string): Promise<void>;
  /** Removes a folder if it is empty. Returns whether it did. */
  removeFolder(folder: string): Promise<boolean>;
  /** Space of the file system of a folder, which need not exist yet. */
  diskSpace(folder: string): Promise<DiskSpace>;
  /** Whether a folder is a mount point: on another file system than its parent, or the root of one. */
  isMounted(folder: string): Promise<boolean>;
}

class OpenDiskFile implements DiskFile {
  readonly #handle: FileHandle;
  /** Whether a write returns only when it survives a power loss. */
  readonly #isWrittenThrough: boolean;

  constructor(handle: FileHandle, isWrittenThrough = false) {
    this.#handle = handle;
    this.#isWrittenThrough = isWrittenThrough;
  }

  async sizeBytes(): Promise<number> {
    return (await this.#handle.stat()).size;
  }

  async isLinked(): Promise<boolean> {
    return new Promise((resolve, reject) => {
      fstat(this.#handle.fd, (error, stats) => {
        if (error) reject(error);
        else resolve(stats.nlink > 0);
      });
    });
  }

  async read(offset: number, sizeBytes: number): Promise<Uint8Array> {
    const bytes = Buffer.allocUnsafe(sizeBytes);
    for (let done = 0; done < sizeBytes;) {
      const { bytesRead } = await this.#handle.read(bytes, done, sizeBytes - done, offset + done);
      if (bytesRead === 0) throw new RangeError(`The file ends before ${offset + sizeBytes}.`);
      done += bytesRead;
    }
    return bytes;
  }

  async write(bytes: readonly Uint8Array[], offset: number): Promise<void> {
    let rest = bytes;
    let at = offset;
    while (rest.length > 0) {
      const written = await this.#writeSome(rest, at);
      at += written;
      rest = remaining(rest, written);
    }
  }

  /**
   * Writes once and returns the number of bytes written. A callback costs half the thread time of the promises of a
   * `FileHandle`, once a second per block.
   */
  async #writeSome(bytes: readonly Uint8Array[], offset: number): Promise<number> {
    return new Promise((resolve, reject) => {
      writev(this.#handle.fd, bytes, offset, (error, written) => {
        if (error) reject(error);
        else resolve(written);
      });
    });
  }

  async sync(): Promise<void> {
    if (!this.#isWrittenThrough) await this.#handle.datasync();
  }

  async truncate(sizeBytes: number): Promise<void> {
    await this.#handle.truncate(sizeBytes);
    if (this.#isWrittenThrough) await this.#handle.datasync();
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}

/** Buffers that remain after `done` bytes: a nearly full disk writes less than requested. */
function remaining(bytes: readonly Uint8Array[], done: number): Uint8Array[] {
  let left = done;
  const rest: Uint8Array[] = [];
  for (const run of bytes) {
    if (left < run.length) rest.push(run.subarray(left));
    left = Math.max(0, left - run.length);
  }
  return rest;
}

const READ_WRITE = constants.O_RDWR;
const NEW = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL;
/**
 * Writes and syncs in one call (POSIX `O_DSYNC`), which takes half the thread round trips of a write and `datasync`.
 * Windows has no such flag.
 */
const WRITE_THROUGH: number | undefined = constants.O_DSYNC;

/** Disks of this machine. Every call runs off the event loop. */
export const systemDiskFiles: DiskFiles = {
  async create(path) {
    await mkdir(dirname(path), { recursive: true });
    return new OpenDiskFile(await open(path, NEW | (WRITE_THROUGH ?? 0), 0o640), WRITE_THROUGH !== undefined);
  },
  open: async (path) => new OpenDiskFile(await open(path, READ_WRITE)),
  async list(folder) {
    try {
      return await readdir(folder);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return [];
      throw error;
    }
  },
  async remove(path) {
    const { size } = await stat(path);
    await unlink(path);
    return size;
  },
  async rename(path, to) {
    await rename(path, to);
    // A rename survives a power loss only when its folder is synced. Not every system can open a folder.
    const folder = await open(dirname(to)).catch(() => undefined);
    await folder?.sync().catch(() => undefined);
    await folder?.close();
  },
  async removeFolder(folder) {
    try {
      await rmdir(folder);
      return true;
    } catch {
      return false;
    }
  },
  async diskSpace(folder) {
    for (let at = folder; ; at = dirname(at)) {
      try {
        const { bsize, blocks, bavail } = await statfs(at);
        return { totalBytes: bsize * blocks, freeBytes: bsize * bavail, device: (await stat(at)).dev };
      } catch (error) {
        if (codeOf(error) !== 'ENOENT' || dirname(at) === at) throw error;
      }
    }
  },
  async isMounted(folder) {
    try {
      const above = dirname(folder);
      return above === folder || (await stat(folder)).dev !== (await stat(above)).dev;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return false;
      throw error;
    }
  },
};

/** Code of a system error, such as `ENOSPC`; empty for other errors. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
