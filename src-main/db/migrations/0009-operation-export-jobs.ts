import type { Migration } from './migration.ts';

/** Exports of operations logs: those that wait, those that run, and the results of those that are over. */
export const OPERATION_EXPORT_JOBS: Migration = {
  name: 'operation-export-jobs',
  sql: `
    CREATE TABLE operation_export_job (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      job TEXT NOT NULL
    ) STRICT;
  `,
};
