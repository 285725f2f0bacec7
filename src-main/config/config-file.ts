import { randomBytes } from 'node:crypto';
import { type FileHandle, open, readdir, readFile, realpath, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AirdeskError } from '../../src-preload/contract/errors.ts';
import { messageOf } from '../lib/error-message.ts';
import { isFullDisk } from '../lib/full-disk.ts';

/** Functions of a file system that `ConfigFile` uses. Declared so that tests can make it fail at any step. */
export interface ConfigFileSystem {
  open(
    path: string,
    flags: string,
    mode?: number,
  ): Promise<Pick<FileHandle, 'writeFile' | 'sync' | 'close' | 'chown' | 'chmod'>>;
  readFile(path: string): Promise<Uint8Array>;
  realpath(path: string): Promise<string>;
  rename(from: string, to: string): Promise<void>;
  stat(path: string): Promise<{ mode: number; uid: number; gid: number; ino: number; size: number; mtimeMs: number }>;
  unlink(path: string): Promise<void>;
  readdir(path: string): Promise<string[]>;
}

const nodeFileSystem: ConfigFileSystem = { open, readFile, realpath, rename, stat, unlink, readdir };

/** Only the owner may read a new configuration, because it contains passwords. */
const NEW_FILE_MODE = 0o600;

/**
 * Configuration file. It is complete at every moment: a save writes another file in the same folder, waits until it is on the
 * disk, and renames it over the old one. A save that would overwrite an edit made since the file was read is refused with
 * `config_file_changed`.
 */
export class ConfigFile {
  readonly path: string;
  readonly #fs: ConfigFileSystem;
  /** Bytes that were last read or written; null if there was no file; undefined before the first read. */
  #known: Uint8Array | null | undefined;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(path: string, fileSystem: ConfigFileSystem = nodeFileSystem) {
    this.path = path;
    this.#fs = fileSystem;
  }

  /** Reads the text; undefined if there is no file. Raises `config_file_unreadable`. */
  load(): Promise<string | undefined> {
    return this.#enqueue(async () => {
      const bytes = await this.#read();
      const text = bytes === null ? undefined : this.#decode(bytes);
      this.#known = bytes;
      await this.#removeLeftovers();
      return text;
    });
  }

  /** Replaces the file. Raises `config_file_changed`, `config_not_saved` and `disk_full`; the old file remains then. */
  save(text: string): Promise<void> {
    return this.#enqueue(async () => {
      const bytes = new TextEncoder().encode(text);
      this.#requireKnown(await this.#read());
      try {
        await this.#replace(bytes);
      } catch (cause) {
        throw notSaved(this.path, cause);
      }
      this.#known = bytes;
    });
  }

  /** Whether the file on disk differs from the text that was last read or saved. */
  isChangedOnDisk(): Promise<boolean> {
    return this.#enqueue(async () => this.#known !== undefined && !hasSameBytes(this.#known, await this.#read()));
  }

  /** Raises `config_file_changed` in the same cases as a save. */
  requireUnchanged(): Promise<void> {
    return this.#enqueue(async () => {
      this.#requireKnown(await this.#read());
    });
  }

  /** Value that changes whenever the file is written, determined without reading the file; null if there is no file. */
  async mark(): Promise<string | null> {
    const found = await this.#fs.stat(this.path).catch(() => undefined);
    return found ? `${found.ino} ${found.size} ${found.mtimeMs}` : null;
  }

  /** Current text on disk; undefined if there is no file. Saves still compare with the text that was last read or saved. */
  peek(): Promise<string | undefined> {
    return this.#enqueue(async () => {
      const bytes = await this.#read();
      return bytes === null ? undefined : this.#decode(bytes);
    });
  }

  /**
   * Copies the current file within its folder, so that the next save may overwrite it. Returns the path of the copy; undefined
   * if there is no file.
   */
  copyAside(mark: string): Promise<string | undefined> {
    return this.#enqueue(async () => {
      const bytes = await this.#read();
      if (bytes === null) {
        this.#known = null;
        return undefined;
      }
      const path = `${this.path}.${mark}`;
      try {
        const copy = await this.#fs.open(path, 'w', NEW_FILE_MODE);
        try {
          await copy.writeFile(bytes);
          await copy.sync();
        } finally {
          await copy.close();
        }
      } catch (cause) {
        throw notSaved(path, cause);
      }
      this.#known = bytes;
      return path;
    });
  }

  #requireKnown(now: Uint8Array | null): void {
    if (this.#known !== undefined && !hasSameBytes(this.#known, now)) {
      throw new AirdeskError(
        'config_file_changed',
        `${this.path} was changed on disk since it was read; read it again before saving`,
        { path: this.path },
      );
    }
    if (this.#known === undefined && now !== null) {
      throw new AirdeskError('config_file_changed', `${this.path} was not read before it was to be overwritten`, {
        path: this.path,
      });
    }
  }

  async #replace(bytes: Uint8Array): Promise<void> {
    // A symbolic link stays: the file to which it points is replaced.
    const target = await this.#fs.realpath(this.path).catch(() => this.path);
    const old = await this.#fs.stat(target).catch(() => undefined);
    const temporary = join(
      dirname(target),
      `${temporaryPrefix(target)}${process.pid}-${randomBytes(4).toString('hex')}.tmp`,
    );
    try {
      const file = await this.#fs.open(temporary, 'wx', old ? old.mode & 0o777 : NEW_FILE_MODE);
      try {
        // Restores owner and mode if the system allows it, because the umask reduces the mode of open().
        if (old) {
          await file.chown(old.uid, old.gid).catch(() => undefined);
          await file.chmod(old.mode & 0o777).catch(() => undefined);
        }
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      await this.#fs.rename(temporary, target);
    } catch (cause) {
      await this.#fs.unlink(temporary).catch(() => undefined);
      throw cause;
    }
    await this.#syncFolder(dirname(target));
  }

  /**
   * Syncs the folder, so that the new name survives a power failure. Some systems cannot open folders; there, only the rename
   * itself protects the file.
   */
  async #syncFolder(folder: string): Promise<void> {
    const handle = await this.#fs.open(folder, 'r').catch(() => undefined);
    if (!handle) return;
    await handle.sync().catch(() => undefined);
    await handle.close();
  }

  /** Removes temporary files of processes that were killed, but not of running processes. */
  async #removeLeftovers(): Promise<void> {
    const target = await this.#fs.realpath(this.path).catch(() => this.path);
    const folder = dirname(target);
    const prefix = temporaryPrefix(target);
    for (const name of await this.#fs.readdir(folder).catch(() => [])) {
      const pid = name.startsWith(prefix)
        ? /^([0-9]+)-[0-9a-f]{8}\.tmp$/.exec(name.slice(prefix.length))?.[1]
        : undefined;
      if (pid !== undefined && !isRunning(Number(pid)))
        await this.#fs.unlink(join(folder, name)).catch(() => undefined);
    }
  }

  async #read(): Promise<Uint8Array | null> {
    try {
      return await this.#fs.readFile(this.path);
    } catch (cause) {
      if (hasCode(cause, 'ENOENT')) return null;
      throw new AirdeskError(
        'config_file_unreadable',
        `${this.path} could not be read: ${messageOf(cause)}`,
        { path: this.path },
        { cause },
      );
    }
  }

  #decode(bytes: Uint8Array): string {
    try {
      // The byte order mark stays in the text, so that it is written back.
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch (cause) {
      throw new AirdeskError(
        'config_file_unreadable',
        `${this.path} is not UTF-8 text`,
        { path: this.path },
        { cause },
      );
    }
  }

  /** Runs tasks one at a time, in the order of the calls. */
  #enqueue<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(task, task);
    this.#queue = result.catch(() => undefined);
    return result;
  }
}

function temporaryPrefix(target: string): string {
  return `.${basename(target)}.`;
}

function hasSameBytes(a: Uint8Array | null, b: Uint8Array | null): boolean {
  return a === null || b === null ? a === b : Buffer.compare(a, b) === 0;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return !hasCode(cause, 'ESRCH');
  }
}

function hasCode(cause: unknown, code: string): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === code;
}

function notSaved(path: string, cause: unknown): AirdeskError {
  const code = isFullDisk(cause) ? 'disk_full' : 'config_not_saved';
  return new AirdeskError(code, `${path} could not be written: ${messageOf(cause)}`, { path }, { cause });
}
