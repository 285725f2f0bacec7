import type { FastifyRequest } from 'fastify';
import { AirdeskError } from '../../../src-preload/contract/index.ts';
import type { Caller } from '../../control/caller.ts';
import { callerOf, requireWrite } from '../caller.ts';
import type { Endpoint } from './endpoint.ts';

/** Who sent a request, if he may do what the endpoint does; raises `forbidden` otherwise. */
export function authorizeCaller(request: FastifyRequest, access: Endpoint['access']): Caller {
  const caller = callerOf(request.raw);
  if (access !== 'edit') return caller;
  requireWrite(caller);
  // Whoever may change things only because of where he is could be a page of a stranger in the browser of the operator.
  if (caller.who === 'local' && isForeignPage(request)) throw new AirdeskError('forbidden', 'Pages of other servers may change things only with login and password');
  return caller;
}

function isForeignPage({ headers }: FastifyRequest): boolean {
  const { origin, host } = headers;
  if (origin === undefined) return false;
  try {
    return new URL(origin).host !== host;
  } catch {
    return true;
  }
}
