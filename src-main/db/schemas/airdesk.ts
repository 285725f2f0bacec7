import type { Schema } from './schema.ts';

/** Streams of a person, as a column of the table of people. */
const PERSON_PREFIXES = `
    -- JSON list of the name prefixes of the streams that the person may see; empty for all.
    prefixes TEXT NOT NULL DEFAULT '[]'`;

/** Table of people without the columns of later migrations. */
const PERSON = `
    -- Named logins of the desk and the HTTP API. Passwords are stored as scrypt hashes.
    CREATE TABLE person (
      login TEXT NOT NULL PRIMARY KEY,
      name TEXT NOT NULL,
      role TEXT NOT NULL,
      password_hash TEXT NOT NULL,
      is_disabled INTEGER NOT NULL CHECK (is_disabled IN (0, 1)),
      created_ms INTEGER NOT NULL,
      created_by TEXT NOT NULL,
      password_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
`;

const PUSH_TRANSMISSION = `
    -- Connections of pushes that sent frames, and attempts in a row that all failed.
    CREATE TABLE push_transmission (
      stream TEXT NOT NULL,
      -- Keyed digest of the address with its key; empty in rows of the first version.
      target TEXT NOT NULL,
      url TEXT NOT NULL,
      started_at INTEGER NOT NULL,
      ended_at INTEGER,
      has_sent INTEGER NOT NULL CHECK (has_sent IN (0, 1)),
      bytes INTEGER NOT NULL,
      tries INTEGER NOT NULL,
      code TEXT,
      detail TEXT,
      explanation TEXT,
      PRIMARY KEY (stream, target, url, started_at)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX push_transmission_by_time ON push_transmission (started_at);
`;

/** Tables of `airdesk.db`. */
export const AIRDESK_SCHEMA: Schema = {
  version: 22,
  sql: `
    -- Texts of configurations. A text that occurs again, for example after a rollback, is stored once.
    CREATE TABLE config_text (
      hash BLOB PRIMARY KEY,
      gzip BLOB NOT NULL,
      length INTEGER NOT NULL
    ) STRICT;

    -- Every configuration that was in force.
    CREATE TABLE config_version (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      parent_id INTEGER,
      at_ms INTEGER NOT NULL,
      who TEXT NOT NULL,
      from_where TEXT NOT NULL,
      summary TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('confirmed', 'pending', 'rolled_back')),
      confirm_by_ms INTEGER CHECK ((state = 'pending') = (confirm_by_ms IS NOT NULL)),
      is_on_disk INTEGER NOT NULL CHECK (is_on_disk IN (0, 1)),
      text_hash BLOB NOT NULL REFERENCES config_text (hash)
    ) STRICT;

    CREATE INDEX config_version_text ON config_version (text_hash);

    -- Responses to requests with an Idempotency-Key, so that a request repeated after a restart has no second effect.
    CREATE TABLE kept_answer (
      id INTEGER PRIMARY KEY,
      key TEXT NOT NULL UNIQUE,
      fingerprint TEXT NOT NULL,
      until_ms INTEGER NOT NULL,
      answer TEXT NOT NULL
    ) STRICT;

    CREATE INDEX kept_answer_until ON kept_answer (until_ms);

    -- Time of the last use of each API token.
    CREATE TABLE token_use (
      name TEXT NOT NULL PRIMARY KEY,
      used_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    -- Locked ranges of archives, which no limit deletes. Ranges of one stream never overlap.
    CREATE TABLE archive_lock (
      stream TEXT NOT NULL,
      start_ms INTEGER NOT NULL,
      end_ms INTEGER NOT NULL CHECK (end_ms > start_ms),
      note TEXT NOT NULL,
      locked_by TEXT NOT NULL,
      locked_ms INTEGER NOT NULL,
      PRIMARY KEY (stream, start_ms)
    ) STRICT, WITHOUT ROWID;

    -- Titled ranges of archives, kept past every limit until they expire. Episodes of one stream may overlap.
    CREATE TABLE archive_episode (
      id TEXT NOT NULL PRIMARY KEY,
      stream TEXT NOT NULL,
      start_ms INTEGER NOT NULL,
      end_ms INTEGER NOT NULL CHECK (end_ms > start_ms),
      title TEXT NOT NULL,
      note TEXT NOT NULL,
      expires_ms INTEGER,
      changed_by TEXT NOT NULL,
      changed_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    -- Exports of archives: waiting, running and finished.
    CREATE TABLE export_job (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      job TEXT NOT NULL
    ) STRICT;

    -- Preparations of clips: waiting, running and finished.
    CREATE TABLE clip_job (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      job TEXT NOT NULL
    ) STRICT;

    -- One row each time an alarm is raised.
    CREATE TABLE alarm (
      id TEXT NOT NULL PRIMARY KEY,
      name TEXT,
      alarm TEXT NOT NULL,
      severity TEXT NOT NULL,
      detail TEXT NOT NULL,
      raised_at INTEGER NOT NULL,
      cleared_at INTEGER,
      acknowledged_at INTEGER,
      acknowledged_by TEXT,
      note TEXT,
      shelved_until INTEGER,
      fault TEXT,
      facts TEXT NOT NULL DEFAULT '{}'
    ) STRICT;
    CREATE INDEX alarm_by_time ON alarm (raised_at, id);
    CREATE INDEX alarm_by_stream ON alarm (name, raised_at, id);
    CREATE INDEX alarm_lasting ON alarm (id) WHERE cleared_at IS NULL;

    -- Exports of operation logs: waiting, running and finished.
    CREATE TABLE operation_export_job (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      job TEXT NOT NULL
    ) STRICT;

    -- Notes of operators at moments of archives. A removed note stays for a while, so that the removal can be undone.
    CREATE TABLE archive_note (
      id TEXT NOT NULL PRIMARY KEY,
      stream TEXT NOT NULL,
      at_ms INTEGER NOT NULL,
      text TEXT NOT NULL,
      noted_by TEXT NOT NULL,
      noted_ms INTEGER NOT NULL,
      removed_ms INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX archive_note_by_time ON archive_note (stream, at_ms);
    CREATE INDEX archive_note_removed ON archive_note (removed_ms) WHERE removed_ms IS NOT NULL;

    -- Loudness of a stream by hour and by day.
    CREATE TABLE loudness (
      id TEXT NOT NULL PRIMARY KEY,
      name TEXT NOT NULL,
      span TEXT NOT NULL,
      from_at INTEGER NOT NULL,
      measured_ms INTEGER NOT NULL,
      integrated REAL,
      range REAL,
      max_momentary REAL,
      max_short_term REAL,
      true_peak REAL
    ) STRICT;
    CREATE INDEX loudness_by_stream ON loudness (name, from_at, id);
    CREATE INDEX loudness_by_time ON loudness (from_at);

    -- Kinds of alarms of a stream that are silenced for a time.
    CREATE TABLE shelved_alarm (
      key TEXT NOT NULL PRIMARY KEY,
      until_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    -- Walls of the desk, shared by all operators.
    CREATE TABLE wall (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL UNIQUE,
      wall TEXT NOT NULL
    ) STRICT;

    -- Collections of clips, stills and marks. A removed case stays for a while, so that the removal can be undone.
    CREATE TABLE archive_case (
      number INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      title TEXT NOT NULL,
      note TEXT NOT NULL,
      created_by TEXT NOT NULL,
      created_ms INTEGER NOT NULL,
      removed_ms INTEGER
    ) STRICT;

    CREATE TABLE archive_case_item (
      id TEXT NOT NULL PRIMARY KEY,
      case_id TEXT NOT NULL,
      place INTEGER NOT NULL,
      kind TEXT NOT NULL,
      stream TEXT NOT NULL,
      from_ms INTEGER NOT NULL,
      to_ms INTEGER,
      text TEXT NOT NULL,
      added_by TEXT NOT NULL,
      added_ms INTEGER NOT NULL,
      removed_ms INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX archive_case_item_by_case ON archive_case_item (case_id, place);

    -- Addresses and users that operators have banned.
    CREATE TABLE ban (
      id TEXT NOT NULL PRIMARY KEY,
      kind TEXT NOT NULL,
      value TEXT NOT NULL,
      banned_ms INTEGER NOT NULL,
      until_ms INTEGER NOT NULL,
      banned_by TEXT NOT NULL,
      reason TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    -- Sessions of desks in browsers: hashes of the session cookies, and proofs of the logins.
    CREATE TABLE desk_session (
      id TEXT NOT NULL PRIMARY KEY,
      login TEXT NOT NULL,
      proofs TEXT NOT NULL,
      used_ms INTEGER NOT NULL,
      started_ms INTEGER NOT NULL DEFAULT 0,
      address TEXT NOT NULL DEFAULT '',
      agent TEXT NOT NULL DEFAULT ''
    ) STRICT, WITHOUT ROWID;
${PUSH_TRANSMISSION}${PERSON}    ALTER TABLE person ADD COLUMN ${PERSON_PREFIXES};

    -- Identity of the database, and a count of all changes of locks and episodes. Their copies beside the archives are compared with both.
    CREATE TABLE archive_protection (
      one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
      id TEXT NOT NULL,
      generation INTEGER NOT NULL
    ) STRICT;
    INSERT INTO archive_protection VALUES (1, lower(hex(randomblob(16))), 0);
    CREATE TRIGGER archive_lock_added AFTER INSERT ON archive_lock
      BEGIN UPDATE archive_protection SET generation = generation + 1; END;
    CREATE TRIGGER archive_lock_changed AFTER UPDATE ON archive_lock
      BEGIN UPDATE archive_protection SET generation = generation + 1; END;
    CREATE TRIGGER archive_lock_removed AFTER DELETE ON archive_lock
      BEGIN UPDATE archive_protection SET generation = generation + 1; END;
    CREATE TRIGGER archive_episode_added AFTER INSERT ON archive_episode
      BEGIN UPDATE archive_protection SET generation = generation + 1; END;
    CREATE TRIGGER archive_episode_changed AFTER UPDATE ON archive_episode
      BEGIN UPDATE archive_protection SET generation = generation + 1; END;
    CREATE TRIGGER archive_episode_removed AFTER DELETE ON archive_episode
      BEGIN UPDATE archive_protection SET generation = generation + 1; END;
  `,
  migrations: [
    {
      name: 'people',
      sql: `
        ALTER TABLE desk_session ADD COLUMN started_ms INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE desk_session ADD COLUMN address TEXT NOT NULL DEFAULT '';
        ALTER TABLE desk_session ADD COLUMN agent TEXT NOT NULL DEFAULT '';
        ${PERSON}
      `,
    },
    { name: 'streams of people', sql: `ALTER TABLE person ADD COLUMN ${PERSON_PREFIXES};` },
    { name: 'transmissions of pushes', sql: PUSH_TRANSMISSION },
    {
      name: 'transmissions by target',
      sql: `
        DROP INDEX push_transmission_by_time;
        ALTER TABLE push_transmission RENAME TO push_transmission_before;
        ${PUSH_TRANSMISSION}
        INSERT INTO push_transmission
          SELECT stream, '', url, started_at, ended_at, has_sent, bytes, tries, code, detail, explanation
          FROM push_transmission_before;
        DROP TABLE push_transmission_before;
      `,
    },
  ],
};
