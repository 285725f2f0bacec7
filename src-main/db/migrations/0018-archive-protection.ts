import type { Migration } from './migration.ts';

/** Identity of the database, and a count of all changes of locks and episodes: their copies beside the archives are held against both. */
export const ARCHIVE_PROTECTION: Migration = {
  name: 'archive-protection',
  sql: `
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
};
