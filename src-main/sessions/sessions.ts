import { randomUUID } from 'node:crypto';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { Tally } from '../lib/tally.ts';
import { every } from '../lib/timers.ts';
import { OPEN_POLICY, wantsToken, type AccessPolicy } from './access-policy.ts';
import { isPageAllowed, type Visitor } from './access-rules.ts';
import {
  judgeAddress,
  keysOf,
  protocolOf,
  refused,
  type Admission,
  type Arrival,
  type ArrivalProtocol,
} from './admission.ts';
import { DEFAULT_AUTH_MS, type Verdict } from './backend-answer.ts';
import type { Authority } from './backends.ts';
import { DenyCache, type Refusal } from './deny-cache.ts';
import { Session, type CloseReason, type SessionHooks } from './session.ts';
import type { SessionEvents } from './session-events.ts';
import { SessionQuestions } from './session-questions.ts';
import { SessionTable } from './session-table.ts';
import { isSameToken, newToken } from './token.ts';
import { UserLimits } from './user-limits.ts';

/** What the sessions need. */
export interface SessionsOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly authority: Authority;
  readonly events: SessionEvents;
  /** Policy of a stream; undefined for no such stream. */
  readonly policyOf: (stream: string) => AccessPolicy | undefined;
  /** The country of an address by two letters; null where it is not known. */
  readonly countryOf: (ip: string) => string | null;
  /** Hears how many viewers of a stream got something of it, whenever that changes. */
  readonly counted?: (stream: string, viewers: number) => void;
}

/** Most sessions. Beyond them open streams are served without one. */
const MAX_SESSIONS = 200_000;
/** Requests that wait for the decision about one session. */
const MAX_WAITING = 200;
const SWEEP_MS = 1000;
/** A sweep looks at this share of the sessions, but at least at so many. */
const SWEEP_SHARE = 10;
const SWEEP_MIN = 2000;
/** When no backend answered: how long a refused viewer is not asked about, and when a session is asked about again. In milliseconds. */
const FAILED_REFUSAL_MS = 3000;
const FAILED_AGAIN_MS = 15_000;
/** A viewer refused again within this time is not reported again, in milliseconds. */
const REPORTED_MS = 10_000;

/** All viewer sessions: opened with the first request, refreshed by others, asked about, counted, banned, closed. */
export class Sessions {
  readonly #options: SessionsOptions;
  readonly #table = new SessionTable();
  readonly #refusals = new DenyCache();
  /** Viewers that a rule refused a moment ago. */
  readonly #recentDenials = new DenyCache();
  readonly #limits = new UserLimits();
  readonly #questions: SessionQuestions;
  readonly #hooks: SessionHooks = {
    started: (session) => {
      this.#options.events.started(session);
      if (session.isRunning) this.#countWatcher(session, 1);
    },
    released: (session) => {
      this.#end(session, 'disconnected');
    },
  };
  /** Requests that were turned away, by why. */
  readonly refused = new Tally<Refusal['code']>();
  /** Lets the desk look at every stream; new with every start. */
  readonly viewToken = newToken();
  #stopSweeps: (() => void) | undefined;
  #sweeping: Iterator<Session> | undefined;
  #generation = 0;
  #isClosed = false;

  constructor(options: SessionsOptions) {
    this.#options = options;
    this.#questions = new SessionQuestions({
      ...options,
      countOf: (stream) => (stream === undefined ? this.count : this.countOf(stream)),
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
    for (const session of this.#table.all()) this.#end(session, 'server_stopped');
  }

  /** Viewers of a stream. */
  countOf(stream: string): number {
    return this.#table.viewersOf(stream);
  }

  /** Viewers of all streams. */
  get count(): number {
    return this.#table.viewers;
  }

  /** All sessions that run, of one stream where a name is given. */
  *list(stream?: string): Generator<Session, void, undefined> {
    for (const session of stream === undefined ? this.#table.all() : this.#table.of(stream))
      if (session.isRunning) yield session;
  }

  /** A session by its id, or by the hash of its key. */
  find(id: string): Session | undefined {
    const session = this.#table.find(id);
    return session?.isRunning === true ? session : undefined;
  }

  /** The running session that a request belongs to; undefined where it has to be admitted. */
  of(stream: string, ip: string, token: string, proto: ArrivalProtocol): Session | undefined {
    for (const key of keysOf(this.#options.policyOf(stream), stream, ip, proto, token)) {
      const session = this.#table.get(key);
      if (session?.isRunning === true) return session;
    }
    return undefined;
  }

  /** Whether a request may be part of a running session: all pages at an address share one, so each request is judged by its own page. */
  mayShare({ name, policy }: Session, page: Pick<Arrival, 'token' | 'referer' | 'host'>): boolean {
    if (policy.domains.length === 0 || isSameToken(page.token, this.viewToken)) return true;
    return isPageAllowed(this.#options.policyOf(name) ?? policy, page);
  }

  /** Whether a stream is open to all: then requests for pictures and facts need no session. */
  isOpenToAll(stream: string): boolean {
    const policy = this.#options.policyOf(stream);
    return policy === undefined || policy.fingerprint === OPEN_POLICY.fingerprint;
  }

  /** Decides about a request that belongs to no running session. */
  admit(arrival: Arrival): Admission {
    const admission = this.#admit(arrival);
    if (admission.kind === 'refused') this.refused.add(admission.code);
    return admission;
  }

  #admit(arrival: Arrival): Admission {
    const { clock, policyOf, countryOf } = this.#options;
    const policy = policyOf(arrival.name);
    if (!policy || this.#isClosed)
      return { kind: 'refused', code: 'stream_not_found', detail: `There is no stream ${arrival.name}` };
    const isTrusted = isSameToken(arrival.token, this.viewToken);
    if (arrival.token === '' && wantsToken(policy)) {
      if (policy.hasNoAutoToken || !arrival.isOpening) return refused('token_required', 'This address needs a token');
      return { kind: 'token', token: newToken() };
    }
    const now = clock.now();
    const proto = protocolOf(arrival.proto);
    const keys = keysOf(policy, arrival.name, arrival.ip, arrival.proto, arrival.token);
    const [key] = keys;
    const known = this.#table.get(key);
    if (known?.isRunning && this.mayShare(known, arrival)) return { kind: 'open', session: known };
    if (known?.isRunning === false)
      return known.waitCount < MAX_WAITING
        ? { kind: 'wait', session: known }
        : refused('unavailable', 'Too many requests wait for the answer of the backend');
    for (const each of keys) {
      const refusal = this.#refusals.get(arrival.ip, each, now);
      if (refusal) return { kind: 'refused', ...refusal };
    }
    const visitor: Visitor = { ...arrival, proto, country: countryOf(arrival.ip) };
    const judgement = isTrusted ? { kind: 'allow' as const } : judgeAddress(policy, visitor, arrival.queryString, now);
    if (judgement.kind === 'deny') {
      const detail = `The stream may not be played: ${judgement.reason}`;
      // Rules are cheap to apply again; repeated attempts are reported once in a while.
      if (!this.#recentDenials.get(arrival.ip, key, now))
        this.#options.events.denied({ name: arrival.name, proto, visitor }, judgement.reason);
      this.#recentDenials.add(arrival.ip, key, { code: 'playback_denied', detail, untilMs: now + REPORTED_MS });
      return refused('playback_denied', detail);
    }
    if (this.#table.size >= MAX_SESSIONS)
      return judgement.kind === 'ask'
        ? refused('unavailable', 'There are too many sessions')
        : { kind: 'open', session: undefined };
    const limit = judgement.kind === 'ask' ? this.#questions.limitFor(arrival.ip) : undefined;
    if (limit === 'address')
      return refused('too_many_pending', 'Too many sessions of this address are waiting for the backend');
    if (limit === 'all') return refused('unavailable', 'Too many sessions wait for the answer of the backend');
    const session = this.#make(arrival, visitor, policy, key, now);
    if (judgement.kind === 'allow') {
      this.#run(session, now);
      return session.isRunning
        ? { kind: 'open', session }
        : refused('session_banned', 'There are too many sessions of this user');
    }
    void this.#ask(session, true);
    return { kind: 'wait', session };
  }

  /** Ends a session and keeps its viewer out until the ban is over. */
  ban(session: Session, reason: CloseReason = 'closed'): void {
    const untilMs = this.#options.clock.now() + session.authDurationMs;
    const detail =
      reason === 'limit' ? 'There are too many sessions of this user' : 'The session was closed by the server';
    this.#refusals.add(session.visitor.ip, session.key, { code: 'session_banned', detail, untilMs });
    this.#options.events.denied(session, detail);
    this.#end(session, reason);
  }

  /** Has backends asked about all sessions of a stream again. @returns how many there are */
  reauth(stream: string): number {
    let count = 0;
    for (const session of this.#table.of(stream)) {
      // Without a backend there is no question, nor for the desk.
      if (session.policy.backends.length > 0 && !isSameToken(session.visitor.token, this.viewToken))
        session.askAgainMs = 0;
      count++;
    }
    return count;
  }

  /** The configuration changed: sessions whose stream has another policy now are judged again. */
  policiesChanged(): void {
    this.#generation++;
  }

  /** Closes silent sessions, asks about others again, bans surplus ones; called once a second. */
  sweep(): void {
    const now = this.#options.clock.now();
    for (const session of this.#limits.overdue(now)) this.ban(session, 'limit');
    this.#refusals.sweep(now);
    this.#recentDenials.sweep(now);
    // Some of them in each turn, so that no turn gets long.
    const limit = Math.max(SWEEP_MIN, Math.ceil(this.#table.size / SWEEP_SHARE));
    this.#sweeping ??= this.#table.all()[Symbol.iterator]();
    for (let looked = 0; looked < limit; looked++) {
      const step = this.#sweeping.next();
      if (step.done === true) {
        this.#sweeping = undefined;
        return;
      }
      this.#look(step.value, now);
    }
  }

  #look(session: Session, now: number): void {
    if (!session.isRunning) return;
    if (session.isHeld) session.lastMs = now;
    if (now - session.lastMs > session.silentMs) {
      this.#end(session, 'silent');
      return;
    }
    if (session.policyGeneration !== this.#generation) this.#renewPolicy(session);
    if (session.isRunning && now >= session.askAgainMs && !session.isAsking) void this.#ask(session, false);
  }

  #renewPolicy(session: Session): void {
    session.policyGeneration = this.#generation;
    const policy = this.#options.policyOf(session.name);
    if (!policy) {
      this.#end(session, 'stream_gone');
      return;
    }
    if (policy.fingerprint === session.policy.fingerprint) return;
    session.policy = policy;
    if (isSameToken(session.visitor.token, this.viewToken)) return;
    // A session goes on when the time of its signature is over, and ends with the key.
    const judgement = judgeAddress(policy, session.visitor, session.queryString, 0);
    if (judgement.kind === 'deny')
      this.#turnAway(
        session,
        { code: 'playback_denied', detail: `The stream may not be played: ${judgement.reason}`, untilMs: 0 },
        'denied',
      );
    else session.askAgainMs = judgement.kind === 'ask' ? 0 : Infinity;
  }

  #make(arrival: Arrival, visitor: Visitor, policy: AccessPolicy, key: string, now: number): Session {
    const { queryString, silentMs } = arrival;
    const proto = protocolOf(arrival.proto);
    const { name, ip, token, country, userAgent, referer, host } = visitor;
    const who = { name, ip, token, country, userAgent, referer, host };
    const rules = { policy, policyGeneration: this.#generation };
    const opening = { ...who, ...rules, id: randomUUID(), key, proto, queryString, openedMs: now, silentMs };
    const session = new Session(opening, DEFAULT_AUTH_MS, this.#hooks);
    this.#table.add(session);
    return session;
  }

  #run(session: Session, now: number): void {
    session.status = 'running';
    this.#table.count(session);
    if (session.startedMs !== 0) this.#countWatcher(session, 1);
    this.#options.events.opened(session);
    for (const surplus of this.#limits.update(session, now)) this.ban(surplus, 'limit');
  }

  #countWatcher(session: Session, step: 1 | -1): void {
    this.#options.counted?.(session.name, this.#table.watch(session, step));
  }

  async #ask(session: Session, isNew: boolean): Promise<void> {
    const verdict = await this.#questions.ask(session, isNew);
    if (session.status === 'finished') return;
    this.#decide(session, verdict, isNew);
    session.decided();
  }

  #decide(session: Session, verdict: Verdict, isNew: boolean): void {
    const now = this.#options.clock.now();
    switch (verdict.kind) {
      case 'allow':
        session.authDurationMs = verdict.durationMs;
        session.askAgainMs = now + verdict.durationMs;
        session.userId = verdict.userId ?? session.userId;
        session.maxSessions = verdict.maxSessions ?? (isNew ? null : session.maxSessions);
        session.adInject = verdict.adInject;
        this.#allowed(session, isNew, now);
        return;
      case 'deny':
        session.authDurationMs = verdict.durationMs;
        this.#turnAway(
          session,
          {
            code: 'playback_denied',
            detail: `The stream may not be played: ${verdict.reason}`,
            untilMs: now + verdict.durationMs,
          },
          'denied',
        );
        return;
      case 'redirect':
        this.#refusals.add(session.visitor.ip, session.key, {
          code: 'playback_denied',
          detail: 'The stream is played elsewhere',
          location: verdict.location,
          untilMs: now + verdict.durationMs,
        });
        this.#end(session, 'redirected');
        return;
      case 'failed':
        session.askAgainMs = now + FAILED_AGAIN_MS;
        if (!isNew) return;
        if (session.policy.isAllowedByDefault) this.#allowed(session, true, now);
        else
          this.#turnAway(
            session,
            {
              code: 'playback_denied',
              detail: 'No authorization backend could be asked',
              untilMs: now + FAILED_REFUSAL_MS,
            },
            'denied',
          );
    }
  }

  #allowed(session: Session, isNew: boolean, now: number): void {
    if (isNew) {
      this.#run(session, now);
      return;
    }
    this.#options.events.updated(session);
    for (const surplus of this.#limits.update(session, now)) this.ban(surplus, 'limit');
  }

  #turnAway(session: Session, refusal: Refusal & { readonly untilMs: number }, reason: CloseReason): void {
    this.#refusals.add(session.visitor.ip, session.key, refusal);
    this.#options.events.denied(session, refusal.detail);
    this.#end(session, reason);
  }

  #end(session: Session, reason: CloseReason): void {
    if (session.status === 'finished') return;
    const wasRunning = session.isRunning;
    session.status = 'finished';
    session.closedMs = this.#options.clock.now();
    this.#table.remove(session, wasRunning);
    this.#limits.remove(session);
    session.endHolders();
    if (wasRunning) {
      if (session.startedMs !== 0) this.#countWatcher(session, -1);
      this.#options.events.closed(session, reason);
    }
    session.decided();
  }
}
