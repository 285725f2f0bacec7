import type { Migration } from '../migration.ts';

/** Tokens with which viewers play what the packages of their subscriber have. */
export const SUBSCRIBERS_VIEWER_TOKENS: Migration = {
  name: 'subscribers-viewer-tokens',
  sql: `
    CREATE TABLE viewer_token (
      portal_id INTEGER NOT NULL,
      subscriber_id INTEGER NOT NULL,
      id INTEGER NOT NULL,
      name TEXT NOT NULL,
      hash TEXT NOT NULL UNIQUE,
      PRIMARY KEY (portal_id, subscriber_id, id),
      FOREIGN KEY (portal_id, subscriber_id) REFERENCES subscriber (portal_id, id)
    ) STRICT, WITHOUT ROWID;
  `,
};
