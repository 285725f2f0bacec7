import type { PORTAL_OPERATIONS } from '../../../src-preload/contract/operations/portals.ts';
import type { Handlers } from '../../operators/handlers.ts';
import type { PortalService } from './portal-service.ts';
import { nextOf } from './subscriber-reads.ts';
import type { WebhookService } from './webhook-service.ts';

/** Default validity of a replaced secret, in seconds. */
const GRACE_SECONDS = 86_400;

export function portalOperations({
  portals,
  webhooks,
}: {
  readonly portals: PortalService;
  readonly webhooks: WebhookService;
}): Handlers<typeof PORTAL_OPERATIONS> {
  return {
    'portals.list': async () => ({ portals: [...(await (await portals.store()).portals())] }),
    'portals.create': ({ name, isAutoRegistration = false }) =>
      portals.changePortal({ type: 'createPortal', name, isAutoRegistration }),
    'portals.get': ({ portalId }) => portals.portal(portalId),
    'portals.update': ({ portalId, name, isAutoRegistration, isDisabled }) =>
      portals.changePortal({ type: 'updatePortal', portalId, name, isAutoRegistration, isDisabled }),
    'portals.keys': async ({ portalId }) => ({ keys: [...(await portals.keys(portalId))] }),
    'portals.create_key': ({ portalId, name, scopes = ['write'] }) => portals.createKey(portalId, name, scopes),
    'portals.rotate_key': ({ portalId, keyId, graceSeconds = GRACE_SECONDS }) =>
      portals.rotateKey(portalId, keyId, graceSeconds * 1000),
    'portals.remove_key': ({ portalId, keyId }) => portals.removeKey(portalId, keyId),
    'portals.webhooks': async ({ portalId }) => ({ webhooks: [...(await webhooks.webhooks(portalId))] }),
    'portals.create_webhook': ({ portalId, url, isPrivateAllowed = false, maxPerSecond }) =>
      webhooks.create(portalId, url, isPrivateAllowed, maxPerSecond),
    'portals.update_webhook': ({ portalId, webhookId, url, isPrivateAllowed, isDisabled, maxPerSecond }) =>
      webhooks.update({ type: 'updateWebhook', portalId, webhookId, url, isPrivateAllowed, isDisabled, maxPerSecond }),
    'portals.rotate_webhook': ({ portalId, webhookId, graceSeconds = GRACE_SECONDS }) =>
      webhooks.rotate(portalId, webhookId, graceSeconds * 1000),
    'portals.remove_webhook': ({ portalId, webhookId }) => webhooks.remove(portalId, webhookId),
    'portals.webhook_log': ({ portalId, webhookId }) => webhooks.log(portalId, webhookId),
    'portals.test_webhook': ({ portalId, webhookId }) => webhooks.test(portalId, webhookId),
    'portals.replay_webhook': async ({ portalId, webhookId, ...replay }) => ({
      count: await webhooks.replay(portalId, webhookId, replay),
    }),
    'portals.dead_letters': async ({ portalId, webhookId, afterId, limit }) => {
      const page = await webhooks.deadLetters(portalId, webhookId, { afterId, limit });
      return { deadLetters: [...page.items], next: nextOf(page, ({ operationId }) => operationId) };
    },
  };
}
