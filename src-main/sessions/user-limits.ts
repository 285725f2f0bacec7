import type { Session } from './session.ts';

/** How long more sessions than allowed are tolerated under a soft limitation, in milliseconds: long enough for the old session of a viewer who switched channels to end by itself. */
export const SOFT_LIMIT_MS = 75_000;

/** How long is waited for answers about other sessions of a user, who may lose some by them, in milliseconds. */
const ANSWERS_MS = 10_000;

interface User {
  /** In the order in which they were opened. */
  readonly sessions: Set<Session>;
  /** How many there may be, by what was said last; null for any number. */
  limit: number | null;
  /** Since when there are too many, epoch milliseconds; undefined while there are not. */
  overSinceMs: number | undefined;
}

/** The user that a session counts for: the one that the backend named, else its token. */
function userOf(session: Session): string | undefined {
  if (session.userId !== null) return `user ${session.userId}`;
  return session.visitor.token === '' ? undefined : `token ${session.visitor.token}`;
}

/** Sessions by user, and which are too many. The oldest sessions are the surplus, so that a viewer who switches channels sees the new one. */
export class UserLimits {
  readonly #users = new Map<string, User>();
  readonly #userOf = new Map<Session, string>();
  /** Users with more sessions than allowed. */
  readonly #over = new Set<string>();

  /** A session runs, or its user or limit may have changed. @returns the sessions that must go at once */
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

  /** The sessions of a user that a backend named. */
  of(userId: string): Iterable<Session> {
    return this.#users.get(`user ${userId}`)?.sessions ?? [];
  }

  /** An answer about a session came, which others of its user may have waited for. @returns the sessions that must go at once */
  answered(session: Session, nowMs: number): Session[] {
    const id = userOf(session);
    const user = id === undefined || !this.#over.has(id) ? undefined : this.#users.get(id);
    return id === undefined || !user ? [] : this.#judge(id, user, nowMs);
  }

  /** A session is over. */
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

  /** Sessions whose time under a soft limitation is over, or that were surplus while others of the user were asked about. */
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
    // One that is about to be refused takes no place of another.
    if (overMs < ANSWERS_MS && [...user.sessions].some(({ isAsking }) => isAsking)) return [];
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
  // In the order in which they were opened.
  return [...sessions].slice(0, sessions.size - limit);
}
