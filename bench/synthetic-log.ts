import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { OPERATION_TYPES, type OperationType } from '../src-preload/contract/api/subscribers/operation-object.ts';
import { Database, type Connection } from '../src-main/db/database.ts';
import { SUBSCRIBERS_SCHEMA } from '../src-main/db/schemas/subscribers.ts';
import { silentLog } from '../src-main/lib/log.ts';
import { firstIdOf, printId } from '../src-main/subscribers/snowflake.ts';

/** Start of the log in epoch milliseconds. */
export const START_MS = Date.UTC(2025, 0, 1);
/** Time between two operations, in milliseconds: ten million operations take 347 days. */
export const STEP_MS = 3000;
export const SUBSCRIBERS = 1_000_000;
export const PACKAGES = 1000;
/** Every tenth operation disables or enables subscriber 0. */
const BUSY_EVERY = 10;
/** Key of the portal with all scopes. It is valid only in the bench. */
export const KEY = 'airdesk_portal_bench';
const PORTAL = firstIdOf(START_MS - 1);

/**
 * Id of a subscriber by its number. All subscribers are older than the log; number 0 is the newest. Subscriber 0 has a
 * tenth of all operations, and all packages.
 */
export function subscriberId(at: number): string {
  return printId(firstIdOf(START_MS) - BigInt((at + 1) * 7919));
}

/** Id of a package by its number. All subscribers have the first package. */
export function packageId(at: number): string {
  return printId(firstIdOf(START_MS) - BigInt(at + 1));
}

/** Id of an operation by its number, from 0. */
export function operationId(at: number): string {
  return printId(firstIdOf(START_MS + at * STEP_MS));
}

/** Id of the portal of the log. */
export const PORTAL_ID = printId(PORTAL);

/**
 * Returns a folder with the database of a portal: a million subscribers, a thousand packages, two million subscriptions and
 * a log of `count` operations. The folder is created once and kept in the folder for temporary files; each run adds little
 * to the database. The log has no hash chain and no signed digests.
 *
 * @param name distinguishes databases of the same size
 */
export function syntheticLog(count: number, name: string, say: (text: string) => void): string {
  const state = createHash('sha256')
    .update(SUBSCRIBERS_SCHEMA.sql + String(generate))
    .digest('hex')
    .slice(0, 12);
  const folder = join(tmpdir(), `airdesk-bench-log-${count}-${name}-${state}`);
  const path = join(folder, 'subscribers.db');
  if (existsSync(path)) return folder;
  say(`subscribers: creates ${count} operations, once`);
  const unfinished = join(`${folder}.part`, 'subscribers.db');
  rmSync(dirname(unfinished), { recursive: true, force: true });
  mkdirSync(dirname(unfinished), { mode: 0o700 });
  const { connection } = Database.open(unfinished, {
    log: silentLog,
    now: () => START_MS,
    schema: SUBSCRIBERS_SCHEMA,
    content: 'rebuildable',
  });
  generate(connection, count);
  connection.close();
  renameSync(dirname(unfinished), folder);
  return folder;
}

/** Fills the tables with SQL statements, and creates the indexes afterwards, so that each is sorted only once. */
function generate(connection: Connection, count: number): void {
  for (const pragma of ['journal_mode = OFF', 'foreign_keys = OFF', 'cache_size = -1000000']) connection.pragma(pragma);
  const indexes = connection
    .prepare<[], { readonly name: string; readonly sql: string }>(
      `SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL
       AND tbl_name IN ('operation', 'subscriber', 'subscription')`,
    )
    .all();
  for (const { name } of indexes) connection.exec(`DROP INDEX ${name}`);
  const firstId = firstIdOf(START_MS);
  const step = firstIdOf(START_MS + STEP_MS) - firstId;
  const type = (name: OperationType): number => OPERATION_TYPES.indexOf(name);
  const numbers = (upTo: number): string =>
    `WITH RECURSIVE n (at) AS (SELECT 0 UNION ALL SELECT at + 1 FROM n WHERE at < ${upTo - 1})`;
  connection.exec(`
    BEGIN;
    INSERT INTO portal (id, name, is_auto_registration, is_disabled, chain_length, chain_hash)
      VALUES (${PORTAL}, 'bench', 0, 0, ${count}, zeroblob(32));
    INSERT INTO portal_key (id, portal_id, name, scopes, hash)
      VALUES (1, ${PORTAL}, 'billing', '["write"]', '${createHash('sha256').update(KEY).digest('hex')}');
    ${numbers(PACKAGES)} INSERT INTO package (portal_id, id, name, is_free, streams, max_sessions)
      SELECT ${PORTAL}, ${firstId} - ${PACKAGES} + at, format('Package %04d', ${PACKAGES} - 1 - at), 0, '["news"]', NULL FROM n;
    ${numbers(SUBSCRIBERS)} INSERT INTO subscriber (portal_id, id, name, phone_country_code, phone, is_disabled)
      SELECT ${PORTAL}, ${firstId} - (${SUBSCRIBERS} - at) * 7919,
        format('%s Example %07d', substr('AnnaBertCaraDirkEmmaFritGinaHans', 1 + 4 * (at * 31 % 8), 4), at), '1', format('%010d', at * 7 % 10000000000), 0 FROM n;
    ${numbers(SUBSCRIBERS)} INSERT INTO subscription (portal_id, subscriber_id, package_id, id)
      SELECT ${PORTAL}, ${firstId} - (${SUBSCRIBERS} - at) * 7919, ${firstId} - 1, ${firstId} - 2 * ${SUBSCRIBERS} + 2 * at FROM n UNION ALL
      SELECT ${PORTAL}, ${firstId} - (${SUBSCRIBERS} - at) * 7919, ${firstId} - 2 - at % (${PACKAGES} - 1), ${firstId} - 2 * ${SUBSCRIBERS} + 2 * at + 1 FROM n
      ORDER BY 2, 3;
    ${numbers(PACKAGES)} INSERT OR IGNORE INTO subscription (portal_id, subscriber_id, package_id, id)
      SELECT ${PORTAL}, ${firstId} - 7919, ${firstId} - 1 - at, ${firstId} - 3 * ${SUBSCRIBERS} + at FROM n;
    ${numbers(count)} INSERT INTO operation (portal_id, id, type, subscriber_id, package_id, sequence, payload, hash)
      SELECT ${PORTAL}, ${firstId} + at * ${step},
        CASE WHEN at % 1000 = 1 THEN ${type('createPackage')}
          WHEN at % ${BUSY_EVERY} = 0 THEN iif(at % ${2 * BUSY_EVERY} = 0, ${type('disableSubscriber')}, ${type('enableSubscriber')})
          WHEN at % 10 = 3 THEN ${type('createSubscriber')}
          WHEN at % 2 = 0 THEN ${type('createPackageSubscriber')} ELSE ${type('deletePackageSubscriber')} END,
        CASE WHEN at % 1000 = 1 THEN NULL
          WHEN at % ${BUSY_EVERY} = 0 THEN ${firstId} - 7919
          ELSE ${firstId} - (1 + at * 48271 % ${SUBSCRIBERS}) * 7919 END,
        CASE WHEN at % ${BUSY_EVERY} = 0 OR at % 10 = 3 THEN NULL
          WHEN at % 3 = 0 THEN ${firstId} - 1
          ELSE ${firstId} - 1 - (at / 7) % ${PACKAGES} END,
        at + 1, '{"keyName":"billing","packageName":"News and weather","subscriberName":"Anna Example"}', zeroblob(32) FROM n;
    UPDATE id_state SET last = ${firstId + BigInt(count) * step};
    COMMIT;`);
  for (const { sql } of indexes) connection.exec(sql);
}
