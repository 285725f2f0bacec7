import { isDeepStrictEqual } from 'node:util';
import { AirdeskError } from '../../src-preload/contract/errors.ts';
import type { Config } from '../config/config.ts';
import type { Clock } from '../lib/clock.ts';
import { TrustedProxies, type HeaderLookup } from '../lib/trusted-proxies.ts';
import { PERSON_AT_WINDOW, type Caller } from './caller.ts';
import { decideAccess, type AccessScope } from './access-rule.ts';
import { ApiTokens, TOKEN_CALLER, tokenIn, type ApiToken } from './api-tokens.ts';
import { LoginAttempts, loginsOf, type LoginNotice } from './login-attempts.ts';
import { DeskSessions, type StoredDeskSession } from './desk-sessions.ts';
import { LateMap, type StoredValues } from './late-map.ts';
import { TokenUses } from './token-uses.ts';
import { isOwnHost, originOf, type RequestFacts, type RequestOrigin } from './request-origin.ts';

/** What the configuration says of access. */
export type AccessSettings = Pick<
  Config,
  'viewAuth' | 'editAuth' | 'apiAuth' | 'apiTokens' | 'trustedProxies' | 'serverNames' | 'apiOrigins' | 'wallOrigins'
>;

/** What access works with. */
export interface OperatorsOptions {
  readonly settings: AccessSettings;
  readonly clock: Clock;
  /** Name of this machine. */
  readonly hostname: string;
  readonly notify: (notice: LoginNotice) => void;
  /** Where the last use of tokens outlasts a restart; nowhere without it. */
  readonly tokenUses?: StoredValues<number> | undefined;
  /** Where sessions of desks in browsers outlast a restart; nowhere without it. */
  readonly deskSessions?: StoredValues<StoredDeskSession> | undefined;
  /** Called where they cannot be read or written. */
  readonly keepFailed?: (cause: unknown) => void;
}

/** Identifies the caller of every request, and what it may do. */
export class Operators {
  readonly #options: OperatorsOptions;
  readonly #attempts: LoginAttempts;
  readonly #listeners = new Set<() => void>();
  #settings: AccessSettings;
  #proxies: TrustedProxies;
  #tokens: ApiTokens;
  readonly #uses: TokenUses;
  /** Sessions of desks in browsers. */
  readonly sessions: DeskSessions;

  constructor(options: OperatorsOptions) {
    this.#options = options;
    const { clock, tokenUses, deskSessions, keepFailed = () => undefined } = options;
    this.#uses = new TokenUses(clock, new LateMap(clock, tokenUses, keepFailed));
    const kept = new LateMap(clock, deskSessions, keepFailed);
    this.sessions = new DeskSessions(clock, kept, loginsOf(options.settings));
    this.#settings = accessSettings(options.settings);
    this.#proxies = new TrustedProxies(options.settings.trustedProxies);
    this.#attempts = new LoginAttempts(options.settings, options);
    this.#tokens = new ApiTokens(options.settings.apiTokens);
    this.#uses.keepOnly(options.settings.apiTokens);
  }

  /** Logins that were refused: wrong ones, and those of addresses that have to wait, which were not checked. */
  get refused(): LoginAttempts['refused'] {
    return this.#attempts.refused;
  }

  /** Text that changes when the rights of a login or token do: with its password or secret, its removal, and where logins are needed. Not for the outside. */
  groundsOf(who: string): string {
    if (who === PERSON_AT_WINDOW.who) return '';
    const { viewAuth, editAuth, apiAuth, apiTokens } = this.#settings;
    const logins = Object.entries({ viewAuth, editAuth, apiAuth }).map(([kind, configured]) => [
      kind,
      configured === null ? null : configured.login === who ? configured.password : true,
    ]);
    const token = who.startsWith(TOKEN_CALLER) ? apiTokens.get(who.slice(TOKEN_CALLER.length)) : undefined;
    return JSON.stringify([logins, token ? [token.hash, token.scope, token.prefixes] : null]);
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
    this.#attempts.apply(settings);
    this.sessions.apply(loginsOf(settings));
    this.#tokens = new ApiTokens(settings.apiTokens);
    this.#uses.keepOnly(settings.apiTokens);
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

  /** Origins whose pages the desk may frame. */
  get wallOrigins(): readonly string[] {
    return this.#settings.wallOrigins;
  }

  /**
   * The caller of a request. Raises `too_many_attempts` for addresses that gave too many wrong logins.
   *
   * @param sessionSecret what the browser of a desk holds, where the request is one of the desk; a login in the request comes before it
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
    const isBorrowed = origin.isCrossSitePage;
    const rights = decideAccess({ configured, given: given?.kinds, scope, isLocal: origin.isLocal, isBorrowed });
    const hasLogin = given !== undefined && given.kinds.size > 0;
    const who = hasLogin ? given.login : origin.isLocal ? 'local' : 'anyone';
    const isDeliberate = (hasLogin && !session) || origin.isOwnPage;
    return { ...rights, who, address: origin.address, isDeliberate, ...(session ? { session: session.id } : {}) };
  }

  /** Begins a session for a login. Returns the secret of it. Raises `unauthorized`, `forbidden` or `too_many_attempts`. */
  async logIn(facts: RequestFacts, given: { readonly login: string; readonly password: string }): Promise<string> {
    const { address, isCrossSitePage } = this.#originOf(facts, []);
    // A page of another site must not have the operator work under its login.
    if (isCrossSitePage) throw new AirdeskError('forbidden');
    const { kinds } = await this.#attempts.verify(given, address);
    // The login of `api_auth` opens no desk.
    if (!kinds.has('view') && !kinds.has('edit')) throw new AirdeskError('unauthorized');
    return this.sessions.begin(given.login, kinds);
  }

  /** When a token was used last, epoch milliseconds; null where it was not. */
  tokenUsedMs(name: string): number | null {
    return this.#uses.last(name);
  }

  /** Writes down what is known of tokens and sessions. */
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

/** The settings of access out of a configuration: what else is in it must not count as a change. */
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
