import type { Schema } from './schema.ts';

/** Tables of a file with older operations of portals. */
export const LOG_FILE_SCHEMA: Schema = {
  version: 2,
  sql: `
    -- Packed operations of one month.
    CREATE TABLE chunk (
      id INTEGER PRIMARY KEY,
      portal_id INTEGER NOT NULL,
      data BLOB NOT NULL
    ) STRICT;

    -- The same indexes as the log in the database of subscribers has.
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
    CREATE INDEX operation_package ON operation (portal_id, package_id, type, id) WHERE package_id IS NOT NULL;
    CREATE INDEX operation_chunk ON operation (chunk);

    CREATE INDEX operation_subscriber ON operation (portal_id, subscriber_id, type, id) WHERE subscriber_id IS NOT NULL;
    CREATE INDEX operation_subscription ON operation (portal_id, subscriber_id, package_id, type, id)
      WHERE subscriber_id IS NOT NULL AND package_id IS NOT NULL;
  `,
  migrations: [],
};
