import { createHash } from 'node:crypto';
import type { Clock } from '../lib/clock.ts';
import type { Delivery, DeliveryResult } from './delivery.ts';
import { PostError, type HttpPost } from './http-post.ts';
import type { QueueRecord } from './queue-record.ts';
import { signWebhook } from './webhook-signature.ts';
import { messageOf } from '../lib/error-message.ts';

/** Maximum wait accepted from `Retry-After`, in milliseconds. */
const MAX_RETRY_AFTER_MS = 3_600_000;

export interface HttpDeliveryOptions {
  readonly post: HttpPost;
  readonly clock: Clock;
  /** Server and sink name, which make message ids unique among sinks. */
  readonly origin: string;
  readonly userAgent: string;
  /** Secrets of Standard Webhooks; without one, messages are not signed. */
  readonly secrets: readonly string[];
}

/** Posts events as a JSON array. Any answer but 2xx is a failure, including redirects. */
export class HttpDelivery implements Delivery {
  readonly #options: HttpDeliveryOptions;
  readonly #abort = new AbortController();

  constructor(options: HttpDeliveryOptions) {
    this.#options = options;
  }

  async deliver(records: readonly QueueRecord[]): Promise<DeliveryResult> {
    const { post, clock, origin, userAgent, secrets } = this.#options;
    const body = `[${records.map(({ text }) => text).join(',')}]`;
    const headers = {
      'content-type': 'application/json',
      'user-agent': userAgent,
      // The same records always have the same id, so that a receiver can recognize a repeated message.
      ...(secrets.length > 0 ? signWebhook(secrets, messageId(origin, records), clock.now(), body) : {}),
    };
    const result = await postOnce(post, body, headers, this.#abort.signal, clock);
    if (result.kind !== 'failed' || result.retryAfterMs === undefined) return result;
    return { ...result, retryAfterMs: Math.min(result.retryAfterMs, MAX_RETRY_AFTER_MS) };
  }

  close(): Promise<void> {
    this.#abort.abort();
    return Promise.resolve();
  }
}

/** Attempts to post once. Never rejects. `retryAfterMs` is not limited; the caller limits it. */
export async function postOnce(
  post: HttpPost,
  body: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
  clock: Clock,
): Promise<DeliveryResult> {
  try {
    const { status, retryAfter } = await post(body, headers, signal);
    return resultOf(status, retryAfterMs(retryAfter, clock.now()));
  } catch (error) {
    const message = messageOf(error);
    return {
      kind: 'failed',
      code: error instanceof PostError && error.isTimeout ? 'event_sink_timeout' : 'event_sink_unreachable',
      message,
    };
  }
}

function resultOf(status: number, retryAfter: number | undefined): DeliveryResult {
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  const message = `answered with status ${status}`;
  if (status === 410) return { kind: 'gone', message };
  if (status === 413) return { kind: 'too_large', message };
  return {
    kind: 'failed',
    code: 'event_sink_refused',
    message,
    ...(retryAfter === undefined ? {} : { retryAfterMs: retryAfter }),
  };
}

/** Milliseconds of a `Retry-After` header: seconds, or a date (RFC 9110 section 10.2.3). */
function retryAfterMs(text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined) return undefined;
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

function messageId(origin: string, records: readonly QueueRecord[]): string {
  const hash = createHash('sha256').update(origin);
  for (const { text } of records) hash.update('\n').update(text);
  return `msg_${hash.digest('base64url').slice(0, 24)}`;
}
