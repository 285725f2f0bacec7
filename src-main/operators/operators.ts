import { isDeepStrictEqual } from 'node:util';
import { AirdeskError } from '../../src-preload/contract/errors.ts';
import type { Config } from '../config/schema/config.ts';
import type { Clock } from '../lib/clock.ts';
import { TrustedProxies, type HeaderLookup } from '../lib/trusted-proxies.ts';
import { WINDOW_USER, type Caller } from './caller.ts';
import { decideAccess, type AccessScope, type LoginKind } from './access-rule.ts';
import { LoginAttempts, type LoginNotice } from './login-attempts.ts';
import { loginsOf } from './login-check.ts';
import { DeskSessions, type DeskSessionStore } from './desk-sessions.ts';
import { People, weakPassword, type PeopleStore, type Person, type PersonEffect } from './people.ts';
import { TokenCallers, type TokenUseStore } from './token-callers.ts';
import { isOwnHost, originOf, type RequestFacts, type RequestOrigin } from './request-origin.ts';

export type AccessSettings = Pick<
  Config,
  'viewAuth' | 'editAuth' | 'apiAuth' | 'apiTokens' | 'trustedProxies' | 'serverNames' | 'apiOrigins' | 'wallOrigins'
>;

/** @param keptSession session of the desk that continues; absent if none does */
type PersonListener = (login: string, keptSession?: string) => void;

/** Maximum length of a stored user agent, in characters. */
const MAX_AGENT_LENGTH = 300;

export interface OperatorsOptions {
  readonly settings: AccessSettings;
  readonly clock: Clock;
  /** Name of this machine. */
  readonly hostname: string;
  readonly notify: (notice: LoginNotice) => void;
  /** Store for the last use of tokens. If absent, the times do not survive a restart. */
  readonly tokenUses?: TokenUseStore | undefined;
  /** Store for the sessions of browsers' desks. If absent, sessions do not survive a restart. */
  readonly deskSessions?: DeskSessionStore | undefined;
  /** Store for named logins. If absent, no person can be added. */
  readonly people?: PeopleStore | undefined;
  /** Called if a store cannot be read or written. */
  readonly storeFailed?: (cause: unknown) => void;
}

/** Identifies the caller of each request, with the rights of the caller. */
export class Operators {
  readonly #options: OperatorsOptions;
  readonly #attempts: LoginAttempts;
  readonly #listeners = new Set<() => void>();
  readonly #personListeners = new Set<PersonListener>();
  #settings: AccessSettings;
  #proxies: TrustedProxies;
  readonly #tokens: TokenCallers;
  /** Sessions of browsers' desks. */
  readonly sessions: DeskSessions;
  /** Named logins. */
  readonly people: People;

  constructor(options: OperatorsOptions) {
    this.#options = options;
    const { clock, tokenUses, deskSessions, storeFailed = () => undefined } = options;
    this.#settings = accessSettings(options.settings);
    this.people = new People({
      clock,
      store: options.people,
      storeFailed,
      configuredLogins: () =>
        [this.#settings.viewAuth, this.#settings.editAuth, this.#settings.apiAuth].flatMap((one) => one?.login ?? []),
      hasEditLogin: () => this.#settings.editAuth !== null,
      changed: (login, effect, keptSession) => {
        this.#applyPerson(login, effect, keptSession);
      },
    });
    const logins = loginsOf(options.settings, this.people.list());
    this.sessions = DeskSessions.open(clock, { store: deskSessions, failed: storeFailed }, logins);
    this.#proxies = new TrustedProxies(options.settings.trustedProxies);
    this.#attempts = new LoginAttempts(logins, options);
    this.#tokens = new TokenCallers(options.settings.apiTokens, { clock, store: tokenUses, failed: storeFailed });
  }

  /**
   * Number of refused logins: `wrong` ones, and `slowed` ones, which were not checked because their address had to
   * wait.
   */
  get refused(): LoginAttempts['refused'] {
    return this.#attempts.refused;
  }

  /**
   * Secret text that changes when the rights of a login or token change: by a new password or secret, its removal, or a change
   * of the kinds of access that need a login.
   */
  rightsFingerprint(who: string): string {
    if (who === WINDOW_USER.who) return '';
    const { viewAuth, editAuth, apiAuth } = this.#settings;
    const logins = Object.entries({ viewAuth, editAuth, apiAuth }).map(([kind, configured]) => [
      kind,
      configured === null ? null : configured.login === who ? configured.password : true,
    ]);
    const person = this.people.find(who);
    if (person)
      logins.push([
        'person',
        person.isDisabled ? null : JSON.stringify([person.role, person.prefixes, person.passwordHash]),
      ]);
    return JSON.stringify([logins, this.#tokens.fingerprint(who)]);
  }

  /** Whether changes need a login, from any address. */
  get hasEditLogin(): boolean {
    return this.#settings.editAuth !== null || this.people.hasAdministrator;
  }

  /** Whether reading needs a login. */
  get hasViewLogin(): boolean {
    return this.#settings.viewAuth !== null;
  }

  /** Applies changed settings. Listeners then identify the callers of open connections again. */
  apply(changed: AccessSettings): void {
    const settings = accessSettings(changed);
    if (isDeepStrictEqual(settings, this.#settings)) return;
    this.#settings = settings;
    this.#proxies = new TrustedProxies(settings.trustedProxies);
    this.#applyLogins();
    this.#tokens.apply(settings.apiTokens);
    for (const listener of this.#listeners) listener();
  }

  /** Adds a listener for changed settings. Returns a function that removes it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /**
   * Adds a listener for people whose rights changed or who may not log in any more, called at once. Returns a function that
   * removes it.
   */
  onPersonChange(listener: PersonListener): () => void {
    this.#personListeners.add(listener);
    return () => {
      this.#personListeners.delete(listener);
    };
  }

  /** Client address of a request, as given by trusted proxies. */
  clientAddress(peer: string, header: HeaderLookup): string {
    return this.#proxies.clientAddress(peer, header);
  }

  /** Whether a page of another server makes the browser send a request, even if its origin is allowed. */
  isCrossSitePage(facts: RequestFacts): boolean {
    return this.#originOf(facts, []).isCrossSitePage;
  }

  /**
   * Whether a page of another server makes the browser send a request, including a page whose host name was made to resolve to
   * this server.
   */
  isFromOtherSite(facts: RequestFacts): boolean {
    const { isCrossSitePage, isOtherHost } = this.#originOf(facts, []);
    return isCrossSitePage || isOtherHost;
  }

  isOwnHost(host: string): boolean {
    return isOwnHost(host, { hostname: this.#options.hostname, names: this.#settings.serverNames });
  }

  /** Whether many clients may share an address, because the address is a trusted proxy. */
  isTrustedProxy(address: string): boolean {
    return this.#proxies.isTrusted(address);
  }

  /** Origin of the page that sends a request, if `api_origins` lets pages of this origin read the answers. */
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
    const withToken = this.#tokens.identify(facts.header('authorization'), origin, (secret) => {
      this.#attempts.refuseToken(secret, origin.address);
    });
    if (withToken) return withToken;
    const configured = this.#configuredKinds();
    const authorization = configured.size > 0 ? facts.header('authorization') : undefined;
    const session =
      authorization === undefined && sessionSecret !== undefined ? this.sessions.find(sessionSecret) : undefined;
    const given = authorization === undefined ? session : await this.#attempts.verify(authorization, origin.address);
    const isCrossSite = origin.isCrossSitePage;
    const person = given?.kinds.has('person') ? this.people.find(given.login) : undefined;
    const kinds = given && kindsOf(given.kinds, person);
    const rights = decideAccess({ configured, given: kinds, scope, isLocal: origin.isLocal, isCrossSite });
    const hasLogin = given !== undefined && given.kinds.size > 0;
    const who = hasLogin ? given.login : origin.isLocal ? 'local' : 'anyone';
    const isDeliberate = (hasLogin && !session) || origin.isOwnPage;
    return {
      ...rights,
      who,
      address: origin.address,
      isDeliberate,
      // The login of `edit_auth` has all rights, even if a person has the same name and password.
      ...(person && !given?.kinds.has('edit') ? rightsOf(person, isCrossSite) : {}),
      ...(session ? { session: session.id } : {}),
    };
  }

  /** Starts a session for a login. Returns its secret. Raises `unauthorized`, `forbidden` or `too_many_attempts`. */
  async logIn(facts: RequestFacts, given: { readonly login: string; readonly password: string }): Promise<string> {
    const { address, isCrossSitePage } = this.#originOf(facts, []);
    // A page of another site must not log in the operator with a login that the page chose.
    if (isCrossSitePage) throw new AirdeskError('forbidden');
    const { kinds } = await this.#attempts.verify(given, address);
    // The login of `api_auth` gives no access to the desk.
    if (!kinds.has('view') && !kinds.has('edit') && !kinds.has('person')) throw new AirdeskError('unauthorized');
    const agent = (facts.header('user-agent') ?? '').slice(0, MAX_AGENT_LENGTH);
    return this.sessions.start(given.login.normalize('NFC'), kinds, { address, agent });
  }

  /**
   * Changes the password of a caller that is a person. Ends the person's other sessions and keeps the session of the caller.
   * Raises `forbidden`, `password_wrong`, `password_weak` or `too_many_attempts`.
   */
  async changeOwnPassword({ who, role, address, session }: Caller, current: string, password: string): Promise<void> {
    if (role === undefined)
      throw new AirdeskError(
        'forbidden',
        'Only people change their own password. This login is set in the configuration',
      );
    const { kinds } = await this.#attempts.verify({ login: who, password: current }, address);
    if (!kinds.has('person')) throw new AirdeskError('password_wrong');
    if (password.normalize('NFC') === current.normalize('NFC')) throw weakPassword('unchanged');
    await this.people.setPassword(who, password, session);
  }

  /** Last use of a token, epoch milliseconds; null if it was never used. */
  tokenUsedMs(name: string): number | null {
    return this.#tokens.usedMs(name);
  }

  /** Saves uses of tokens and sessions that are not saved yet. */
  close(): void {
    this.#tokens.close();
    this.sessions.close();
  }

  #applyLogins(): void {
    const logins = loginsOf(this.#settings, this.people.list());
    this.#attempts.apply(logins);
    this.sessions.apply(logins);
  }

  #applyPerson(login: string, effect: PersonEffect, keptSession?: string): void {
    this.#applyLogins();
    if (effect === 'none') return;
    if (effect === 'end') this.sessions.endOf(login, keptSession);
    for (const listener of this.#personListeners) listener(login, keptSession);
  }

  /** Kinds of logins that exist. An administrator counts as a login for changes, like `edit_auth`. */
  #configuredKinds(): ReadonlySet<LoginKind> {
    const { kinds } = this.#attempts;
    return this.people.hasAdministrator ? new Set([...kinds, 'edit']) : kinds;
  }

  #originOf(facts: RequestFacts, origins = this.#settings.apiOrigins): RequestOrigin {
    const { hostname } = this.#options;
    return originOf(facts, this.#proxies, { hostname, names: this.#settings.serverNames, origins });
  }
}

/** Access settings of a configuration, without all other settings. */
function accessSettings(settings: AccessSettings): AccessSettings {
  const { viewAuth, editAuth, apiAuth, apiTokens, trustedProxies, serverNames, apiOrigins, wallOrigins } = settings;
  return { viewAuth, editAuth, apiAuth, apiTokens, trustedProxies, serverNames, apiOrigins, wallOrigins };
}

/** Kinds of a login for the access rule: an administrator counts as `edit`, any other person as `view`. */
function kindsOf(kinds: ReadonlySet<LoginKind>, person: Person | undefined): ReadonlySet<LoginKind> {
  if (!person) return kinds;
  return new Set([...kinds, person.role === 'administrator' ? 'edit' : 'view']);
}

/** Rights of a person besides those of the access rule. */
function rightsOf({ role, prefixes }: Person, isCrossSite: boolean): Pick<Caller, 'role' | 'isViewOnly' | 'prefixes'> {
  return { role, isViewOnly: isCrossSite, ...(prefixes.length === 0 ? {} : { prefixes }) };
}
