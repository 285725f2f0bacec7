import type { FastifyInstance } from 'fastify';
import type { Operators } from '../operators/operators.ts';
import { requireWrite } from '../operators/require.ts';
import { errorHeaders } from './access-hook.ts';
import { callerOf, identifyCaller } from './caller.ts';
import { AirdeskError } from '../../src-preload/contract/index.ts';

/** What a browser shows until another login is given. */
const LOGGED_OUT =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Airdesk</title><p>You are logged out.</p><p lang="de">Sie sind abgemeldet.</p><p><a href="/">Airdesk</a></p></html>';

/** Addresses for a desk in a browser: what the person at it may do, a way to log in, and one out. */
export function loginRoutes(app: FastifyInstance, access: Operators): void {
  app.get('/-/access', { config: { access: 'probe' } }, async (request, reply) => {
    const { mayRead, mayWrite, mustLogIn, who } = await identifyCaller(access, request.raw);
    return reply
      .header('cache-control', 'no-store')
      .send({ may_read: mayRead, may_write: mayWrite, must_log_in: mustLogIn === true, who });
  });
  // A browser forgets a login that is refused: the one that is named, and none at all; with another one the desk goes on.
  app.get('/-/logout', { config: { access: 'probe' } }, async (request, reply) => {
    const { mayRead, mustLogIn, isDeliberate, who } = await identifyCaller(access, request.raw);
    const left = new URL(request.url, 'http://desk').searchParams.get('login');
    if (mayRead && isDeliberate === true && mustLogIn !== true && who !== left) return reply.redirect('/', 303);
    return reply
      .code(401)
      .headers({ ...errorHeaders(new AirdeskError('unauthorized')), 'cache-control': 'no-store' })
      .type('text/html; charset=utf-8')
      .send(LOGGED_OUT);
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
