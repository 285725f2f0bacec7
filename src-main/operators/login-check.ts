import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Config } from '../config/schema/config.ts';
import type { Person } from './people.ts';
import { parsePasswordHash, verifyPassword, type PasswordHash } from '../lib/password-hash.ts';
import type { LoginKind } from './access-rule.ts';
import type { GivenLogin } from './authorization.ts';

export interface ConfiguredLogin {
  readonly login: string;
  /** Password or its hash. */
  readonly password: string;
}

/** Valid logins: at most one of each kind of the configuration, and any number of people. */
export type ConfiguredLogins = Iterable<readonly [LoginKind, ConfiguredLogin]>;

interface LoginDigest {
  readonly kind: LoginKind;
  readonly name: string;
  readonly login: Uint8Array;
  readonly password: Uint8Array | PasswordHash;
}

/** Compares logins with the configured ones, in constant time. */
export class LoginCheck {
  readonly #key = randomBytes(32);
  readonly #logins: readonly LoginDigest[];
  readonly #valid = new Map<string, ReadonlySet<LoginKind>>();

  constructor(logins: ConfiguredLogins) {
    this.#logins = [...logins].map(([kind, { login, password }]) => ({
      kind,
      name: login,
      login: this.#digest(login),
      password: parsePasswordHash(password) ?? this.#digest(password),
    }));
  }

  /** Configured kinds of login. */
  get kinds(): ReadonlySet<LoginKind> {
    return new Set(this.#logins.map(({ kind }) => kind));
  }

  /** Whether a check is expensive, because a password is stored as a hash. */
  get isCostly(): boolean {
    return this.#logins.some(({ password }) => !(password instanceof Uint8Array));
  }

  /** Digest that identifies a login inside this process and reveals nothing about it. */
  digestOf({ login, password }: GivenLogin): string {
    return Buffer.from(this.#digest(`${login}:${password}`)).toString('base64');
  }

  /** Kinds of a login that was checked before; undefined if it is not remembered. */
  remembered(digest: string): ReadonlySet<LoginKind> | undefined {
    return this.#valid.get(digest);
  }

  /** Finds the kinds that a login is valid for and remembers them. Hashes are computed in another thread. */
  async check(given: GivenLogin): Promise<ReadonlySet<LoginKind>> {
    const login = this.#digest(given.login);
    const password = this.#digest(given.password);
    const kinds = new Set<LoginKind>();
    const hashed: { readonly hash: PasswordHash; readonly kind: LoginKind; readonly isLogin: boolean }[] = [];
    for (const { kind, login: name, password: expected } of this.#logins) {
      const isLogin = timingSafeEqual(name, login);
      if (!(expected instanceof Uint8Array)) hashed.push({ hash: expected, kind, isLogin });
      else if (timingSafeEqual(expected, password) && isLogin) kinds.add(kind);
    }
    // An unknown login also costs the time of one hash, so that the time does not reveal which logins exist.
    const matching = hashed.filter(({ isLogin }) => isLogin);
    for (const { hash, kind, isLogin } of matching.length > 0 ? matching : hashed.slice(0, 1)) {
      if ((await verifyPassword(given.password, hash)) && isLogin) kinds.add(kind);
    }
    // The cache has at most one entry for each configured login.
    if (kinds.size > 0) this.#valid.set(this.digestOf(given), kinds);
    return kinds;
  }

  /** Whether a name is a configured login. Other names may be passwords in the wrong field, so they are not shown. */
  isLogin(name: string): boolean {
    return this.#logins.some((login) => login.name === name);
  }

  #digest(text: string): Uint8Array {
    return createHmac('sha256', this.#key).update(text.normalize('NFC')).digest();
  }
}

/** Valid logins: the logins of the configuration, and people who are not disabled. */
export function loginsOf(
  { viewAuth, editAuth, apiAuth }: Pick<Config, 'viewAuth' | 'editAuth' | 'apiAuth'>,
  people: readonly Person[],
): ConfiguredLogins {
  const logins: (readonly [LoginKind, ConfiguredLogin])[] = [];
  if (viewAuth) logins.push(['view', viewAuth]);
  if (editAuth) logins.push(['edit', editAuth]);
  // A login without a password requires a login but is never valid itself.
  if (apiAuth) {
    const password = apiAuth.password ?? randomBytes(32).toString('base64');
    logins.push(['api', { login: apiAuth.login ?? '', password }]);
  }
  for (const { login, passwordHash, isDisabled } of people)
    if (!isDisabled) logins.push(['person', { login, password: passwordHash }]);
  return logins;
}
