import { AirdeskError } from '../../src-preload/contract/errors.ts';
import type { ConfigVersion, NewConfigVersion } from '../db/config-version.ts';
import type { ConfigVersionReader } from '../db/config-version-reader.ts';
import type { ConfigVersionWriter } from '../db/config-version-writer.ts';
import { messageOf } from '../lib/error-message.ts';
import type { Log } from '../lib/log.ts';

export interface VersionStore {
  readonly reader: Pick<ConfigVersionReader, 'list' | 'get' | 'newestConfirmed' | 'text'>;
  readonly writer: Pick<ConfigVersionWriter, 'add' | 'settle' | 'remove'>;
}

/** Number of recent versions that are searched for a usable one. */
const MAX_SEARCHED = 50;

/** Every configuration that was applied. Storing never delays a change: a failing database is only logged. */
export class ConfigurationHistory {
  readonly #store: VersionStore | undefined;
  readonly #log: Log;
  #fault: string | null;

  /** @param store undefined if the database could not be opened */
  constructor(store: VersionStore | undefined, log: Log) {
    this.#store = store;
    this.#log = log;
    this.#fault = store ? null : 'the database could not be opened';
  }

  /** Reason why changes are not stored; null while they are stored. */
  get fault(): string | null {
    return this.#fault;
  }

  /** Adds a version. Returns its number; null if it could not be stored. */
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

  /** Removes a version that never took effect. */
  remove(id: number | null): void {
    this.#try(() => {
      if (id !== null) this.#store?.writer.remove(id);
    });
  }

  /** Lists versions, newest first. Raises `database_unavailable`. */
  list(limit: number, before?: number): ConfigVersion[] {
    return this.#reader().list(limit, before);
  }

  /** Raises `config_version_not_found`. */
  get(id: number): ConfigVersion {
    const version = this.#reader().get(id);
    if (!version) throw new AirdeskError('config_version_not_found', `There is no version ${id}`);
    return version;
  }

  /** Complete text of a version, with its secrets. Raises `config_version_not_found`. */
  async text(id: number): Promise<string> {
    const text = await this.#reader().text(id);
    if (text === undefined) throw new AirdeskError('config_version_not_found', `There is no version ${id}`);
    return text;
  }

  /** Newest readable versions; empty if the database fails. */
  newest(): readonly ConfigVersion[] {
    return this.#try(() => this.#store?.reader.list(MAX_SEARCHED)) ?? [];
  }

  /** Text of a version; undefined if it is not readable. */
  async readableText(id: number): Promise<string | undefined> {
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
    this.#log.error('the history of the configuration cannot be read or written', { error: this.#fault });
  }
}
