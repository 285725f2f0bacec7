import type { Statement } from 'better-sqlite3';
import type { WebhookLog } from '../../../src-preload/contract/api/subscribers/webhook-objects.ts';
import { isoTime } from '../../lib/clock.ts';
import { printId, printOperationId } from '../../subscribers/snowflake.ts';
import type { Page, PageRequest } from '../../subscribers/subscriber-query.ts';
import type { DeadLetterPeriod, StoredWebhook, WebhookFigures, WebhookJob } from '../../subscribers/webhook.ts';
import type { Connection } from '../database.ts';
import { rowId } from '../subscriber-rows.ts';
import { idsOfDeadLetters, WEBHOOK_COLUMNS, webhookJobOf, webhookOf, type WebhookRow } from './webhook-rows.ts';

type DeadLetter = WebhookLog['deadLetters'][number];
type Value = bigint | string | number;

/** Reads webhooks, their undelivered operations, and operations that are posted again. */
export class WebhookReader {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Webhooks of a portal, in the order of their creation. */
  webhooks(portalId: string, nowMs: number): readonly StoredWebhook[] {
    const rows = this.#all<WebhookRow>(
      `SELECT ${WEBHOOK_COLUMNS} FROM webhook WHERE portal_id = ? ORDER BY id`,
      rowId(portalId),
    );
    return rows.map((row) => webhookOf(row, nowMs));
  }

  /** Ids of all enabled webhooks, with their portals. */
  webhookIds(): readonly { readonly webhookId: string; readonly portalId: string }[] {
    const rows = this.#all<Pick<WebhookRow, 'id' | 'portal_id'>>(
      'SELECT id, portal_id FROM webhook WHERE is_disabled = 0 ORDER BY id',
    );
    return rows.map((row) => ({ webhookId: printId(row.id), portalId: printId(row.portal_id) }));
  }

  /** Webhook with the data for deliveries. */
  webhookJob(webhookId: string, nowMs: number): WebhookJob | undefined {
    const row = this.#get<WebhookRow>(`SELECT ${WEBHOOK_COLUMNS} FROM webhook WHERE id = ?`, rowId(webhookId));
    return row && webhookJobOf(row, nowMs);
  }

  /** Operations to post to a webhook again, in the order of the log. */
  webhookReplays(webhookId: string, limit: number): readonly string[] {
    return this.#all<{ readonly operation_id: bigint }>(
      'SELECT operation_id FROM webhook_replay WHERE webhook_id = ? ORDER BY operation_id LIMIT ?',
      ...[rowId(webhookId), limit],
    ).map(({ operation_id: id }) => printId(id));
  }

  /** Undelivered operations of a webhook, newest first. */
  deadLetters(webhookId: string, { afterId, limit }: PageRequest): Page<DeadLetter> {
    const rows = this.#all<{ readonly operation_id: bigint; readonly given_up_ms: bigint; readonly error: string }>(
      `SELECT operation_id, given_up_ms, error FROM webhook_dead_letter
       WHERE webhook_id = ? AND operation_id < ? ORDER BY operation_id DESC LIMIT ?`,
      ...[rowId(webhookId), afterId === undefined ? 2n ** 63n - 1n : rowId(afterId), limit + 1],
    );
    const items = rows.slice(0, limit).map(({ operation_id: id, given_up_ms: ms, error }) => ({
      operationId: printOperationId(id),
      givenUpAt: isoTime(Number(ms)),
      error,
    }));
    return { items, hasMore: rows.length > limit };
  }

  /** Queue figures of all webhooks. */
  webhookFigures(): WebhookFigures {
    const row = this.#get<Record<'given_up' | 'dropped' | 'replays' | 'failing' | 'off', bigint | null>>(
      `SELECT (SELECT count(*) FROM webhook_dead_letter) AS given_up, (SELECT count(*) FROM webhook_replay) AS replays,
         sum(dead_letters_dropped) AS dropped, sum(is_disabled) AS off,
         sum(is_disabled = 0 AND (failures > 0 OR replay_failures > 0)) AS failing FROM webhook`,
    );
    return {
      deadLetters: Number(row?.given_up ?? 0),
      deadLettersDropped: Number(row?.dropped ?? 0),
      replays: Number(row?.replays ?? 0),
      failing: Number(row?.failing ?? 0),
      off: Number(row?.off ?? 0),
    };
  }

  /** Number of undelivered operations with this id, or of a period. */
  deadLetterCount(webhookId: string, operationId: string | undefined, period: DeadLetterPeriod): number {
    const { from, before } = idsOfDeadLetters(operationId, period);
    const sql =
      'SELECT count(*) AS count FROM webhook_dead_letter WHERE webhook_id = ? AND operation_id >= ? AND operation_id < ?';
    return Number(this.#get<{ readonly count: bigint }>(sql, rowId(webhookId), from, before)?.count);
  }

  #all<Row>(sql: string, ...values: readonly Value[]): readonly Row[] {
    // The caller's statement selects these columns.
    return this.#statement(sql).all(...values) as readonly Row[];
  }

  #get<Row>(sql: string, ...values: readonly Value[]): Row | undefined {
    // The caller's statement selects these columns.
    return this.#statement(sql).get(...values) as Row | undefined;
  }

  #statement(sql: string): Statement<Value[]> {
    return this.#connection.prepare<Value[]>(sql).safeIntegers();
  }
}
