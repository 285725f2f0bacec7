import { randomBytes } from 'node:crypto';
import type { ViewerToken } from '../../../src-preload/contract/api/subscribers/viewer-token-objects.ts';
import type { ViewerTokenChange } from '../../subscribers/viewer.ts';
import { done, hashOfSecret, type PortalCaller, type PortalService, type PortalServiceDeps } from './portal-service.ts';
import type { ViewerAccess } from './viewer-access.ts';

export interface ViewerTokenServiceDeps extends Pick<PortalServiceDeps, 'store' | 'clock'> {
  readonly portals: Pick<PortalService, 'enter' | 'subscriber'>;
  readonly viewers: Pick<ViewerAccess, 'changed'>;
}

/** Tokens of a subscriber's viewers. */
export class ViewerTokenService {
  readonly #deps: ViewerTokenServiceDeps;

  constructor(deps: ViewerTokenServiceDeps) {
    this.#deps = deps;
  }

  /** Tokens of a subscriber; raises `subscriber_not_found`. */
  async tokens(caller: PortalCaller, subscriberId: string): Promise<readonly ViewerToken[]> {
    await this.#deps.portals.subscriber(caller, subscriberId);
    return (await this.#deps.store()).viewerTokens(caller.portalId, subscriberId);
  }

  /** Creates a token; only the answer contains it. Raises `subscriber_not_found`, `too_many_viewer_tokens`. */
  async create(
    { portalId }: PortalCaller,
    subscriberId: string,
    name: string,
  ): Promise<ViewerToken & { readonly token: string }> {
    const token = randomBytes(32).toString('base64url');
    const change = { type: 'createToken', portalId, subscriberId, name, hash: hashOfSecret(token) } as const;
    // `createToken` returns the stored token without its secret.
    return { ...((await this.#change(change)) as ViewerToken), token };
  }

  /** Revokes a token and ends its sessions. Raises `subscriber_not_found`, `viewer_token_not_found`. */
  async remove({ portalId }: PortalCaller, subscriberId: string, tokenId: string): Promise<void> {
    await this.#change({ type: 'removeToken', portalId, subscriberId, tokenId });
    this.#deps.viewers.changed(subscriberId);
  }

  async #change(change: ViewerTokenChange): Promise<unknown> {
    const { store, clock } = this.#deps;
    return done(await (await store()).write({ kind: 'viewer-token', change, nowMs: clock.now() })).object;
  }
}
