import type { Migration } from './migration.ts';

/** The operations of a month: packed, with the indexes of the log. */
export const LOG_FILE_OPERATIONS: Migration = {
  name: 'log-file-operations',
  sql: `
    CREATE TABLE chunk (
      id INTEGER PRIMARY KEY,
      portal_id INTEGER NOT NULL,
      data BLOB NOT NULL
    ) STRICT;

    CREATE TABLE operation (
      portal_id INTEGER NOT NULL,
      id INTEGER NOT NULL,
      type INTEGER NOT NULL,
      subscriber_id INTEGER,
      package_id INTEGER,
      chunk INTEGER NOT NULL REFERENCES chunk (id),
      PRIMARY KEY (portal_id, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX operation_type ON operation (portal_id, type, id);
    CREATE INDEX operation_subscriber ON operation (portal_id, subscriber_id, id, type, package_id)
      WHERE subscriber_id IS NOT NULL;
    CREATE INDEX operation_package ON operation (portal_id, package_id, type, id) WHERE package_id IS NOT NULL;
    CREATE INDEX operation_chunk ON operation (chunk);
  `,
};
