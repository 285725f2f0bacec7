import type { FileHandle } from 'node:fs/promises';
import type { LocateFile } from '../../lib/allowed-paths.ts';
import { messageOf } from '../../lib/error-message.ts';
import type { FileTurns } from '../../lib/file-turns.ts';
import { openRegularFile } from '../../lib/regular-file.ts';
import type { InputEnd } from '../input.ts';
import type { FileBytes } from '../../media/containers/file-bytes.ts';

export interface InputFileOptions {
  /** Resolves the path when the file is opened; without it any file may be read. */
  readonly locate?: LocateFile;
  /** Turns for reads of files, which may hang; without turns the file is read at once. */
  readonly turns?: FileTurns;
}

/** File of an input, with access checks. Reads take turns with reads of other inputs. */
export class InputFile implements FileBytes {
  sizeBytes = 0;
  readonly #name: string;
  readonly #options: InputFileOptions;
  #path: string;
  #handle: FileHandle | undefined;

  /** @param path resolved path */
  constructor(path: string, options: InputFileOptions) {
    this.#name = path;
    this.#path = path;
    this.#options = options;
  }

  /** Resolved path, once opened. */
  get path(): string {
    return this.#path;
  }

  /** Opens the file. Rejects with the reason if it cannot be read. */
  async open(): Promise<void> {
    const { locate } = this.#options;
    await this.#inTurn(async () => {
      if (locate) this.#path = await locate(this.#path);
      this.#handle = await openRegularFile(this.#path);
      this.sizeBytes = (await this.#handle.stat()).size;
    });
  }

  async read(target: Uint8Array, position: number): Promise<number> {
    const handle = this.#handle;
    let length = 0;
    while (handle && length < target.length) {
      const { bytesRead } = await this.#inTurn(() =>
        handle.read(target, length, target.length - length, position + length),
      );
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return length;
  }

  async close(): Promise<void> {
    await this.#handle?.close();
    this.#handle = undefined;
  }

  /** Closes the file without waiting, because closing waits for a read that hangs. */
  abandon(): void {
    this.#handle?.close().catch(() => undefined);
    this.#handle = undefined;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const { turns } = this.#options;
    return turns ? turns.run(this.#name, work) : work();
  }
}

/** Input end for a file that cannot be opened or read. */
export function endOfError(error: unknown): InputEnd {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const detail = messageOf(error);
  if (code === 'path_not_allowed') return { code, detail };
  return { code: code === 'ENOENT' || code === 'ENOTDIR' ? 'input_file_not_found' : 'input_unreadable', detail };
}
