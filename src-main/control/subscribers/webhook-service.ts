import { randomBytes } from 'node:crypto';
import type {
  Webhook,
  WebhookLog,
  WebhookReplay,
} from '../../../src-preload/contract/api/subscribers/webhook-objects.ts';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import type { Page, Portion } from '../../subscribers/subscriber-query.ts';
import {
  DEFAULT_PER_SECOND,
  type DeadLetterPeriod,
  type StoredWebhook,
  type WebhookChange,
} from '../../subscribers/webhook.ts';
import { done, type PortalService, type PortalDeskDeps } from './portal-service.ts';
import type { SecretSeal } from './secret-seal.ts';
import type { WebhookDeliveries } from './webhook-deliveries.ts';
import type { WebhookAttempt, WebhookPosts } from './webhook-posts.ts';

/** What it works with. */
export interface WebhookDeskDeps extends Pick<PortalDeskDeps, 'store' | 'clock'> {
  readonly portals: Pick<PortalService, 'portal'>;
  readonly deliveries: Pick<WebhookDeliveries, 'changed'>;
  readonly posts: Pick<WebhookPosts, 'test' | 'attempts'>;
  readonly seal: Pick<SecretSeal, 'close'>;
}

/** Operations that are posted again at once, at most, and that are looked up together. */
const MAX_REPLAYED = 10_000;
const PORTION = 1000;

/** A webhook with its secret, which is shown once. */
export type IssuedWebhook = Webhook & { readonly secret: string };

/** Webhooks of portals, which are the business of the operator of the server. */
export class WebhookService {
  readonly #deps: WebhookDeskDeps;

  constructor(deps: WebhookDeskDeps) {
    this.#deps = deps;
  }

  /** The webhooks of a portal; raises `portal_not_found`. */
  async webhooks(portalId: string): Promise<readonly Webhook[]> {
    const { portals, store, clock } = this.#deps;
    await portals.portal(portalId);
    const kept = await (await store()).webhooks(portalId, clock.now());
    return Promise.all(kept.map((one) => this.#withBacklog(portalId, one)));
  }

  /** Makes a webhook, which gets what is recorded from then on. Raises `portal_not_found`, `too_many_webhooks`. */
  async create(
    portalId: string,
    url: string,
    isPrivateAllowed: boolean,
    maxPerSecond = DEFAULT_PER_SECOND,
  ): Promise<IssuedWebhook> {
    const secret = newSecret();
    const kept = this.#deps.seal.close(secret);
    const change = { type: 'createWebhook', portalId, url, isPrivateAllowed, maxPerSecond, secret: kept } as const;
    return { ...shown(await this.#change(change)), secret };
  }

  /** Changes a webhook, and tries again at once. Raises `portal_not_found`, `webhook_not_found`. */
  async update(change: WebhookChange & { readonly type: 'updateWebhook' }): Promise<Webhook> {
    return shown(await this.#change(change));
  }

  /** Gives a webhook another secret; messages are signed with the one before too for as long as is said. Raises what `update` raises. */
  async rotate(portalId: string, webhookId: string, graceMs: number): Promise<IssuedWebhook> {
    const secret = newSecret();
    const previousUntilMs = this.#deps.clock.now() + graceMs;
    const kept = this.#deps.seal.close(secret);
    const change = { type: 'rotateWebhook', portalId, webhookId, secret: kept, previousUntilMs } as const;
    return { ...shown(await this.#change(change)), secret };
  }

  /** Removes a webhook: no further attempt is made. Raises what `update` raises. */
  async remove(portalId: string, webhookId: string): Promise<void> {
    await this.#change({ type: 'removeWebhook', portalId, webhookId });
  }

  /** The last attempts of a webhook, and what it did not take. Raises what `update` raises. */
  async log(portalId: string, webhookId: string): Promise<WebhookLog> {
    await this.#require(portalId, webhookId);
    const { items } = await (await this.#deps.store()).deadLetters(webhookId, { afterId: undefined, limit: PORTION });
    return { attempts: [...this.#deps.posts.attempts(webhookId)], deadLetters: [...items] };
  }

  /** A portion of what a webhook did not take, the newest first. Raises what `update` raises. */
  async deadLetters(
    portalId: string,
    webhookId: string,
    portion: Portion,
  ): Promise<Page<WebhookLog['deadLetters'][number]>> {
    await this.#require(portalId, webhookId);
    return (await this.#deps.store()).deadLetters(webhookId, portion);
  }

  /**
   * Forgets what a webhook did not take, which stays in the log: one operation, or those of a period. Returns how many, or how many it would be. Raises
   * `operation_not_found` and what `update` raises.
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

  /** Posts a message to a webhook that is no operation. Raises what `update` raises. */
  async test(portalId: string, webhookId: string): Promise<Omit<WebhookAttempt, 'at' | 'operationId'>> {
    await this.#require(portalId, webhookId);
    const job = await (await this.#deps.store()).webhookJob(webhookId, this.#deps.clock.now());
    if (!job) throw new AirdeskError('webhook_not_found');
    const { isTaken, error, durationMs } = await this.#deps.posts.test(job);
    return { isTaken, error, durationMs };
  }

  /** Posts operations again, under their ids. Returns how many, or how many it would be. Raises `bad_request` and what `update` raises. */
  async replay(portalId: string, webhookId: string, wanted: WebhookReplay): Promise<number> {
    await this.#require(portalId, webhookId);
    const operationIds = await this.#wanted(portalId, webhookId, wanted);
    if (wanted.isPreview !== true && operationIds.length > 0)
      await this.#change({ type: 'replayWebhook', portalId, webhookId, operationIds });
    return operationIds.length;
  }

  /** The operations that a request means, which are there. */
  async #wanted(portalId: string, webhookId: string, wanted: WebhookReplay): Promise<readonly string[]> {
    const { operationIds, isDeadLetters, from, before } = wanted;
    const ways = [operationIds, isDeadLetters, from ?? before].filter((way) => way !== undefined).length;
    if (ways !== 1)
      throw new AirdeskError('bad_request', 'Say which in one way: operationIds, isDeadLetters, or from and before');
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
        subscriberIds: undefined,
        packageId: undefined,
        types: undefined,
        isDescending: false,
        fromMs: from === undefined ? undefined : Date.parse(from),
        beforeMs: before === undefined ? undefined : Date.parse(before),
        afterId: ids.at(-1),
        limit: PORTION,
      });
      for (const { operationId } of page.items) ids.push(operationId);
      if (ids.length > MAX_REPLAYED)
        throw new AirdeskError(
          'bad_request',
          `There are more than ${MAX_REPLAYED} operations in it: take a shorter period`,
        );
      if (!page.hasMore) return ids;
    }
  }

  /** A webhook with what waits for it: all behind the first operation that was not dealt with. */
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
    // These changes give the webhook; what was removed is not looked at.
    const webhook = object as StoredWebhook | null;
    const webhookId = 'webhookId' in change ? change.webhookId : webhook?.webhookId;
    if (webhookId !== undefined) deliveries.changed(webhookId, change.portalId);
    return webhook ? this.#withBacklog(change.portalId, webhook) : undefined;
  }
}

/** The webhook that a change gives. Raises `webhook_not_found` where it was removed meanwhile. */
function shown(webhook: Webhook | undefined): Webhook {
  if (!webhook) throw new AirdeskError('webhook_not_found');
  return webhook;
}

/** A secret of Standard Webhooks: 256 random bits. */
function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}
