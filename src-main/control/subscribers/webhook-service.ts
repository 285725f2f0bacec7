import { randomBytes } from 'node:crypto';
import type {
  Webhook,
  WebhookLog,
  WebhookReplay,
} from '../../../src-preload/contract/api/subscribers/webhook-objects.ts';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import type { Page, PageRequest } from '../../subscribers/subscriber-query.ts';
import {
  DEFAULT_PER_SECOND,
  type DeadLetterPeriod,
  type StoredWebhook,
  type WebhookChange,
} from '../../subscribers/webhook.ts';
import { done, type PortalService, type PortalServiceDeps } from './portal-service.ts';
import type { SecretSeal } from './secret-seal.ts';
import type { WebhookDeliveries } from './webhook-deliveries.ts';
import type { WebhookAttempt, WebhookPosts } from './webhook-posts.ts';

export interface WebhookServiceDeps extends Pick<PortalServiceDeps, 'store' | 'clock'> {
  readonly portals: Pick<PortalService, 'portal'>;
  readonly deliveries: Pick<WebhookDeliveries, 'changed'>;
  readonly posts: Pick<WebhookPosts, 'test' | 'attempts'>;
  readonly seal: Pick<SecretSeal, 'close'>;
}

/** Maximum number of operations that one request posts again, and number of operations that are looked up together. */
const MAX_REPLAYED = 10_000;
const PAGE_SIZE = 1000;

/** Webhook with its secret, which is shown only once. */
export type IssuedWebhook = Webhook & { readonly secret: string };

/** Webhooks of portals, managed by the operator of the server. */
export class WebhookService {
  readonly #deps: WebhookServiceDeps;

  constructor(deps: WebhookServiceDeps) {
    this.#deps = deps;
  }

  /** Webhooks of a portal; raises `portal_not_found`. */
  async webhooks(portalId: string): Promise<readonly Webhook[]> {
    const { portals, store, clock } = this.#deps;
    await portals.portal(portalId);
    const stored = await (await store()).webhooks(portalId, clock.now());
    return Promise.all(stored.map((one) => this.#withBacklog(portalId, one)));
  }

  /** Creates a webhook, which receives operations from then on. Raises `portal_not_found`, `too_many_webhooks`. */
  async create(
    portalId: string,
    url: string,
    isPrivateAllowed: boolean,
    maxPerSecond = DEFAULT_PER_SECOND,
  ): Promise<IssuedWebhook> {
    const secret = newSecret();
    const sealed = this.#deps.seal.close(secret);
    const change = { type: 'createWebhook', portalId, url, isPrivateAllowed, maxPerSecond, secret: sealed } as const;
    return { ...shown(await this.#change(change)), secret };
  }

  /** Changes a webhook, whose next attempt then follows at once. Raises `portal_not_found`, `webhook_not_found`. */
  async update(change: WebhookChange & { readonly type: 'updateWebhook' }): Promise<Webhook> {
    return shown(await this.#change(change));
  }

  /**
   * Gives a webhook another secret. Messages are also signed with the old one for the given time. Raises the errors of `update`.
   */
  async rotate(portalId: string, webhookId: string, graceMs: number): Promise<IssuedWebhook> {
    const secret = newSecret();
    const previousUntilMs = this.#deps.clock.now() + graceMs;
    const sealed = this.#deps.seal.close(secret);
    const change = { type: 'rotateWebhook', portalId, webhookId, secret: sealed, previousUntilMs } as const;
    return { ...shown(await this.#change(change)), secret };
  }

  /** Removes a webhook; no further attempt is made. Raises the errors of `update`. */
  async remove(portalId: string, webhookId: string): Promise<void> {
    await this.#change({ type: 'removeWebhook', portalId, webhookId });
  }

  /** Last attempts of a webhook, and its undelivered operations. Raises the errors of `update`. */
  async log(portalId: string, webhookId: string): Promise<WebhookLog> {
    await this.#require(portalId, webhookId);
    const { items } = await (await this.#deps.store()).deadLetters(webhookId, { afterId: undefined, limit: PAGE_SIZE });
    return { attempts: [...this.#deps.posts.attempts(webhookId)], deadLetters: [...items] };
  }

  /** Page of a webhook's undelivered operations, newest first. Raises the errors of `update`. */
  async deadLetters(
    portalId: string,
    webhookId: string,
    portion: PageRequest,
  ): Promise<Page<WebhookLog['deadLetters'][number]>> {
    await this.#require(portalId, webhookId);
    return (await this.#deps.store()).deadLetters(webhookId, portion);
  }

  /**
   * Discards undelivered operations, one or those of a period. They stay in the log. Returns their number, also for a dry run.
   * Raises `operation_not_found` and the errors of `update`.
   */
  async discard(
    portalId: string,
    webhookId: string,
    {
      operationId,
      isPreview,
      ...period
    }: DeadLetterPeriod & { readonly operationId: string | undefined; readonly isPreview: boolean },
  ): Promise<number> {
    await this.#require(portalId, webhookId);
    const count = await (await this.#deps.store()).deadLetterCount(webhookId, operationId, period);
    if (operationId !== undefined && count === 0) throw new AirdeskError('operation_not_found');
    if (!isPreview && count > 0)
      await this.#change({ type: 'discardDeadLetters', portalId, webhookId, operationId, period });
    return count;
  }

  /** Posts a test message to a webhook. Raises the errors of `update`. */
  async test(portalId: string, webhookId: string): Promise<Omit<WebhookAttempt, 'at' | 'operationId'>> {
    await this.#require(portalId, webhookId);
    const job = await (await this.#deps.store()).webhookJob(webhookId, this.#deps.clock.now());
    if (!job) throw new AirdeskError('webhook_not_found');
    const { isTaken, error, durationMs } = await this.#deps.posts.test(job);
    return { isTaken, error, durationMs };
  }

  /**
   * Posts operations again, with their ids. Returns their number, also for a dry run. Raises `bad_request` and the errors of
   * `update`.
   */
  async replay(portalId: string, webhookId: string, request: WebhookReplay): Promise<number> {
    await this.#require(portalId, webhookId);
    const operationIds = await this.#requestedIds(portalId, webhookId, request);
    if (request.isPreview !== true && operationIds.length > 0)
      await this.#change({ type: 'replayWebhook', portalId, webhookId, operationIds });
    return operationIds.length;
  }

  /** Ids of the existing operations that a request selects. */
  async #requestedIds(portalId: string, webhookId: string, request: WebhookReplay): Promise<readonly string[]> {
    const { operationIds, isDeadLetters, from, before } = request;
    const ways = [operationIds, isDeadLetters, from ?? before].filter((way) => way !== undefined).length;
    if (ways !== 1)
      throw new AirdeskError(
        'bad_request',
        'Select the operations in one way: operationIds, isDeadLetters, or from and before',
      );
    const store = await this.#deps.store();
    if (isDeadLetters) {
      const portion = { afterId: undefined, limit: MAX_REPLAYED };
      return (await store.deadLetters(webhookId, portion)).items.map(({ operationId }) => operationId);
    }
    if (operationIds) {
      const ids = [...new Set(operationIds)];
      const found: string[] = [];
      for (const id of ids) if (await store.operation(portalId, id)) found.push(id);
      if (found.length < ids.length) throw new AirdeskError('operation_not_found');
      return found;
    }
    const ids: string[] = [];
    for (;;) {
      const page = await store.operations(portalId, {
        isDescending: false,
        fromMs: from === undefined ? undefined : Date.parse(from),
        beforeMs: before === undefined ? undefined : Date.parse(before),
        afterId: ids.at(-1),
        limit: PAGE_SIZE,
      });
      for (const { operationId } of page.items) ids.push(operationId);
      if (ids.length > MAX_REPLAYED)
        throw new AirdeskError('bad_request', `The period has more than ${MAX_REPLAYED} operations. Use a shorter one`);
      if (!page.hasMore) return ids;
    }
  }

  /** Webhook with the size of its backlog: all operations after the first undelivered one. */
  async #withBacklog(portalId: string, webhook: StoredWebhook): Promise<Webhook> {
    const { store, clock } = this.#deps;
    const job = await (await store()).webhookJob(webhook.webhookId, clock.now());
    const [first] = job ? await (await store()).records(portalId, job.cursor, 1) : [];
    const backlog = job && first ? Math.max(1, job.logLength - first.sequence + 1) : 0;
    return { ...webhook, backlog, oldestAt: first?.operation.createdAt ?? null };
  }

  async #require(portalId: string, webhookId: string): Promise<void> {
    const { portals, store, clock } = this.#deps;
    await portals.portal(portalId);
    if (!(await (await store()).webhooks(portalId, clock.now())).some((one) => one.webhookId === webhookId))
      throw new AirdeskError('webhook_not_found');
  }

  async #change(
    change: Exclude<WebhookChange, { readonly type: 'webhookProgress' | 'webhookReplayed' }>,
  ): Promise<Webhook | undefined> {
    const { store, clock, deliveries } = this.#deps;
    const { object } = done(await (await store()).write({ kind: 'webhook', change, nowMs: clock.now() }));
    // The object of these changes is the webhook. The object of a removal is not used.
    const webhook = object as StoredWebhook | null;
    const webhookId = 'webhookId' in change ? change.webhookId : webhook?.webhookId;
    if (webhookId !== undefined) deliveries.changed(webhookId, change.portalId);
    return webhook ? this.#withBacklog(change.portalId, webhook) : undefined;
  }
}

/** Webhook that a change returns. Raises `webhook_not_found` if the webhook was removed in the meantime. */
function shown(webhook: Webhook | undefined): Webhook {
  if (!webhook) throw new AirdeskError('webhook_not_found');
  return webhook;
}

/** Generates a secret of Standard Webhooks: 256 random bits. */
function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}
