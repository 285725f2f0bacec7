import type { FastifyInstance } from 'fastify';
import type { Operators } from '../operators/operators.ts';
import { requireWrite } from '../operators/require.ts';
import { callerOf, identifyCaller } from './caller.ts';
import { AirdeskError } from '../../src-preload/contract/index.ts';

/** Addresses for a desk in a browser: what the person at it may do, and a way to log in. */
export function loginRoutes(app: FastifyInstance, access: Operators): void {
  app.get('/-/access', { config: { access: 'probe' } }, async (request, reply) => {
    const { mayRead, mayWrite, mustLogIn, who } = await identifyCaller(access, request.raw);
    return reply
      .header('cache-control', 'no-store')
      .send({ may_read: mayRead, may_write: mayWrite, must_log_in: mustLogIn === true, who });
  });
  // A browser asks for login and password when a page answers 401, and sends them with its requests from then on.
  app.get('/-/login', { config: { access: 'view', isScoped: true } }, (request, reply) => {
    const caller = callerOf(request.raw);
    // A caller with read access alone logs in here for more.
    if (!caller.mayWrite && access.hasEditLogin) throw new AirdeskError('unauthorized');
    requireWrite(caller);
    return reply.header('cache-control', 'no-store').redirect('/', 303);
  });
}
