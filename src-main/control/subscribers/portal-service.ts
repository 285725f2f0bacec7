import { createHash, randomBytes } from 'node:crypto';
import type { Operation } from '../../../src-preload/contract/api/subscribers/operation-object.ts';
import type {
  Package,
  Portal,
  PortalKey,
  Subscriber,
} from '../../../src-preload/contract/api/subscribers/subscriber-objects.ts';
import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import type { OpenedPortal } from '../../db/subscribers/subscriber-reader.ts';
import type { SubscribersOnThread } from '../../db/thread/subscribers-on-thread.ts';
import type { Clock } from '../../lib/clock.ts';
import { addressGroup } from '../../lib/network-address.ts';
import { AttemptLimiter } from '../../operators/attempt-limiter.ts';
import type { Command } from '../../subscribers/command.ts';
import type { PortalChange, PortalScope, WriteResult } from '../../subscribers/subscriber-write.ts';

export interface PortalServiceDeps {
  /** Opens the database if it is not open. Raises `unavailable`. */
  readonly store: () => Promise<SubscribersOnThread>;
  readonly clock: Clock;
  /** Called after a command in a portal, which may have recorded operations. */
  readonly recorded?: (portalId: string, command: Command) => void;
  /** Called for a wrong key, at most once a minute for each address and portal of the key. */
  readonly keyRefused?: (refusal: KeyRefusal) => void;
  /** Called after a portal was created or changed. */
  readonly portalChanged?: () => void;
}

export interface KeyRefusal {
  readonly address: string;
  /** Portal of the key, if the key was replaced or the portal is switched off; undefined for an unknown key. */
  readonly portalId: string | undefined;
  /** Whether the address has to wait because of too many wrong keys. */
  readonly isSlowed: boolean;
}

export interface PortalCaller {
  readonly portalId: string;
  readonly keyName: string;
}

export interface CommandContext {
  /** Author of the command, as the caller states it. */
  readonly managerEmail: string | undefined;
  /** A repeated command with the same key changes nothing and gets the same result. */
  readonly idempotency: { readonly key: string; readonly fingerprint: string } | undefined;
}

/** Change that was made. */
export type Written = Extract<WriteResult, { readonly ok: true }>;

/** Minimum interval between two recorded uses of a key, in milliseconds. */
const USE_MS = 60_000;
/**
 * Minimum interval between two reports of a wrong key for an address and portal, in milliseconds, and number of remembered
 * reports.
 */
const REFUSED_MS = 60_000;
const MAX_REFUSED = 10_000;
/** Maximum number of keys in the cache. */
const MAX_OPENED = 1000;
/** Order of the scopes. A scope with a higher number includes the scopes with lower numbers. */
const RANKS: Readonly<Record<PortalScope, number>> = { operations: 0, read: 1, write: 2 };

/** Queries of the database. Changes go through `PortalService`. */
type PortalLists = Pick<
  SubscribersOnThread,
  | 'operations'
  | 'subscribers'
  | 'subscribersLike'
  | 'subscribersOfKeys'
  | 'packages'
  | 'packagesLike'
  | 'packagesOf'
  | 'subscriptions'
  | 'portals'
>;

/** Portals, and the commands of callers with their keys. */
export class PortalService {
  /** Opens the database if it is not open. Raises `unavailable`. */
  readonly store: () => Promise<PortalLists>;
  readonly #deps: PortalServiceDeps;
  /** Limits the number of wrong keys of each address. */
  readonly #limiter: AttemptLimiter;
  /**
   * Valid keys by the hashes of their secrets, oldest first. Every change of portals and keys goes through this class and
   * empties the cache.
   */
  readonly #opened = new Map<string, OpenedPortal>();
  /** Number of changes. Data that was read before a change is not cached. */
  #changes = 0;
  /** Time of the last report of a wrong key, by address and portal, oldest first. */
  readonly #refused = new Map<string, number>();

  constructor(deps: PortalServiceDeps) {
    this.#deps = deps;
    this.store = deps.store;
    this.#limiter = new AttemptLimiter(() => deps.clock.now());
  }

  /**
   * Finds the portal of a key. Raises `portal_key_invalid`, `too_many_attempts` for an address with too many wrong keys, and
   * `forbidden` if its scopes do not include the required one.
   */
  async enter(token: string | undefined, requiredScope: PortalScope, address: string): Promise<PortalCaller> {
    const nowMs = this.#deps.clock.now();
    const store = await this.#deps.store();
    const opened = token === undefined || token.length > 200 ? undefined : await this.#open(store, token, nowMs);
    if (!opened) {
      if (token !== undefined) {
        const digest = hashOfSecret(token.slice(0, 200));
        const portalId = await store.portalOfKey(digest);
        try {
          this.#refuse(digest, address);
        } finally {
          this.#report(address, portalId);
        }
      }
      throw new AirdeskError('portal_key_invalid');
    }
    if (!opened.scopes.some((scope) => RANKS[scope] >= RANKS[requiredScope]))
      throw new AirdeskError('forbidden', `This key does not have the scope ${requiredScope}`);
    if (opened.usedMs === null || nowMs - opened.usedMs >= USE_MS) {
      this.#opened.clear();
      await store.write({ kind: 'portal', change: { type: 'useKey', keyId: opened.keyId }, nowMs });
    }
    return { portalId: opened.portalId, keyName: opened.keyName };
  }

  async #open(store: SubscribersOnThread, token: string, nowMs: number): Promise<OpenedPortal | undefined> {
    const hash = hashOfSecret(token);
    const existing = this.#opened.get(hash);
    if (existing && (existing.untilMs === null || nowMs < existing.untilMs)) return existing;
    const changes = this.#changes;
    const opened = await store.open(hash, nowMs);
    if (!opened || changes !== this.#changes) return opened;
    const [oldest] = this.#opened.keys();
    if (this.#opened.size >= MAX_OPENED && oldest !== undefined) this.#opened.delete(oldest);
    this.#opened.set(hash, opened);
    return opened;
  }

  /**
   * Counts a wrong key. Repetitions of the same key are not counted. A valid key is always accepted, even from an address that
   * guesses.
   */
  #refuse(digest: string, address: string): void {
    if (this.#limiter.isKnownWrong(address, digest)) return;
    const waitMs = this.#limiter.waitMs(address);
    if (waitMs > 0)
      throw new AirdeskError('too_many_attempts', 'Too many wrong keys came from this address', {
        retry_after: Math.ceil(waitMs / 1000),
      });
    this.#limiter.charge(address);
    this.#limiter.remember(address, digest);
  }

  #report(address: string, portalId: string | undefined): void {
    const { clock, keyRefused } = this.#deps;
    const nowMs = clock.now();
    const key = `${addressGroup(address)} ${portalId ?? ''}`;
    if (nowMs - (this.#refused.get(key) ?? -Infinity) < REFUSED_MS) return;
    this.#refused.delete(key);
    this.#refused.set(key, nowMs);
    const [oldest] = this.#refused.keys();
    if (this.#refused.size > MAX_REFUSED && oldest !== undefined) this.#refused.delete(oldest);
    keyRefused?.({ address, portalId, isSlowed: this.#limiter.waitMs(address) > 0 });
  }

  /** Executes a command in a portal and records its operations. Raises the reason of a refusal. */
  async command({ portalId, keyName }: PortalCaller, command: Command, context: CommandContext): Promise<Written> {
    const store = await this.#deps.store();
    const nowMs = this.#deps.clock.now();
    const written = done(await store.write({ kind: 'command', portalId, command, keyName, ...context, nowMs }));
    this.#deps.recorded?.(portalId, command);
    return written;
  }

  /** Finds an operation. Raises `operation_not_found`. */
  async operation({ portalId }: Pick<PortalCaller, 'portalId'>, operationId: string): Promise<Operation> {
    return requireFound('operation_not_found', await (await this.#deps.store()).operation(portalId, operationId));
  }

  /** Finds a subscriber. Raises `subscriber_not_found`. */
  async subscriber({ portalId }: Pick<PortalCaller, 'portalId'>, subscriberId: string): Promise<Subscriber> {
    return requireFound('subscriber_not_found', await (await this.#deps.store()).subscriber(portalId, subscriberId));
  }

  /** Finds a package. Raises `package_not_found`. */
  async package({ portalId }: Pick<PortalCaller, 'portalId'>, packageId: string): Promise<Package> {
    return requireFound('package_not_found', await (await this.#deps.store()).package(portalId, packageId));
  }

  /** Finds a portal. Raises `portal_not_found`. */
  async portal(portalId: string): Promise<Portal> {
    return requireFound('portal_not_found', await (await this.#deps.store()).portal(portalId));
  }

  /** Keys of a portal; raises `portal_not_found`. */
  async keys(portalId: string): Promise<readonly PortalKey[]> {
    await this.portal(portalId);
    return (await this.#deps.store()).keys(portalId, this.#deps.clock.now());
  }

  /** Creates or changes a portal. Raises `portal_exists`, `portal_not_found`, `too_many_portals`. */
  async changePortal(change: PortalChange & { readonly type: 'createPortal' | 'updatePortal' }): Promise<Portal> {
    const portal = await this.#change(change);
    this.#deps.portalChanged?.();
    // The object of these changes is the portal.
    return portal as Portal;
  }

  /** Creates a key; only the answer contains its secret. Raises `portal_not_found`, `portal_key_exists`, `too_many_keys`. */
  async createKey(
    portalId: string,
    name: string,
    scopes: readonly PortalScope[],
  ): Promise<PortalKey & { readonly token: string }> {
    const token = newKey();
    const key = await this.#change({ type: 'createKey', portalId, name, scopes, hash: hashOfSecret(token) });
    // The object of this change is the key.
    return { ...(key as PortalKey), token };
  }

  /**
   * Gives a key another secret; the old one stays valid for the given time. Raises `portal_not_found` and `portal_key_not_found`.
   */
  async rotateKey(portalId: string, keyId: string, graceMs: number): Promise<PortalKey & { readonly token: string }> {
    const token = newKey();
    const previousUntilMs = this.#deps.clock.now() + graceMs;
    const key = await this.#change({ type: 'rotateKey', portalId, keyId, hash: hashOfSecret(token), previousUntilMs });
    // The object of this change is the key.
    return { ...(key as PortalKey), token };
  }

  /** Revokes a key at once. Raises `portal_not_found` and `portal_key_not_found`. */
  async removeKey(portalId: string, keyId: string): Promise<void> {
    await this.#change({ type: 'removeKey', portalId, keyId });
  }

  async #change(change: PortalChange): Promise<Written['object']> {
    const store = await this.#deps.store();
    this.#forget();
    try {
      return done(await store.write({ kind: 'portal', change, nowMs: this.#deps.clock.now() })).object;
    } finally {
      this.#forget();
    }
  }

  #forget(): void {
    this.#changes++;
    this.#opened.clear();
  }
}

/** Generates a key of 256 random bits. */
function newKey(): string {
  return `airdesk_portal_${randomBytes(32).toString('base64url')}`;
}

/** Hash of a key or a token, as it is stored. A plain hash is enough, because 2^256 values cannot be tried. */
export function hashOfSecret(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Result of a successful change; raises the reason of a failed one. */
export function done(result: WriteResult): Written {
  if (result.ok) return result;
  const { code, message, details } = result.error;
  throw new AirdeskError(code, message, details);
}

function requireFound<T>(code: ConstructorParameters<typeof AirdeskError>[0], value: T | undefined): T {
  if (value === undefined) throw new AirdeskError(code);
  return value;
}
