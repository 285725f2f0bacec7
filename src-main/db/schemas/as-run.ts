import type { Schema } from './schema.ts';

/** Tables of the as-run log of advertisements. */
export const AS_RUN_SCHEMA: Schema = {
  version: 1,
  sql: `
    -- One row for each showing of an advertisement to a viewer, by the time its first segment was sent.
    CREATE TABLE showing (
      id TEXT NOT NULL PRIMARY KEY,
      sent_at INTEGER NOT NULL,
      stream TEXT NOT NULL,
      session_id TEXT NOT NULL,
      path TEXT NOT NULL,
      break_id TEXT NOT NULL,
      placement TEXT NOT NULL,
      midroll_insert_by TEXT,
      dts INTEGER NOT NULL,
      duration REAL NOT NULL,
      sent REAL NOT NULL,
      progress INTEGER NOT NULL,
      proto TEXT NOT NULL,
      country TEXT,
      user_id TEXT
    ) STRICT;
    CREATE INDEX showing_by_time ON showing (sent_at, id);
    CREATE INDEX showing_by_stream ON showing (stream, sent_at, id);
    CREATE INDEX showing_by_path ON showing (path, sent_at, id);
    CREATE INDEX showing_by_session ON showing (session_id, sent_at, id);
    CREATE INDEX showing_by_break ON showing (break_id, sent_at, id);
  `,
  migrations: [],
};
