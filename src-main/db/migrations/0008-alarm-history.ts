import type { Migration } from './migration.ts';

/** One row for each time that an alarm was raised. */
export const ALARM_HISTORY: Migration = {
  name: 'alarm-history',
  sql: `
    CREATE TABLE alarm (
      id TEXT NOT NULL PRIMARY KEY,
      name TEXT,
      alarm TEXT NOT NULL,
      severity TEXT NOT NULL,
      detail TEXT NOT NULL,
      raised_at INTEGER NOT NULL,
      cleared_at INTEGER,
      acknowledged_at INTEGER,
      acknowledged_by TEXT,
      note TEXT,
      shelved_until INTEGER
    ) STRICT;
    CREATE INDEX alarm_by_time ON alarm (raised_at, id);
    CREATE INDEX alarm_by_stream ON alarm (name, raised_at, id);
    CREATE INDEX alarm_lasting ON alarm (id) WHERE cleared_at IS NULL;
  `,
};
