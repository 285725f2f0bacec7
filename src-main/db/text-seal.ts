import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
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
import { AirdeskError } from '../../src-preload/contract/errors.ts';
import { messageOf } from '../lib/error-message.ts';

/** Bytes of the key in its file. */
const KEY_BYTES = 32;
/** Bytes of the nonce and of the tag of AES-256-GCM (NIST SP 800-38D). */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** The first byte of what is sealed; plain gzip begins with another one. */
const FORM = 1;

/** What makes texts with secrets unreadable in the database, and readable again, with a key that lies outside of it. */
export class TextSeal {
  readonly #sealKey: Uint8Array;
  readonly #nameKey: Uint8Array;

  /** @param key 32 random bytes */
  constructor(key: Uint8Array) {
    if (key.length !== KEY_BYTES)
      throw new AirdeskError(
        'database_unavailable',
        `A key of ${KEY_BYTES} bytes is needed to seal configurations, not of ${key.length}`,
      );
    this.#sealKey = derive(key, 'seal');
    this.#nameKey = derive(key, 'name');
  }

  /** The seal of a key file, which is made where it is not there; only its owner may read it. Raises `database_unavailable`. */
  static ofFile(path: string): TextSeal {
    try {
      return new TextSeal(readOrMake(path));
    } catch (cause) {
      if (cause instanceof AirdeskError) throw cause;
      throw new AirdeskError(
        'database_unavailable',
        `The key of sealed configurations cannot be read from ${path}: ${messageOf(cause)}`,
        { path },
        { cause },
      );
    }
  }

  /** A name for a text, the same for the same text. Without the key the text cannot be guessed by trying. */
  nameOf(text: Uint8Array): Uint8Array {
    return createHmac('sha256', this.#nameKey).update(text).digest();
  }

  /** Bytes that only the key opens. */
  seal(bytes: Uint8Array): Uint8Array {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#sealKey, nonce);
    return Buffer.concat([Buffer.of(FORM), nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
  }

  /** What was sealed. Raises `config_version_sealed` where the key is another one or the bytes are damaged. */
  open(sealed: Uint8Array): Uint8Array {
    if (sealed[0] !== FORM || sealed.length < 1 + NONCE_BYTES + TAG_BYTES)
      throw new AirdeskError('config_version_sealed');
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#sealKey, sealed.subarray(1, 1 + NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
      return Buffer.concat([decipher.update(sealed.subarray(1 + NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
    } catch (cause) {
      throw new AirdeskError('config_version_sealed', undefined, {}, { cause });
    }
  }
}

/** One key for each use (RFC 5869). */
function derive(key: Uint8Array, use: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', key, '', `airdesk configuration versions: ${use}`, KEY_BYTES));
}

function readOrMake(path: string): Uint8Array {
  if (!existsSync(path)) makeKey(path);
  return readFileSync(path);
}

/** Makes a key file that is whole at every moment, even over a power cut. One that is there is never written over: what it sealed would be lost. */
function makeKey(path: string): void {
  const unfinished = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const file = openSync(unfinished, 'wx', 0o600);
  try {
    writeFileSync(file, randomBytes(KEY_BYTES));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  try {
    // Unlike renaming, this fails where another process was faster: then its key holds.
    linkSync(unfinished, path);
  } catch {
    // Some file systems have no links.
    if (!existsSync(path)) renameSync(unfinished, path);
  } finally {
    rmSync(unfinished, { force: true });
  }
}
