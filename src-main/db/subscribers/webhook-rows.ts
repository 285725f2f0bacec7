import { isoTime } from '../../lib/clock.ts';
import { firstIdOf, printId } from '../../subscribers/snowflake.ts';
import type { DeadLetterPeriod, StoredWebhook, WebhookJob } from '../../subscribers/webhook.ts';
import { createdAt, rowId } from '../subscriber-rows.ts';

/** Row of a webhook, from statements with safe integers. */
export interface WebhookRow {
  readonly id: bigint;
  readonly portal_id: bigint;
  readonly url: string;
  readonly is_private_allowed: bigint;
  readonly is_disabled: bigint;
  readonly secret: string;
  readonly previous_secret: string | null;
  readonly previous_until_ms: bigint | null;
  readonly cursor_id: bigint;
  readonly delivered: bigint;
  readonly dead_letters: bigint;
  readonly replays: bigint;
  readonly replay_failures: bigint;
  readonly replay_next_ms: bigint | null;
  readonly failures: bigint;
  readonly next_attempt_ms: bigint | null;
  readonly delivered_ms: bigint | null;
  readonly last_error: string | null;
  readonly max_per_second: bigint;
  readonly is_gone: bigint;
  readonly failed_ms: bigint | null;
  readonly dead_letters_dropped: bigint;
  readonly dead_letters_kept: bigint;
  readonly log_length: bigint;
}

/** Columns of a webhook. */
export const WEBHOOK_COLUMNS = `*, (SELECT count(*) FROM webhook_replay r WHERE r.webhook_id = webhook.id) AS replays,
  (SELECT count(*) FROM webhook_dead_letter d WHERE d.webhook_id = webhook.id) AS dead_letters_kept,
  (SELECT chain_length FROM portal p WHERE p.id = webhook.portal_id) AS log_length`;

/** Webhook as the APIs show it, without its secrets. */
export function webhookOf(row: WebhookRow, nowMs: number): StoredWebhook {
  return {
    webhookId: printId(row.id),
    url: row.url,
    isPrivateAllowed: row.is_private_allowed === 1n,
    isDisabled: row.is_disabled === 1n,
    maxPerSecond: Number(row.max_per_second),
    state: stateOf(row),
    createdAt: createdAt(row.id),
    previousUntil: hasPrevious(row, nowMs) ? time(row.previous_until_ms) : null,
    delivered: Number(row.delivered),
    deadLetters: Number(row.dead_letters),
    deadLettersKept: Number(row.dead_letters_kept),
    deadLettersDropped: Number(row.dead_letters_dropped),
    replays: Number(row.replays),
    failures: Number(row.failures),
    deliveredAt: time(row.delivered_ms),
    failedAt: time(row.failed_ms),
    nextAttemptAt: row.is_disabled === 1n ? null : time(row.next_attempt_ms),
    lastError: row.last_error,
  };
}

/** Webhook with the data for deliveries. */
export function webhookJobOf(row: WebhookRow, nowMs: number): WebhookJob {
  return {
    webhookId: printId(row.id),
    portalId: printId(row.portal_id),
    url: row.url,
    isPrivateAllowed: row.is_private_allowed === 1n,
    isDisabled: row.is_disabled === 1n,
    secrets: [row.secret, ...(row.previous_secret !== null && hasPrevious(row, nowMs) ? [row.previous_secret] : [])],
    cursor: printId(row.cursor_id),
    logLength: Number(row.log_length),
    maxPerSecond: Number(row.max_per_second),
    failures: Number(row.failures),
    nextAttemptMs: row.next_attempt_ms === null ? null : Number(row.next_attempt_ms),
    replayFailures: Number(row.replay_failures),
    replayNextMs: row.replay_next_ms === null ? null : Number(row.replay_next_ms),
  };
}

/** Range of the ids of the selected dead letters; `before` is excluded. */
export function idsOfDeadLetters(
  operationId: string | undefined,
  { fromMs, beforeMs }: DeadLetterPeriod,
): { readonly from: bigint; readonly before: bigint } {
  if (operationId !== undefined) return { from: rowId(operationId), before: rowId(operationId) + 1n };
  return {
    from: fromMs === undefined ? 0n : firstIdOf(fromMs),
    before: beforeMs === undefined ? 2n ** 63n - 1n : firstIdOf(beforeMs),
  };
}

function stateOf(row: WebhookRow): StoredWebhook['state'] {
  if (row.is_disabled === 1n) return row.is_gone === 1n ? 'gone' : 'paused';
  return row.failures > 0n || row.replay_failures > 0n ? 'failing' : 'active';
}

function hasPrevious({ previous_until_ms: untilMs }: WebhookRow, nowMs: number): boolean {
  return untilMs !== null && Number(untilMs) > nowMs;
}

function time(ms: bigint | null): string | null {
  return ms === null ? null : isoTime(Number(ms));
}
