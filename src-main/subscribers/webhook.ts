import type { Webhook } from '../../src-preload/contract/api/subscribers/webhook-objects.ts';

/** A webhook as the database has it: what waits for it is found in the log. */
export type KeptWebhook = Omit<Webhook, 'backlog' | 'oldestAt'>;

/** Which operations that were given up are meant: those of a time, from it and before it, in epoch milliseconds. */
export interface DeadLetterPeriod {
  readonly fromMs: number | undefined;
  readonly beforeMs: number | undefined;
}

/** How full the queues of all webhooks are. */
export interface WebhookFigures {
  /** Operations that were given up and are listed, and those that are not any more because there were too many. */
  readonly deadLetters: number;
  readonly deadLettersDropped: number;
  /** Operations that wait to be posted again. */
  readonly replays: number;
  /** Webhooks whose last attempt failed, and those that are switched off. */
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
      /** Most operations that are posted in a second, in the long run. */
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
      /** Until when messages are signed with the secret before too, in epoch milliseconds. */
      readonly previousUntilMs: number;
    }
  | { readonly type: 'removeWebhook'; readonly portalId: string; readonly webhookId: string }
  /** Operations are posted again, behind those that are new; each waits once. */
  | {
      readonly type: 'replayWebhook';
      readonly portalId: string;
      readonly webhookId: string;
      readonly operationIds: readonly string[];
    }
  /** Operations that were given up are forgotten: one, or those of a period. */
  | {
      readonly type: 'discardDeadLetters';
      readonly portalId: string;
      readonly webhookId: string;
      readonly operationId: string | undefined;
      readonly period: DeadLetterPeriod;
    }
  /** Some that were posted again are dealt with, or an attempt failed. */
  | ({ readonly type: 'webhookReplayed'; readonly webhookId: string; readonly url: string } & WebhookReplayed)
  /** Operations were delivered, or an attempt failed. It counts only while the webhook has the same address. */
  | ({ readonly type: 'webhookProgress'; readonly webhookId: string; readonly url: string } & WebhookProgress);

/** How far deliveries of a webhook are. */
export interface WebhookProgress {
  /** The newest operation that was dealt with: delivered, or given up. */
  readonly cursor: string;
  /** How many operations were delivered since the progress before, and how many were given up. */
  readonly delivered: number;
  readonly deadLetters: number;
  /** Attempts of the next operation that failed. */
  readonly failures: number;
  /** Not before it, in epoch milliseconds; null for at once. */
  readonly nextAttemptMs: number | null;
  readonly lastError: string | null;
  /** Whether the receiver wants nothing any more. */
  readonly isGone: boolean;
}

/** How far operations that are posted again are. */
interface WebhookReplayed {
  /** Those that were delivered, and the one that was given up. */
  readonly delivered: readonly string[];
  readonly deadLetter: string | undefined;
  readonly failures: number;
  readonly nextAttemptMs: number | null;
  readonly lastError: string | null;
  readonly isGone: boolean;
}

/** A webhook as deliveries need it. */
export interface WebhookJob {
  readonly webhookId: string;
  readonly portalId: string;
  readonly url: string;
  readonly isPrivateAllowed: boolean;
  readonly isDisabled: boolean;
  /** Messages are signed with each of them, the newest first; as they are kept. */
  readonly secrets: readonly string[];
  readonly cursor: string;
  /** Operations in the log of the portal. */
  readonly logLength: number;
  readonly maxPerSecond: number;
  readonly failures: number;
  readonly nextAttemptMs: number | null;
  /** The same of operations that are posted again, which have a schedule of their own. */
  readonly replayFailures: number;
  readonly replayNextMs: number | null;
}

/** Operations that are posted to a webhook in a second where nothing else is set. */
export const DEFAULT_PER_SECOND = 100;
/** Waits before the attempts that follow the first one, in milliseconds (Standard Webhooks 1.0.0, deliverability). */
export const RETRY_WAITS_MS: readonly number[] = [
  5000,
  ...[5, 30].map((minutes) => minutes * 60_000),
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * 3_600_000),
];
/** How much longer a wait may get, as a share of it, so that not all receivers are asked at the same moment. */
const JITTER = 0.1;
/** Longest time that `Retry-After` may ask for, in milliseconds. */
const MOST_RETRY_AFTER_MS = 86_400_000;

/** How long to wait before the next attempt; undefined where there is none: the operation is given up. @param failures attempts that failed, from 1 */
export function retryWaitMs(failures: number, retryAfterMs: number | undefined, random: number): number | undefined {
  const wait = RETRY_WAITS_MS[failures - 1];
  if (wait === undefined) return undefined;
  return Math.max(wait * (1 + JITTER * random), Math.min(retryAfterMs ?? 0, MOST_RETRY_AFTER_MS));
}
