import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { link, mkdir, open, rename, stat, unlink, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from '../../dvr/disk-files.ts';
import { explained } from '../../lib/error-message.ts';
import { ExportFailure } from './export-task.ts';
import { because } from '../../../src-preload/contract/explanations/explanations.ts';

/** Bytes collected for one write. */
const WRITE_BYTES = 4 << 20;
/** Number of bytes after which the file is synced, so that other writers never wait for gigabytes. */
const SYNC_BYTES = 64 << 20;
const NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;

/** File written under a temporary name, with the SHA-256 of its content. One write is in progress at a time. */
export class OutputFile {
  readonly path: string;
  readonly #temporary: string;
  readonly #handle: FileHandle;
  readonly #hash = createHash('sha256');
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #sizeBytes = 0;
  #unsynced = 0;
  #writing: Promise<void> = Promise.resolve();
  #syncing: Promise<void> = Promise.resolve();
  #failure: unknown;
  #isPublished = false;

  private constructor(path: string, temporary: string, handle: FileHandle) {
    this.path = path;
    this.#temporary = temporary;
    this.#handle = handle;
  }

  /** Creates the file and the folders above it. Throws `export_not_written`. */
  static async create(path: string, temporary: string): Promise<OutputFile> {
    try {
      await mkdir(dirname(path), { recursive: true });
      return new OutputFile(path, temporary, await open(temporary, NEW, 0o640));
    } catch (error) {
      throw failureOf(error);
    }
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** Adds bytes, which must not change afterwards. Resolves when more can be added. Throws write errors. */
  async write(bytes: Uint8Array): Promise<void> {
    this.#hash.update(bytes);
    this.#sizeBytes += bytes.length;
    this.#pending.push(bytes);
    this.#pendingBytes += bytes.length;
    if (this.#pendingBytes >= WRITE_BYTES) await this.#flush();
  }

  /** Completes the file under its temporary name and syncs it. @returns SHA-256 in hexadecimal */
  async finish(): Promise<string> {
    await this.#flush();
    await this.#writing;
    this.#check();
    try {
      await this.#syncing;
      await this.#handle.sync();
      await this.#handle.close();
    } catch (error) {
      throw failureOf(error);
    }
    return this.#hash.digest('hex');
  }

  /** Renames the file to its final name. Throws `export_file_exists` if another file has that name. */
  async publish(): Promise<void> {
    try {
      await link(this.#temporary, this.path);
      this.#isPublished = true;
    } catch (error) {
      if (codeOf(error) === 'EEXIST') throw existing(this.path);
      await this.#rename();
    }
    await unlink(this.#temporary).catch(() => undefined);
    const folder = await open(dirname(this.path)).catch(() => undefined);
    await folder?.sync().catch(() => undefined);
    await folder?.close();
  }

  /** Deletes the file, also under its final name. */
  async discard(): Promise<void> {
    await this.#writing;
    await this.#syncing;
    await this.#handle.close().catch(() => undefined);
    await unlink(this.#isPublished ? this.path : this.#temporary).catch(() => undefined);
  }

  /** Renames the file, for file systems without links. */
  async #rename(): Promise<void> {
    try {
      if (await stat(this.path).catch(() => undefined)) throw existing(this.path);
      await rename(this.#temporary, this.path);
      this.#isPublished = true;
    } catch (error) {
      throw failureOf(error);
    }
  }

  /** Writes the collected bytes after the write in progress. */
  async #flush(): Promise<void> {
    await this.#writing;
    this.#check();
    const bytes = this.#pending;
    this.#pending = [];
    this.#pendingBytes = 0;
    if (bytes.length > 0)
      this.#writing = this.#put(bytes).catch((error: unknown) => {
        this.#failure = error;
      });
  }

  async #put(bytes: readonly Uint8Array[]): Promise<void> {
    // A full disk accepts only part of the bytes.
    for (let rest = [...bytes]; rest.length > 0;) {
      const { bytesWritten } = await this.#handle.writev(rest);
      this.#unsynced += bytesWritten;
      rest = remaining(rest, bytesWritten);
    }
    if (this.#unsynced < SYNC_BYTES) return;
    this.#unsynced = 0;
    await this.#syncing;
    this.#syncing = this.#handle.datasync().catch((error: unknown) => {
      this.#failure = error;
    });
  }

  #check(): void {
    if (this.#failure !== undefined) throw failureOf(this.#failure);
  }
}

function remaining(bytes: readonly Uint8Array[], done: number): Uint8Array[] {
  let left = done;
  const rest: Uint8Array[] = [];
  for (const run of bytes) {
    if (left < run.length) rest.push(left > 0 ? run.subarray(left) : run);
    left = Math.max(0, left - run.length);
  }
  return rest;
}

function existing(path: string): ExportFailure {
  return new ExportFailure('export_file_exists', because('file_exists', { path }));
}

function failureOf(error: unknown): ExportFailure {
  if (error instanceof ExportFailure) return error;
  const isFull = ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(codeOf(error));
  return new ExportFailure(isFull ? 'export_no_room' : 'export_not_written', explained(error));
}
