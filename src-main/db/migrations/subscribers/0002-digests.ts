import type { Migration } from '../migration.ts';

/** Signed digests of the log of each portal, as JSON, numbered from 1. */
export const SUBSCRIBERS_DIGESTS: Migration = {
  name: 'subscribers-digests',
  sql: `
    CREATE TABLE log_digest (
      portal_id INTEGER NOT NULL REFERENCES portal (id),
      number INTEGER NOT NULL,
      to_ms INTEGER NOT NULL,
      signed TEXT NOT NULL,
      PRIMARY KEY (portal_id, number)
    ) STRICT, WITHOUT ROWID;
  `,
};
