import type { Webhook } from '../../src-preload/contract/api/subscribers/webhook-objects.ts';

/** A webhook as stored; its backlog comes from the log. */
export type StoredWebhook = Omit<Webhook, 'backlog' | 'oldestAt'>;

/** Period of undeliverable operations, from inclusive, before exclusive, in epoch milliseconds. */
export interface DeadLetterPeriod {
  readonly fromMs: number | undefined;
  readonly beforeMs: number | undefined;
}

/** Queue figures of all webhooks. */
export interface WebhookFigures {
  /** Number of listed dead letters, and of those dropped because there were too many. */
  readonly deadLetters: number;
  readonly deadLettersDropped: number;
  /** Number of operations waiting to be posted again. */
  readonly replays: number;
  /** Number of webhooks whose last attempt failed, and of disabled webhooks. */
  readonly failing: number;
  readonly off: number;
}

/** A change of webhooks. */
export type WebhookChange =
  | {
      readonly type: 'createWebhook';
      readonly portalId: string;
      readonly url: string;
      readonly isPrivateAllowed: boolean;
      /** Maximum number of operations posted per second, in the long run. */
      readonly maxPerSecond: number;
      readonly secret: string;
    }
  | {
      readonly type: 'updateWebhook';
      readonly portalId: string;
      readonly webhookId: string;
      readonly url: string | undefined;
      readonly isPrivateAllowed: boolean | undefined;
      readonly isDisabled: boolean | undefined;
      readonly maxPerSecond: number | undefined;
    }
  | {
      readonly type: 'rotateWebhook';
      readonly portalId: string;
      readonly webhookId: string;
      readonly secret: string;
      /** End of signing with the previous secret too, in epoch milliseconds. */
      readonly previousUntilMs: number;
    }
  | { readonly type: 'removeWebhook'; readonly portalId: string; readonly webhookId: string }
  /** Posts operations again after the new ones. Each operation is queued once. */
  | {
      readonly type: 'replayWebhook';
      readonly portalId: string;
      readonly webhookId: string;
      readonly operationIds: readonly string[];
    }
  /** Deletes dead letters: one, or those of a period. */
  | {
      readonly type: 'discardDeadLetters';
      readonly portalId: string;
      readonly webhookId: string;
      readonly operationId: string | undefined;
      readonly period: DeadLetterPeriod;
    }
  /** Records the result of operations posted again, or a failed attempt. */
  | ({ readonly type: 'webhookReplayed'; readonly webhookId: string; readonly url: string } & WebhookReplayed)
  /** Records delivered operations, or a failed attempt. Ignored if the address of the webhook has changed. */
  | ({ readonly type: 'webhookProgress'; readonly webhookId: string; readonly url: string } & WebhookProgress);

/** Progress of the deliveries of a webhook. */
export interface WebhookProgress {
  /** Newest operation that was delivered or abandoned. */
  readonly cursor: string;
  /** Number of operations delivered or abandoned since the previous progress. */
  readonly delivered: number;
  readonly deadLetters: number;
  /** Number of failed attempts of the next operation. */
  readonly failures: number;
  /** Earliest time of the next attempt, in epoch milliseconds; null for at once. */
  readonly nextAttemptMs: number | null;
  readonly lastError: string | null;
  /** Whether the receiver refuses further messages. */
  readonly isGone: boolean;
}

/** Progress of posting operations again. */
interface WebhookReplayed {
  /** Delivered operations, and the operation that was abandoned. */
  readonly delivered: readonly string[];
  readonly deadLetter: string | undefined;
  readonly failures: number;
  readonly nextAttemptMs: number | null;
  readonly lastError: string | null;
  readonly isGone: boolean;
}

/** Properties of a webhook that deliveries need. */
export interface WebhookJob {
  readonly webhookId: string;
  readonly portalId: string;
  readonly url: string;
  readonly isPrivateAllowed: boolean;
  readonly isDisabled: boolean;
  /** Stored secrets, newest first; messages are signed with each of them. */
  readonly secrets: readonly string[];
  readonly cursor: string;
  /** Number of operations in the log of the portal. */
  readonly logLength: number;
  readonly maxPerSecond: number;
  readonly failures: number;
  readonly nextAttemptMs: number | null;
  /** Number of failed attempts, and time of the next attempt, for operations that are posted again. */
  readonly replayFailures: number;
  readonly replayNextMs: number | null;
}

/** Default number of operations posted to a webhook per second. */
export const DEFAULT_PER_SECOND = 100;
/** Waits before the attempts after the first one, in milliseconds (Standard Webhooks 1.0.0, deliverability). */
export const RETRY_WAITS_MS: readonly number[] = [
  5000,
  ...[5, 30].map((minutes) => minutes * 60_000),
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * 3_600_000),
];
/** Maximum random extension of a wait, as a share of it, so that receivers are not all called at once. */
const JITTER = 0.1;
/** Maximum wait accepted from `Retry-After`, in milliseconds. */
const MAX_RETRY_AFTER_MS = 86_400_000;

/**
 * Wait before the next attempt, in milliseconds; undefined after the last attempt.
 *
 * @param failures number of failed attempts, from 1
 * @param retryAfterMs wait that the receiver requested
 * @param random random number from 0 to 1
 */
export function retryWaitMs(failures: number, retryAfterMs: number | undefined, random: number): number | undefined {
  const wait = RETRY_WAITS_MS[failures - 1];
  if (wait === undefined) return undefined;
  return Math.max(wait * (1 + JITTER * random), Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS));
}
