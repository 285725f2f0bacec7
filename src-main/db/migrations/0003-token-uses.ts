import type { Migration } from './migration.ts';

/** When each API token was used last. */
export const TOKEN_USES: Migration = {
  name: 'token-uses',
  sql: `
    CREATE TABLE token_use (
      name TEXT NOT NULL PRIMARY KEY,
      used_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
  `,
};
