import type { FastifyRequest } from 'fastify';
import { requireOperate, requireRead, requireWrite } from '../../operators/require.ts';
import type { Caller } from '../../operators/caller.ts';
import { callerOf } from '../caller.ts';
import type { Endpoint } from './endpoint.ts';

/** Somebody who was not asked who he is. */
const ANYONE: Caller = { mayRead: false, mayWrite: false, who: 'anyone', address: '' };

/** Who sent a request, if he may do what the endpoint does; raises `unauthorized` or `forbidden` otherwise. */
export function authorizeCaller(request: FastifyRequest, access: Endpoint['access']): Caller {
  if (access === 'probe') return ANYONE;
  const caller = callerOf(request.raw);
  if (access === 'edit') requireWrite(caller);
  else if (access === 'operate') requireOperate(caller);
  else requireRead(caller);
  return caller;
}
