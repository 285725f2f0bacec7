import { AirdeskError } from '../../src-preload/contract/errors.ts';
import type { Clock } from '../lib/clock.ts';
import { addressGroup } from '../lib/network-address.ts';
import { Tally } from '../lib/tally.ts';
import type { LoginKind } from './access-rule.ts';
import { hashOfToken } from './api-tokens.ts';
import { AttemptLimiter } from './attempt-limiter.ts';
import { parseAuthorization, type GivenLogin } from './authorization.ts';
import { FairQueue } from './fair-queue.ts';
import { LoginUses } from './login-uses.ts';
import { LoginCheck, type ConfiguredLogins } from './login-check.ts';

/**
 * Report about a login: its first use from an address, a wrong login, or `login_slowed` when its address has to wait
 * from now on.
 */
export interface LoginNotice {
  readonly event: 'login_accepted' | 'login_refused' | 'login_slowed';
  readonly address: string;
  /** Configured login; null for an unknown login, which may be a password in the wrong field. */
  readonly login: string | null;
}

/**
 * Checks logins and counts wrong ones. An address with too many wrong logins has to wait, even with a correct login.
 */
export class LoginAttempts {
  /**
   * Number of refused logins: `wrong` ones, and `slowed` ones, which were not checked because their address had to
   * wait.
   */
  readonly refused = new Tally<'wrong' | 'slowed'>();
  readonly #options: { readonly notify: (notice: LoginNotice) => void };
  readonly #limiter: AttemptLimiter;
  readonly #queue = new FairQueue();
  readonly #used: LoginUses;
  /** Checks in progress by digest, so that parallel requests with the same login count as one attempt. */
  readonly #checking = new Map<string, Promise<ReadonlySet<LoginKind>>>();
  #logins: LoginCheck;

  constructor(
    logins: ConfiguredLogins,
    options: { readonly clock: Clock; readonly notify: (notice: LoginNotice) => void },
  ) {
    this.#options = options;
    this.#limiter = new AttemptLimiter(() => options.clock.now());
    this.#used = new LoginUses(() => options.clock.now());
    this.#logins = new LoginCheck(logins);
  }

  /** Configured kinds of login. */
  get kinds(): LoginCheck['kinds'] {
    return this.#logins.kinds;
  }

  /** Applies changed logins. Forgets wrong logins, because they may be correct now. */
  apply(logins: ConfiguredLogins): void {
    this.#logins = new LoginCheck(logins);
    this.#checking.clear();
    this.#limiter.forgetWrong();
  }

  /**
   * Counts a wrong token. Repetitions of a token do not count, because tools keep sending a removed token. Raises
   * `too_many_attempts`.
   */
  refuseToken(secret: string, address: string): void {
    const digest = hashOfToken(secret);
    if (this.#limiter.isKnownWrong(address, digest)) return;
    const waitMs = this.#limiter.waitMs(address);
    if (waitMs > 0) throw this.#tooMany(waitMs);
    this.#limiter.charge(address);
    this.#limiter.remember(address, digest);
    const event = this.#limiter.waitMs(address) > 0 ? 'login_slowed' : 'login_refused';
    this.#notify({ event, address, login: null });
  }

  /**
   * Finds the kinds that a login is valid for; empty if it is wrong. Raises `too_many_attempts` for an address that has
   * to wait.
   *
   * @param credentials login, or an `Authorization` header
   */
  async verify(
    credentials: GivenLogin | string,
    address: string,
  ): Promise<{ readonly kinds: ReadonlySet<LoginKind>; readonly login: string }> {
    const waitMs = this.#limiter.waitMs(address);
    if (waitMs > 0) throw this.#tooMany(waitMs);
    const given =
      typeof credentials === 'string'
        ? (parseAuthorization(credentials) ?? { login: '', password: credentials })
        : credentials;
    const logins = this.#logins;
    const digest = logins.digestOf(given);
    const kinds =
      logins.remembered(digest) ?? (this.#limiter.isKnownWrong(address, digest) ? new Set<LoginKind>() : undefined);
    if (kinds) return this.#answer(given, kinds, address);
    // The key contains the address, because the same login from two addresses counts as two attempts.
    const key = `${address} ${digest}`;
    const running = this.#checking.get(key);
    const check = running ?? this.#attempt(logins, given, address, digest);
    if (!running) this.#checking.set(key, check);
    try {
      return this.#answer(given, await check, address);
    } finally {
      if (this.#checking.get(key) === check) this.#checking.delete(key);
    }
  }

  /** Reports the use of a valid login. */
  #answer(
    { login }: { readonly login: string },
    kinds: ReadonlySet<LoginKind>,
    address: string,
  ): { readonly kinds: ReadonlySet<LoginKind>; readonly login: string } {
    if (kinds.size > 0 && this.#used.isNew(login, address))
      this.#options.notify({ event: 'login_accepted', address, login });
    return { kinds, login };
  }

  async #attempt(
    logins: LoginCheck,
    given: GivenLogin,
    address: string,
    digest: string,
  ): Promise<ReadonlySet<LoginKind>> {
    this.#limiter.charge(address);
    let kinds: ReadonlySet<LoginKind>;
    try {
      kinds = logins.isCostly
        ? await this.#queue.run(addressGroup(address), () => logins.check(given))
        : await logins.check(given);
    } catch (error) {
      // A login that was not checked is no attempt.
      this.#limiter.refund(address);
      throw error;
    }
    if (kinds.size > 0) {
      this.#limiter.refund(address);
      return kinds;
    }
    // A result for the previous logins does not apply to the current ones.
    if (logins === this.#logins) this.#limiter.remember(address, digest);
    const isSlowed = this.#limiter.waitMs(address) > 0;
    this.#notify({
      event: isSlowed ? 'login_slowed' : 'login_refused',
      address,
      login: logins.isLogin(given.login) ? given.login : null,
    });
    return kinds;
  }

  #tooMany(waitMs: number): AirdeskError {
    this.refused.add('slowed');
    return new AirdeskError('too_many_attempts', 'Too many wrong logins came from this address', {
      retry_after: Math.ceil(waitMs / 1000),
    });
  }

  #notify(notice: LoginNotice): void {
    this.refused.add('wrong');
    this.#options.notify(notice);
  }
}
