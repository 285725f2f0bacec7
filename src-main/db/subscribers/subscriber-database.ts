import { dirname, join } from 'node:path';
import type { LogRetention } from '../../subscribers/subscriber-write.ts';
import { Database, type DatabaseOptions } from '../database.ts';
import { SUBSCRIBERS_SCHEMA } from '../schemas/subscribers.ts';
import { LogProof } from './log-digests.ts';
import { OperationReader } from './operation-reader.ts';
import { SubscriberReader } from './subscriber-reader.ts';
import { ViewerTokens } from './viewer-tokens.ts';
import { LogFiles } from './tiers/log-files.ts';
import { LogMover } from './tiers/log-mover.ts';
import { OperationTiers } from './tiers/operation-tiers.ts';
import { WebhookReader } from './webhook-reader.ts';
import { SubscriberWriter } from './subscriber-writer.ts';

/** Database of subscribers and their log. */
export interface SubscriberDatabase {
  readonly reader: SubscriberReader;
  readonly operations: OperationReader;
  readonly proof: LogProof;
  readonly viewers: ViewerTokens;
  readonly webhooks: WebhookReader;
  readonly writer: SubscriberWriter;
  /** Archives some of the old operations. Returns whether there is more to do. */
  moveLog(retention: LogRetention): boolean;
  close(): void;
}

/**
 * Size of the page cache in KiB: large enough that a page of a large log is found without reading most index pages
 * again.
 */
const CACHE_KIB = 65_536;

/**
 * Size of the write-ahead log at which a commit copies it into the file, in pages (32 MB). Many changes write the
 * same pages, which are then copied only once. Commits are on the disk before that in any case.
 */
const LOG_PAGES = 8192;

/** Opens `subscribers.db`. Raises the errors of `Database.open`: a damaged file stays unchanged, because it is a record. */
export function openSubscriberDatabase(
  path: string,
  options: Pick<DatabaseOptions, 'log' | 'now'>,
): SubscriberDatabase {
  const database = Database.open(path, { ...options, schema: SUBSCRIBERS_SCHEMA, content: 'record' });
  const { connection } = database;
  connection.pragma(`cache_size = -${CACHE_KIB}`);
  connection.pragma(`wal_autocheckpoint = ${LOG_PAGES}`);
  const reader = new SubscriberReader(connection);
  const folder = join(dirname(path), 'operations');
  const files = new LogFiles(connection, { ...options, folder });
  const tiers = new OperationTiers(connection, files);
  const mover = new LogMover(connection, files);
  return {
    reader,
    operations: new OperationReader(tiers),
    proof: new LogProof(connection, tiers),
    viewers: new ViewerTokens(connection),
    webhooks: new WebhookReader(connection),
    writer: new SubscriberWriter(connection, reader),
    moveLog(retention) {
      return mover.step(retention);
    },
    close() {
      files.close();
      database.close();
    },
  };
}
