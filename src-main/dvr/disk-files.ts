import { constants, fstat, writev } from 'node:fs';
import { mkdir, open, readdir, rename, rmdir, stat, statfs, unlink, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { MediaFile } from '../segment/media-bytes.ts';

/** A file that is open for writing. Everything raises what the system says. */
export interface DiskFile extends MediaFile {
  sizeBytes(): Promise<number>;
  /** Whether a folder still has it: what is written to a file that was removed is lost. */
  isLinked(): Promise<boolean>;
  /** Writes all bytes, one run after the other, from this place on. */
  write(bytes: readonly Uint8Array[], offset: number): Promise<void>;
  /** Resolves when what was written survives a loss of power. */
  sync(): Promise<void>;
  truncate(sizeBytes: number): Promise<void>;
  close(): Promise<void>;
}

/** Bytes of a file system: all of them, and those that are free. */
export interface DiskRoom {
  readonly totalBytes: number;
  readonly freeBytes: number;
  /** Number of the file system; undefined where it is not known. */
  readonly device?: number;
}

/** The disks as the archive sees them. */
export interface DiskFiles {
  /** Makes a file that is not there yet, and the folders above it. Raises `EEXIST`. */
  create(path: string): Promise<DiskFile>;
  /** Opens a file for reading and writing. */
  open(path: string): Promise<DiskFile>;
  /** Names in a folder; none where it is not there. */
  list(folder: string): Promise<readonly string[]>;
  /** Removes a file. Returns how many bytes it had. */
  remove(path: string): Promise<number>;
  /** Gives a file another name in its folder, for good. */
  rename(path: string, to: string): Promise<void>;
  /** Removes a folder where nothing is in it. Returns whether it did. */
  removeFolder(folder: string): Promise<boolean>;
  /** The file system that holds a folder, or would where it is not there yet. */
  room(folder: string): Promise<DiskRoom>;
  /** Whether a folder is a mount point: it lies on another file system than the folder that it is in, or is the root of one. */
  isMounted(folder: string): Promise<boolean>;
}

class OpenDiskFile implements DiskFile {
  readonly #handle: FileHandle;
  /** Whether a write returns only when it survives a loss of power. */
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
      rest = behind(rest, written);
    }
  }

  /** A call back costs the thread half of what the promises of a `FileHandle` do, once a second for each block. Returns how many bytes were taken. */
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

/** What is left of runs of bytes behind their first bytes: a disk that is nearly full takes less than it is given. */
function behind(bytes: readonly Uint8Array[], done: number): Uint8Array[] {
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
 * Writes and waits for the disk in one call (POSIX `O_DSYNC`, synchronized I/O data integrity completion): half the trips to a thread of a write
 * that is followed by a `datasync`. Windows has no such flag.
 */
const WRITE_THROUGH: number | undefined = constants.O_DSYNC;

/** The disks of this machine. Every call runs beside the event loop. */
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
    // The name survives a loss of power with its folder. Not every system opens one.
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
  async room(folder) {
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

/** The code of an error of the system, such as `ENOSPC`; empty where it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
