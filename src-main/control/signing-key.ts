import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { AirdeskError } from '../../src-preload/contract/errors.ts';
import { KeyFile, type KeyFileOptions } from '../db/key-file.ts';
import { messageOf } from '../lib/error-message.ts';

/** Private key for signatures (Ed25519, PKCS #8 as PEM) in a file. */
export class SigningKey {
  readonly file: KeyFile;
  readonly #isUsed: () => Promise<boolean>;

  /** @param isUsed reports whether the key has signed anything; an existing file always counts as used */
  constructor(
    options: Pick<KeyFileOptions, 'path' | 'log' | 'now'>,
    isUsed: () => Promise<boolean> = () => Promise.resolve(false),
  ) {
    this.file = new KeyFile({
      ...options,
      make: () =>
        Buffer.from(generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()),
      isKey: isSigningKey,
    });
    this.#isUsed = isUsed;
  }

  /**
   * Reads the key, or creates it if nothing was signed yet. Raises `key_lost` if it is missing or damaged, and
   * `unavailable` if it cannot be read or created.
   */
  readonly read = async (): Promise<string> => {
    try {
      const isUsed = this.file.exists || (await this.#isUsed());
      return Buffer.from(this.file.read(isUsed)).toString('utf8');
    } catch (error) {
      if (error instanceof AirdeskError && error.code === 'key_lost') throw error;
      throw new AirdeskError('unavailable', `The key of signatures cannot be read: ${messageOf(error)}`);
    }
  };
}

function isSigningKey(content: Uint8Array): boolean {
  try {
    return createPrivateKey(Buffer.from(content)).asymmetricKeyType === 'ed25519';
  } catch {
    return false;
  }
}
