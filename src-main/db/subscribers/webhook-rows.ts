import type { Webhook } from '../../../src-preload/contract/api/subscribers/webhook-objects.ts';
import { isoTime } from '../../lib/clock.ts';
import { printId } from '../../subscribers/snowflake.ts';
import type { WebhookJob } from '../../subscribers/webhook.ts';
import { createdAt } from './subscriber-rows.ts';

/** A webhook, as it comes from statements with safe integers. */
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
}

/** What a webhook is read as. */
export const WEBHOOK_COLUMNS = '*, (SELECT count(*) FROM webhook_replay r WHERE r.webhook_id = webhook.id) AS replays';

/** A webhook as it is shown, without its secrets. */
export function webhookOf(row: WebhookRow, nowMs: number): Webhook {
  return {
    webhookId: printId(row.id),
    url: row.url,
    isPrivateAllowed: row.is_private_allowed === 1n,
    isDisabled: row.is_disabled === 1n,
    createdAt: createdAt(row.id),
    previousUntil: hasPrevious(row, nowMs) ? time(row.previous_until_ms) : null,
    delivered: Number(row.delivered),
    deadLetters: Number(row.dead_letters),
    replays: Number(row.replays),
    failures: Number(row.failures),
    deliveredAt: time(row.delivered_ms),
    nextAttemptAt: row.is_disabled === 1n ? null : time(row.next_attempt_ms),
    lastError: row.last_error,
  };
}

/** A webhook as deliveries need it. */
export function webhookJobOf(row: WebhookRow, nowMs: number): WebhookJob {
  return {
    webhookId: printId(row.id),
    portalId: printId(row.portal_id),
    url: row.url,
    isPrivateAllowed: row.is_private_allowed === 1n,
    isDisabled: row.is_disabled === 1n,
    secrets: [row.secret, ...(row.previous_secret !== null && hasPrevious(row, nowMs) ? [row.previous_secret] : [])],
    cursor: printId(row.cursor_id),
    failures: Number(row.failures),
    nextAttemptMs: row.next_attempt_ms === null ? null : Number(row.next_attempt_ms),
    replayFailures: Number(row.replay_failures),
    replayNextMs: row.replay_next_ms === null ? null : Number(row.replay_next_ms),
  };
}

function hasPrevious({ previous_until_ms: untilMs }: WebhookRow, nowMs: number): boolean {
  return untilMs !== null && Number(untilMs) > nowMs;
}

function time(ms: bigint | null): string | null {
  return ms === null ? null : isoTime(Number(ms));
}
