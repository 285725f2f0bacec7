import type { FastifyRequest } from 'fastify';
import { requireOperate, requireRead, requireWrite } from '../../operators/require.ts';
import type { Caller } from '../../operators/caller.ts';
import { callerOf } from '../http/caller.ts';
import type { Endpoint } from './endpoint.ts';

/** Identifies a caller that may use the endpoint; raises `unauthorized` or `forbidden` otherwise. */
export function authorizeCaller(request: FastifyRequest, access: Endpoint['access']): Caller {
  const caller = callerOf(request.raw);
  if (access === 'probe') return caller;
  if (access === 'edit') requireWrite(caller);
  else if (access === 'operate') requireOperate(caller);
  else requireRead(caller);
  return caller;
}
