import type { Migration } from './migration.ts';

/** Walls of the desk, which all its operators share. */
export const WALLS: Migration = {
  name: 'walls',
  sql: `
    CREATE TABLE wall (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL UNIQUE,
      wall TEXT NOT NULL
    ) STRICT;
  `,
};
