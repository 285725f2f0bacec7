import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Statement } from 'better-sqlite3';
import { configChangesSchema, printConfigChanges } from '../../src-preload/contract/config-language/config-changes.ts';
import type { ConfigVersion, ConfigVersionState } from './config-version.ts';
import type { Connection } from './database.ts';
import type { Seal } from './text-seal.ts';

const unpack = promisify(gunzip);
/** Maximum size of a text; larger than the longest configuration in UTF-8. */
const MAX_TEXT_BYTES = 64 * 1024 * 1024;

interface Row {
  readonly id: number;
  readonly parent_id: number | null;
  readonly at_ms: number;
  readonly who: string;
  readonly from_where: string;
  readonly summary: string;
  readonly state: ConfigVersionState;
  readonly confirm_by_ms: number | null;
  readonly is_on_disk: number;
  readonly length: number;
}

const COLUMNS = `SELECT id, parent_id, at_ms, who, from_where, summary, state, confirm_by_ms, is_on_disk, length
  FROM config_version JOIN config_text ON hash = text_hash`;

/** Reads the history of the configuration. */
export class ConfigVersionReader {
  readonly #seal: Seal;
  readonly #list: Statement<[number, number], Row>;
  readonly #get: Statement<[number], Row>;
  readonly #newest: Statement<[], Row>;
  readonly #newestConfirmed: Statement<[], Row>;
  readonly #text: Statement<[number], { readonly gzip: Uint8Array }>;

  /** @param seal decrypts the texts */
  constructor(connection: Connection, seal: Seal) {
    this.#seal = seal;
    this.#list = connection.prepare(`${COLUMNS} WHERE id < ? ORDER BY id DESC LIMIT ?`);
    this.#get = connection.prepare(`${COLUMNS} WHERE id = ?`);
    this.#newest = connection.prepare(`${COLUMNS} ORDER BY id DESC LIMIT 1`);
    this.#newestConfirmed = connection.prepare(
      `${COLUMNS} WHERE state = 'confirmed' AND is_on_disk = 1 ORDER BY id DESC LIMIT 1`,
    );
    this.#text = connection.prepare(
      'SELECT gzip FROM config_version JOIN config_text ON hash = text_hash WHERE id = ?',
    );
  }

  /** Versions, newest first. @param before lists only versions with a smaller number */
  list(limit: number, before = Number.MAX_SAFE_INTEGER): ConfigVersion[] {
    return this.#list.all(before, limit).map(versionOf);
  }

  get(id: number): ConfigVersion | undefined {
    const row = this.#get.get(id);
    return row && versionOf(row);
  }

  newest(): ConfigVersion | undefined {
    const row = this.#newest.get();
    return row && versionOf(row);
  }

  /** Newest version that was in the configuration file and not on probation. */
  newestConfirmed(): ConfigVersion | undefined {
    const row = this.#newestConfirmed.get();
    return row && versionOf(row);
  }

  /** Complete text of a version; undefined if there is none. Decompressed outside the thread. Raises `config_version_sealed`. */
  async text(id: number): Promise<string | undefined> {
    const row = this.#text.get(id);
    return row && (await unpack(this.#seal.open(row.gzip), { maxOutputLength: MAX_TEXT_BYTES })).toString('utf8');
  }
}

/** Encrypted texts of the newest versions. */
export function newestTexts(connection: Connection): readonly Uint8Array[] {
  return connection
    .prepare<[], Uint8Array>(
      'SELECT gzip FROM config_version JOIN config_text ON hash = text_hash ORDER BY id DESC LIMIT 20',
    )
    .pluck()
    .all();
}

function versionOf(row: Row): ConfigVersion {
  return {
    id: row.id,
    parentId: row.parent_id,
    atMs: row.at_ms,
    who: row.who,
    fromWhere: row.from_where,
    ...summaryOf(row.summary),
    state: row.state,
    confirmByMs: row.confirm_by_ms,
    isOnDisk: row.is_on_disk === 1,
    length: row.length,
  };
}

/** Summary of a version: its facts as JSON, or an English sentence of an earlier release. */
function summaryOf(stored: string): Pick<ConfigVersion, 'summary' | 'changes'> {
  try {
    const changes = configChangesSchema.parse(JSON.parse(stored));
    return { summary: printConfigChanges(changes), changes };
  } catch {
    return { summary: stored, changes: null };
  }
}
