import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { crc32 } from 'node:zlib';
import type { Clock } from '../../lib/clock.ts';

/** Where indexes are kept. */
export interface IndexStoreOptions {
  readonly clock: Clock;
  /** Made where it is not there. */
  readonly folder: string;
  /** Bytes of all files in it; default 512 MiB. The longest unused go first. */
  readonly mostBytes?: number;
  /** Number of this writer among those of the folder; default 0. */
  readonly writer?: number;
}

/** What a file of the store holds, in the form of `node:v8`. */
interface Kept {
  readonly name: string;
  readonly version: string;
  readonly value: unknown;
}

/** What a file begins with: another one for each form of what is kept, and of what readers find. Behind it stands the CRC-32 of all that follows. */
const HEAD = 'airdesk index 2\n';
const HEAD_BYTES = HEAD.length + 4;
const MAX_BYTES = 512 << 20;
/** Bytes of one file. */
const MAX_FILE_BYTES = 64 << 20;
const MAX_FILES = 5000;
const NAME = /^[0-9a-f]{32}\.index$/;

/**
 * What was found in files, on disk: a file whose path, size and time of the change are the same is not read again after a restart. What
 * is damaged, cannot be read or belongs to another content is passed over, and written anew.
 */
export class IndexStore {
  readonly #clock: Clock;
  readonly #folder: string;
  readonly #mostBytes: number;
  readonly #writer: number;
  #turn: Promise<unknown> = Promise.resolve();

  constructor({ clock, folder, mostBytes = MAX_BYTES, writer = 0 }: IndexStoreOptions) {
    this.#writer = writer;
    this.#clock = clock;
    this.#folder = folder;
    this.#mostBytes = mostBytes;
  }

  /** What was kept under a name, if it is of this version. The caller knows what it is. */
  async get(name: string, version: string): Promise<unknown> {
    const path = this.#pathOf(name);
    try {
      if ((await stat(path)).size > MAX_FILE_BYTES) return undefined;
      const kept = readKept(await readFile(path));
      if (kept?.name !== name || kept.version !== version) return undefined;
      const nowSeconds = this.#clock.now() / 1000;
      utimes(path, nowSeconds, nowSeconds).catch(() => undefined);
      return kept.value;
    } catch {
      return undefined;
    }
  }

  /** Resolves when nothing is being written any more. */
  async settled(): Promise<void> {
    await this.#turn;
  }

  /** Keeps a value of plain data under a name, in the place of what was there; resolves when that is done, or cannot be. */
  async put(name: string, version: string, value: unknown): Promise<void> {
    const bytes = writeKept({ name, version, value });
    if (bytes.length > Math.min(MAX_FILE_BYTES, this.#mostBytes)) return;
    const path = this.#pathOf(name);
    // One after the other: what is swept away is not counted twice.
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
      if (bytes > this.#mostBytes || index >= MAX_FILES) await rm(file.path, { force: true });
    }
  }

  #pathOf(name: string): string {
    return join(this.#folder, `${createHash('sha256').update(name).digest('hex').slice(0, 32)}.index`);
  }
}

function writeKept(kept: Kept): Buffer {
  const body = serialize(kept);
  const head = Buffer.alloc(HEAD_BYTES);
  head.write(HEAD, 'latin1');
  head.writeUInt32BE(crc32(body), HEAD.length);
  return Buffer.concat([head, body]);
}

function readKept(bytes: Buffer): Kept | undefined {
  if (bytes.length < HEAD_BYTES || bytes.toString('latin1', 0, HEAD.length) !== HEAD) return undefined;
  const body = bytes.subarray(HEAD_BYTES);
  // What bears the right sum was written here.
  return crc32(body) === bytes.readUInt32BE(HEAD.length) ? (deserialize(body) as Kept) : undefined;
}
