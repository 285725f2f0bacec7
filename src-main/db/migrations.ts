import { CONFIG_VERSIONS } from './migrations/0001-config-versions.ts';
import { KEPT_ANSWERS } from './migrations/0002-kept-answers.ts';
import { TOKEN_USES } from './migrations/0003-token-uses.ts';
import type { Migration } from './migrations/migration.ts';

/** All steps in order; the version of a database is how many of them it has. */
export const MIGRATIONS: readonly Migration[] = [CONFIG_VERSIONS, KEPT_ANSWERS, TOKEN_USES];
