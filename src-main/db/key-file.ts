import { createHash, randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename } from 'node:path';
import { AirdeskError } from '../../src-preload/contract/errors.ts';
import { timeInFileName } from '../lib/clock.ts';
import { messageOf } from '../lib/error-message.ts';
import type { Log } from '../lib/log.ts';

/** Options of a key file. */
export interface KeyFileOptions {
  readonly path: string;
  /** Creates a new key in its file format. */
  readonly make: () => Uint8Array;
  /** Whether the content of a file can be a key. */
  readonly isKey: (content: Uint8Array) => boolean;
  readonly log: Log;
  /** Epoch milliseconds; used in the names of files that are moved aside. */
  readonly now: () => number;
}

/**
 * Key in a file of its own that only its owner can read. A missing, damaged or different key is never replaced while
 * data need it. Using it then raises `key_lost` until the file is restored, which is noticed at the next use, or
 * until an operator confirms a new key with `renew`.
 */
export class KeyFile {
  readonly #options: KeyFileOptions;
  #key: Uint8Array | undefined;
  #isLost = false;

  constructor(options: KeyFileOptions) {
    this.#options = options;
  }

  /** Name of the file, without its folder. */
  get name(): string {
    return basename(this.#options.path);
  }

  /** Whether data need a missing key. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** Whether the file exists, with any content. */
  get exists(): boolean {
    return existsSync(this.#options.path);
  }

  /**
   * Reads the key, or creates one if there is none. Raises `key_lost`, and `database_unavailable` if the file cannot
   * be read or created.
   * @param isNeeded whether data exist that need the previous key
   * @param fits whether a key belongs to these data
   */
  read(isNeeded: boolean, fits: (key: Uint8Array) => boolean = () => true): Uint8Array {
    if (this.#key) return this.#key;
    return this.#reported(() => {
      const content = this.#content();
      const isUsable = content !== undefined && this.#options.isKey(content);
      if (isUsable && (!isNeeded || this.#isConfirmed(content) || fits(content))) return this.#cache(content);
      if (!isNeeded) return this.#replace();
      if (!this.#isLost)
        this.#options.log.error('a key file is missing, damaged or another one; requests that need it are refused', {
          path: this.#options.path,
        });
      this.#isLost = true;
      throw new AirdeskError(
        'key_lost',
        `${this.name} is ${content ? 'damaged, or another key' : 'missing'}: restore the file, or confirm a new key`,
        { file: this.name },
      );
    });
  }

  /** Creates a new key and keeps the old file under another name. @returns false if the key is not lost */
  renew(): boolean {
    if (!this.#isLost) return false;
    this.#reported(() => {
      const key = this.#replace();
      writeFileSync(this.#confirmedPath, fingerprintOf(key), { mode: 0o600, flush: true });
      return key;
    });
    return true;
  }

  get #confirmedPath(): string {
    return `${this.#options.path}.confirmed`;
  }

  /** Whether an operator confirmed the key as new. Older data then do not match the key. */
  #isConfirmed(key: Uint8Array): boolean {
    return existsSync(this.#confirmedPath) && readFileSync(this.#confirmedPath, 'utf8') === fingerprintOf(key);
  }

  #content(): Uint8Array | undefined {
    return this.exists ? new Uint8Array(readFileSync(this.#options.path)) : undefined;
  }

  #cache(key: Uint8Array): Uint8Array {
    this.#isLost = false;
    return (this.#key = key);
  }

  #replace(): Uint8Array {
    const { path, make, now, log } = this.#options;
    if (this.exists) {
      const aside = `${path}.damaged-${timeInFileName(now())}`;
      renameSync(path, aside);
      log.warn('a key file that cannot be used was moved aside', { path, aside });
    }
    writeAtomically(path, make());
    // Another process may have created the file first. Its key is used then.
    return this.#cache(new Uint8Array(readFileSync(path)));
  }

  #reported(work: () => Uint8Array): Uint8Array {
    try {
      return work();
    } catch (cause) {
      if (cause instanceof AirdeskError) throw cause;
      const { path } = this.#options;
      const detail = `The key file ${path} cannot be read or made: ${messageOf(cause)}`;
      throw new AirdeskError('database_unavailable', detail, { path }, { cause });
    }
  }
}

function fingerprintOf(key: Uint8Array): string {
  return createHash('sha256').update(key).digest('hex');
}

/**
 * Writes a file so that it is complete at every moment, even in a power failure. An existing file is never
 * overwritten.
 */
function writeAtomically(path: string, content: Uint8Array): void {
  const unfinished = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const file = openSync(unfinished, 'wx', 0o600);
  try {
    writeFileSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  try {
    // Unlike renaming, this fails if another process has created the file.
    linkSync(unfinished, path);
  } catch {
    // Some file systems do not support links.
    if (!existsSync(path)) renameSync(unfinished, path);
  } finally {
    rmSync(unfinished, { force: true });
  }
}
