import type { Migration } from './migration.ts';

/** Every configuration that was put into force. A text that comes again (after a rollback, say) is stored once. */
export const CONFIG_VERSIONS: Migration = {
  name: 'config-versions',
  sql: `
    CREATE TABLE config_text (
      hash BLOB PRIMARY KEY,
      gzip BLOB NOT NULL,
      length INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE config_version (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      parent_id INTEGER,
      at_ms INTEGER NOT NULL,
      who TEXT NOT NULL,
      from_where TEXT NOT NULL,
      summary TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('confirmed', 'pending', 'rolled_back')),
      confirm_by_ms INTEGER CHECK ((state = 'pending') = (confirm_by_ms IS NOT NULL)),
      is_on_disk INTEGER NOT NULL CHECK (is_on_disk IN (0, 1)),
      text_hash BLOB NOT NULL REFERENCES config_text (hash)
    ) STRICT;

    CREATE INDEX config_version_text ON config_version (text_hash);
  `,
};
