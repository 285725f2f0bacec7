import type { DiskFile, DiskFiles, DiskSpace } from '../../src-main/dvr/disk-files.ts';

const SPACE = { totalBytes: 1e12, freeBytes: 5e11 };
/** Minimum allocated memory of a file. */
const MIN_BYTES = 16 * 1024;

/** Disks in memory for recordings. Tests can make any operation fail or wait. */
export class MemoryBlocks implements DiskFiles {
  readonly files = new Map<string, Uint8Array>();
  /** Called before each operation; may throw, or return a promise that the operation awaits. */
  before: (operation: keyof DiskFile | keyof DiskFiles, path: string) => Promise<void> | void = () => undefined;
  space: DiskSpace = SPACE;
  /** Folders that are mount points. */
  readonly mounted = new Set<string>();
  opened = 0;
  syncs = 0;
  /** Used bytes of a buffer: further data is appended in place, unless other data was already appended. */
  readonly #used = new WeakMap<ArrayBufferLike, number>();

  async create(path: string): Promise<DiskFile> {
    await this.before('create', path);
    if (this.files.has(path)) throw Object.assign(new Error(`${path} is there`), { code: 'EEXIST' });
    this.files.set(path, new Uint8Array());
    return this.#file(path);
  }

  async open(path: string): Promise<DiskFile> {
    await this.before('open', path);
    if (!this.files.has(path)) throw Object.assign(new Error(`${path} is not there`), { code: 'ENOENT' });
    return this.#file(path);
  }

  async list(folder: string): Promise<readonly string[]> {
    await this.before('list', folder);
    const below = [...this.files.keys()].filter((path) => path.startsWith(`${folder}/`));
    return [...new Set(below.map((path) => path.slice(folder.length + 1).split('/')[0] ?? ''))];
  }

  async remove(path: string): Promise<number> {
    await this.before('remove', path);
    const bytes = this.files.get(path)?.length ?? 0;
    this.files.delete(path);
    return bytes;
  }

  async rename(path: string, to: string): Promise<void> {
    await this.before('rename', path);
    const bytes = this.files.get(path);
    if (!bytes) throw Object.assign(new Error(`${path} is not there`), { code: 'ENOENT' });
    this.files.delete(path);
    this.files.set(to, bytes);
  }

  async removeFolder(folder: string): Promise<boolean> {
    await this.before('removeFolder', folder);
    return ![...this.files.keys()].some((path) => path.startsWith(`${folder}/`));
  }

  async diskSpace(folder: string): Promise<DiskSpace> {
    await this.before('diskSpace', folder);
    return this.space;
  }

  async isMounted(folder: string): Promise<boolean> {
    await this.before('isMounted', folder);
    return this.mounted.has(folder);
  }

  #file(path: string): DiskFile {
    this.opened++;
    const bytes = (): Uint8Array => this.files.get(path) ?? new Uint8Array();
    return {
      isLinked: async () => Promise.resolve(this.files.has(path)),
      sizeBytes: async () => Promise.resolve(bytes().length),
      read: async (offset, sizeBytes) => {
        await this.before('read', path);
        if (offset + sizeBytes > bytes().length) throw new RangeError('the file is shorter');
        return bytes().slice(offset, offset + sizeBytes);
      },
      write: async (runs, offset) => {
        await this.before('write', path);
        // As on a disk, data written to a deleted file is lost.
        if (this.files.has(path)) this.files.set(path, this.#written(bytes(), runs, offset));
      },
      sync: async () => {
        await this.before('sync', path);
        this.syncs++;
      },
      truncate: async (sizeBytes) => {
        await this.before('truncate', path);
        this.files.set(path, bytes().slice(0, sizeBytes));
      },
      close: async () => {
        this.opened--;
        return Promise.resolve();
      },
    };
  }

  /** File with appended data. Files grow by hundreds of writes, which do not copy the earlier data. */
  #written(file: Uint8Array, runs: readonly Uint8Array[], offset: number): Uint8Array {
    const sizeBytes = runs.reduce((sum, { length }) => sum + length, offset);
    const isOwn = offset === file.length && this.#used.get(file.buffer) === offset;
    const buffer =
      isOwn && sizeBytes <= file.buffer.byteLength ? file.buffer : new ArrayBuffer(Math.max(MIN_BYTES, 2 * sizeBytes));
    const bytes = Buffer.from(buffer, 0, sizeBytes);
    if (buffer !== file.buffer) bytes.set(file.subarray(0, offset));
    let at = offset;
    for (const run of runs) {
      bytes.set(run, at);
      at += run.length;
    }
    this.#used.set(buffer, sizeBytes);
    return bytes;
  }
}
