import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { crc32 } from 'node:zlib';
import type { Clock } from '../../lib/clock.ts';

export interface IndexStoreOptions {
  readonly clock: Clock;
  /** Folder of the store; it is created if it is missing. */
  readonly folder: string;
  /** Maximum size of all files in bytes, default 512 MiB. The least recently used are deleted first. */
  readonly maxBytes?: number;
  /** Number of this writer among all writers of the folder; default 0. */
  readonly writer?: number;
}

/** Content of a store file, serialized with `node:v8`. */
interface StoredIndex {
  readonly name: string;
  readonly version: string;
  readonly value: unknown;
}

/**
 * Magic and version of a store file; the version must change with the stored form and with the results of the readers. In the
 * file, the CRC-32 of the content follows.
 */
const HEAD = 'airdesk index 8\n';
const HEAD_BYTES = HEAD.length + 4;
const MAX_BYTES = 512 << 20;
/** Maximum size of one store file. */
const MAX_FILE_BYTES = 64 << 20;
const MAX_FILES = 5000;
const NAME = /^[0-9a-f]{32}\.index$/;

/**
 * On-disk store of file indexes: a file with the same path, size and modification time is not read again after a restart. Damaged
 * entries and entries of other content are ignored and written again.
 */
export class IndexStore {
  readonly #clock: Clock;
  readonly #folder: string;
  readonly #maxBytes: number;
  readonly #writer: number;
  #turn: Promise<unknown> = Promise.resolve();

  constructor({ clock, folder, maxBytes = MAX_BYTES, writer = 0 }: IndexStoreOptions) {
    this.#writer = writer;
    this.#clock = clock;
    this.#folder = folder;
    this.#maxBytes = maxBytes;
  }

  /** Returns the value stored under `name`, if it has this version. The caller must know the type of the value. */
  async get(name: string, version: string): Promise<unknown> {
    const path = this.#pathOf(name);
    try {
      if ((await stat(path)).size > MAX_FILE_BYTES) return undefined;
      const stored = readStored(await readFile(path));
      if (stored?.name !== name || stored.version !== version) return undefined;
      const nowSeconds = this.#clock.now() / 1000;
      utimes(path, nowSeconds, nowSeconds).catch(() => undefined);
      return stored.value;
    } catch {
      return undefined;
    }
  }

  /** Resolves when no write is in progress. */
  async settled(): Promise<void> {
    await this.#turn;
  }

  /** Stores a value of plain data and replaces the old one. Resolves when the value is written or the write has failed. */
  async put(name: string, version: string, value: unknown): Promise<void> {
    const bytes = writeStored({ name, version, value });
    if (bytes.length > Math.min(MAX_FILE_BYTES, this.#maxBytes)) return;
    const path = this.#pathOf(name);
    // Writes run one after another, so that two sweeps do not count the same deleted file.
    this.#turn = this.#turn.then(async () => this.#write(path, bytes)).catch(() => undefined);
    await this.#turn;
  }

  async #write(path: string, bytes: Uint8Array): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    const unfinished = `${path}.${this.#writer}.tmp`;
    try {
      await writeFile(unfinished, bytes);
      await rename(unfinished, path);
    } catch {
      await rm(unfinished, { force: true });
    }
    await this.#sweep();
  }

  async #sweep(): Promise<void> {
    const files: { readonly path: string; readonly bytes: number; readonly usedMs: number }[] = [];
    for (const name of await readdir(this.#folder)) {
      if (!NAME.test(name)) continue;
      const path = join(this.#folder, name);
      const { size, mtimeMs } = await stat(path);
      files.push({ path, bytes: size, usedMs: mtimeMs });
    }
    files.sort((a, b) => b.usedMs - a.usedMs);
    let bytes = 0;
    for (const [index, file] of files.entries()) {
      bytes += file.bytes;
      if (bytes > this.#maxBytes || index >= MAX_FILES) await rm(file.path, { force: true });
    }
  }

  #pathOf(name: string): string {
    return join(this.#folder, `${createHash('sha256').update(name).digest('hex').slice(0, 32)}.index`);
  }
}

function writeStored(stored: StoredIndex): Buffer {
  const body = serialize(stored);
  const head = Buffer.alloc(HEAD_BYTES);
  head.write(HEAD, 'latin1');
  head.writeUInt32BE(crc32(body), HEAD.length);
  return Buffer.concat([head, body]);
}

function readStored(bytes: Buffer): StoredIndex | undefined {
  if (bytes.length < HEAD_BYTES || bytes.toString('latin1', 0, HEAD.length) !== HEAD) return undefined;
  const body = bytes.subarray(HEAD_BYTES);
  // A correct checksum proves that this program wrote the entry.
  return crc32(body) === bytes.readUInt32BE(HEAD.length) ? (deserialize(body) as StoredIndex) : undefined;
}
