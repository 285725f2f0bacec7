import type { Connection } from './database.ts';

/** Exports of archives as JSON text, over restarts. */
export class KeptExportJobs {
  readonly #connection: Connection;
  readonly #put: (id: string, job: string) => void;
  readonly #remove: (id: string) => void;

  constructor(connection: Connection) {
    this.#connection = connection;
    const put = connection.prepare(
      'INSERT INTO export_job (id, job) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET job = excluded.job',
    );
    const remove = connection.prepare('DELETE FROM export_job WHERE id = ?');
    this.#put = (id, job) => void put.run(id, job);
    this.#remove = (id) => void remove.run(id);
  }

  /** All of them, in the order in which they came first. */
  all(): string[] {
    return this.#connection.prepare<[], string>('SELECT job FROM export_job ORDER BY number').pluck().all();
  }

  /** Puts a job in, in the place of what it was before. */
  put(id: string, job: string): void {
    this.#put(id, job);
  }

  remove(id: string): void {
    this.#remove(id);
  }
}
