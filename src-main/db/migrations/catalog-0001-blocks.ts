import type { Migration } from './migration.ts';

/**
 * What lies in the archives: a row a block, and the stretches of time that each has. The packed index of a block is apart from its row, so that
 * a look at a month reads none of them.
 */
export const CATALOG_BLOCKS: Migration = {
  name: 'catalog-blocks',
  sql: `
    CREATE TABLE archive_stream (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE
    ) STRICT;

    CREATE TABLE archive_disk (
      id INTEGER PRIMARY KEY,
      folder TEXT NOT NULL UNIQUE
    ) STRICT;

    CREATE TABLE archive_format (
      id INTEGER PRIMARY KEY,
      tracks TEXT NOT NULL UNIQUE
    ) STRICT;

    CREATE TABLE archive_block (
      id INTEGER PRIMARY KEY,
      stream_id INTEGER NOT NULL REFERENCES archive_stream (id),
      disk_id INTEGER NOT NULL REFERENCES archive_disk (id),
      path TEXT NOT NULL,
      format_id INTEGER NOT NULL REFERENCES archive_format (id),
      start_ms INTEGER NOT NULL,
      end_ms INTEGER NOT NULL,
      size_bytes INTEGER NOT NULL,
      is_discontinuity INTEGER NOT NULL CHECK (is_discontinuity IN (0, 1)),
      UNIQUE (disk_id, path)
    ) STRICT;

    CREATE TABLE archive_index (
      block_id INTEGER PRIMARY KEY REFERENCES archive_block (id),
      packed BLOB NOT NULL
    ) STRICT;

    CREATE TABLE archive_stretch (
      stream_id INTEGER NOT NULL REFERENCES archive_stream (id),
      start_ms INTEGER NOT NULL,
      block_id INTEGER NOT NULL,
      end_ms INTEGER NOT NULL,
      PRIMARY KEY (stream_id, start_ms, block_id)
    ) STRICT, WITHOUT ROWID;
  `,
};
