import { isDeepStrictEqual } from 'node:util';
import { AirdeskError } from '../../src-preload/contract/errors.ts';
import type { Config } from '../config/schema/config.ts';
import type { Clock } from '../lib/clock.ts';
import { TrustedProxies, type HeaderLookup } from '../lib/trusted-proxies.ts';
import { PERSON_AT_WINDOW, type Caller } from './caller.ts';
import { decideAccess, type AccessScope } from './access-rule.ts';
import { ApiTokens, TOKEN_CALLER, tokenIn, type ApiToken } from './api-tokens.ts';
import { LoginAttempts, loginsOf, type LoginNotice } from './login-attempts.ts';
import { DeskSessions, type StoredDeskSession } from './desk-sessions.ts';
import { WriteBehindMap, type StoredValues } from './write-behind-map.ts';
import { TokenUses } from './token-uses.ts';
import { isOwnHost, originOf, type RequestFacts, type RequestOrigin } from './request-origin.ts';

export type AccessSettings = Pick<
  Config,
  'viewAuth' | 'editAuth' | 'apiAuth' | 'apiTokens' | 'trustedProxies' | 'serverNames' | 'apiOrigins' | 'wallOrigins'
>;

export interface OperatorsOptions {
  readonly settings: AccessSettings;
  readonly clock: Clock;
  /** Name of this machine. */
  readonly hostname: string;
  readonly notify: (notice: LoginNotice) => void;
  /** Store for the last use of tokens; without it, uses do not survive a restart. */
  readonly tokenUses?: StoredValues<number> | undefined;
  /** Store for the sessions of browsers' desks; without it, sessions do not survive a restart. */
  readonly deskSessions?: StoredValues<StoredDeskSession> | undefined;
  /** Called if a store cannot be read or written. */
  readonly storeFailed?: (cause: unknown) => void;
}

/** Identifies the caller of each request and its rights. */
export class Operators {
  readonly #options: OperatorsOptions;
  readonly #attempts: LoginAttempts;
  readonly #listeners = new Set<() => void>();
  #settings: AccessSettings;
  #proxies: TrustedProxies;
  #tokens: ApiTokens;
  readonly #uses: TokenUses;
  /** Sessions of browsers' desks. */
  readonly sessions: DeskSessions;

  constructor(options: OperatorsOptions) {
    this.#options = options;
    const { clock, tokenUses, deskSessions, storeFailed = () => undefined } = options;
    this.#uses = new TokenUses(clock, new WriteBehindMap(clock, tokenUses, storeFailed));
    const sessions = new WriteBehindMap(clock, deskSessions, storeFailed);
    this.sessions = new DeskSessions(clock, sessions, loginsOf(options.settings));
    this.#settings = accessSettings(options.settings);
    this.#proxies = new TrustedProxies(options.settings.trustedProxies);
    this.#attempts = new LoginAttempts(options.settings, options);
    this.#tokens = new ApiTokens(options.settings.apiTokens);
    this.#uses.keepOnly(options.settings.apiTokens);
  }

  /**
   * Number of refused logins: `wrong` ones, and `slowed` ones, which were not checked because their address had to
   * wait.
   */
  get refused(): LoginAttempts['refused'] {
    return this.#attempts.refused;
  }

  /**
   * Secret text that changes with the rights of a login or token: with its password or secret, its removal, and the
   * kinds of access that need a login.
   */
  rightsFingerprint(who: string): string {
    if (who === PERSON_AT_WINDOW.who) return '';
    const { viewAuth, editAuth, apiAuth, apiTokens } = this.#settings;
    const logins = Object.entries({ viewAuth, editAuth, apiAuth }).map(([kind, configured]) => [
      kind,
      configured === null ? null : configured.login === who ? configured.password : true,
    ]);
    const token = who.startsWith(TOKEN_CALLER) ? apiTokens.get(who.slice(TOKEN_CALLER.length)) : undefined;
    return JSON.stringify([logins, token ? [token.hash, token.scope, token.prefixes] : null]);
  }

  /** Whether changes need a login, from any address. */
  get hasEditLogin(): boolean {
    return this.#settings.editAuth !== null;
  }

  /** Applies changed settings. Listeners then identify the callers of open connections again. */
  apply(changed: AccessSettings): void {
    const settings = accessSettings(changed);
    if (isDeepStrictEqual(settings, this.#settings)) return;
    this.#settings = settings;
    this.#proxies = new TrustedProxies(settings.trustedProxies);
    this.#attempts.apply(settings);
    this.sessions.apply(loginsOf(settings));
    this.#tokens = new ApiTokens(settings.apiTokens);
    this.#uses.keepOnly(settings.apiTokens);
    for (const listener of this.#listeners) listener();
  }

  /** Adds a listener for changed settings. Returns a function that removes it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Client address of a request, as given by trusted proxies. */
  clientAddress(peer: string, header: HeaderLookup): string {
    return this.#proxies.clientAddress(peer, header);
  }

  /** Whether a page of another server, even of an allowed origin, makes the browser send a request. */
  isCrossSitePage(facts: RequestFacts): boolean {
    return this.#originOf(facts, []).isCrossSitePage;
  }

  /**
   * Whether a page of another server makes the browser send a request. Includes pages whose host name was made to
   * resolve to this server.
   */
  isFromOtherSite(facts: RequestFacts): boolean {
    const { isCrossSitePage, isOtherHost } = this.#originOf(facts, []);
    return isCrossSitePage || isOtherHost;
  }

  isOwnHost(host: string): boolean {
    return isOwnHost(host, { hostname: this.#options.hostname, names: this.#settings.serverNames });
  }

  /** Whether many clients may share an address, because it is a trusted proxy. */
  isTrustedProxy(address: string): boolean {
    return this.#proxies.isTrusted(address);
  }

  /** Origin of the page that sends a request, if `api_origins` lets its pages read the answers. */
  allowedOrigin({ header }: Pick<RequestFacts, 'header'>): string | undefined {
    const origin = header('origin');
    return origin !== undefined && this.#settings.apiOrigins.includes(origin) ? origin : undefined;
  }

  get wallOrigins(): readonly string[] {
    return this.#settings.wallOrigins;
  }

  /**
   * Identifies the caller of a request. Raises `too_many_attempts` for an address with too many wrong logins.
   *
   * @param sessionSecret secret of the browser's session, for a request of the desk; a login in the request takes precedence
   */
  async identify(facts: RequestFacts, scope: AccessScope, sessionSecret?: string): Promise<Caller> {
    const origin = this.#originOf(facts);
    const secret = tokenIn(facts.header('authorization'));
    if (secret !== undefined) return this.#tokenCaller(secret, origin);
    const configured = this.#attempts.kinds;
    const authorization = configured.size > 0 ? facts.header('authorization') : undefined;
    const session =
      authorization === undefined && sessionSecret !== undefined ? this.sessions.find(sessionSecret) : undefined;
    const given = authorization === undefined ? session : await this.#attempts.verify(authorization, origin.address);
    const isCrossSite = origin.isCrossSitePage;
    const rights = decideAccess({ configured, given: given?.kinds, scope, isLocal: origin.isLocal, isCrossSite });
    const hasLogin = given !== undefined && given.kinds.size > 0;
    const who = hasLogin ? given.login : origin.isLocal ? 'local' : 'anyone';
    const isDeliberate = (hasLogin && !session) || origin.isOwnPage;
    return { ...rights, who, address: origin.address, isDeliberate, ...(session ? { session: session.id } : {}) };
  }

  /** Starts a session for a login. Returns its secret. Raises `unauthorized`, `forbidden` or `too_many_attempts`. */
  async logIn(facts: RequestFacts, given: { readonly login: string; readonly password: string }): Promise<string> {
    const { address, isCrossSitePage } = this.#originOf(facts, []);
    // A page of another site must not log the operator in under a login of its choice.
    if (isCrossSitePage) throw new AirdeskError('forbidden');
    const { kinds } = await this.#attempts.verify(given, address);
    // The login of `api_auth` gives no access to the desk.
    if (!kinds.has('view') && !kinds.has('edit')) throw new AirdeskError('unauthorized');
    return this.sessions.start(given.login, kinds);
  }

  /** Last use of a token, epoch milliseconds; null if it was never used. */
  tokenUsedMs(name: string): number | null {
    return this.#uses.last(name);
  }

  /** Saves uses of tokens and sessions that are not saved yet. */
  close(): void {
    this.#uses.close();
    this.sessions.close();
  }

  #tokenCaller(secret: string, { address, isCrossSitePage }: RequestOrigin): Caller {
    const token = this.#tokens.find(secret);
    if (!token) {
      this.#attempts.refuseToken(secret, address);
      return { mayRead: false, mayWrite: false, mustLogIn: true, who: 'anyone', address };
    }
    this.#uses.use(token.name);
    return { ...rightsOf(token, isCrossSitePage), who: `${TOKEN_CALLER}${token.name}`, address, isDeliberate: true };
  }

  #originOf(facts: RequestFacts, origins = this.#settings.apiOrigins): RequestOrigin {
    const { hostname } = this.#options;
    return originOf(facts, this.#proxies, { hostname, names: this.#settings.serverNames, origins });
  }
}

/** Access settings of a configuration; changes of all other settings do not matter here. */
function accessSettings(settings: AccessSettings): AccessSettings {
  const { viewAuth, editAuth, apiAuth, apiTokens, trustedProxies, serverNames, apiOrigins, wallOrigins } = settings;
  return { viewAuth, editAuth, apiAuth, apiTokens, trustedProxies, serverNames, apiOrigins, wallOrigins };
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
