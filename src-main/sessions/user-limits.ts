import type { Session } from './session.ts';

/**
 * Time for which surplus sessions are tolerated with a soft limit, in milliseconds. It is long enough for the old
 * session of a viewer who switched channels to end.
 */
export const SOFT_LIMIT_MS = 75_000;

/**
 * Maximum wait for answers about other sessions of a user, in milliseconds. These answers may end some of the
 * sessions.
 */
const ANSWERS_MS = 10_000;

interface User {
  /** In order of opening. */
  readonly sessions: Set<Session>;
  /** Maximum number of sessions by the newest answer; null for no limit. */
  limit: number | null;
  /** Start of the excess, in epoch milliseconds; undefined without one. */
  overSinceMs: number | undefined;
}

/** User of a session: its id from the backend, otherwise its token. */
function userOf(session: Session): string | undefined {
  if (session.userId !== null) return `user ${session.userId}`;
  return session.visitor.token === '' ? undefined : `token ${session.visitor.token}`;
}

/**
 * Sessions by user, including surplus sessions. The oldest sessions are surplus, so that a viewer who switches
 * channels gets the new channel.
 */
export class UserLimits {
  readonly #users = new Map<string, User>();
  readonly #userOf = new Map<Session, string>();
  /** Users with more sessions than allowed. */
  readonly #over = new Set<string>();

  /**
   * Adds a running session, or updates its user and limit.
   * @returns sessions that must end at once
   */
  update(session: Session, nowMs: number): Session[] {
    const id = userOf(session);
    const before = this.#userOf.get(session);
    if (before !== undefined && before !== id) this.remove(session);
    if (id === undefined) return [];
    this.#userOf.set(session, id);
    const user = this.#users.get(id) ?? { sessions: new Set(), limit: null, overSinceMs: undefined };
    this.#users.set(id, user);
    user.sessions.add(session);
    user.limit = session.maxSessions ?? session.policy.maxSessions;
    return this.#judge(id, user, nowMs);
  }

  /** Sessions of a user named by a backend. */
  of(userId: string): Iterable<Session> {
    return this.#users.get(`user ${userId}`)?.sessions ?? [];
  }

  /**
   * Applies the limit of a user again after an answer, because surplus sessions may have waited for it.
   *
   * @returns sessions that must end at once
   */
  answered(session: Session, nowMs: number): Session[] {
    const id = userOf(session);
    const user = id === undefined || !this.#over.has(id) ? undefined : this.#users.get(id);
    return id === undefined || !user ? [] : this.#judge(id, user, nowMs);
  }

  /** Removes a session. */
  remove(session: Session): void {
    const id = this.#userOf.get(session);
    const user = id === undefined ? undefined : this.#users.get(id);
    this.#userOf.delete(session);
    if (id === undefined || !user) return;
    user.sessions.delete(session);
    if (user.sessions.size === 0) {
      this.#users.delete(id);
      this.#over.delete(id);
    } else if (surplusOf(user).length === 0) this.#settle(id, user);
  }

  /**
   * Sessions whose soft limit has expired, or that became surplus while the user's other sessions waited for answers.
   */
  overdue(nowMs: number): Session[] {
    return [...this.#over].flatMap((id) => {
      const user = this.#users.get(id);
      return user ? this.#judge(id, user, nowMs) : [];
    });
  }

  #judge(id: string, user: User, nowMs: number): Session[] {
    const surplus = surplusOf(user);
    if (surplus.length === 0) {
      this.#settle(id, user);
      return [];
    }
    user.overSinceMs ??= nowMs;
    this.#over.add(id);
    const overMs = nowMs - user.overSinceMs;
    // A session that is about to be refused must not displace another one.
    if (overMs < ANSWERS_MS && [...user.sessions].some(({ isAuthorizing }) => isAuthorizing)) return [];
    const isDue = overMs >= SOFT_LIMIT_MS;
    return isDue ? surplus : surplus.filter(({ policy }) => !policy.isSoft);
  }

  #settle(id: string, user: User): void {
    user.overSinceMs = undefined;
    this.#over.delete(id);
  }
}

function surplusOf({ sessions, limit }: User): Session[] {
  if (limit === null || sessions.size <= limit) return [];
  // In order of opening.
  return [...sessions].slice(0, sessions.size - limit);
}
