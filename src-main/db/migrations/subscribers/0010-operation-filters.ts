import type { Migration } from '../migration.ts';

/** Each combination of filters has an index in which what it wants of one type lies together, in the order of the ids: nothing else is looked at. */
export const SUBSCRIBERS_OPERATION_FILTERS: Migration = {
  name: 'subscribers-operation-filters',
  sql: `
    DROP INDEX operation_subscriber;
    CREATE INDEX operation_subscriber ON operation (portal_id, subscriber_id, type, id) WHERE subscriber_id IS NOT NULL;
    CREATE INDEX operation_subscription ON operation (portal_id, subscriber_id, package_id, type, id)
      WHERE subscriber_id IS NOT NULL AND package_id IS NOT NULL;
  `,
};
