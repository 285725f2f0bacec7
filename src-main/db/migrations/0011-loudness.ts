import type { Migration } from './migration.ts';

/** One row for each hour and each day of the loudness of a stream. */
export const LOUDNESS: Migration = {
  name: 'loudness',
  sql: `
    CREATE TABLE loudness (
      id TEXT NOT NULL PRIMARY KEY,
      name TEXT NOT NULL,
      span TEXT NOT NULL,
      from_at INTEGER NOT NULL,
      measured_ms INTEGER NOT NULL,
      integrated REAL,
      range REAL,
      max_momentary REAL,
      max_short_term REAL,
      true_peak REAL
    ) STRICT;
    CREATE INDEX loudness_by_stream ON loudness (name, from_at, id);
    CREATE INDEX loudness_by_time ON loudness (from_at);
  `,
};
