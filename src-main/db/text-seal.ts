import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { AirdeskError } from '../../src-preload/contract/errors.ts';
import { silentLog, type Log } from '../lib/log.ts';
import { KeyFile } from './key-file.ts';

/** Size of the key in its file, in bytes. */
const KEY_BYTES = 32;
/** Sizes of the nonce and of the tag of AES-256-GCM (NIST SP 800-38D), in bytes. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** First byte of encrypted data. Plain gzip data starts with another byte. */
const FORM = 1;

/** Encrypts texts with secrets for the database, and decrypts them, with a key outside the database. */
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

  /**
   * Seal with the key of a file, which is created if there is none. Raises `key_lost` if the file is damaged, and
   * `database_unavailable`.
   */
  static ofFile(path: string): TextSeal {
    const file = sealKeyFile(path, { log: silentLog, now: () => 0 });
    return new TextSeal(file.read(file.exists));
  }

  /** Keyed digest of a text. Without the key, the text cannot be found by trying. */
  digestOf(text: Uint8Array): Uint8Array {
    return createHmac('sha256', this.#nameKey).update(text).digest();
  }

  /** Encrypts bytes. */
  seal(bytes: Uint8Array): Uint8Array {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#sealKey, nonce);
    return Buffer.concat([Buffer.of(FORM), nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
  }

  /** Decrypts bytes. Raises `config_version_sealed` if they were encrypted with another key, or are damaged. */
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

/** Derives one key for each use (RFC 5869). */
function derive(key: Uint8Array, use: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', key, '', `airdesk configuration versions: ${use}`, KEY_BYTES));
}

/** Key file of a seal. */
export function sealKeyFile(path: string, options: { readonly log: Log; readonly now: () => number }): KeyFile {
  return new KeyFile({
    ...options,
    path,
    make: () => randomBytes(KEY_BYTES),
    // Some file systems leave a file of zeros after a power failure.
    isKey: (content) => content.length === KEY_BYTES && content.some((byte) => byte !== 0),
  });
}

/** Encrypts and decrypts texts. */
export type Seal = Pick<TextSeal, 'digestOf' | 'seal' | 'open'>;

/** Access to data that was encrypted earlier. */
export interface SealedData {
  /** Some of the texts that were encrypted last. */
  texts(): readonly Uint8Array[];
  /** Whether other encrypted data may exist. */
  hasOther(): boolean;
}

/** Seal with the key of a file, which is read at its first use. Raises `key_lost` while the key of encrypted data is missing. */
export class FileSeal implements Seal {
  readonly file: KeyFile;
  readonly #data: SealedData;
  #seal: { readonly key: Uint8Array; readonly seal: TextSeal } | undefined;

  constructor(file: KeyFile, data: SealedData) {
    this.file = file;
    this.#data = data;
  }

  /** Reads the key if it was not read yet. Raises `key_lost` and `database_unavailable`. */
  check(): void {
    this.#use();
  }

  digestOf(text: Uint8Array): Uint8Array {
    return this.#use().digestOf(text);
  }

  seal(bytes: Uint8Array): Uint8Array {
    return this.#use().seal(bytes);
  }

  open(sealed: Uint8Array): Uint8Array {
    return this.#use().open(sealed);
  }

  #use(): TextSeal {
    if (this.#seal && !this.file.isLost) return this.#seal.seal;
    const texts = this.#data.texts();
    const key = this.file.read(texts.length > 0 || this.#data.hasOther(), (one) => opensAny(one, texts));
    if (this.#seal?.key !== key) this.#seal = { key, seal: new TextSeal(key) };
    return this.#seal.seal;
  }
}

function opensAny(key: Uint8Array, texts: readonly Uint8Array[]): boolean {
  const seal = new TextSeal(key);
  return (
    texts.length === 0 ||
    texts.some((text) => {
      try {
        seal.open(text);
        return true;
      } catch {
        return false;
      }
    })
  );
}
