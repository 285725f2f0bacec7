import type { LogCondition } from '../../src-preload/contract/api/log-query.ts';
import { AirdeskError } from '../../src-preload/contract/errors.ts';
import { roleAllows, type Access, type Domain } from '../../src-preload/contract/operations/roles.ts';
import { isBelowAny } from '../lib/name-prefixes.ts';
import type { Caller, Subscriber } from './caller.ts';
import { TOKEN_CALLER } from './api-tokens.ts';

/** Whether a caller has an access in a domain. For a person, the role decides. If the domain is undefined, no role has access. */
export function allows(caller: Subscriber, access: Access, domain: Domain | undefined): boolean {
  const { role, isViewOnly = false, mayRead, mayWrite, mayOperate = false } = caller;
  if (access !== 'view' && isViewOnly) return false;
  if (role !== undefined && !mayWrite) return roleAllows(role, domain, access);
  return access === 'view' ? mayRead : mayWrite || (access === 'operate' && mayOperate);
}

/** Raises `unauthorized`, `forbidden` or `role_forbidden` unless the caller has an access in a domain. */
export function requireAccess(caller: Caller, access: Access, domain: Domain | undefined): void {
  if (allows(caller, access, domain)) return;
  const { role, isViewOnly = false } = caller;
  if (role === undefined || isViewOnly) throw refusal(caller);
  throw new AirdeskError(
    'role_forbidden',
    `The role ${role} does not allow this. An administrator can change roles on the page People`,
    { role, domain: domain ?? null, access },
  );
}

/**
 * Streams that a caller may watch on the desk without being a viewer: all streams, those with some name prefixes, or the
 * streams that are open to all viewers.
 */
export function watchReach(caller: Subscriber & Pick<Caller, 'who'>): 'all' | 'open' | readonly string[] {
  const mayWatch = caller.mayWrite || (isLogin(caller) && allows(caller, 'view', 'walls'));
  return mayWatch ? (caller.prefixes ?? 'all') : 'open';
}

/** Whether the caller logged in with a name. False for local callers without a login, and for programs with a token. */
export function isLogin({ who }: Pick<Caller, 'who'>): boolean {
  return !['local', 'desk', 'anyone'].includes(who) && !who.startsWith(TOKEN_CALLER);
}

/** Raises `unauthorized` or `forbidden` unless the caller may read. */
export function requireRead(caller: Caller): void {
  if (!caller.mayRead) throw refusal(caller);
}

/** Raises `unauthorized` or `forbidden` unless the caller may change things. */
export function requireWrite(caller: Caller): void {
  if (!caller.mayWrite) throw refusal(caller);
}

/** Raises `forbidden` unless the caller may see and act on all streams. */
export function requireAllStreams({ prefixes }: Caller): void {
  if (prefixes)
    throw new AirdeskError('forbidden', 'This login is limited to some streams, and the request concerns all of them');
}

/** Whether the caller may see and act on a stream. */
export function isInScope({ prefixes }: Pick<Caller, 'prefixes'>, name: string): boolean {
  return prefixes === undefined || isBelowAny(prefixes, name);
}

/** Conditions that limit the rows of a log to the caller's streams. @param field field with the name of the stream */
export function rowsInScope<Field extends string>(
  { prefixes }: Pick<Caller, 'prefixes'>,
  field: Field,
): LogCondition<Field>[] {
  return prefixes === undefined ? [] : [{ field, operator: 'below', values: prefixes }];
}

/**
 * Raises `forbidden` if a caller with limited streams exports to a VOD location, because all viewers of the location could then
 * read the file.
 * @param path path of the file; undefined for a file that only the export itself serves
 */
export function requireExportPlace({ prefixes }: Caller, path: string | undefined): void {
  if (prefixes && path !== undefined)
    throw new AirdeskError(
      'forbidden',
      'This login is limited to some streams, so it cannot export to a VOD location. Export without a path',
    );
}

/** Raises `forbidden` for a stream outside the caller's scope. */
export function requireInScope(caller: Caller, name: string): void {
  if (!isInScope(caller, name)) throw new AirdeskError('forbidden', 'This login is for other streams');
}

/**
 * Raises `forbidden` for a GET that changes something, unless it is deliberate. Any page could cause such a request, for
 * example by an image.
 */
export function requireDeliberate({ isDeliberate }: Caller): void {
  if (isDeliberate !== true)
    throw new AirdeskError(
      'forbidden',
      'This GET request makes a change, so it needs a login. Without a login, use POST',
    );
}

function refusal({ mustLogIn, who }: Caller): AirdeskError {
  if (who.startsWith(TOKEN_CALLER)) return new AirdeskError('forbidden', 'The scope of this token does not allow this');
  if (mustLogIn) return new AirdeskError('unauthorized');
  if (who !== 'anyone' && who !== 'local')
    return new AirdeskError(
      'forbidden',
      'This login may only read. Pages of other servers may change something only if api_origins contains them',
    );
  return new AirdeskError(
    'forbidden',
    'Without edit_auth in the configuration, only the machine of the server may make changes',
  );
}
