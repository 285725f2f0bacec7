import type { Migration } from './migration.ts';

/** One row for each kind of alarm of a stream that is silent for a time. */
export const SHELVED_ALARMS: Migration = {
  name: 'shelved-alarms',
  sql: `
    CREATE TABLE shelved_alarm (
      key TEXT NOT NULL PRIMARY KEY,
      until_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
  `,
};
