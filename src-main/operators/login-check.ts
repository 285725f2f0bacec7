import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { parsePasswordHash, verifyPassword, type PasswordHash } from '../lib/password-hash.ts';
import type { LoginKind } from './access-rule.ts';
import type { GivenLogin } from './authorization.ts';

/** A login of the configuration. */
export interface ConfiguredLogin {
  readonly login: string;
  /** The password or its hash. */
  readonly password: string;
}

/** The logins of a configuration by their kind. */
export type ConfiguredLogins = ReadonlyMap<LoginKind, ConfiguredLogin>;

interface Known {
  readonly kind: LoginKind;
  readonly name: string;
  readonly login: Uint8Array;
  readonly password: Uint8Array | PasswordHash;
}

/** Compares logins with those of the configuration, in a time that reveals nothing of them. */
export class LoginCheck {
  readonly #key = randomBytes(32);
  readonly #known: readonly Known[];
  readonly #right = new Map<string, ReadonlySet<LoginKind>>();

  constructor(logins: ConfiguredLogins) {
    this.#known = [...logins].map(([kind, { login, password }]) => ({
      kind,
      name: login,
      login: this.#digest(login),
      password: parsePasswordHash(password) ?? this.#digest(password),
    }));
  }

  /** The kinds that the configuration has. */
  get kinds(): ReadonlySet<LoginKind> {
    return new Set(this.#known.map(({ kind }) => kind));
  }

  /** Whether checking takes real work, because a password is kept as a hash. */
  get isCostly(): boolean {
    return this.#known.some(({ password }) => !(password instanceof Uint8Array));
  }

  /** What stands for a login inside of this process, and reveals nothing of it. */
  digestOf({ login, password }: GivenLogin): string {
    return Buffer.from(this.#digest(`${login}:${password}`)).toString('base64');
  }

  /** The kinds that a login was found right for before; undefined where it was not. */
  remembered(digest: string): ReadonlySet<LoginKind> | undefined {
    return this.#right.get(digest);
  }

  /** The kinds that a login is right for; hashes are computed outside of the thread. Right ones are remembered. */
  async check(given: GivenLogin): Promise<ReadonlySet<LoginKind>> {
    const login = this.#digest(given.login);
    const password = this.#digest(given.password);
    const kinds = new Set<LoginKind>();
    const hashed: { readonly hash: PasswordHash; readonly kind: LoginKind; readonly isLogin: boolean }[] = [];
    for (const { kind, login: name, password: known } of this.#known) {
      const isLogin = timingSafeEqual(name, login);
      if (!(known instanceof Uint8Array)) hashed.push({ hash: known, kind, isLogin });
      else if (timingSafeEqual(known, password) && isLogin) kinds.add(kind);
    }
    // One hash is computed for an unknown login, too, so that the time does not reveal which logins exist.
    const wanted = hashed.filter(({ isLogin }) => isLogin);
    for (const { hash, kind, isLogin } of wanted.length > 0 ? wanted : hashed.slice(0, 1)) {
      if ((await verifyPassword(given.password, hash)) && isLogin) kinds.add(kind);
    }
    // At most one entry for each configured login.
    if (kinds.size > 0) this.#right.set(this.digestOf(given), kinds);
    return kinds;
  }

  /** Whether a name is one of the configured logins; others may be passwords in the wrong field and are not shown. */
  isLogin(name: string): boolean {
    return this.#known.some((known) => known.name === name);
  }

  #digest(text: string): Uint8Array {
    return createHmac('sha256', this.#key).update(text.normalize('NFC')).digest();
  }
}
