import type { Migration } from './migration.ts';

/** Parts of archives with a title that are kept past every limit until they expire; those of a stream may overlap. */
export const ARCHIVE_EPISODES: Migration = {
  name: 'archive-episodes',
  sql: `
    CREATE TABLE archive_episode (
      id TEXT NOT NULL PRIMARY KEY,
      stream TEXT NOT NULL,
      start_ms INTEGER NOT NULL,
      end_ms INTEGER NOT NULL CHECK (end_ms > start_ms),
      title TEXT NOT NULL,
      note TEXT NOT NULL,
      expires_ms INTEGER,
      changed_by TEXT NOT NULL,
      changed_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
  `,
};
