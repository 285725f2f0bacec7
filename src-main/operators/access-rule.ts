/**
 * Group of addresses to which a request belongs: `streamer` for addresses that `api_auth` protects too, `general` for all
 * others.
 */
export type AccessScope = 'streamer' | 'general';

/** Kinds of logins: `view`, `edit` and `api` are logins of the configuration; `person` is a named login, whose role decides. */
export type LoginKind = 'view' | 'edit' | 'api' | 'person';

export interface AccessFacts {
  readonly configured: ReadonlySet<LoginKind>;
  /** Kinds of logins that the login of the request is valid for; empty if it is wrong, undefined if the request has none. */
  readonly given: ReadonlySet<LoginKind> | undefined;
  readonly scope: AccessScope;
  /** Whether the request comes from this machine, as `originOf` defines it. */
  readonly isLocal: boolean;
  /** Whether a page of another server makes the browser send the request, so that the browser's credentials prove nothing. */
  readonly isCrossSite: boolean;
}

export interface AccessRights {
  readonly mayRead: boolean;
  readonly mayWrite: boolean;
  /** Whether a login would help. The answer is then a request to log in (401), not a refusal (403). */
  readonly mustLogIn: boolean;
}

/**
 * Decides the rights of a caller. Write access includes read access. If no login for changes is configured, only this
 * machine may make changes. A wrong login is never treated as no login.
 */
export function decideAccess({ configured, given, scope, isLocal, isCrossSite }: AccessFacts): AccessRights {
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
    mayWrite: isEditor && !isCrossSite,
    mustLogIn: !mayRead || (given === undefined && hasEditLogin && !isCrossSite),
  };
}
