import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import type { TextSeal } from '../../db/text-seal.ts';

const PREFIX = 'sealed:';

/** Seals secrets of webhooks, which messages are signed with, so that the database alone does not reveal them. */
export class SecretSeal {
  readonly #seal: () => TextSeal;

  /** @param seal with the key that lies outside of the database. Raises `database_unavailable` */
  constructor(seal: () => TextSeal) {
    this.#seal = seal;
  }

  /** A secret as it is kept. */
  close(secret: string): string {
    return PREFIX + Buffer.from(this.#seal().seal(Buffer.from(secret))).toString('base64');
  }

  /** The secret itself; one that was kept before secrets were sealed is as it is. Raises `unavailable` with another key. */
  open(kept: string): string {
    if (!kept.startsWith(PREFIX)) return kept;
    try {
      return Buffer.from(this.#seal().open(Buffer.from(kept.slice(PREFIX.length), 'base64'))).toString();
    } catch (cause) {
      const detail = 'The secret of the webhook was sealed with another airdesk.key; rotate it with graceSeconds 0';
      throw new AirdeskError('unavailable', detail, {}, { cause });
    }
  }
}
