import type { Migration } from './migration.ts';

/** How much each stream has on each disk, kept by the rows of blocks themselves: limits of size are looked at once a minute. */
export const CATALOG_USAGE: Migration = {
  name: 'catalog-usage',
  sql: `
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
};
