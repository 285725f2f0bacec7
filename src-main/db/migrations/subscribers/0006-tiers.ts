import type { Migration } from '../migration.ts';

/** Older operations lie in files of their own: up to which of a portal, with its place in the chain, and which files there are. */
export const SUBSCRIBERS_TIERS: Migration = {
  name: 'subscribers-tiers',
  sql: `
    ALTER TABLE portal ADD COLUMN moved_id INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE portal ADD COLUMN moved_sequence INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE portal ADD COLUMN moved_hash BLOB;

    CREATE TABLE log_file (
      month TEXT PRIMARY KEY,
      cold_path TEXT
    ) STRICT, WITHOUT ROWID;
  `,
};
