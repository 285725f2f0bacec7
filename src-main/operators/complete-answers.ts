import { domainOf } from '../../src-preload/contract/operation-domains.ts';
import type { Caller } from './caller.ts';
import { personView, readerView } from './reader-view.ts';
import { allows, isLogin } from './require.ts';

/** Callers who get complete answers besides those with access `edit`: all, those with a login, or those with access `operate`. */
type Audience = 'everyone' | 'logins' | 'operators';

/**
 * Operations whose answers contain no secrets: calls of the desk, and ids of HTTP operations. Answers of other operations are
 * reduced for callers without access `edit`.
 */
const COMPLETE: ReadonlyMap<string, Audience> = new Map([
  ...['walls.list', 'walls.save', 'walls.remove', 'alarms.download_history', 'alarms.download_loudness'].map(
    (name) => [name, 'everyone'] as const,
  ),
  ...[
    'ads.explain',
    'ads.as_run',
    'ads.download_as_run',
    'ads.download_key',
    'archive.marks',
    'archive.add_note',
    'archive.restore_note',
    'archive.exports',
    'archive.export',
    'archive.download_export',
    'cases.list',
    'cases.items',
    'cases.create',
    'cases.rename',
    'cases.restore',
    'cases.add',
    'cases.order',
    'cases.put_back',
    'cases.export',
    'clips.files',
    'clips.compare',
    'clips.preview',
    'clips.jobs',
    'clips.conform',
    'clips.upload',
    'clips.backends',
  ].map((name) => [name, 'logins'] as const),
  ...['sessions.bans', 'sessions.ban', 'sessions.unban', 'as_run_list'].map((name) => [name, 'operators'] as const),
]);

/** Whether a caller gets the complete answer of an operation. */
export function seesAll(caller: Caller, operation: string): boolean {
  const domain = domainOf(operation);
  if (allows(caller, 'edit', domain)) return true;
  switch (COMPLETE.get(operation)) {
    case 'everyone':
      return true;
    case 'logins':
      return isLogin(caller) || allows(caller, 'operate', domain);
    case 'operators':
      return allows(caller, 'operate', domain);
    case undefined:
      return false;
  }
}

/** Function that reduces values for a caller without complete answers: for people by `personView`, for others by `readerView`. */
export function reducedFor({ role }: Pick<Caller, 'role'>): typeof readerView {
  return role === undefined ? readerView : personView;
}

/** Answer of an operation as shown to a caller on the desk. @param field name of the field with the value */
export function viewFor<T>(caller: Caller, operation: string, value: T, field = ''): T {
  return seesAll(caller, operation) ? value : reducedFor(caller)(value, field);
}
