import type { Migration } from './migration.ts';

/** Answers to requests with an `Idempotency-Key`, so that a repetition after a restart makes nothing a second time. */
export const KEPT_ANSWERS: Migration = {
  name: 'kept-answers',
  sql: `
    CREATE TABLE kept_answer (
      id INTEGER PRIMARY KEY,
      key TEXT NOT NULL UNIQUE,
      fingerprint TEXT NOT NULL,
      until_ms INTEGER NOT NULL,
      answer TEXT NOT NULL
    ) STRICT;

    CREATE INDEX kept_answer_until ON kept_answer (until_ms);
  `,
};
