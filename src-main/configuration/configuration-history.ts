import { AirdeskError } from '../../src-preload/contract/errors.ts';
import type { ConfigVersion, NewConfigVersion } from '../db/config-version.ts';
import type { ConfigVersionReader } from '../db/config-version-reader.ts';
import type { ConfigVersionWriter } from '../db/config-version-writer.ts';
import { messageOf } from '../lib/error-message.ts';
import type { Log } from '../lib/log.ts';

/** Where the versions are kept. */
export interface VersionStore {
  readonly reader: Pick<ConfigVersionReader, 'list' | 'get' | 'newestConfirmed' | 'text'>;
  readonly writer: Pick<ConfigVersionWriter, 'add' | 'settle' | 'remove'>;
}

/** How many of the newest versions are looked through for one that can be used. */
const LOOK_BACK = 50;

/** Every configuration that was put into force. Keeping it never holds a change up: a database that fails is shown to the log, and that is all. */
export class ConfigurationHistory {
  readonly #store: VersionStore | undefined;
  readonly #log: Log;
  #fault: string | null;

  /** @param store undefined where the database could not be opened */
  constructor(store: VersionStore | undefined, log: Log) {
    this.#store = store;
    this.#log = log;
    this.#fault = store ? null : 'it could not be opened';
  }

  /** Why changes are not kept at the moment; null while they are. */
  get fault(): string | null {
    return this.#fault;
  }

  /** Adds a version; its number, or null where it could not be kept. */
  async add(version: NewConfigVersion, text: string): Promise<number | null> {
    try {
      if (!this.#store) return null;
      const id = await this.#store.writer.add(version, text);
      this.#fault = null;
      return id;
    } catch (cause) {
      this.#failed(cause);
      return null;
    }
  }

  /** Ends the probation of a version. */
  settle(id: number | null, state: 'confirmed' | 'rolled_back'): void {
    this.#try(() => {
      if (id !== null) this.#store?.writer.settle(id, state);
    });
  }

  /** Takes a version out that was never in force after all. */
  remove(id: number | null): void {
    this.#try(() => {
      if (id !== null) this.#store?.writer.remove(id);
    });
  }

  /** Versions, newest first. Raises `database_unavailable`. */
  list(limit: number, before?: number): ConfigVersion[] {
    return this.#reader().list(limit, before);
  }

  /** Raises `config_version_not_found`. */
  get(id: number): ConfigVersion {
    const version = this.#reader().get(id);
    if (!version) throw new AirdeskError('config_version_not_found', `There is no version ${id}`);
    return version;
  }

  /** The whole text of a version, with its secrets. Raises `config_version_not_found`. */
  async text(id: number): Promise<string> {
    const text = await this.#reader().text(id);
    if (text === undefined) throw new AirdeskError('config_version_not_found', `There is no version ${id}`);
    return text;
  }

  /** The newest versions as far as they can be read; none where the database fails. */
  newest(): readonly ConfigVersion[] {
    return this.#try(() => this.#store?.reader.list(LOOK_BACK)) ?? [];
  }

  /** The text of a version; undefined where it cannot be had. */
  async knownText(id: number): Promise<string | undefined> {
    try {
      return await this.#store?.reader.text(id);
    } catch (cause) {
      this.#failed(cause);
      return undefined;
    }
  }

  #reader(): VersionStore['reader'] {
    if (!this.#store)
      throw new AirdeskError(
        'database_unavailable',
        'The history of the configuration cannot be read: the database is not open',
      );
    return this.#store.reader;
  }

  #try<T>(task: () => T): T | undefined {
    try {
      return task();
    } catch (cause) {
      this.#failed(cause);
      return undefined;
    }
  }

  #failed(cause: unknown): void {
    this.#fault = messageOf(cause);
    this.#log.error('the history of the configuration cannot be kept', { error: this.#fault });
  }
}
