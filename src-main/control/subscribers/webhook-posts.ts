import type { Operation } from '../../../src-preload/contract/api/subscribers/operation-object.ts';
import type { WebhookLog } from '../../../src-preload/contract/api/subscribers/webhook-objects.ts';
import type { DeliveryResult } from '../../events/delivery.ts';
import { postOnce } from '../../events/http-delivery.ts';
import { httpPost } from '../../events/http-post.ts';
import { signWebhook } from '../../events/webhook-signature.ts';
import { isoTime, type Clock } from '../../lib/clock.ts';
import { OutgoingHosts } from '../../lib/outgoing-hosts.ts';
import type { WebhookJob } from '../../subscribers/webhook.ts';
import type { SecretSeal } from './secret-seal.ts';

interface WebhookPostsDeps {
  readonly clock: Clock;
  readonly seal: Pick<SecretSeal, 'open'>;
}

/** Attempt to post a message. */
export type WebhookAttempt = WebhookLog['attempts'][number];

/** Connection to a receiver. */
interface Receiver {
  /** Posts an operation, or a test message for null. Never rejects. */
  post(operation: Operation | null, signal: AbortSignal): Promise<DeliveryResult>;
  close(): void;
}

const TIMEOUT_MS = 20_000;
/** Maximum number of remembered attempts of a webhook. */
const MAX_ATTEMPTS = 100;

/** Posts signed messages to the receivers of webhooks, and remembers the last attempts of each. */
export class WebhookPosts {
  readonly #deps: WebhookPostsDeps;
  readonly #attempts = new Map<string, readonly WebhookAttempt[]>();

  constructor(deps: WebhookPostsDeps) {
    this.#deps = deps;
  }

  /** Opens connections to the receiver of a webhook. Raises the errors of decrypting its secrets. */
  open({ webhookId, url, isPrivateAllowed, secrets: sealed }: WebhookJob): Receiver {
    const { clock, seal } = this.#deps;
    const secrets = sealed.map((one) => seal.open(one));
    const address = new URL(url);
    const hosts = new OutgoingHosts();
    const rule = isPrivateAllowed ? hosts.from(address) : hosts.publicOnly(address);
    const { post, close } = httpPost(url, TIMEOUT_MS, clock, rule);
    return {
      post: async (operation, signal) => {
        const startMs = clock.now();
        const { id, body } = messageOf(operation, startMs);
        const signed = signWebhook(secrets, id, startMs, body);
        const headers = { 'content-type': 'application/json', 'user-agent': 'Airdesk', ...signed };
        const result = await postOnce(post, body, headers, signal, clock);
        this.#note(webhookId, {
          at: isoTime(startMs),
          operationId: operation?.operationId ?? null,
          isTaken: result.kind === 'delivered',
          error: result.kind === 'delivered' ? null : result.message,
          durationMs: clock.now() - startMs,
        });
        return result;
      },
      close,
    };
  }

  /** Posts a test message, ahead of the queue. */
  async test(job: WebhookJob): Promise<WebhookAttempt> {
    const receiver = this.open(job);
    try {
      await receiver.post(null, new AbortController().signal);
    } finally {
      receiver.close();
    }
    const attempt = this.attempts(job.webhookId).find(({ operationId }) => operationId === null);
    if (!attempt) throw new Error('the attempt of a test message was not recorded');
    return attempt;
  }

  /** Last attempts of a webhook since the start of the server, newest first. */
  attempts(webhookId: string): readonly WebhookAttempt[] {
    return (this.#attempts.get(webhookId) ?? []).toReversed();
  }

  forget(webhookId: string): void {
    this.#attempts.delete(webhookId);
  }

  #note(webhookId: string, attempt: WebhookAttempt): void {
    this.#attempts.set(webhookId, [...(this.#attempts.get(webhookId) ?? []).slice(1 - MAX_ATTEMPTS), attempt]);
  }
}

/** Message of an operation, with its id. All attempts have the same id, so that a receiver recognizes repetitions. */
function messageOf(operation: Operation | null, nowMs: number): { readonly id: string; readonly body: string } {
  if (!operation) return { id: `test_${nowMs}`, body: JSON.stringify({ type: 'test', createdAt: isoTime(nowMs) }) };
  const { operationId, type, subscriberId, packageId, createdAt } = operation;
  const body = JSON.stringify({ operationId, type, subscriberId, packageId, createdAt });
  // Ids must not contain a full stop, which separates the parts of the signed text.
  return { id: `op_${Buffer.from(operationId, 'base64').toString('base64url')}`, body };
}
