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
  /** Bytes read from it. */
  bytesIn = 0;
  /** Changes with its content. */
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
  async readPieces(places: readonly Uint8Array[], offset: number): Promise<void> {
    const sizeBytes = places.reduce((sum, { length }) => sum + length, 0);
    try {
      if ((await this.#fillAll(places, offset)) < sizeBytes)
        throw new RangeError(`${this.path} ends before byte ${offset + sizeBytes}`);
    } catch (error) {
      this.readFault = explained(error);
      throw error;
    }
    this.readFault = undefined;
  }

  /** Opens the file so that it stays readable after deletion. Throws open errors. */
  async hold(): Promise<void> {
    await this.#run(async () => Promise.resolve());
  }

  /** Closes the file; the next read opens it again. */
  close(): void {
    const handle = this.#handle;
    this.#handle = undefined;
    void handle?.then(async (opened) => opened.close()).catch(() => undefined);
  }

  /** Opens the file if it has not changed: its index is useless for another file. */
  async #open(): Promise<FileHandle> {
    const handle = await openRegularFile(this.path);
    const now = await handle.stat({ bigint: true }).catch(() => undefined);
    if (now && versionOf(now) === this.version) return handle;
    await handle.close();
    throw new ExplainedError(because('file_replaced', { path: this.path }));
  }

  async #fillAll(places: readonly Uint8Array[], position: number): Promise<number> {
    return this.#run(async (handle) => {
      let length = 0;
      for (let rest = places; rest.length > 0;) {
        const { bytesRead } = await handle.readv(rest, position + length);
        if (bytesRead === 0) break;
        length += bytesRead;
        rest = behind(rest, bytesRead);
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

/** The rest of the buffers after `bytes` bytes. */
function behind(places: readonly Uint8Array[], bytes: number): readonly Uint8Array[] {
  let left = bytes;
  for (const [index, place] of places.entries()) {
    if (left < place.length) return [place.subarray(left), ...places.slice(index + 1)];
    left -= place.length;
  }
  return [];
}
