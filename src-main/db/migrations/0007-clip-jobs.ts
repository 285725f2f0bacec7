import type { Migration } from './migration.ts';

/** Preparations of clips: those that wait, those that run, and the results of those that are over. */
export const CLIP_JOBS: Migration = {
  name: 'clip-jobs',
  sql: `
    CREATE TABLE clip_job (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      job TEXT NOT NULL
    ) STRICT;
  `,
};
