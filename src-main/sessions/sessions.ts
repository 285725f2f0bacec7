import { isBelowAny } from '../lib/name-prefixes.ts';
import { Tally } from '../lib/tally.ts';
import { every } from '../lib/timers.ts';
import { OPEN_POLICY } from './access-policy.ts';
import { Bans, type Ban, type BanRecords, type BanRequest } from './bans.ts';
import { isPageAllowed } from './access-rules.ts';
import { DeskTokens } from './desk-tokens.ts';
import { keysOf, RequestAdmission, type Admission, type Arrival, type ArrivalProtocol } from './admission.ts';
import type { Refusal } from './deny-cache.ts';
import { SessionLifecycle, type SessionsOptions } from './session-lifecycle.ts';
import type { Session } from './session.ts';

const SWEEP_MS = 1000;

/**
 * All viewer sessions: opened by the first request, refreshed by later ones, authorized, counted, banned and closed.
 */
export class Sessions {
  /** Number of refused requests, by reason. */
  readonly refused = new Tally<Refusal['code']>();
  /** Viewing tokens, with which desks play streams without a session. */
  readonly deskTokens: DeskTokens;
  /** Addresses and users banned by operators. */
  readonly bans: Bans;
  readonly #options: SessionsOptions;
  readonly #lifecycle: SessionLifecycle;
  readonly #admission: RequestAdmission;
  #stopSweeps: (() => void) | undefined;
  #isClosed = false;

  /** @param banStore storage of bans across restarts; without it bans end with the server */
  constructor(options: SessionsOptions, banStore?: BanRecords) {
    this.#options = options;
    this.deskTokens = new DeskTokens(options.clock, options.deskTokenMs);
    this.bans = new Bans(banStore);
    this.#lifecycle = new SessionLifecycle(options, ({ userId }) => this.bans.ofUser(userId, options.clock.now()));
    this.#admission = new RequestAdmission({
      ...options,
      lifecycle: this.#lifecycle,
      isBanned: (ip, nowMs) => this.bans.isAddressBanned(ip, nowMs),
      mayShare: (session, arrival) => this.mayShare(session, arrival),
    });
  }

  /** Starts the sweeps. */
  start(): void {
    this.#stopSweeps = every(this.#options.clock, SWEEP_MS, () => {
      this.sweep();
    });
  }

  /** Closes all sessions. */
  close(): void {
    this.#isClosed = true;
    this.#stopSweeps?.();
    for (const session of this.#lifecycle.table.all()) this.#lifecycle.end(session, 'server_stopped');
  }

  /** Number of viewers of a stream. */
  countOf(stream: string): number {
    return this.#lifecycle.table.viewersOf(stream);
  }

  /** Number of viewers of all streams. */
  get count(): number {
    return this.#lifecycle.table.viewers;
  }

  /** All running sessions, or those of one stream. */
  *list(stream?: string): Generator<Session, void, undefined> {
    for (const session of stream === undefined ? this.#lifecycle.table.all() : this.#lifecycle.table.of(stream))
      if (session.isRunning) yield session;
  }

  /** Finds a session by its id, or by the hash of its key. */
  find(id: string): Session | undefined {
    const session = this.#lifecycle.table.find(id);
    return session?.isRunning === true ? session : undefined;
  }

  /** Running session of a request; undefined if the request needs admission. */
  of(stream: string, ip: string, token: string, proto: ArrivalProtocol, isOfArchive = false): Session | undefined {
    for (const key of keysOf(this.#options.policyOf(stream), stream, ip, proto, token, isOfArchive)) {
      const session = this.#lifecycle.table.get(key);
      if (session?.isRunning === true) return session;
    }
    return undefined;
  }

  /** Reports whether a token lets a desk watch a stream. A desk is not a viewer. */
  isOfDesk(token: string, stream: string): boolean {
    const reach = this.deskTokens.reachOf(token);
    if (typeof reach === 'object') return isBelowAny(reach, stream);
    return reach === 'all' || (reach === 'open' && this.isOpenToAll(stream));
  }

  /** Whether a token belongs to a desk that may not play a stream, because its login is limited to others. */
  isOfOtherStreams(token: string, stream: string): boolean {
    const reach = this.deskTokens.reachOf(token);
    return typeof reach === 'object' && !isBelowAny(reach, stream);
  }

  /** Whether a token belongs to a read-only desk. Backends do not get such tokens. */
  isReadOnlyDesk(token: string): boolean {
    return this.deskTokens.reachOf(token) === 'open';
  }

  /**
   * Reports whether a request may be part of a running session. All pages at an address share a session, so each
   * request is checked for its page.
   */
  mayShare({ name, policy }: Session, page: Pick<Arrival, 'referer' | 'host'>): boolean {
    if (policy.domains.length === 0) return true;
    return isPageAllowed(this.#options.policyOf(name) ?? policy, page);
  }

  /** Reports whether a stream is open to all viewers. Requests for pictures and information then need no session. */
  isOpenToAll(stream: string): boolean {
    const policy = this.#options.policyOf(stream);
    return policy === undefined || policy.fingerprint === OPEN_POLICY.fingerprint;
  }

  /** Decides about a request without a running session. */
  admit(arrival: Arrival): Admission {
    const policy = this.#isClosed ? undefined : this.#options.policyOf(arrival.name);
    const admission: Admission = policy
      ? this.#admission.admit(arrival, policy)
      : { kind: 'refused', code: 'stream_not_found', detail: `There is no stream ${arrival.name}` };
    if (admission.kind === 'refused') this.refused.add(admission.code);
    return admission;
  }

  /** Ends a session and refuses its viewer until the ban expires. */
  ban(session: Session): void {
    this.#lifecycle.ban(session);
  }

  /**
   * Bans an address or a user from all streams, and ends their sessions.
   * @returns the ban; undefined if there are too many
   */
  addBan(request: BanRequest): Ban | undefined {
    const { bans } = this;
    const now = this.#options.clock.now();
    const ban = bans.add(request, now);
    if (!ban) return undefined;
    for (const session of [...this.#lifecycle.table.all()]) {
      const isBanned =
        request.kind === 'user' ? session.userId === request.value : bans.isAddressBanned(session.visitor.ip, now);
      if (isBanned) this.#lifecycle.ban(session, 'closed', ban.id);
    }
    return ban;
  }

  /** Lifts a ban. Its viewers are admitted again at once. */
  lift(id: string): void {
    this.bans.lift(id);
    this.#lifecycle.refusals.liftBan(id);
  }

  /** Authorizes all sessions of a stream again. @returns number of sessions */
  reauth(stream: string): number {
    return this.#lifecycle.reauth(stream);
  }

  /**
   * Authorizes the sessions of changed subscribers again within some sweeps.
   *
   * @param userId changed subscriber; all subscribers if undefined
   */
  subscribersChanged(userId?: string): void {
    this.#lifecycle.subscribersChanged(userId);
  }

  /** Requests that the next sweep checks the sessions whose policy changed. */
  policiesChanged(): void {
    this.#lifecycle.policiesChanged();
  }

  /** Closes silent sessions, authorizes expired sessions again, and bans surplus sessions. Called once a second. */
  sweep(): void {
    this.#lifecycle.sweep();
    this.#admission.sweep();
  }
}
