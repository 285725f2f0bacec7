import type { Connection } from './database.ts';

/** Jobs as JSON text; each kind in a table of its own. */
export class JobRepository {
  readonly #connection: Connection;
  readonly #table: string;
  readonly #put: (id: string, job: string) => void;
  readonly #remove: (id: string) => void;

  constructor(connection: Connection, table: 'export_job' | 'clip_job' | 'operation_export_job') {
    this.#table = table;
    this.#connection = connection;
    const put = connection.prepare(
      `INSERT INTO ${table} (id, job) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET job = excluded.job`,
    );
    const remove = connection.prepare(`DELETE FROM ${table} WHERE id = ?`);
    this.#put = (id, job) => void put.run(id, job);
    this.#remove = (id) => void remove.run(id);
  }

  /** All jobs, in the order of their creation. */
  all(): string[] {
    return this.#connection.prepare<[], string>(`SELECT job FROM ${this.#table} ORDER BY number`).pluck().all();
  }

  /** Saves a job, replacing its previous version. */
  put(id: string, job: string): void {
    this.#put(id, job);
  }

  remove(id: string): void {
    this.#remove(id);
  }
}
