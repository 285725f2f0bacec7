import type { Migration } from '../migration.ts';

/** How fast webhooks are posted to, who switched one off, and what was lost of those that were given up. */
export const SUBSCRIBERS_WEBHOOK_HEALTH: Migration = {
  name: 'subscribers-webhook-health',
  sql: `
    ALTER TABLE webhook ADD COLUMN max_per_second INTEGER NOT NULL DEFAULT 100;
    ALTER TABLE webhook ADD COLUMN is_gone INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE webhook ADD COLUMN failed_ms INTEGER;
    ALTER TABLE webhook ADD COLUMN dead_letters_dropped INTEGER NOT NULL DEFAULT 0;
  `,
};
