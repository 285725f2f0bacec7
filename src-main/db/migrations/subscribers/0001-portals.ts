import type { Migration } from '../migration.ts';

/**
 * Portals with their keys, subscribers, packages and subscriptions, and the log of operations, which is kept by portal in the order of its ids. Ids are
 * Snowflake ids; the time of an operation is that of its id. The type of an operation is its place in `OPERATION_TYPES`.
 */
export const SUBSCRIBERS_PORTALS: Migration = {
  name: 'subscribers-portals',
  sql: `
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

    CREATE TABLE portal (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      is_auto_registration INTEGER NOT NULL CHECK (is_auto_registration IN (0, 1)),
      is_disabled INTEGER NOT NULL CHECK (is_disabled IN (0, 1)),
      chain_length INTEGER NOT NULL,
      chain_hash BLOB NOT NULL
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
      PRIMARY KEY (portal_id, id)
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX subscriber_phone ON subscriber (portal_id, phone, phone_country_code) WHERE phone <> '';

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
    CREATE INDEX operation_subscriber ON operation (portal_id, subscriber_id, id, type, package_id)
      WHERE subscriber_id IS NOT NULL;
    CREATE INDEX operation_package ON operation (portal_id, package_id, type, id) WHERE package_id IS NOT NULL;

    CREATE TABLE kept_write (
      portal_id INTEGER NOT NULL,
      key TEXT NOT NULL,
      fingerprint TEXT NOT NULL,
      until_ms INTEGER NOT NULL,
      result TEXT NOT NULL,
      PRIMARY KEY (portal_id, key)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX kept_write_until ON kept_write (until_ms);
  `,
};
