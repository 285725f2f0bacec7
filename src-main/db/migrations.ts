import { CONFIG_VERSIONS } from './migrations/0001-config-versions.ts';
import { KEPT_ANSWERS } from './migrations/0002-kept-answers.ts';
import { TOKEN_USES } from './migrations/0003-token-uses.ts';
import { ARCHIVE_LOCKS } from './migrations/0004-archive-locks.ts';
import { ARCHIVE_EPISODES } from './migrations/0005-archive-episodes.ts';
import { EXPORT_JOBS } from './migrations/0006-export-jobs.ts';
import { CLIP_JOBS } from './migrations/0007-clip-jobs.ts';
import { ALARM_HISTORY } from './migrations/0008-alarm-history.ts';
import { OPERATION_EXPORT_JOBS } from './migrations/0009-operation-export-jobs.ts';
import { ARCHIVE_NOTES } from './migrations/0010-archive-notes.ts';
import { LOUDNESS } from './migrations/0011-loudness.ts';
import { SHELVED_ALARMS } from './migrations/0012-shelved-alarms.ts';
import { WALLS } from './migrations/0013-walls.ts';
import { ARCHIVE_CASES } from './migrations/0014-archive-cases.ts';
import { BANS } from './migrations/0015-bans.ts';
import { DESK_SESSIONS } from './migrations/0016-desk-sessions.ts';
import { ALARM_FACTS } from './migrations/0017-alarm-facts.ts';
import { ARCHIVE_PROTECTION } from './migrations/0018-archive-protection.ts';
import { CATALOG_BLOCKS } from './migrations/catalog-0001-blocks.ts';
import { CATALOG_USAGE } from './migrations/catalog-0002-usage.ts';
import { SUBSCRIBERS_PORTALS } from './migrations/subscribers/0001-portals.ts';
import { SUBSCRIBERS_DIGESTS } from './migrations/subscribers/0002-digests.ts';
import { SUBSCRIBERS_WEBHOOKS } from './migrations/subscribers/0003-webhooks.ts';
import { LOG_FILE_OPERATIONS } from './migrations/log-file-0001-operations.ts';
import { LOG_FILE_OPERATION_FILTERS } from './migrations/log-file-0002-operation-filters.ts';
import { SUBSCRIBERS_OPERATION_FILTERS } from './migrations/subscribers/0010-operation-filters.ts';
import { SUBSCRIBERS_PACKAGE_NAMES } from './migrations/subscribers/0009-package-names.ts';
import { SUBSCRIBERS_WEBHOOK_HEALTH } from './migrations/subscribers/0008-webhook-health.ts';
import { SUBSCRIBERS_REPLAYS } from './migrations/subscribers/0007-replays.ts';
import { SUBSCRIBERS_TIERS } from './migrations/subscribers/0006-tiers.ts';
import { SUBSCRIBERS_NAMES } from './migrations/subscribers/0005-names.ts';
import { SUBSCRIBERS_VIEWER_TOKENS } from './migrations/subscribers/0004-viewer-tokens.ts';
import type { Migration } from './migrations/migration.ts';

/** All steps in order; the version of a database is how many of them it has. */
export const MIGRATIONS: readonly Migration[] = [
  CONFIG_VERSIONS,
  KEPT_ANSWERS,
  TOKEN_USES,
  ARCHIVE_LOCKS,
  ARCHIVE_EPISODES,
  EXPORT_JOBS,
  CLIP_JOBS,
  ALARM_HISTORY,
  OPERATION_EXPORT_JOBS,
  ARCHIVE_NOTES,
  LOUDNESS,
  SHELVED_ALARMS,
  WALLS,
  ARCHIVE_CASES,
  BANS,
  DESK_SESSIONS,
  ALARM_FACTS,
  ARCHIVE_PROTECTION,
];

/** The steps of the catalog of archives, a file of its own. */
export const CATALOG_MIGRATIONS: readonly Migration[] = [CATALOG_BLOCKS, CATALOG_USAGE];

/** The steps of the database of subscribers, a file of its own. */
export const SUBSCRIBERS_MIGRATIONS: readonly Migration[] = [
  SUBSCRIBERS_PORTALS,
  SUBSCRIBERS_DIGESTS,
  SUBSCRIBERS_WEBHOOKS,
  SUBSCRIBERS_VIEWER_TOKENS,
  SUBSCRIBERS_NAMES,
  SUBSCRIBERS_TIERS,
  SUBSCRIBERS_REPLAYS,
  SUBSCRIBERS_WEBHOOK_HEALTH,
  SUBSCRIBERS_PACKAGE_NAMES,
  SUBSCRIBERS_OPERATION_FILTERS,
];

/** The steps of a file of older operations. */
export const LOG_FILE_MIGRATIONS: readonly Migration[] = [LOG_FILE_OPERATIONS, LOG_FILE_OPERATION_FILTERS];
