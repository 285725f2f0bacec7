import type { Migration } from './migration.ts';

/** Clips, stills and marks of archives that are gathered under a name. What was removed stays for a while, so that it can be taken back. */
export const ARCHIVE_CASES: Migration = {
  name: 'archive-cases',
  sql: `
    CREATE TABLE archive_case (
      number INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      title TEXT NOT NULL,
      note TEXT NOT NULL,
      created_by TEXT NOT NULL,
      created_ms INTEGER NOT NULL,
      removed_ms INTEGER
    ) STRICT;
    CREATE TABLE archive_case_item (
      id TEXT NOT NULL PRIMARY KEY,
      case_id TEXT NOT NULL,
      place INTEGER NOT NULL,
      kind TEXT NOT NULL,
      stream TEXT NOT NULL,
      from_ms INTEGER NOT NULL,
      to_ms INTEGER,
      text TEXT NOT NULL,
      added_by TEXT NOT NULL,
      added_ms INTEGER NOT NULL,
      removed_ms INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX archive_case_item_by_case ON archive_case_item (case_id, place);
  `,
};
