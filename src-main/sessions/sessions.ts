import { Tally } from '../lib/tally.ts';
import { every } from '../lib/timers.ts';
import { OPEN_POLICY } from './access-policy.ts';
import { Bans, type Ban, type KeptBansPort, type WantedBan } from './bans.ts';
import { isPageAllowed } from './access-rules.ts';
import { DeskTokens } from './desk-tokens.ts';
import { keysOf, RequestAdmission, type Admission, type Arrival, type ArrivalProtocol } from './admission.ts';
import type { Refusal } from './deny-cache.ts';
import { SessionLifecycle, type SessionsOptions } from './session-lifecycle.ts';
import type { Session } from './session.ts';

const SWEEP_MS = 1000;

/** All viewer sessions: opened with the first request, refreshed by others, asked about, counted, banned, closed. */
export class Sessions {
  /** Requests that were turned away, by why. */
  readonly refused = new Tally<Refusal['code']>();
  /** Let desks play streams without a session. */
  readonly deskTokens: DeskTokens;
  /** Addresses and users that operators keep out. */
  readonly bans: Bans;
  readonly #options: SessionsOptions;
  readonly #lifecycle: SessionLifecycle;
  readonly #admission: RequestAdmission;
  #stopSweeps: (() => void) | undefined;
  #isClosed = false;

  /** @param keptBans where bans are kept over restarts; without it they are forgotten when the server ends */
  constructor(options: SessionsOptions, keptBans?: KeptBansPort) {
    this.#options = options;
    this.deskTokens = new DeskTokens(options.clock);
    this.bans = new Bans(keptBans);
    this.#lifecycle = new SessionLifecycle(options, ({ userId }) => this.bans.ofUser(userId, options.clock.now()));
    this.#admission = new RequestAdmission({
      ...options,
      lifecycle: this.#lifecycle,
      isKeptOut: (ip, nowMs) => this.bans.holdsAddress(ip, nowMs),
      mayShare: (session, arrival) => this.mayShare(session, arrival),
    });
  }

  /** Begins to close silent sessions and to ask about others again. */
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

  /** Viewers of a stream. */
  countOf(stream: string): number {
    return this.#lifecycle.table.viewersOf(stream);
  }

  /** Viewers of all streams. */
  get count(): number {
    return this.#lifecycle.table.viewers;
  }

  /** All sessions that run, of one stream where a name is given. */
  *list(stream?: string): Generator<Session, void, undefined> {
    for (const session of stream === undefined ? this.#lifecycle.table.all() : this.#lifecycle.table.of(stream))
      if (session.isRunning) yield session;
  }

  /** A session by its id, or by the hash of its key. */
  find(id: string): Session | undefined {
    const session = this.#lifecycle.table.find(id);
    return session?.isRunning === true ? session : undefined;
  }

  /** The running session that a request belongs to; undefined where it has to be admitted. */
  of(stream: string, ip: string, token: string, proto: ArrivalProtocol, isOfArchive = false): Session | undefined {
    for (const key of keysOf(this.#options.policyOf(stream), stream, ip, proto, token, isOfArchive)) {
      const session = this.#lifecycle.table.get(key);
      if (session?.isRunning === true) return session;
    }
    return undefined;
  }

  /** Whether a token lets the desk, which is no viewer, look at a stream. */
  isOfDesk(token: string, stream: string): boolean {
    const reach = this.deskTokens.reachOf(token);
    return reach === 'all' || (reach === 'open' && this.isOpenToAll(stream));
  }

  /** Whether a token is that of a desk that may only look: no backend knows it. */
  isLooking(token: string): boolean {
    return this.deskTokens.reachOf(token) === 'open';
  }

  /** Whether a request may be part of a running session: all pages at an address share one, so each request is judged by its own page. */
  mayShare({ name, policy }: Session, page: Pick<Arrival, 'referer' | 'host'>): boolean {
    if (policy.domains.length === 0) return true;
    return isPageAllowed(this.#options.policyOf(name) ?? policy, page);
  }

  /** Whether a stream is open to all: then requests for pictures and facts need no session. */
  isOpenToAll(stream: string): boolean {
    const policy = this.#options.policyOf(stream);
    return policy === undefined || policy.fingerprint === OPEN_POLICY.fingerprint;
  }

  /** Decides about a request that belongs to no running session. */
  admit(arrival: Arrival): Admission {
    const policy = this.#isClosed ? undefined : this.#options.policyOf(arrival.name);
    const admission: Admission = policy
      ? this.#admission.admit(arrival, policy)
      : { kind: 'refused', code: 'stream_not_found', detail: `There is no stream ${arrival.name}` };
    if (admission.kind === 'refused') this.refused.add(admission.code);
    return admission;
  }

  /** Ends a session and keeps its viewer out until the ban is over. */
  ban(session: Session): void {
    this.#lifecycle.ban(session);
  }

  /**
   * Keeps an address or a user out of all streams, and ends their sessions.
   * @returns the ban; undefined where there are too many
   */
  keepOut(wanted: WantedBan): Ban | undefined {
    const { bans } = this;
    const now = this.#options.clock.now();
    const ban = bans.add(wanted, now);
    if (!ban) return undefined;
    for (const session of [...this.#lifecycle.table.all()]) {
      const isMeant =
        wanted.kind === 'user' ? session.userId === wanted.value : bans.holdsAddress(session.visitor.ip, now);
      if (isMeant) this.#lifecycle.ban(session, 'closed', ban.id);
    }
    return ban;
  }

  /** Lifts a ban: who was kept out by it is admitted again at once. */
  lift(id: string): void {
    this.bans.lift(id);
    this.#lifecycle.refusals.liftBan(id);
  }

  /** Has backends asked about all sessions of a stream again. @returns how many there are */
  reauth(stream: string): number {
    return this.#lifecycle.reauth(stream);
  }

  /** Subscribers of this server changed: their sessions are asked about again within some sweeps. @param userId all without it */
  subscribersChanged(userId?: string): void {
    this.#lifecycle.subscribersChanged(userId);
  }

  /** The configuration changed: sessions whose stream has another policy now are judged again. */
  policiesChanged(): void {
    this.#lifecycle.policiesChanged();
  }

  /** Closes silent sessions, asks about others again, bans surplus ones; called once a second. */
  sweep(): void {
    this.#lifecycle.sweep();
    this.#admission.sweep();
  }
}
