import type { Migration } from '../migration.ts';

/** Webhooks of portals. `cursor_id` is the newest operation that was dealt with: the log itself is the queue. */
export const SUBSCRIBERS_WEBHOOKS: Migration = {
  name: 'subscribers-webhooks',
  sql: `
    CREATE TABLE webhook (
      id INTEGER PRIMARY KEY,
      portal_id INTEGER NOT NULL REFERENCES portal (id),
      url TEXT NOT NULL,
      is_private_allowed INTEGER NOT NULL,
      is_disabled INTEGER NOT NULL,
      secret TEXT NOT NULL,
      previous_secret TEXT,
      previous_until_ms INTEGER,
      cursor_id INTEGER NOT NULL,
      delivered INTEGER NOT NULL,
      dead_letters INTEGER NOT NULL,
      failures INTEGER NOT NULL,
      next_attempt_ms INTEGER,
      delivered_ms INTEGER,
      last_error TEXT
    ) STRICT;
    CREATE INDEX webhook_of_portal ON webhook (portal_id, id);
  `,
};
