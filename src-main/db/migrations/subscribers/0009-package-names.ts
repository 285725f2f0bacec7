import type { Migration } from '../migration.ts';

/** Finds packages by the beginning of their name. */
export const SUBSCRIBERS_PACKAGE_NAMES: Migration = {
  name: 'subscribers-package-names',
  sql: 'CREATE INDEX package_of_name ON package (portal_id, name COLLATE NOCASE, id);',
};
