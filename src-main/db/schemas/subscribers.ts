import type { Schema } from './schema.ts';

/** Tables of the database of subscribers. */
export const SUBSCRIBERS_SCHEMA: Schema = {
  version: 13,
  sql: `
    -- Last Snowflake id given out.
    CREATE TABLE id_state (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      last INTEGER NOT NULL
    ) STRICT;
    INSERT INTO id_state (id, last) VALUES (1, 0);

    CREATE TABLE last_batch (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      batch TEXT NOT NULL,
      results TEXT NOT NULL
    ) STRICT;

    -- Older operations of a portal are in files: moved_id is the last one, with its place in the hash chain.
    CREATE TABLE portal (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      is_auto_registration INTEGER NOT NULL CHECK (is_auto_registration IN (0, 1)),
      is_disabled INTEGER NOT NULL CHECK (is_disabled IN (0, 1)),
      chain_length INTEGER NOT NULL,
      chain_hash BLOB NOT NULL,
      moved_id INTEGER NOT NULL DEFAULT 0,
      moved_sequence INTEGER NOT NULL DEFAULT 0,
      moved_hash BLOB
    ) STRICT;

    CREATE TABLE portal_key (
      id INTEGER PRIMARY KEY,
      portal_id INTEGER NOT NULL REFERENCES portal (id),
      name TEXT NOT NULL,
      scopes TEXT NOT NULL,
      hash TEXT NOT NULL UNIQUE,
      previous_hash TEXT UNIQUE,
      previous_until_ms INTEGER,
      rotated_ms INTEGER,
      used_ms INTEGER,
      UNIQUE (portal_id, name)
    ) STRICT;

    CREATE TABLE subscriber (
      portal_id INTEGER NOT NULL REFERENCES portal (id),
      id INTEGER NOT NULL,
      name TEXT NOT NULL,
      phone_country_code TEXT NOT NULL,
      phone TEXT NOT NULL,
      is_disabled INTEGER NOT NULL CHECK (is_disabled IN (0, 1)),
      customer_number TEXT NOT NULL DEFAULT '',
      note TEXT NOT NULL DEFAULT '',
      PRIMARY KEY (portal_id, id)
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX subscriber_phone ON subscriber (portal_id, phone, phone_country_code) WHERE phone <> '';
    CREATE UNIQUE INDEX subscriber_number ON subscriber (portal_id, customer_number) WHERE customer_number <> '';

    CREATE TABLE package (
      portal_id INTEGER NOT NULL REFERENCES portal (id),
      id INTEGER NOT NULL,
      name TEXT NOT NULL,
      is_free INTEGER NOT NULL CHECK (is_free IN (0, 1)),
      streams TEXT NOT NULL,
      max_sessions INTEGER,
      PRIMARY KEY (portal_id, id),
      UNIQUE (portal_id, name)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE subscription (
      portal_id INTEGER NOT NULL,
      subscriber_id INTEGER NOT NULL,
      package_id INTEGER NOT NULL,
      id INTEGER NOT NULL,
      PRIMARY KEY (portal_id, subscriber_id, package_id),
      FOREIGN KEY (portal_id, subscriber_id) REFERENCES subscriber (portal_id, id),
      FOREIGN KEY (portal_id, package_id) REFERENCES package (portal_id, id)
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX subscription_id ON subscription (portal_id, id);
    CREATE INDEX subscription_package ON subscription (portal_id, package_id, id);
    CREATE INDEX subscription_holder ON subscription (portal_id, package_id, subscriber_id);

    -- Subscriptions with a planned start or end, in epoch milliseconds. next_ms is the time to apply next; null after the end. id is that of the operation.
    CREATE TABLE subscription_plan (
      portal_id INTEGER NOT NULL,
      subscriber_id INTEGER NOT NULL,
      package_id INTEGER NOT NULL,
      id INTEGER NOT NULL,
      starts_ms INTEGER,
      ends_ms INTEGER,
      next_ms INTEGER,
      PRIMARY KEY (portal_id, subscriber_id, package_id),
      FOREIGN KEY (portal_id, subscriber_id) REFERENCES subscriber (portal_id, id),
      FOREIGN KEY (portal_id, package_id) REFERENCES package (portal_id, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX subscription_plan_next ON subscription_plan (next_ms) WHERE next_ms IS NOT NULL;
    CREATE INDEX subscription_plan_package ON subscription_plan (portal_id, package_id);

    -- Log of operations by portal, in the order of the ids; the time of an operation is that of its Snowflake id. type is an index into OPERATION_TYPES.
    CREATE TABLE operation (
      portal_id INTEGER NOT NULL,
      id INTEGER NOT NULL,
      type INTEGER NOT NULL,
      subscriber_id INTEGER,
      package_id INTEGER,
      sequence INTEGER NOT NULL,
      payload TEXT NOT NULL,
      hash BLOB NOT NULL,
      PRIMARY KEY (portal_id, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX operation_type ON operation (portal_id, type, id);
    CREATE INDEX operation_package ON operation (portal_id, package_id, type, id) WHERE package_id IS NOT NULL;

    -- Results of writes with an Idempotency-Key.
    CREATE TABLE write_result (
      portal_id INTEGER NOT NULL,
      key TEXT NOT NULL,
      fingerprint TEXT NOT NULL,
      until_ms INTEGER NOT NULL,
      result TEXT NOT NULL,
      PRIMARY KEY (portal_id, key)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX write_result_until ON write_result (until_ms);

    -- Signed digests of the log of each portal as JSON, numbered from 1.
    CREATE TABLE log_digest (
      portal_id INTEGER NOT NULL REFERENCES portal (id),
      number INTEGER NOT NULL,
      to_ms INTEGER NOT NULL,
      signed TEXT NOT NULL,
      PRIMARY KEY (portal_id, number)
    ) STRICT, WITHOUT ROWID;

    -- Webhooks of portals. cursor_id is the newest operation that was handled: the log itself is the queue.
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
      last_error TEXT,
      replay_failures INTEGER NOT NULL DEFAULT 0,
      replay_next_ms INTEGER,
      max_per_second INTEGER NOT NULL DEFAULT 100,
      is_gone INTEGER NOT NULL DEFAULT 0,
      failed_ms INTEGER,
      dead_letters_dropped INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE INDEX webhook_of_portal ON webhook (portal_id, id);

    -- Tokens with which viewers play the packages of their subscriber.
    CREATE TABLE viewer_token (
      portal_id INTEGER NOT NULL,
      subscriber_id INTEGER NOT NULL,
      id INTEGER NOT NULL,
      name TEXT NOT NULL,
      hash TEXT NOT NULL UNIQUE,
      PRIMARY KEY (portal_id, subscriber_id, id),
      FOREIGN KEY (portal_id, subscriber_id) REFERENCES subscriber (portal_id, id)
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX subscriber_name ON subscriber (portal_id, name COLLATE NOCASE);

    -- Files of older operations, by month.
    CREATE TABLE log_file (
      month TEXT PRIMARY KEY,
      cold_path TEXT
    ) STRICT, WITHOUT ROWID;

    -- Operations that a webhook did not accept.
    CREATE TABLE webhook_dead_letter (
      webhook_id INTEGER NOT NULL REFERENCES webhook (id) ON DELETE CASCADE,
      operation_id INTEGER NOT NULL,
      given_up_ms INTEGER NOT NULL,
      error TEXT NOT NULL,
      PRIMARY KEY (webhook_id, operation_id)
    ) STRICT, WITHOUT ROWID;

    -- Operations that are posted to a webhook again.
    CREATE TABLE webhook_replay (
      webhook_id INTEGER NOT NULL REFERENCES webhook (id) ON DELETE CASCADE,
      operation_id INTEGER NOT NULL,
      PRIMARY KEY (webhook_id, operation_id)
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX package_of_name ON package (portal_id, name COLLATE NOCASE, id);

    CREATE INDEX operation_subscriber ON operation (portal_id, subscriber_id, type, id) WHERE subscriber_id IS NOT NULL;
    CREATE INDEX operation_subscription ON operation (portal_id, subscriber_id, package_id, type, id)
      WHERE subscriber_id IS NOT NULL AND package_id IS NOT NULL;
  `,
  migrations: [
    {
      name: 'customer numbers and notes',
      sql: `
        ALTER TABLE subscriber ADD COLUMN customer_number TEXT NOT NULL DEFAULT '';
        ALTER TABLE subscriber ADD COLUMN note TEXT NOT NULL DEFAULT '';
        CREATE UNIQUE INDEX subscriber_number ON subscriber (portal_id, customer_number) WHERE customer_number <> '';
      `,
    },
    {
      name: 'planned starts and ends of subscriptions',
      sql: `
        CREATE TABLE subscription_plan (
          portal_id INTEGER NOT NULL,
          subscriber_id INTEGER NOT NULL,
          package_id INTEGER NOT NULL,
          id INTEGER NOT NULL,
          starts_ms INTEGER,
          ends_ms INTEGER,
          next_ms INTEGER,
          PRIMARY KEY (portal_id, subscriber_id, package_id),
          FOREIGN KEY (portal_id, subscriber_id) REFERENCES subscriber (portal_id, id),
          FOREIGN KEY (portal_id, package_id) REFERENCES package (portal_id, id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX subscription_plan_next ON subscription_plan (next_ms) WHERE next_ms IS NOT NULL;
        CREATE INDEX subscription_plan_package ON subscription_plan (portal_id, package_id);
      `,
    },
    {
      name: 'write_result',
      sql: `
        ALTER TABLE kept_write RENAME TO write_result;
        DROP INDEX kept_write_until;
        CREATE INDEX write_result_until ON write_result (until_ms);
      `,
    },
  ],
};
