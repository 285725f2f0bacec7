import type { Connection } from './database.ts';

/** Last use of each API token. */
export class TokenUseRepository {
  readonly #connection: Connection;
  readonly #save: (uses: ReadonlyMap<string, number | null>) => void;

  constructor(connection: Connection) {
    this.#connection = connection;
    const put = connection.prepare('INSERT OR REPLACE INTO token_use (name, used_ms) VALUES (?, ?)');
    const remove = connection.prepare('DELETE FROM token_use WHERE name = ?');
    this.#save = connection.transaction((uses: ReadonlyMap<string, number | null>): void => {
      for (const [name, usedMs] of uses) {
        if (usedMs === null) remove.run(name);
        else put.run(name, usedMs);
      }
    });
  }

  /** By the name of the token, epoch milliseconds. */
  all(): ReadonlyMap<string, number> {
    const rows = this.#connection.prepare('SELECT name, used_ms FROM token_use').raw().all() as [string, number][];
    return new Map(rows);
  }

  /** Saves uses in one transaction; null removes a token. */
  save(uses: ReadonlyMap<string, number | null>): void {
    this.#save(uses);
  }
}
