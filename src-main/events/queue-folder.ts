import { mkdir, open, readdir, rename, rm, stat, truncate, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

/** File operations of a queue. Each of them may fail. A crash may leave a partial append; all other operations are atomic. */
export interface QueueFolder {
  list(): Promise<readonly { readonly name: string; readonly bytes: number }[]>;
  read(name: string, from: number, bytes: number): Promise<Buffer>;
  /** Appends to a file; creates it if necessary. */
  append(name: string, bytes: Buffer): Promise<void>;
  truncate(name: string, bytes: number): Promise<void>;
  /** Replaces a file atomically. */
  replace(name: string, text: string): Promise<void>;
  /** Moves a file over another. */
  rename(from: string, to: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** Waits until appended bytes are on the disk. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** A folder of the file system. */
export class DiskFolder implements QueueFolder {
  readonly #path: string;
  /** Files that stay open after an append. */
  readonly #open = new Map<string, FileHandle>();
  readonly #unsynced = new Set<string>();

  private constructor(path: string) {
    this.#path = path;
  }

  /** Opens a folder; creates it if necessary. */
  static async open(path: string): Promise<DiskFolder> {
    await mkdir(path, { recursive: true });
    return new DiskFolder(path);
  }

  async list(): Promise<{ name: string; bytes: number }[]> {
    const entries = await readdir(this.#path, { withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    const listed = await Promise.all(files.map(async ({ name }) => ({ name, bytes: await this.#bytesOf(name) })));
    return listed.flatMap(({ name, bytes }) => (bytes === undefined ? [] : [{ name, bytes }]));
  }

  /** Size of a file; undefined if it disappeared after its folder was read, for example because it was replaced. */
  async #bytesOf(name: string): Promise<number | undefined> {
    try {
      return (await stat(join(this.#path, name))).size;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
      throw error;
    }
  }

  async read(name: string, from: number, bytes: number): Promise<Buffer> {
    const existing = this.#open.get(name);
    const handle = existing ?? (await open(join(this.#path, name), 'r'));
    try {
      const buffer = Buffer.allocUnsafe(bytes);
      const { bytesRead } = await handle.read(buffer, 0, bytes, from);
      return buffer.subarray(0, bytesRead);
    } finally {
      if (!existing) await handle.close();
    }
  }

  async append(name: string, bytes: Buffer): Promise<void> {
    let handle = this.#open.get(name);
    if (!handle) this.#open.set(name, (handle = await open(join(this.#path, name), 'a+', 0o600)));
    this.#unsynced.add(name);
    await handle.appendFile(bytes);
  }

  async truncate(name: string, bytes: number): Promise<void> {
    await truncate(join(this.#path, name), bytes);
  }

  async replace(name: string, text: string): Promise<void> {
    const next = join(this.#path, `${name}.next`);
    const handle = await open(next, 'w', 0o600);
    try {
      await handle.writeFile(text);
    } finally {
      await handle.close();
    }
    await rename(next, join(this.#path, name));
  }

  async rename(from: string, to: string): Promise<void> {
    await this.#forget(from);
    await this.#forget(to);
    await rename(join(this.#path, from), join(this.#path, to));
  }

  async remove(name: string): Promise<void> {
    await this.#forget(name);
    await rm(join(this.#path, name), { force: true });
  }

  async sync(): Promise<void> {
    for (const name of [...this.#unsynced]) {
      this.#unsynced.delete(name);
      await this.#open.get(name)?.datasync();
    }
  }

  async close(): Promise<void> {
    for (const name of [...this.#open.keys()]) await this.#forget(name);
  }

  async #forget(name: string): Promise<void> {
    const handle = this.#open.get(name);
    this.#open.delete(name);
    this.#unsynced.delete(name);
    await handle?.close();
  }
}
