import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { Clock } from '../lib/clock.ts';
import type { LoginKind } from './access-rule.ts';
import { WriteBehindMap, type StoredValues } from './write-behind-map.ts';
import type { ConfiguredLogins } from './login-check.ts';

/** Stored part of a session. It can neither open a session nor reveal a password. */
export interface StoredDeskSession {
  readonly login: string;
  /**
   * HMACs of login and password, one for each kind of valid login. The HMAC key is the secret of the session. For a person,
   * whose password is already a hash, it is the id of the session.
   */
  readonly proofs: readonly string[];
  /** Last use, epoch milliseconds. */
  readonly usedMs: number;
  /** Start, epoch milliseconds; 0 if it is unknown. */
  readonly startedMs: number;
  /** Address of the browser that logged in. */
  readonly address: string;
  /** User agent of the browser. */
  readonly agent: string;
}

/** Store for sessions, by id. */
export type DeskSessionStore = StoredValues<StoredDeskSession>;

/** Session of a browser's desk, found from a request. */
export interface DeskSession {
  readonly id: string;
  readonly login: string;
  readonly kinds: ReadonlySet<LoginKind>;
}

/** Time without use after which a session ends, in milliseconds. An open desk counts as use. */
export const SESSION_IDLE_MS = 7 * 24 * 3_600_000;
/** Maximum number of sessions. Above it, the least recently used sessions end. */
export const MAX_DESK_SESSIONS = 1000;
/** Minimum interval between two recorded uses, in milliseconds. */
const USE_MS = 60_000;
/** Form of a secret: 256 random bits. */
const SECRET = /^[\w-]{43}$/;

/**
 * Sessions of desks in browsers, opened on the login page. Only a hash of the browser's secret is stored. A session has the
 * current rights of its login, and ends when the password changes.
 */
export class DeskSessions {
  readonly #clock: Clock;
  readonly #sessions: WriteBehindMap<StoredDeskSession>;
  readonly #listeners = new Set<(id: string) => void>();
  #logins: ConfiguredLogins;

  constructor(clock: Clock, sessions: WriteBehindMap<StoredDeskSession>, logins: ConfiguredLogins) {
    this.#clock = clock;
    this.#sessions = sessions;
    this.#logins = logins;
  }

  /** Opens the stored sessions. @param failed called if the store cannot be read or written */
  static open(
    clock: Clock,
    { store, failed }: { store: DeskSessionStore | undefined; failed: (cause: unknown) => void },
    logins: ConfiguredLogins,
  ): DeskSessions {
    return new DeskSessions(clock, new WriteBehindMap(clock, store, failed), logins);
  }

  /** Applies changed logins. */
  apply(logins: ConfiguredLogins): void {
    this.#logins = logins;
  }

  /** Starts a session for a verified login. Returns its secret, for the browser. */
  start(login: string, kinds: ReadonlySet<LoginKind>, from: Pick<StoredDeskSession, 'address' | 'agent'>): string {
    this.#endOld();
    const nowMs = this.#clock.now();
    const secret = randomBytes(32).toString('base64url');
    const proofs = [...this.#proofs(login, idOf(secret), secret)].flatMap(([kind, proof]) =>
      kinds.has(kind) ? [proof] : [],
    );
    this.#sessions.set(idOf(secret), { login, proofs, usedMs: nowMs, startedMs: nowMs, ...from });
    this.#sessions.write();
    return secret;
  }

  /** Finds the session of a browser; undefined if it has ended or its login is no longer valid. */
  find(secret: string): DeskSession | undefined {
    const id = SECRET.test(secret) ? idOf(secret) : '';
    const session = this.use(id);
    if (!session) return undefined;
    const { login, proofs } = session;
    const kinds = [...this.#proofs(login, id, secret)].flatMap(([kind, proof]) =>
      proofs.includes(proof) ? [kind] : [],
    );
    return kinds.length === 0 ? undefined : { id, login, kinds: new Set(kinds) };
  }

  /** Records that a desk of the session is open. Returns the stored session; undefined if it ended. */
  use(id: string): StoredDeskSession | undefined {
    const session = this.#sessions.values.get(id);
    const idleMs = this.#clock.now() - (session?.usedMs ?? 0);
    if (!session || idleMs > SESSION_IDLE_MS) return undefined;
    if (idleMs > USE_MS) this.#sessions.set(id, { ...session, usedMs: this.#clock.now() });
    return session;
  }

  /** Sessions that have not ended, by id. */
  list(): readonly (readonly [id: string, session: StoredDeskSession])[] {
    const oldestMs = this.#clock.now() - SESSION_IDLE_MS;
    return [...this.#sessions.values].filter(([, { usedMs }]) => usedMs >= oldestMs);
  }

  /** Ends all sessions of a login. @param kept session that continues with the new password; default: none */
  endOf(login: string, kept?: string): void {
    for (const [id, session] of [...this.#sessions.values]) {
      if (session.login.normalize('NFC') !== login.normalize('NFC')) continue;
      if (id === kept) this.#sessions.set(id, { ...session, proofs: [...this.#proofs(login, id).values()] });
      else this.end(id);
    }
    this.#sessions.write();
  }

  end(id: string): void {
    if (!this.#sessions.values.has(id)) return;
    this.#sessions.set(id, null);
    this.#sessions.write();
    for (const listener of this.#listeners) listener(id);
  }

  /** Adds a listener for ended sessions. Returns a function that removes it. */
  onEnd(listener: (id: string) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Saves the sessions that are not saved yet. */
  close(): void {
    this.#sessions.write();
  }

  #endOld(): void {
    const oldestFirst = [...this.#sessions.values].sort(([, a], [, b]) => a.usedMs - b.usedMs);
    const overMs = this.#clock.now() - SESSION_IDLE_MS;
    for (const [index, [id, { usedMs }]] of oldestFirst.entries())
      if (usedMs < overMs || index <= oldestFirst.length - MAX_DESK_SESSIONS) this.end(id);
  }

  /** Proofs of a login by kind. @param secret undefined to get only the proof of a person */
  #proofs(login: string, id: string, secret?: string): Map<LoginKind, string> {
    const proofs = new Map<LoginKind, string>();
    for (const [kind, configured] of this.#logins) {
      if (configured.login.normalize('NFC') !== login.normalize('NFC')) continue;
      const key = kind === 'person' ? id : secret;
      if (key === undefined) continue;
      const text = JSON.stringify([kind, configured.login, configured.password]);
      proofs.set(kind, createHmac('sha256', key).update(text).digest('base64url'));
    }
    return proofs;
  }
}

function idOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
