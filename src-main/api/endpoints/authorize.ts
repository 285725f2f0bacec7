import type { FastifyRequest } from 'fastify';
import { requireOperate, requireRead, requireWrite } from '../../operators/require.ts';
import type { Caller } from '../../operators/caller.ts';
import { callerOf } from '../caller.ts';
import type { Endpoint } from './endpoint.ts';

/** A caller that was not identified. */
const ANYONE: Caller = { mayRead: false, mayWrite: false, who: 'anyone', address: '' };

/** The caller of a request, if it may use the endpoint; raises `unauthorized` or `forbidden` otherwise. */
export function authorizeCaller(request: FastifyRequest, access: Endpoint['access']): Caller {
  if (access === 'probe') return ANYONE;
  const caller = callerOf(request.raw);
  if (access === 'edit') requireWrite(caller);
  else if (access === 'operate') requireOperate(caller);
  else requireRead(caller);
  return caller;
}
