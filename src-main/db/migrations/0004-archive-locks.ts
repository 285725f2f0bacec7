import type { Migration } from './migration.ts';

/** Stretches of archives that are kept past every limit: those of a stream never overlap. */
export const ARCHIVE_LOCKS: Migration = {
  name: 'archive-locks',
  sql: `
    CREATE TABLE archive_lock (
      stream TEXT NOT NULL,
      start_ms INTEGER NOT NULL,
      end_ms INTEGER NOT NULL CHECK (end_ms > start_ms),
      note TEXT NOT NULL,
      locked_by TEXT NOT NULL,
      locked_ms INTEGER NOT NULL,
      PRIMARY KEY (stream, start_ms)
    ) STRICT, WITHOUT ROWID;
  `,
};
