import type { Schema } from './schema.ts';

/** Tables of the catalog of recordings. */
export const CATALOG_SCHEMA: Schema = {
  version: 3,
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

    -- One row for each block of a recording. Its packed index is in a table of its own, so that a query over a month reads no index.
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

    -- Recorded time ranges of each block.
    CREATE TABLE archive_range (
      stream_id INTEGER NOT NULL REFERENCES archive_stream (id),
      start_ms INTEGER NOT NULL,
      block_id INTEGER NOT NULL,
      end_ms INTEGER NOT NULL,
      PRIMARY KEY (stream_id, start_ms, block_id)
    ) STRICT, WITHOUT ROWID;

    -- Size of each stream on each disk, kept by triggers: size limits are checked once a minute.
    CREATE TABLE archive_usage (
      stream_id INTEGER NOT NULL REFERENCES archive_stream (id),
      disk_id INTEGER NOT NULL REFERENCES archive_disk (id),
      blocks INTEGER NOT NULL,
      bytes INTEGER NOT NULL,
      PRIMARY KEY (stream_id, disk_id)
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX archive_usage_disk ON archive_usage (disk_id, stream_id);

    INSERT INTO archive_usage (stream_id, disk_id, blocks, bytes)
      SELECT stream_id, disk_id, count(*), sum(size_bytes) FROM archive_block GROUP BY stream_id, disk_id;

    CREATE TRIGGER archive_block_added AFTER INSERT ON archive_block BEGIN
      INSERT INTO archive_usage (stream_id, disk_id, blocks, bytes) VALUES (NEW.stream_id, NEW.disk_id, 1, NEW.size_bytes)
        ON CONFLICT (stream_id, disk_id) DO UPDATE SET blocks = blocks + 1, bytes = bytes + excluded.bytes;
    END;

    CREATE TRIGGER archive_block_removed AFTER DELETE ON archive_block BEGIN
      UPDATE archive_usage SET blocks = blocks - 1, bytes = bytes - OLD.size_bytes
        WHERE stream_id = OLD.stream_id AND disk_id = OLD.disk_id;
      DELETE FROM archive_usage WHERE stream_id = OLD.stream_id AND disk_id = OLD.disk_id AND blocks = 0;
    END;
  `,
  migrations: [{ name: 'archive_range', sql: 'ALTER TABLE archive_stretch RENAME TO archive_range;' }],
};
