import type { Migration } from './migration.ts';

/** Addresses and users that operators keep out. */
export const BANS: Migration = {
  name: 'bans',
  sql: `
    CREATE TABLE ban (
      id TEXT NOT NULL PRIMARY KEY,
      kind TEXT NOT NULL,
      value TEXT NOT NULL,
      banned_ms INTEGER NOT NULL,
      until_ms INTEGER NOT NULL,
      banned_by TEXT NOT NULL,
      reason TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
  `,
};
