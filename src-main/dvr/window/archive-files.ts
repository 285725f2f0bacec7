import { open } from 'node:fs/promises';
import type { Clock } from '../../lib/clock.ts';
import { FileTurns } from '../../lib/file-turns.ts';
import { readInto, type MediaFile } from '../../segment/media-bytes.ts';

/** File open for reading. */
interface ReadableFile extends MediaFile {
  close(): Promise<void>;
}

/** Opens a file for reading. Throws system errors. */
export type OpenToRead = (path: string) => Promise<ReadableFile>;

export interface ArchiveFilesOptions {
  readonly clock: Clock;
  readonly open?: OpenToRead;
  /** Maximum number of open files on all disks; default 128. */
  readonly maxOpen?: number;
}

const MAX_OPEN = 128;
/**
 * Maximum number of concurrent reads of one disk, which is also the number of pool threads that a hanging disk may
 * occupy.
 */
const MAX_READS_PER_DISK = 3;

/** File that is open or being opened. */
interface OpenFile {
  readonly file: Promise<ReadableFile>;
  readers: number;
  /** Whether the file is to be closed as soon as it has no reader. */
  isClosing: boolean;
}

/**
 * Files of archives, opened on read. The least recently used files are closed when there are too many. Reads from a
 * disk that does not answer fail after 5 s and do not delay other disks.
 */
export class ArchiveFiles {
  readonly #clock: Clock;
  readonly #open: OpenToRead;
  readonly #maxOpen: number;
  /** By path, least recently used first. */
  readonly #files = new Map<string, OpenFile>();
  readonly #turns = new Map<string, FileTurns>();

  constructor({ clock, open: openFile = openToRead, maxOpen = MAX_OPEN }: ArchiveFilesOptions) {
    this.#clock = clock;
    this.#open = openFile;
    this.#maxOpen = maxOpen;
  }

  get openCount(): number {
    return this.#files.size;
  }

  /** File on a disk; it is not opened before the first read. */
  file(disk: string, path: string): MediaFile {
    return {
      read: async (offset, sizeBytes) => this.#read(disk, path, async (file) => file.read(offset, sizeBytes)),
      readInto: async (bytes, offset) => this.#read(disk, path, async (file) => readInto(file, bytes, offset)),
    };
  }

  /** Closes all open files; a file that is being read closes after the read. */
  async close(): Promise<void> {
    const files = [...this.#files.values()];
    this.#files.clear();
    await Promise.all(files.map(async (file) => this.#closeUnused(file)));
  }

  async #read<T>(disk: string, path: string, read: (file: ReadableFile) => Promise<T>): Promise<T> {
    return this.#turnsOf(disk).run(disk, async () => {
      const file = this.#fileAt(path);
      file.readers++;
      try {
        return await read(await file.file);
      } catch (error) {
        // The next read opens the file again: it may exist again, or be another file.
        if (this.#files.get(path) === file) this.#files.delete(path);
        file.isClosing = true;
        throw error;
      } finally {
        file.readers--;
        if (file.isClosing) await this.#closeUnused(file);
      }
    });
  }

  #fileAt(path: string): OpenFile {
    const openFile = this.#files.get(path);
    if (openFile) {
      this.#files.delete(path);
      this.#files.set(path, openFile);
      return openFile;
    }
    for (const [oldest, file] of this.#files) {
      if (this.#files.size < this.#maxOpen) break;
      this.#files.delete(oldest);
      void this.#closeUnused(file);
    }
    const opened: OpenFile = { file: this.#open(path), readers: 0, isClosing: false };
    // Readers await the same promise and get its error.
    opened.file.catch(() => undefined);
    this.#files.set(path, opened);
    return opened;
  }

  async #closeUnused(file: OpenFile): Promise<void> {
    file.isClosing = true;
    if (file.readers > 0) return;
    await file.file.then(async (file) => file.close()).catch(() => undefined);
  }

  #turnsOf(disk: string): FileTurns {
    const existing = this.#turns.get(disk);
    if (existing) return existing;
    const turns = new FileTurns({ clock: this.#clock, limit: MAX_READS_PER_DISK });
    this.#turns.set(disk, turns);
    return turns;
  }
}

async function openToRead(path: string): Promise<ReadableFile> {
  const handle = await open(path, 'r');
  const fill = async (bytes: Uint8Array, offset: number): Promise<void> => {
    for (let done = 0; done < bytes.length;) {
      const { bytesRead } = await handle.read(bytes, done, bytes.length - done, offset + done);
      if (bytesRead === 0) throw new RangeError(`${path} ends before ${offset + bytes.length}.`);
      done += bytesRead;
    }
  };
  return {
    async read(offset, sizeBytes) {
      const bytes = Buffer.allocUnsafeSlow(sizeBytes);
      await fill(bytes, offset);
      return bytes;
    },
    readInto: fill,
    close: async () => handle.close(),
  };
}
