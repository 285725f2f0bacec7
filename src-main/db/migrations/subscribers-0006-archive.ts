import type { Migration } from './migration.ts';

/** Where the contents of old operations are: blocks of archive files. Their rows stay, without payload. */
export const SUBSCRIBERS_ARCHIVE: Migration = {
  name: 'subscribers-archive',
  sql: `
    CREATE TABLE operation_block (
      portal_id INTEGER NOT NULL,
      last_id INTEGER NOT NULL,
      first_sequence INTEGER NOT NULL,
      file TEXT NOT NULL,
      offset INTEGER NOT NULL,
      length INTEGER NOT NULL,
      PRIMARY KEY (portal_id, last_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX operation_block_file ON operation_block (file, offset);
  `,
};
