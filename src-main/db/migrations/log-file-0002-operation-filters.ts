import type { Migration } from './migration.ts';
import { SUBSCRIBERS_OPERATION_FILTERS } from './subscribers/0010-operation-filters.ts';

/** The indexes of the log, in a file of older operations. */
export const LOG_FILE_OPERATION_FILTERS: Migration = {
  name: 'log-file-operation-filters',
  sql: SUBSCRIBERS_OPERATION_FILTERS.sql,
};
