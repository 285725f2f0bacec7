import type { Migration } from '../migration.ts';

/** Operations that a webhook did not take, and those that are posted to it again. */
export const SUBSCRIBERS_REPLAYS: Migration = {
  name: 'subscribers-replays',
  sql: `
    ALTER TABLE webhook ADD COLUMN replay_failures INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE webhook ADD COLUMN replay_next_ms INTEGER;

    CREATE TABLE webhook_dead_letter (
      webhook_id INTEGER NOT NULL REFERENCES webhook (id) ON DELETE CASCADE,
      operation_id INTEGER NOT NULL,
      given_up_ms INTEGER NOT NULL,
      error TEXT NOT NULL,
      PRIMARY KEY (webhook_id, operation_id)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE webhook_replay (
      webhook_id INTEGER NOT NULL REFERENCES webhook (id) ON DELETE CASCADE,
      operation_id INTEGER NOT NULL,
      PRIMARY KEY (webhook_id, operation_id)
    ) STRICT, WITHOUT ROWID;
  `,
};
