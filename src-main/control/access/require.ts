import { AirdeskError } from '../../../src-preload/contract/errors.ts';
import type { Caller } from '../caller.ts';

/** Raises `unauthorized` or `forbidden` unless the caller may look at things. */
export function requireRead(caller: Caller): void {
  if (!caller.mayRead) throw refusal(caller);
}

/** Raises `unauthorized` or `forbidden` unless the caller may change things. */
export function requireWrite(caller: Caller): void {
  if (!caller.mayWrite) throw refusal(caller);
}

/** Raises `forbidden` for a GET that would change something and may come from anywhere: an image of any page sends one. */
export function requireDeliberate({ isDeliberate }: Caller): void {
  if (isDeliberate !== true)
    throw new AirdeskError('forbidden', 'GET changes something here only with a login; without one, send it with POST');
}

function refusal({ mustLogIn, who }: Caller): AirdeskError {
  if (mustLogIn) return new AirdeskError('unauthorized');
  if (who !== 'anyone' && who !== 'local')
    return new AirdeskError(
      'forbidden',
      'This login may look, but not change things; pages of other servers may only where api_origins names them',
    );
  return new AirdeskError(
    'forbidden',
    'Without edit_auth in the configuration changes are only taken from the machine that the server runs on',
  );
}
