import type { Connection } from './database.ts';

/** Named range of an archive. Times are epoch milliseconds. */
interface StoredEpisode {
  readonly id: string;
  readonly stream: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly title: string;
  readonly note: string;
  readonly expiresMs: number | null;
  readonly by: string;
  readonly atMs: number;
}

export class EpisodeRepository {
  readonly #connection: Connection;
  readonly #put: (episode: StoredEpisode) => void;
  readonly #remove: (ids: readonly string[]) => void;

  constructor(connection: Connection) {
    this.#connection = connection;
    const put = connection.prepare(
      `INSERT OR REPLACE INTO archive_episode (id, stream, start_ms, end_ms, title, note, expires_ms, changed_by, changed_ms)
       VALUES (@id, @stream, @startMs, @endMs, @title, @note, @expiresMs, @by, @atMs)`,
    );
    const remove = connection.prepare('DELETE FROM archive_episode WHERE id = ?');
    this.#put = (episode) => void put.run({ ...episode });
    this.#remove = connection.transaction((ids: readonly string[]): void => {
      for (const id of ids) remove.run(id);
    });
  }

  /** All episodes, ordered by id. */
  all(): Iterable<StoredEpisode> {
    return this.#connection
      .prepare<[], StoredEpisode>(
        `SELECT id, stream, start_ms AS startMs, end_ms AS endMs, title, note, expires_ms AS expiresMs,
                changed_by AS "by", changed_ms AS atMs
         FROM archive_episode ORDER BY id`,
      )
      .iterate();
  }

  /** Adds an episode, or replaces the episode with its id. */
  put(episode: StoredEpisode): void {
    this.#put(episode);
  }

  /** Removes episodes in one transaction. */
  remove(ids: readonly string[]): void {
    this.#remove(ids);
  }
}
