import type {
  Package,
  Portal,
  PortalKey,
  PORTAL_SCOPES,
  Subscriber,
  Subscription,
} from '../../src-preload/contract/api/subscribers/subscriber-objects.ts';
import type { ErrorValue } from '../../src-preload/contract/errors.ts';
import type { ViewerToken } from '../../src-preload/contract/api/subscribers/viewer-token-objects.ts';
import type { ViewerTokenChange } from './viewer.ts';
import type { Command } from './command.ts';
import type { StoredWebhook, WebhookChange } from './webhook.ts';

/** Scope of a key. */
export type PortalScope = (typeof PORTAL_SCOPES)[number];

/** A change of portals and keys by the operator of the server. */
export type PortalChange =
  | { readonly type: 'createPortal'; readonly name: string; readonly isAutoRegistration: boolean }
  | {
      readonly type: 'updatePortal';
      readonly portalId: string;
      readonly name: string | undefined;
      readonly isAutoRegistration: boolean | undefined;
      readonly isDisabled: boolean | undefined;
    }
  | {
      readonly type: 'createKey';
      readonly portalId: string;
      readonly name: string;
      readonly scopes: readonly PortalScope[];
      /** SHA-256 of the secret, hexadecimal. */
      readonly hash: string;
    }
  | {
      readonly type: 'rotateKey';
      readonly portalId: string;
      readonly keyId: string;
      readonly hash: string;
      /** End of validity of the previous secret, in epoch milliseconds. */
      readonly previousUntilMs: number;
    }
  | { readonly type: 'removeKey'; readonly portalId: string; readonly keyId: string }
  /** Records the use of a key. */
  | { readonly type: 'useKey'; readonly keyId: string };

/** Storage tiers of the operations log. */
export interface LogRetention {
  readonly nowMs: number;
  /** Time that operations stay in the database, in milliseconds. */
  readonly hotMs: number;
  /** Time that months stay in files beside the database, in milliseconds from now. */
  readonly warmMs: number;
  /** Folder of older months. */
  readonly coldFolder: string;
}

/** An atomic change. */
export type SubscriberWrite =
  | { readonly kind: 'portal'; readonly change: PortalChange; readonly nowMs: number }
  | { readonly kind: 'webhook'; readonly change: WebhookChange; readonly nowMs: number }
  | { readonly kind: 'viewer-token'; readonly change: ViewerTokenChange; readonly nowMs: number }
  /** Signs digests of the log for finished hours without one. */
  | { readonly kind: 'digests'; readonly privateKey: string; readonly nowMs: number }
  | {
      readonly kind: 'command';
      readonly portalId: string;
      readonly command: Command;
      /** Name of the key that sent it. */
      readonly keyName: string;
      /** Author as stated by the caller. */
      readonly managerEmail: string | undefined;
      readonly nowMs: number;
      /** A repetition with the same key gets the same result and changes nothing. */
      readonly idempotency: { readonly key: string; readonly fingerprint: string } | undefined;
    };

/** Object of a change after the change; null if deleted. */
export type WrittenObject =
  Portal | PortalKey | Subscriber | Package | Subscription | StoredWebhook | ViewerToken | null;

/** Result of a change. */
export type WriteResult =
  | {
      readonly ok: true;
      readonly object: WrittenObject;
      /** True if this change created the object. */
      readonly isNew: boolean;
      /** True if it is the result of an earlier request with the same key. */
      readonly isReplayed: boolean;
    }
  | { readonly ok: false; readonly error: ErrorValue };
