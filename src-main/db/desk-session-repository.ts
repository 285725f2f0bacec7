import type { Connection } from './database.ts';

/** Stored part of a session. */
interface Row {
  readonly login: string;
  readonly proofs: readonly string[];
  readonly usedMs: number;
  readonly startedMs: number;
  /** Address of the browser that logged in. */
  readonly address: string;
  /** User agent of the browser. */
  readonly agent: string;
}

/**
 * Sessions of desks in browsers. They survive a restart, so that a wall display continues without a new login.
 */
export class DeskSessionRepository {
  readonly #connection: Connection;
  readonly #save: (changes: ReadonlyMap<string, Row | null>) => void;

  constructor(connection: Connection) {
    this.#connection = connection;
    const put = connection.prepare(
      'INSERT OR REPLACE INTO desk_session (id, login, proofs, used_ms, started_ms, address, agent) VALUES (?, ?, ?, ?, ?, ?, ?)',
    );
    const remove = connection.prepare('DELETE FROM desk_session WHERE id = ?');
    this.#save = connection.transaction((changes: ReadonlyMap<string, Row | null>): void => {
      for (const [id, row] of changes) {
        if (row === null) remove.run(id);
        else put.run(id, row.login, row.proofs.join(' '), row.usedMs, row.startedMs, row.address, row.agent);
      }
    });
  }

  all(): ReadonlyMap<string, Row> {
    const rows = this.#connection
      .prepare('SELECT id, login, proofs, used_ms AS usedMs, started_ms AS startedMs, address, agent FROM desk_session')
      .all() as (Omit<Row, 'proofs'> & { readonly id: string; readonly proofs: string })[];
    return new Map(rows.map(({ id, proofs, ...row }) => [id, { ...row, proofs: proofs.split(' ') }]));
  }

  /** Saves sessions in one transaction; null removes one. */
  save(changes: ReadonlyMap<string, Row | null>): void {
    this.#save(changes);
  }
}
