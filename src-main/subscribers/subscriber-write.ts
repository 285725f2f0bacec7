import type {
  Package,
  Portal,
  PortalKey,
  PORTAL_SCOPES,
  Subscriber,
  Subscription,
} from '../../src-preload/contract/api/subscriber-objects.ts';
import type { ErrorValue } from '../../src-preload/contract/errors.ts';
import type { ViewerToken } from '../../src-preload/contract/api/subscribers/viewer-token-objects.ts';
import type { ViewerTokenChange } from './viewer.ts';
import type { Command } from './command.ts';
import type { KeptWebhook, WebhookChange } from './webhook.ts';

/** Scope of a key. */
export type PortalScope = (typeof PORTAL_SCOPES)[number];

/** A change of portals and keys, which is the business of the operator of the server. */
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
      /** Until when the secret before counts, in epoch milliseconds. */
      readonly previousUntilMs: number;
    }
  | { readonly type: 'removeKey'; readonly portalId: string; readonly keyId: string }
  /** A key was used. */
  | { readonly type: 'useKey'; readonly keyId: string };

/** What of the operations log lies where. */
export interface LogRetention {
  readonly nowMs: number;
  /** How long operations stay in the database, in milliseconds. */
  readonly hotMs: number;
  /** How long months stay beside it, in milliseconds from now. */
  readonly warmMs: number;
  /** Folder of older months. */
  readonly coldFolder: string;
}

/** One change that is to be made, all or none of it. */
export type SubscriberWrite =
  | { readonly kind: 'portal'; readonly change: PortalChange; readonly nowMs: number }
  | { readonly kind: 'webhook'; readonly change: WebhookChange; readonly nowMs: number }
  | { readonly kind: 'viewer-token'; readonly change: ViewerTokenChange; readonly nowMs: number }
  /** Digests of the log are signed, for the hours that are over and have none. */
  | { readonly kind: 'digests'; readonly privateKey: string; readonly nowMs: number }
  | {
      readonly kind: 'command';
      readonly portalId: string;
      readonly command: Command;
      /** Name of the key that made it. */
      readonly keyName: string;
      /** Who made it, by their own words. */
      readonly managerEmail: string | undefined;
      readonly nowMs: number;
      /** A repetition under the same key gets the same result and changes nothing. */
      readonly idempotency: { readonly key: string; readonly fingerprint: string } | undefined;
    };

/** What a change is about, as it is then; null for what is gone. */
export type WrittenObject = Portal | PortalKey | Subscriber | Package | Subscription | KeptWebhook | ViewerToken | null;

/** What became of a change. */
export type WriteResult =
  | {
      readonly ok: true;
      readonly object: WrittenObject;
      /** Whether the object is there since this change. */
      readonly isNew: boolean;
      /** Whether it is the result of an earlier request with the same key. */
      readonly isReplayed: boolean;
    }
  | { readonly ok: false; readonly error: ErrorValue };
