import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { AirdeskError } from '../../src-preload/contract/errors.ts';
import type { Config } from '../config/config.ts';
import { addressGroup } from '../lib/network-address.ts';
import type { Clock } from '../lib/clock.ts';
import { Tally } from '../lib/tally.ts';
import { TrustedProxies, type HeaderLookup } from '../lib/trusted-proxies.ts';
import type { Caller } from './caller.ts';
import { decideAccess, type AccessScope, type LoginKind } from './access-rule.ts';
import { ApiTokens, hashOfToken, TOKEN_CALLER, tokenIn, type ApiToken } from './api-tokens.ts';
import { TokenUses, type TokenUseStore } from './token-uses.ts';
import { AttemptLimiter } from './attempt-limiter.ts';
import { parseAuthorization } from './authorization.ts';
import { FairQueue } from './fair-queue.ts';
import { LoginCheck, type ConfiguredLogin, type ConfiguredLogins } from './login-check.ts';
import { isOwnHost, originOf, type RequestFacts, type RequestOrigin } from './request-origin.ts';

/** What the configuration says of access. */
export type AccessSettings = Pick<
  Config,
  'viewAuth' | 'editAuth' | 'apiAuth' | 'apiTokens' | 'trustedProxies' | 'serverNames' | 'apiOrigins'
>;

/** A wrong login; `login_slowed` when its address has to wait from now on. */
export interface LoginNotice {
  readonly event: 'login_refused' | 'login_slowed';
  readonly address: string;
  /** The login, where it is one of the configuration; null for others, which may be passwords in the wrong field. */
  readonly login: string | null;
}

/** What access works with. */
export interface OperatorsOptions {
  readonly settings: AccessSettings;
  readonly clock: Clock;
  /** Name of this machine. */
  readonly hostname: string;
  readonly notify: (notice: LoginNotice) => void;
  /** Where the last use of tokens outlasts a restart; nowhere without it. */
  readonly tokenUses?: TokenUseStore | undefined;
  /** Called where it cannot be read or written. */
  readonly tokenUsesFailed?: (cause: unknown) => void;
}

/** Identifies the caller of every request, and what it may do. */
export class Operators {
  /** Logins that were refused: wrong ones, and those of addresses that have to wait, which nobody looked at. */
  readonly refused = new Tally<'wrong' | 'slowed'>();
  readonly #options: OperatorsOptions;
  readonly #limiter: AttemptLimiter;
  readonly #queue = new FairQueue();
  /** Logins that are being checked, so that many requests with the same one are one attempt. */
  readonly #checking = new Map<string, Promise<ReadonlySet<LoginKind>>>();
  readonly #listeners = new Set<() => void>();
  #settings: AccessSettings;
  #proxies: TrustedProxies;
  #logins: LoginCheck;
  #tokens: ApiTokens;
  readonly #uses: TokenUses;

  constructor(options: OperatorsOptions) {
    this.#options = options;
    const { clock, tokenUses, tokenUsesFailed = () => undefined } = options;
    this.#uses = new TokenUses(clock, tokenUses, tokenUsesFailed);
    this.#limiter = new AttemptLimiter(() => options.clock.now());
    this.#settings = accessSettings(options.settings);
    this.#proxies = new TrustedProxies(options.settings.trustedProxies);
    this.#logins = new LoginCheck(loginsOf(options.settings));
    this.#tokens = new ApiTokens(options.settings.apiTokens);
    this.#uses.keepOnly(options.settings.apiTokens);
  }

  /** Whether changes need a login, wherever they come from. */
  get hasEditLogin(): boolean {
    return this.#settings.editAuth !== null;
  }

  /** Puts other settings into force. The listeners identify the callers of open connections again. */
  apply(changed: AccessSettings): void {
    const settings = accessSettings(changed);
    if (isDeepStrictEqual(settings, this.#settings)) return;
    this.#settings = settings;
    this.#proxies = new TrustedProxies(settings.trustedProxies);
    this.#logins = new LoginCheck(loginsOf(settings));
    this.#tokens = new ApiTokens(settings.apiTokens);
    this.#uses.keepOnly(settings.apiTokens);
    this.#checking.clear();
    this.#limiter.forgetWrong();
    for (const listener of this.#listeners) listener();
  }

  /** Calls back when other settings came into force. Returns the end of it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** The client's address of a request, as given by trusted proxies. */
  clientAddress(peer: string, header: HeaderLookup): string {
    return this.#proxies.clientAddress(peer, header);
  }

  /** Whether a page of another server makes a browser send a request, one of an allowed origin too. */
  isCrossSitePage(facts: RequestFacts): boolean {
    return this.#originOf(facts, []).isCrossSitePage;
  }

  /** Whether a page that is none of this server makes a browser send a request, or one whose name leads to this server by trick. */
  isFromOtherSite(facts: RequestFacts): boolean {
    const { isCrossSitePage, isOtherHost } = this.#originOf(facts, []);
    return isCrossSitePage || isOtherHost;
  }

  /** Whether a `Host` header names this server. */
  isOwnHost(host: string): boolean {
    return isOwnHost(host, { hostname: this.#options.hostname, names: this.#settings.serverNames });
  }

  /** Whether many may ask from an address, because a trusted proxy has it. */
  isTrustedProxy(address: string): boolean {
    return this.#proxies.isTrusted(address);
  }

  /** The origin of the page that sends a request, where `api_origins` lets its pages read the answers. */
  allowedOrigin({ header }: Pick<RequestFacts, 'header'>): string | undefined {
    const origin = header('origin');
    return origin !== undefined && this.#settings.apiOrigins.includes(origin) ? origin : undefined;
  }

  /** The caller of a request. Raises `too_many_attempts` for addresses that gave too many wrong logins. */
  async identify(facts: RequestFacts, scope: AccessScope): Promise<Caller> {
    const origin = this.#originOf(facts);
    const secret = tokenIn(facts.header('authorization'));
    if (secret !== undefined) return this.#tokenCaller(secret, origin);
    const configured = this.#logins.kinds;
    const authorization = configured.size > 0 ? facts.header('authorization') : undefined;
    const given = authorization === undefined ? undefined : await this.#verify(authorization, origin.address);
    const isBorrowed = origin.isCrossSitePage;
    const rights = decideAccess({ configured, given: given?.kinds, scope, isLocal: origin.isLocal, isBorrowed });
    const hasLogin = given !== undefined && given.kinds.size > 0;
    const who = hasLogin ? given.login : origin.isLocal ? 'local' : 'anyone';
    return { ...rights, who, address: origin.address, isDeliberate: hasLogin || origin.isOwnPage };
  }

  /** When a token was used last, epoch milliseconds; null where it was not. */
  tokenUsedMs(name: string): number | null {
    return this.#uses.last(name);
  }

  /** Writes down what is known of tokens. */
  close(): void {
    this.#uses.close();
  }

  #tokenCaller(secret: string, { address, isCrossSitePage }: RequestOrigin): Caller {
    const token = this.#tokens.find(secret);
    if (!token) {
      this.#refuseToken(secret, address);
      return { mayRead: false, mayWrite: false, mustLogIn: true, who: 'anyone', address };
    }
    this.#uses.use(token.name);
    return { ...rightsOf(token, isCrossSitePage), who: `${TOKEN_CALLER}${token.name}`, address, isDeliberate: true };
  }

  /** A token that holds no more is no other attempt each time: tools go on with it. */
  #refuseToken(secret: string, address: string): void {
    const digest = hashOfToken(secret);
    if (this.#limiter.isKnownWrong(address, digest)) return;
    const waitMs = this.#limiter.waitMs(address);
    if (waitMs > 0) throw this.#tooMany(waitMs);
    this.#limiter.charge(address);
    this.#limiter.remember(address, digest);
    const event = this.#limiter.waitMs(address) > 0 ? 'login_slowed' : 'login_refused';
    this.#notify({ event, address, login: null });
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

  #originOf(facts: RequestFacts, origins = this.#settings.apiOrigins): RequestOrigin {
    const { hostname } = this.#options;
    return originOf(facts, this.#proxies, { hostname, names: this.#settings.serverNames, origins });
  }

  async #verify(
    authorization: string,
    address: string,
  ): Promise<{ readonly kinds: ReadonlySet<LoginKind>; readonly login: string }> {
    const waitMs = this.#limiter.waitMs(address);
    if (waitMs > 0) throw this.#tooMany(waitMs);
    const given = parseAuthorization(authorization) ?? { login: '', password: authorization };
    const logins = this.#logins;
    const digest = logins.digestOf(given);
    const kinds =
      logins.remembered(digest) ?? (this.#limiter.isKnownWrong(address, digest) ? new Set<LoginKind>() : undefined);
    if (kinds) return { ...given, kinds };
    // The same login from two addresses is two attempts.
    const key = `${address} ${digest}`;
    const running = this.#checking.get(key);
    const check = running ?? this.#attempt(logins, given, address, digest);
    if (!running) this.#checking.set(key, check);
    try {
      return { ...given, kinds: await check };
    } finally {
      if (this.#checking.get(key) === check) this.#checking.delete(key);
    }
  }

  async #attempt(
    logins: LoginCheck,
    given: { readonly login: string; readonly password: string },
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
      // Credentials that were not looked at are no attempt.
      this.#limiter.giveBack(address);
      throw error;
    }
    if (kinds.size > 0) {
      this.#limiter.giveBack(address);
      return kinds;
    }
    // Wrong for logins that hold no more says nothing of those that hold now.
    if (logins === this.#logins) this.#limiter.remember(address, digest);
    const isSlowed = this.#limiter.waitMs(address) > 0;
    this.#notify({
      event: isSlowed ? 'login_slowed' : 'login_refused',
      address,
      login: logins.isLogin(given.login) ? given.login : null,
    });
    return kinds;
  }
}

/** The settings of access out of a configuration: what else is in it must not count as a change. */
function accessSettings(settings: AccessSettings): AccessSettings {
  const { viewAuth, editAuth, apiAuth, apiTokens, trustedProxies, serverNames, apiOrigins } = settings;
  return { viewAuth, editAuth, apiAuth, apiTokens, trustedProxies, serverNames, apiOrigins };
}

function loginsOf({ viewAuth, editAuth, apiAuth }: AccessSettings): ConfiguredLogins {
  const logins = new Map<LoginKind, ConfiguredLogin>();
  if (viewAuth) logins.set('view', viewAuth);
  if (editAuth) logins.set('edit', editAuth);
  // Half a login locks, but opens nothing.
  if (apiAuth)
    logins.set('api', { login: apiAuth.login ?? '', password: apiAuth.password ?? randomBytes(32).toString('base64') });
  return logins;
}

function rightsOf(
  { scope, prefixes }: ApiToken,
  isCrossSitePage: boolean,
): Pick<Caller, 'mayRead' | 'mayWrite' | 'mayOperate' | 'prefixes'> {
  return {
    mayRead: true,
    mayWrite: scope === 'admin' && !isCrossSitePage,
    mayOperate: scope !== 'view' && !isCrossSitePage,
    ...(prefixes.length === 0 ? {} : { prefixes }),
  };
}
