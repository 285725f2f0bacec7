import { randomBytes } from 'node:crypto';
import type { Webhook } from '../../../src-preload/contract/api/subscribers/webhook-objects.ts';
import type { WebhookChange } from '../../subscribers/webhook.ts';
import { done, type PortalDesk, type PortalDeskDeps } from './portal-desk.ts';
import type { SecretSeal } from './secret-seal.ts';
import type { WebhookDeliveries } from './webhook-deliveries.ts';

/** What it works with. */
export interface WebhookDeskDeps extends Pick<PortalDeskDeps, 'store' | 'clock'> {
  readonly portals: Pick<PortalDesk, 'portal'>;
  readonly deliveries: Pick<WebhookDeliveries, 'changed'>;
  readonly seal: Pick<SecretSeal, 'close'>;
}

/** A webhook with its secret, which is shown once. */
export type IssuedWebhook = Webhook & { readonly secret: string };

/** Webhooks of portals, which are the business of the operator of the server. */
export class WebhookDesk {
  readonly #deps: WebhookDeskDeps;

  constructor(deps: WebhookDeskDeps) {
    this.#deps = deps;
  }

  /** The webhooks of a portal; raises `portal_not_found`. */
  async webhooks(portalId: string): Promise<readonly Webhook[]> {
    const { portals, store, clock } = this.#deps;
    await portals.portal(portalId);
    return (await store()).webhooks(portalId, clock.now());
  }

  /** Makes a webhook, which gets what is recorded from then on. Raises `portal_not_found`, `too_many_webhooks`. */
  async create(portalId: string, url: string, isPrivateAllowed: boolean): Promise<IssuedWebhook> {
    const secret = newSecret();
    const kept = this.#deps.seal.close(secret);
    const change = { type: 'createWebhook', portalId, url, isPrivateAllowed, secret: kept } as const;
    return { ...(await this.#change(change)), secret };
  }

  /** Changes a webhook, and tries again at once. Raises `portal_not_found`, `webhook_not_found`. */
  async update(change: WebhookChange & { readonly type: 'updateWebhook' }): Promise<Webhook> {
    return this.#change(change);
  }

  /** Gives a webhook another secret; messages are signed with the one before too for as long as is said. Raises what `update` raises. */
  async rotate(portalId: string, webhookId: string, graceMs: number): Promise<IssuedWebhook> {
    const secret = newSecret();
    const previousUntilMs = this.#deps.clock.now() + graceMs;
    const kept = this.#deps.seal.close(secret);
    const change = { type: 'rotateWebhook', portalId, webhookId, secret: kept, previousUntilMs } as const;
    return { ...(await this.#change(change)), secret };
  }

  /** Removes a webhook: no further attempt is made. Raises what `update` raises. */
  async remove(portalId: string, webhookId: string): Promise<void> {
    await this.#change({ type: 'removeWebhook', portalId, webhookId });
  }

  async #change(change: Exclude<WebhookChange, { readonly type: 'webhookProgress' }>): Promise<Webhook> {
    const { store, clock, deliveries } = this.#deps;
    const { object } = done(await (await store()).write({ kind: 'webhook', change, nowMs: clock.now() }));
    // These changes give the webhook; what was removed is not looked at.
    const webhook = object as Webhook;
    deliveries.changed('webhookId' in change ? change.webhookId : webhook.webhookId, change.portalId);
    return webhook;
  }
}

/** A secret of Standard Webhooks: 256 random bits. */
function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}
