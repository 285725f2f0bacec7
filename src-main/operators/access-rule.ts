/** Which addresses are requested: those that `api_auth` protects too, or all others. */
export type AccessScope = 'streamer' | 'general';

/** The logins of a configuration. */
export type LoginKind = 'view' | 'edit' | 'api';

/** What the rule decides from. */
export interface AccessFacts {
  /** Logins that the configuration has. */
  readonly configured: ReadonlySet<LoginKind>;
  /** Logins that the request gave and that are right; undefined where it gave none. */
  readonly given: ReadonlySet<LoginKind> | undefined;
  readonly scope: AccessScope;
  /** Whether it comes from this machine, as `originOf` means it. */
  readonly isLocal: boolean;
  /** Whether a page of another server sends it: what browsers add by themselves proves nothing. */
  readonly isBorrowed: boolean;
}

/** What a caller may do. */
export interface AccessRights {
  readonly mayRead: boolean;
  readonly mayWrite: boolean;
  /** Whether a login would help: then the answer asks for one (401) instead of refusing (403). */
  readonly mustLogIn: boolean;
}

/**
 * Who may do what. Write access includes read access. Where no login for changes is configured, only this machine may change things.
 * A wrong login is never taken for none.
 */
export function decideAccess({ configured, given, scope, isLocal, isBorrowed }: AccessFacts): AccessRights {
  if (configured.size === 0) return { mayRead: true, mayWrite: isLocal, mustLogIn: false };
  const isApiCounted = scope === 'streamer';
  const isRight = (kind: LoginKind): boolean => given?.has(kind) === true && (kind !== 'api' || isApiCounted);
  if (given && !isRight('view') && !isRight('edit') && !isRight('api'))
    return { mayRead: false, mayWrite: false, mustLogIn: true };
  const hasEditLogin = configured.has('edit') || (isApiCounted && configured.has('api'));
  const isEditor = isRight('edit') || isRight('api') || (!hasEditLogin && isLocal);
  const isReadingRestricted = configured.has('view') || (isApiCounted && configured.has('api'));
  const mayRead = isEditor || isRight('view') || !isReadingRestricted;
  return {
    mayRead,
    mayWrite: isEditor && !isBorrowed,
    mustLogIn: !mayRead || (given === undefined && hasEditLogin && !isBorrowed),
  };
}
