import { hostname } from 'node:os';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { AirdeskError } from '../../src-preload/contract/index.ts';
import type { Operators } from '../operators/operators.ts';
import { identifyDesk, requestFacts } from './http/caller.ts';
import { deskSecret, expiredDeskCookie, deskCookie } from './http/desk-cookie.ts';
import { errorBody } from './http/error-reply.ts';
import { DESK_CHALLENGE } from './http/access-hook.ts';

const LOGIN = z.object({ login: z.string().min(1).max(200), password: z.string().max(1000) });
/** Maximum size of a login's body, in bytes. */
const BODY_LIMIT = 16 * 1024;

/** Addresses for a desk in a browser: access rights, login and logout. The HTTP APIs do not accept these sessions. */
export function deskLoginRoutes(app: FastifyInstance, access: Operators): void {
  const open = { config: { access: 'probe' }, bodyLimit: BODY_LIMIT } as const;
  app.get('/-/access', open, async (request, reply) => {
    const { mayRead, mayWrite, mustLogIn, who, session } = await identifyDesk(access, request.raw);
    return reply.header('cache-control', 'no-store').send({
      may_read: mayRead,
      may_write: mayWrite,
      must_log_in: mustLogIn === true,
      who,
      server: hostname(),
      has_session: session !== undefined,
    });
  });
  app.get('/-/login', open, (_request, reply) => reply.header('cache-control', 'no-store').redirect('/#/login', 303));
  app.post('/-/login', open, async (request, reply) => {
    const given = LOGIN.safeParse(request.body);
    if (!given.success) throw new AirdeskError('bad_request', 'The body must be {"login": …, "password": …}');
    try {
      const secret = await access.logIn(requestFacts(request.raw), given.data);
      return await reply.code(204).header('set-cookie', deskCookie(request.raw, secret)).send();
    } catch (cause) {
      if (!(cause instanceof AirdeskError) || cause.code !== 'unauthorized') throw cause;
      // With another challenge, the browser would show its own dialog.
      return reply.code(401).headers(DESK_CHALLENGE).send(errorBody(cause));
    }
  });
  app.post('/-/logout', open, (request, reply) => {
    // A form of another site cannot send the cookie of the session, but the answer would delete the cookie in the browser.
    if (access.isCrossSitePage(requestFacts(request.raw)))
      throw new AirdeskError('forbidden', 'A page of another site cannot log out');
    const session = access.sessions.find(deskSecret(request.raw) ?? '');
    if (session) access.sessions.end(session.id);
    return reply.code(204).header('set-cookie', expiredDeskCookie(request.raw)).send();
  });
}
