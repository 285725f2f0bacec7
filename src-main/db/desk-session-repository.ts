import type { Connection } from './database.ts';

/** Stored part of a session. */
interface Row {
  readonly login: string;
  readonly proofs: readonly string[];
  readonly usedMs: number;
}

/** Sessions of browsers' desks. They survive a restart, so that a wall continues without a person. */
export class DeskSessionRepository {
  readonly #connection: Connection;
  readonly #save: (changes: ReadonlyMap<string, Row | null>) => void;

  constructor(connection: Connection) {
    this.#connection = connection;
    const put = connection.prepare(
      'INSERT OR REPLACE INTO desk_session (id, login, proofs, used_ms) VALUES (?, ?, ?, ?)',
    );
    const remove = connection.prepare('DELETE FROM desk_session WHERE id = ?');
    this.#save = connection.transaction((changes: ReadonlyMap<string, Row | null>): void => {
      for (const [id, row] of changes) {
        if (row === null) remove.run(id);
        else put.run(id, row.login, row.proofs.join(' '), row.usedMs);
      }
    });
  }

  all(): ReadonlyMap<string, Row> {
    const rows = this.#connection.prepare('SELECT id, login, proofs, used_ms FROM desk_session').raw().all() as [
      string,
      string,
      string,
      number,
    ][];
    return new Map(rows.map(([id, login, proofs, usedMs]) => [id, { login, proofs: proofs.split(' '), usedMs }]));
  }

  /** Saves sessions in one transaction; null removes one. */
  save(changes: ReadonlyMap<string, Row | null>): void {
    this.#save(changes);
  }
}
