import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import { messageOf } from '../../lib/error-message.ts';
import type { Verdict } from '../../sessions/backend-answer.ts';
import type { SubscriberAuthority } from '../../sessions/backends.ts';
import type { Command } from '../../subscribers/command.ts';
import { viewersOf } from '../../subscribers/viewer.ts';
import { hashOfSecret, type PortalServiceDeps } from './portal-service.ts';

/**
 * Validity of an answer, in milliseconds; also the time for which a surplus session is refused. Changes of rights take effect
 * at once.
 */
const ALLOWED_MS = 180_000;
/**
 * Time for which a refused viewer is not checked again, in milliseconds. It is short, because a new subscription should take
 * effect soon.
 */
const REFUSED_MS = 2000;
const REASONS = { disabled: 'the subscriber is disabled', portal_disabled: 'the portal is disabled' };

/**
 * Subscribers of this server as an authorization backend. It decides by the token of a viewer which streams the viewer may
 * play.
 */
export class ViewerAccess implements SubscriberAuthority {
  readonly #store: PortalServiceDeps['store'];
  readonly #clock: PortalServiceDeps['clock'];
  #listener: ((subscriberId?: string) => void) | undefined;

  constructor({ store, clock }: Pick<PortalServiceDeps, 'store' | 'clock'>) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Called when a subscriber's rights change; without an id, for all subscribers. */
  listen(listener: (subscriberId?: string) => void): void {
    this.#listener = listener;
  }

  /** Reports that a command was executed. */
  commanded(command: Command): void {
    const viewers = viewersOf(command);
    if (viewers === 'all') this.changed();
    else if (viewers !== 'none') this.changed(viewers.subscriberId);
  }

  /** Reports that the rights of a subscriber changed. @param subscriberId undefined for all subscribers */
  changed(subscriberId?: string): void {
    this.#listener?.(subscriberId);
  }

  async authorize(
    portal: string,
    { name, token }: { readonly name: string; readonly token: string },
  ): Promise<Verdict> {
    try {
      const store = await this.#store();
      const found = await store.viewer(hashOfSecret(token), portal, [name], this.#clock.now());
      if (!found) return denied('the token belongs to no subscriber');
      if (found.refusal !== null) return denied(REASONS[found.refusal]);
      if (found.names.length === 0) return denied('the subscriber has no package with this stream');
      const { subscriberId: userId, maxSessions } = found;
      return { kind: 'allow', durationMs: ALLOWED_MS, userId, maxSessions, isLimitKnown: true, adInject: undefined };
    } catch (error) {
      return { kind: 'failed', reason: messageOf(error) };
    }
  }

  /**
   * Streams that the viewer with a token may play. Raises `playback_denied` for a token without an active subscriber, and
   * `unavailable`.
   * @param namesByPortal names of streams by the portal (id or name) whose subscribers may play them
   */
  async playable(token: string, namesByPortal: ReadonlyMap<string, readonly string[]>): Promise<ReadonlySet<string>> {
    const store = await this.#store();
    const hash = hashOfSecret(token);
    const nowMs = this.#clock.now();
    const holder = await store.viewer(hash, undefined, [], nowMs);
    if (holder?.refusal !== null)
      throw new AirdeskError('playback_denied', 'The token does not belong to a subscriber who may play');
    const playable = new Set<string>();
    for (const [portal, names] of namesByPortal)
      for (const name of (await store.viewer(hash, portal, names, nowMs))?.names ?? []) playable.add(name);
    return playable;
  }
}

function denied(reason: string): Verdict {
  return { kind: 'deny', durationMs: REFUSED_MS, reason };
}
