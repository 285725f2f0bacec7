import { createHash } from 'node:crypto';
import type { Clock } from '../lib/clock.ts';
import type { Delivery, DeliveryResult } from './delivery.ts';
import { PostError, type HttpPost } from './http-post.ts';
import type { QueueRecord } from './queue-record.ts';
import { signWebhook } from './webhook-signature.ts';
import { messageOf } from '../lib/error-message.ts';

/** Longest time that `Retry-After` may ask a sink for, in milliseconds. */
const MAX_RETRY_AFTER_MS = 3_600_000;

/** What events are posted with. */
export interface HttpDeliveryOptions {
  readonly post: HttpPost;
  readonly clock: Clock;
  /** What makes the ids of messages differ from those of other sinks: the server and the name of the sink. */
  readonly origin: string;
  readonly userAgent: string;
  /** Secrets of Standard Webhooks; messages are not signed without one. */
  readonly secrets: readonly string[];
}

/** Posts events as a JSON array. Any answer but 2xx is a failure, redirects too. */
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
      // The same for the same records, so that a receiver may know a message that comes again.
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

/** Tries once to post. Never rejects. How long `Retry-After` asks for is as it was answered: the caller knows how long it may be. */
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

/** Milliseconds that a `Retry-After` asks for: seconds, or a date (RFC 9110 section 10.2.3). */
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
