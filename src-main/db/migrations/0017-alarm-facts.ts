import type { Migration } from './migration.ts';

/** What is wrong of alarms, for programs and other languages. */
export const ALARM_FACTS: Migration = {
  name: 'alarm-facts',
  sql: `
    ALTER TABLE alarm ADD COLUMN fault TEXT;
    ALTER TABLE alarm ADD COLUMN facts TEXT NOT NULL DEFAULT '{}';
  `,
};
