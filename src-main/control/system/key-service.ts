import type { Fault } from '../../../src-preload/contract/api/alarm-faults.ts';
import type { KeyFile } from '../../db/key-file.ts';
import { messageOf } from '../../lib/error-message.ts';
import type { Log } from '../../lib/log.ts';

export type ManagedKey = Pick<KeyFile, 'name' | 'isLost' | 'renew'>;

/** Lost key files of the data folder, and the confirmation of new keys. */
export class KeyService {
  readonly #keys: readonly ManagedKey[];
  readonly #log: Log;

  constructor(keys: readonly ManagedKey[], log: Log) {
    this.#keys = keys;
    this.#log = log;
  }

  get lost(): readonly string[] {
    return this.#keys.filter(({ isLost }) => isLost).map(({ name }) => name);
  }

  /** Faults, by subject. */
  get alerts(): Readonly<Record<string, Fault>> {
    return Object.fromEntries(
      this.lost.map((file) => [
        file,
        file === 'airdesk.key' ? { fault: 'seal_key_lost', facts: {} } : { fault: 'log_key_lost', facts: { file } },
      ]),
    );
  }

  /** Creates a new key for each lost one, after an operator confirmed it. Raises `database_unavailable`. */
  renew(by: { readonly who: string; readonly fromWhere: string }): void {
    for (const key of this.#keys) {
      if (!key.isLost) continue;
      try {
        key.renew();
      } catch (error) {
        this.#log.error('a new key cannot be written', { file: key.name, error: messageOf(error) });
        throw error;
      }
      this.#log.warn('an operator confirmed a new key', { file: key.name, who: by.who, from: by.fromWhere });
    }
  }
}
