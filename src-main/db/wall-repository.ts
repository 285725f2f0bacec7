import type { Connection } from './database.ts';

/** Walls of the desk as JSON text. */
export class WallRepository {
  readonly #connection: Connection;
  readonly #put: (texts: ReadonlyMap<string, string>) => void;

  constructor(connection: Connection) {
    this.#connection = connection;
    const put = connection.prepare(
      'INSERT INTO wall (name, wall) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET wall = excluded.wall',
    );
    this.#put = connection.transaction((texts: ReadonlyMap<string, string>): void => {
      for (const [name, text] of texts) put.run(name, text);
    });
  }

  /** All walls, in the order of their creation. */
  all(): string[] {
    return this.#connection.prepare<[], string>('SELECT wall FROM wall ORDER BY number').pluck().all();
  }

  /** Saves walls by name, in one transaction. Each replaces its previous version. */
  put(texts: ReadonlyMap<string, string>): void {
    this.#put(texts);
  }

  remove(name: string): void {
    this.#connection.prepare('DELETE FROM wall WHERE name = ?').run(name);
  }
}
