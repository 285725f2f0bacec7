import type { IncomingMessage } from 'node:http';
import { AirdeskError } from '../../../src-preload/contract/index.ts';
import type { Operators } from '../../operators/operators.ts';
import { deskSecret } from './desk-cookie.ts';
import type { RequestFacts } from '../../operators/request-origin.ts';
import type { Caller } from '../../operators/caller.ts';

/** Prefix of the addresses at which the login of `api_auth` is valid too. */
const STREAMER_PREFIX = '/streamer/';

const CALLERS = new WeakMap<IncomingMessage, Caller>();

/** Identifies the caller of a request, for `callerOf`. Raises `too_many_attempts`. */
export async function identifyCaller(access: Operators, request: IncomingMessage): Promise<Caller> {
  const caller = await access.identify(
    requestFacts(request),
    request.url?.startsWith(STREAMER_PREFIX) ? 'streamer' : 'general',
  );
  CALLERS.set(request, caller);
  return caller;
}

/**
 * Identifies the caller of a request of the desk. Without a login in the request, the session of the browser identifies the
 * caller. Raises `too_many_attempts`.
 */
export async function identifyDesk(access: Operators, request: IncomingMessage): Promise<Caller> {
  return access.identify(requestFacts(request), 'general', deskSecret(request));
}

/** Records a caller without checking its login. */
export function noteUnknownCaller(access: Operators, request: IncomingMessage): void {
  const { peer, header } = requestFacts(request);
  const address = access.clientAddress(peer, header);
  CALLERS.set(request, { mayRead: false, mayWrite: false, who: 'anyone', address });
}

/** Caller of a request that `identifyCaller` has processed. */
export function callerOf(request: IncomingMessage): Caller {
  const caller = CALLERS.get(request);
  // A route that does not identify its caller stays closed.
  if (!caller) throw new AirdeskError('internal', 'The caller of this request was not identified');
  return caller;
}

export function requestFacts({ socket, headers }: IncomingMessage): RequestFacts {
  return {
    peer: socket.remoteAddress ?? '',
    header(name) {
      const value = headers[name];
      return Array.isArray(value) ? value.join(', ') : value;
    },
  };
}
