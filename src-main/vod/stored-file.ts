import type { FileHandle } from 'node:fs/promises';
import type { FileTurns } from '../lib/file-turns.ts';
import { openRegularFile } from '../lib/regular-file.ts';
import { versionOf, type FoundFile } from './vod-location.ts';
import type { IndexedFile, SourceFile } from './index/source-track.ts';
import { because, type Explained } from '../../src-preload/contract/explanations/explanations.ts';
import { explained, ExplainedError } from '../lib/error-message.ts';

/** File on disk that is opened on read and may be closed in between. */
export class StoredFile implements SourceFile {
  readonly path: string;
  readonly sizeBytes: number;
  /** Number of bytes that were read from the file. */
  bytesIn = 0;
  /** Version string, which changes with the content. */
  readonly version: string;
  /** Error of the last read; undefined if it succeeded. */
  readFault: Explained | undefined;
  readonly #turns: FileTurns;
  #handle: Promise<FileHandle> | undefined;

  constructor({ path, version, sizeBytes }: Pick<FoundFile, 'path' | 'version' | 'sizeBytes'>, turns: FileTurns) {
    this.sizeBytes = sizeBytes;
    this.path = path;
    this.version = version;
    this.#turns = turns;
  }

  /** View of the file for container readers. @param signal aborts reading: later reads throw its reason */
  indexed(signal?: AbortSignal): IndexedFile {
    const { path, version, sizeBytes } = this;
    return {
      path,
      version,
      sizeBytes,
      media: this,
      read: async (target, position) => {
        signal?.throwIfAborted();
        return this.#fillAll([target], position);
      },
    };
  }

  async read(offset: number, sizeBytes: number): Promise<Uint8Array> {
    const bytes = Buffer.allocUnsafeSlow(sizeBytes);
    await this.readPieces([bytes], offset);
    return bytes;
  }

  /** Reads consecutive bytes into several buffers. */
  async readPieces(buffers: readonly Uint8Array[], offset: number): Promise<void> {
    const sizeBytes = buffers.reduce((sum, { length }) => sum + length, 0);
    try {
      if ((await this.#fillAll(buffers, offset)) < sizeBytes)
        throw new RangeError(`${this.path} ends before byte ${offset + sizeBytes}`);
    } catch (error) {
      this.readFault = explained(error);
      throw error;
    }
    this.readFault = undefined;
  }

  /** Opens the file, so that it stays readable after its deletion. Rejects with the error of the file. */
  async keepOpen(): Promise<void> {
    await this.#run(async () => Promise.resolve());
  }

  /** Closes the file; the next read opens it again. */
  close(): void {
    const handle = this.#handle;
    this.#handle = undefined;
    void handle?.then(async (opened) => opened.close()).catch(() => undefined);
  }

  /** Opens the file if it has not changed, because its index would not fit a changed file. */
  async #open(): Promise<FileHandle> {
    const handle = await openRegularFile(this.path);
    const now = await handle.stat({ bigint: true }).catch(() => undefined);
    if (now && versionOf(now) === this.version) return handle;
    await handle.close();
    throw new ExplainedError(because('file_replaced', { path: this.path }));
  }

  async #fillAll(buffers: readonly Uint8Array[], position: number): Promise<number> {
    return this.#run(async (handle) => {
      let length = 0;
      for (let rest = buffers; rest.length > 0;) {
        const { bytesRead } = await handle.readv(rest, position + length);
        if (bytesRead === 0) break;
        length += bytesRead;
        rest = remaining(rest, bytesRead);
      }
      this.bytesIn += length;
      return length;
    });
  }

  async #run<T>(work: (handle: FileHandle) => Promise<T>): Promise<T> {
    return this.#turns.run(this.path, async () => {
      if (!this.#handle) {
        const opening = this.#open();
        this.#handle = opening;
        opening.catch(() => {
          if (this.#handle === opening) this.#handle = undefined;
        });
      }
      return work(await this.#handle);
    });
  }
}

/** Buffers that remain after `bytes` bytes. */
function remaining(buffers: readonly Uint8Array[], bytes: number): readonly Uint8Array[] {
  let left = bytes;
  for (const [index, place] of buffers.entries()) {
    if (left < place.length) return [place.subarray(left), ...buffers.slice(index + 1)];
    left -= place.length;
  }
  return [];
}
