import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import type { Seal } from '../../db/text-seal.ts';

const PREFIX = 'sealed:';

/** Encrypts the signing secrets of webhooks, so that the database alone does not reveal them. */
export class SecretSeal {
  readonly #seal: () => Seal;

  /** @param seal encrypts with the key outside the database. Raises `key_lost` and `database_unavailable` when it is used */
  constructor(seal: () => Seal) {
    this.#seal = seal;
  }

  /** Encrypts a secret for storage. */
  close(secret: string): string {
    return PREFIX + Buffer.from(this.#seal().seal(Buffer.from(secret))).toString('base64');
  }

  /**
   * Decrypts a stored secret. A secret that was stored before encryption was introduced is returned unchanged. Raises
   * `unavailable` if it was encrypted with another key, and `key_lost`.
   */
  open(sealed: string): string {
    if (!sealed.startsWith(PREFIX)) return sealed;
    try {
      return Buffer.from(this.#seal().open(Buffer.from(sealed.slice(PREFIX.length), 'base64'))).toString();
    } catch (cause) {
      if (cause instanceof AirdeskError && cause.code === 'key_lost') throw cause;
      const detail = 'The secret of the webhook was sealed with another airdesk.key; rotate it with graceSeconds 0';
      throw new AirdeskError('unavailable', detail, {}, { cause });
    }
  }
}
