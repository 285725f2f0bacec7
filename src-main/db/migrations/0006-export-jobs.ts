import type { Migration } from './migration.ts';

/** Exports of archives: those that wait, those that run, and the results of those that are over. */
export const EXPORT_JOBS: Migration = {
  name: 'export-jobs',
  sql: `
    CREATE TABLE export_job (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      job TEXT NOT NULL
    ) STRICT;
  `,
};
