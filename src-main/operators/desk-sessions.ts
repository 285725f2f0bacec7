import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { Clock } from '../lib/clock.ts';
import type { LoginKind } from './access-rule.ts';
import type { LateMap } from './late-map.ts';
import type { ConfiguredLogins } from './login-check.ts';

/** What is kept of a session: nothing that opens one, and nothing that reveals a password. */
export interface StoredDeskSession {
  readonly login: string;
  /** One for each kind that the login was right for: HMACs of login and password as they are configured, with the secret of the session as the key. */
  readonly proofs: readonly string[];
  /** Epoch milliseconds. */
  readonly usedMs: number;
}

/** The session of a desk in a browser, as a request shows it. */
export interface DeskSession {
  readonly id: string;
  readonly login: string;
  readonly kinds: ReadonlySet<LoginKind>;
}

/** Without use for so long a session is over. An open desk uses it. */
export const SESSION_IDLE_MS = 7 * 24 * 3_600_000;
/** Sessions at the same time; of more, those that were used least lately are over. */
export const SESSIONS_MAX = 1000;
/** A use is noted once in this time. */
const USE_MS = 60_000;
/** Form of a secret: 256 random bits. */
const SECRET = /^[\w-]{43}$/;

/**
 * Who has logged in by the page of the desk. Only a hash of the secret that the browser holds is kept. A session is worth what its login is worth now: with
 * another password in the configuration it is worth nothing.
 */
export class DeskSessions {
  readonly #clock: Clock;
  readonly #kept: LateMap<StoredDeskSession>;
  readonly #listeners = new Set<(id: string) => void>();
  #logins: ConfiguredLogins;

  constructor(clock: Clock, kept: LateMap<StoredDeskSession>, logins: ConfiguredLogins) {
    this.#clock = clock;
    this.#kept = kept;
    this.#logins = logins;
  }

  /** Other logins are in force. */
  apply(logins: ConfiguredLogins): void {
    this.#logins = logins;
  }

  /** Begins a session for a login that was found right. Returns the secret of it, for the browser. */
  begin(login: string, kinds: ReadonlySet<LoginKind>): string {
    this.#endOld();
    const secret = randomBytes(32).toString('base64url');
    const proofs = [...this.#proofs(secret, login)].flatMap(([kind, proof]) => (kinds.has(kind) ? [proof] : []));
    this.#kept.set(idOf(secret), { login, proofs, usedMs: this.#clock.now() });
    this.#kept.write();
    return secret;
  }

  /** The session that a browser has; undefined where it is over, or its login is none any more. */
  find(secret: string): DeskSession | undefined {
    const id = SECRET.test(secret) ? idOf(secret) : '';
    const kept = this.use(id);
    if (!kept) return undefined;
    const { login, proofs } = kept;
    const kinds = [...this.#proofs(secret, login)].flatMap(([kind, proof]) => (proofs.includes(proof) ? [kind] : []));
    return kinds.length === 0 ? undefined : { id, login, kinds: new Set(kinds) };
  }

  /** A desk of a session is open. Returns what is kept of it; undefined where it is over. */
  use(id: string): StoredDeskSession | undefined {
    const kept = this.#kept.values.get(id);
    const idleMs = this.#clock.now() - (kept?.usedMs ?? 0);
    if (!kept || idleMs > SESSION_IDLE_MS) return undefined;
    if (idleMs > USE_MS) this.#kept.set(id, { ...kept, usedMs: this.#clock.now() });
    return kept;
  }

  /** Ends a session. */
  end(id: string): void {
    if (!this.#kept.values.has(id)) return;
    this.#kept.set(id, null);
    this.#kept.write();
    for (const listener of this.#listeners) listener(id);
  }

  /** Calls back when a session is ended. Returns the end of it. */
  onEnd(listener: (id: string) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Writes down what is known of sessions. */
  close(): void {
    this.#kept.write();
  }

  #endOld(): void {
    const oldestFirst = [...this.#kept.values].sort(([, a], [, b]) => a.usedMs - b.usedMs);
    const overMs = this.#clock.now() - SESSION_IDLE_MS;
    for (const [index, [id, { usedMs }]] of oldestFirst.entries())
      if (usedMs < overMs || index <= oldestFirst.length - SESSIONS_MAX) this.end(id);
  }

  #proofs(secret: string, login: string): Map<LoginKind, string> {
    const proofs = new Map<LoginKind, string>();
    for (const [kind, configured] of this.#logins) {
      if (configured.login.normalize('NFC') !== login.normalize('NFC')) continue;
      const text = JSON.stringify([kind, configured.login, configured.password]);
      proofs.set(kind, createHmac('sha256', secret).update(text).digest('base64url'));
    }
    return proofs;
  }
}

function idOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
