import type { FastifyRequest } from 'fastify';
import { domainOf } from '../../../src-preload/contract/operation-domains.ts';
import { requireAccess } from '../../operators/require.ts';
import type { Caller } from '../../operators/caller.ts';
import { callerOf } from '../http/caller.ts';
import type { Endpoint } from './endpoint.ts';

/**
 * Identifies the caller of an endpoint. Raises `unauthorized`, `forbidden` or `role_forbidden` unless the caller may use the
 * endpoint.
 */
export function authorizeCaller(request: FastifyRequest, { access, id }: Pick<Endpoint, 'access' | 'id'>): Caller {
  const caller = callerOf(request.raw);
  if (access !== 'probe') requireAccess(caller, access, domainOf(id));
  return caller;
}
