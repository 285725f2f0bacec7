import type { Connection } from './database.ts';

/** What is kept of a session. */
interface Row {
  readonly login: string;
  readonly proofs: readonly string[];
  readonly usedMs: number;
}

/** Sessions of desks in browsers, over restarts: a wall goes on without a person. */
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

  /** All of them by their id. */
  all(): ReadonlyMap<string, Row> {
    const rows = this.#connection.prepare('SELECT id, login, proofs, used_ms FROM desk_session').raw().all() as [
      string,
      string,
      string,
      number,
    ][];
    return new Map(rows.map(([id, login, proofs, usedMs]) => [id, { login, proofs: proofs.split(' '), usedMs }]));
  }

  /** Keeps sessions in one transaction; null forgets one. */
  save(changes: ReadonlyMap<string, Row | null>): void {
    this.#save(changes);
  }
}
