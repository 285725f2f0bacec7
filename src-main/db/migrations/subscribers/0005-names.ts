import type { Migration } from '../migration.ts';

/** Subscribers are found by the beginning of their name. */
export const SUBSCRIBERS_NAMES: Migration = {
  name: 'subscribers-names',
  sql: `
    CREATE INDEX subscriber_name ON subscriber (portal_id, name COLLATE NOCASE);
  `,
};
