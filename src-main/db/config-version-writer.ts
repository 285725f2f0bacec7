import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Statement } from 'better-sqlite3';
import type { NewConfigVersion } from './config-version.ts';
import type { Connection } from './database.ts';
import type { Seal } from './text-seal.ts';

const pack = promisify(gzip);

/** Maximum number of versions; the oldest ones are dropped. */
const MAX_VERSIONS = 1000;

/** Writes the history of the configuration. */
export class ConfigVersionWriter {
  readonly #seal: Seal;
  readonly #hasText: Statement<[Uint8Array]>;
  readonly #insert: (
    hash: Uint8Array,
    packed: Uint8Array | undefined,
    length: number,
    version: NewConfigVersion,
  ) => number;
  readonly #settle: Statement<['confirmed' | 'rolled_back', number]>;
  readonly #remove: (id: number) => void;

  /** @param seal encrypts the texts, because they contain passwords @param maxVersions maximum number of stored versions */
  constructor(connection: Connection, seal: Seal, maxVersions = MAX_VERSIONS) {
    this.#seal = seal;
    this.#hasText = connection.prepare('SELECT 1 FROM config_text WHERE hash = ?');
    const insertText = connection.prepare(
      'INSERT INTO config_text (hash, gzip, length) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
    );
    const insertVersion = connection.prepare(
      `INSERT INTO config_version (parent_id, at_ms, who, from_where, summary, state, confirm_by_ms, is_on_disk, text_hash)
       VALUES (@parentId, @atMs, @who, @fromWhere, @summary, @state, @confirmByMs, @isOnDisk, @hash)`,
    );
    const forgetVersions = connection.prepare(
      'DELETE FROM config_version WHERE id <= (SELECT id FROM config_version ORDER BY id DESC LIMIT 1 OFFSET ?)',
    );
    const forgetTexts = connection.prepare(
      'DELETE FROM config_text WHERE NOT EXISTS (SELECT 1 FROM config_version WHERE text_hash = hash)',
    );
    this.#insert = connection.transaction(
      (hash: Uint8Array, packed: Uint8Array | undefined, length: number, version: NewConfigVersion): number => {
        if (packed) insertText.run(hash, packed, length);
        const { changes, ...row } = version;
        const summary = changes ? JSON.stringify(changes) : version.summary;
        const isOnDisk = version.isOnDisk ? 1 : 0;
        const { lastInsertRowid } = insertVersion.run({ ...row, summary, isOnDisk, hash });
        if (forgetVersions.run(maxVersions).changes > 0) forgetTexts.run();
        return Number(lastInsertRowid);
      },
    );
    this.#settle = connection.prepare('UPDATE config_version SET state = ?, confirm_by_ms = NULL WHERE id = ?');
    const removeVersion = connection.prepare('DELETE FROM config_version WHERE id = ?');
    this.#remove = connection.transaction((id: number) => {
      removeVersion.run(id);
      forgetTexts.run();
    });
  }

  /** Adds a version; resolves with its number. The text is compressed outside the thread. */
  async add(version: NewConfigVersion, text: string): Promise<number> {
    const bytes = Buffer.from(text);
    const hash = this.#seal.digestOf(bytes);
    // A text that exists now still exists at the insertion, because nothing else runs in between.
    const packed = this.#hasText.get(hash) ? undefined : this.#seal.seal(await pack(bytes));
    return this.#insert(hash, packed, text.length, version);
  }

  /** Ends the probation of a version. */
  settle(id: number, state: 'confirmed' | 'rolled_back'): void {
    this.#settle.run(state, id);
  }

  /** Removes a version that never took effect. */
  remove(id: number): void {
    this.#remove(id);
  }
}
