import type { Migration } from './migration.ts';

/** What operators wrote at moments of archives. What was removed stays for a while, so that it can be taken back. */
export const ARCHIVE_NOTES: Migration = {
  name: 'archive-notes',
  sql: `
    CREATE TABLE archive_note (
      id TEXT NOT NULL PRIMARY KEY,
      stream TEXT NOT NULL,
      at_ms INTEGER NOT NULL,
      text TEXT NOT NULL,
      noted_by TEXT NOT NULL,
      noted_ms INTEGER NOT NULL,
      removed_ms INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX archive_note_by_time ON archive_note (stream, at_ms);
    CREATE INDEX archive_note_removed ON archive_note (removed_ms) WHERE removed_ms IS NOT NULL;
  `,
};
