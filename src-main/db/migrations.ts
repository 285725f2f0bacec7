import { CONFIG_VERSIONS } from './migrations/0001-config-versions.ts';
import { KEPT_ANSWERS } from './migrations/0002-kept-answers.ts';

/** One step of the tables. Never edited after a release. */
export interface Migration {
  readonly name: string;
  readonly sql: string;
}

/** All steps in order; the version of a database is how many of them it has. */
export const MIGRATIONS: readonly Migration[] = [CONFIG_VERSIONS, KEPT_ANSWERS];
