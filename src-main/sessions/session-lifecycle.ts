import { because } from '../../src-preload/contract/explanations/explanations.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { asksSubscribers, type AccessPolicy } from './access-policy.ts';
import { judgeAddress } from './access-rules.ts';
import { DEFAULT_AUTH_MS, type Verdict } from './backend-answer.ts';
import type { Authority } from './backends.ts';
import { DenyCache, type TimedRefusal } from './deny-cache.ts';
import { Session, type CloseReason, type SessionHooks, type SessionOpening } from './session.ts';
import type { SessionEvents } from './session-events.ts';
import { SessionQuestions } from './session-questions.ts';
import { SessionTable } from './session-table.ts';
import { UserLimits } from './user-limits.ts';

export interface SessionsOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly authority: Authority;
  readonly events: SessionEvents;
  /** Policy of a stream; undefined if the stream does not exist. */
  readonly policyOf: (stream: string) => AccessPolicy | undefined;
  /** Country of an address as two letters; null if unknown. */
  readonly countryOf: (ip: string) => string | null;
  /** Called with the number of viewers that got media of a stream, whenever it changes. */
  readonly counted?: (stream: string, viewers: number) => void;
  /** Age at which a desk gets a new viewing token, in milliseconds; default: an hour. */
  readonly deskTokenMs?: number | undefined;
}

/** Each sweep checks one in `SWEEP_SHARE` sessions, but at least `SWEEP_MIN`. */
const SWEEP_SHARE = 10;
const SWEEP_MIN = 2000;
/**
 * Times after a request without an answer, in milliseconds: until a refused viewer may send a new request, and until
 * the next request about a running session.
 */
const FAILED_REFUSAL_MS = 3000;
const FAILED_AGAIN_MS = 15_000;

/** Runs sessions from opening to end: requests to backends, repeated checks, bans and closing. */
export class SessionLifecycle {
  readonly table = new SessionTable();
  /** Refused viewers with expiry. */
  readonly refusals = new DenyCache();
  readonly #options: SessionsOptions;
  readonly #banOf: (session: Session) => string | undefined;
  readonly #limits = new UserLimits();
  readonly #questions: SessionQuestions;
  readonly #hooks: SessionHooks = {
    started: (session) => {
      this.#options.events.started(session);
      if (session.isRunning) this.#countWatcher(session, 1);
    },
    released: (session) => {
      this.end(session, 'disconnected');
    },
  };
  #sweeping: Iterator<Session> | undefined;
  #generation = 0;
  /** Generation of the subscribers of this server; increases when the rights of many subscribers change. */
  #subscriberGeneration = 0;

  /** @param banOf returns the id of the ban of a session's user; a backend has to name the user first */
  constructor(options: SessionsOptions, banOf: (session: Session) => string | undefined = () => undefined) {
    this.#options = options;
    this.#banOf = banOf;
    this.#questions = new SessionQuestions({
      ...options,
      countOf: (stream) => (stream === undefined ? this.table.viewers : this.table.viewersOf(stream)),
    });
  }

  /**
   * Reason why a new session of an address may not wait for a backend: too many sessions of this address wait, or of
   * all addresses; undefined for none.
   */
  limitFor(ip: string): 'address' | 'all' | undefined {
    return this.#questions.limitFor(ip);
  }

  /** Creates a session that does not run or wait for a backend yet. */
  make(opening: Omit<SessionOpening, 'policyGeneration'>): Session {
    const session = new Session({ ...opening, policyGeneration: this.#generation }, DEFAULT_AUTH_MS, this.#hooks);
    this.table.add(session);
    return session;
  }

  /** Starts a session, and bans surplus sessions of its user. */
  run(session: Session, now: number): void {
    session.status = 'running';
    this.table.count(session);
    if (session.startedMs !== 0) this.#countWatcher(session, 1);
    this.#options.events.opened(session);
    for (const surplus of this.#limits.update(session, now)) this.ban(surplus, 'limit');
  }

  /**
   * Sends the request about a session to its backends and applies the verdict.
   *
   * @param isNew true if the session does not run yet
   */
  async authorize(session: Session, isNew: boolean): Promise<void> {
    session.authorizedGeneration = this.#subscriberGeneration;
    session.isAuthorizing = true;
    const verdict = await this.#questions.authorize(session, isNew);
    session.isAuthorizing = false;
    if (session.status === 'finished') return;
    this.#decide(session, verdict, isNew);
    const banId = this.#banOf(session);
    if (banId !== undefined) this.ban(session, 'closed', banId);
    for (const surplus of this.#limits.answered(session, this.#options.clock.now())) this.ban(surplus, 'limit');
    session.decided();
  }

  /**
   * Ends a session and refuses its viewer until the ban expires.
   *
   * @param banId id of the ban of an address or a user, if it is the cause
   */
  ban(session: Session, reason: CloseReason = 'closed', banId?: string): void {
    const untilMs = this.#options.clock.now() + session.authDurationMs;
    const why = because(reason === 'limit' ? 'session_limit' : 'session_closed');
    this.refusals.add(session.visitor.ip, session.key, { code: 'session_banned', ...why, untilMs, banId });
    this.#options.events.denied(session, why);
    this.end(session, reason);
  }

  /** Authorizes all sessions of a stream again. @returns number of sessions */
  reauth(stream: string): number {
    let count = 0;
    for (const session of this.table.of(stream)) {
      // Without a backend there is no request to repeat.
      if (session.policy.backends.length > 0) session.askAgainMs = 0;
      count++;
    }
    return count;
  }

  /**
   * Marks sessions of changed subscribers, so that the next sweeps authorize them again. Includes sessions with a
   * running request.
   *
   * @param userId changed subscriber; all subscribers if undefined
   */
  subscribersChanged(userId?: string): void {
    if (userId === undefined) this.#subscriberGeneration++;
    else for (const session of this.#limits.of(userId)) session.authorizedGeneration = -1;
  }

  /** Requests that the next sweep checks the sessions whose policy changed. */
  policiesChanged(): void {
    this.#generation++;
  }

  /** Closes silent sessions, authorizes expired sessions again, and bans surplus sessions. Called once a second. */
  sweep(): void {
    const now = this.#options.clock.now();
    for (const session of this.#limits.overdue(now)) this.ban(session, 'limit');
    this.refusals.sweep(now);
    // A limited number per sweep, so that no turn takes long.
    const limit = Math.max(SWEEP_MIN, Math.ceil(this.table.size / SWEEP_SHARE));
    this.#sweeping ??= this.table.all()[Symbol.iterator]();
    for (let checked = 0; checked < limit; checked++) {
      const step = this.#sweeping.next();
      if (step.done === true) {
        this.#sweeping = undefined;
        return;
      }
      this.#check(step.value, now);
    }
  }

  /** Ends a session. */
  end(session: Session, reason: CloseReason): void {
    if (session.status === 'finished') return;
    const wasRunning = session.isRunning;
    session.status = 'finished';
    session.closedMs = this.#options.clock.now();
    this.table.remove(session, wasRunning);
    this.#limits.remove(session);
    session.endHolders();
    if (wasRunning) {
      if (session.startedMs !== 0) this.#countWatcher(session, -1);
      this.#options.events.closed(session, reason);
    }
    session.decided();
  }

  #check(session: Session, now: number): void {
    if (!session.isRunning) return;
    if (session.isOpen) session.lastMs = now;
    if (now - session.lastMs > session.silentMs) {
      this.end(session, 'silent');
      return;
    }
    if (session.policyGeneration !== this.#generation) this.#renewPolicy(session);
    const isDue = now >= session.askAgainMs || this.#isStale(session);
    if (session.isRunning && isDue && !session.isAuthorizing) void this.authorize(session, false);
  }

  #isStale({ authorizedGeneration, askAgainMs, policy }: Session): boolean {
    // Sessions that no backend authorizes need no new request.
    return authorizedGeneration !== this.#subscriberGeneration && askAgainMs !== Infinity && asksSubscribers(policy);
  }

  #renewPolicy(session: Session): void {
    session.policyGeneration = this.#generation;
    const policy = this.#options.policyOf(session.name);
    if (!policy) {
      this.end(session, 'stream_gone');
      return;
    }
    if (policy.fingerprint === session.policy.fingerprint) return;
    session.policy = policy;
    // A session continues when its signature expires, and ends when the key is removed.
    const judgement = judgeAddress(policy, session.visitor, session.queryString, 0);
    if (judgement.kind === 'deny')
      this.#turnAway(
        session,
        { code: 'playback_denied', detail: `The stream may not be played: ${judgement.reason}`, untilMs: 0 },
        'denied',
      );
    else session.askAgainMs = judgement.kind === 'ask' ? 0 : Infinity;
  }

  #decide(session: Session, verdict: Verdict, isNew: boolean): void {
    const now = this.#options.clock.now();
    session.unanswered = verdict.kind === 'failed' ? verdict.reason : undefined;
    switch (verdict.kind) {
      case 'allow':
        session.authDurationMs = verdict.durationMs;
        session.askAgainMs = now + verdict.durationMs;
        session.userId = verdict.userId ?? session.userId;
        session.maxSessions =
          verdict.maxSessions ?? (isNew || verdict.isLimitKnown === true ? null : session.maxSessions);
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
        this.refusals.add(session.visitor.ip, session.key, {
          code: 'playback_denied',
          detail: 'The stream is played elsewhere',
          location: verdict.location,
          untilMs: now + verdict.durationMs,
          policy: session.policy.fingerprint,
        });
        this.end(session, 'redirected');
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
              ...because('no_backend_answered'),
              untilMs: now + FAILED_REFUSAL_MS,
            },
            'denied',
          );
    }
  }

  #allowed(session: Session, isNew: boolean, now: number): void {
    if (isNew) {
      this.run(session, now);
      return;
    }
    this.#options.events.updated(session);
    for (const surplus of this.#limits.update(session, now)) this.ban(surplus, 'limit');
  }

  #turnAway(session: Session, refusal: TimedRefusal, reason: CloseReason): void {
    this.refusals.add(session.visitor.ip, session.key, { ...refusal, policy: session.policy.fingerprint });
    this.#options.events.denied(session, refusal);
    this.end(session, reason);
  }

  #countWatcher(session: Session, step: 1 | -1): void {
    this.#options.counted?.(session.name, this.table.watch(session, step));
  }
}
