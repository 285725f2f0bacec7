import type { Migration } from './migration.ts';

/** Sessions of desks in browsers: hashes of what the browsers hold, and proofs of the logins. */
export const DESK_SESSIONS: Migration = {
  name: 'desk-sessions',
  sql: `
    CREATE TABLE desk_session (
      id TEXT NOT NULL PRIMARY KEY,
      login TEXT NOT NULL,
      proofs TEXT NOT NULL,
      used_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
  `,
};
