import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { AirdeskError } from '../../src-preload/contract/index.ts';
import type { Operators } from '../operators/operators.ts';
import type { DeskCalls } from './desk-connection.ts';
import type { EventEmitter } from '../control/system/event-services.ts';
import { isoTime, type Clock } from '../lib/clock.ts';
import { CLOSED_POLICY } from '../lib/http-semantics.ts';
import { stackOf } from '../lib/error-message.ts';
import type { TransportPolicy } from '../lib/transport-policy.ts';
import type { Log } from '../lib/log.ts';
import type { Tally } from '../lib/tally.ts';
import { deskSocket } from './desk-socket.ts';
import { errorBody, knownError } from './http/error-reply.ts';
import { addAccessHook, sendErrorHeaders } from './http/access-hook.ts';
import { deskLoginRoutes } from './desk-login.ts';
import type { TimeoutPhase } from './http/request-deadlines.ts';
import { createApiServer, refuseUnread } from './http/api-server.ts';
import { auditRequests, type FindSubject } from './http/audit-hook.ts';
import { addStaticFiles } from './http/static-files.ts';

/** Adds the routes of one API. */
export type Routes = (app: FastifyInstance) => void | Promise<void>;

export interface HttpAppOptions {
  /** Folder of the built desk; undefined if there is none. */
  readonly deskFolder: string | undefined;
  /** Folders of the files under `/-/player/`, which embed pages load. The first folder that contains a file provides it. */
  readonly playerFolders: readonly string[];
  readonly desk: DeskCalls;
  readonly access: Operators;
  readonly routes: readonly Routes[];
  readonly clock: Clock;
  readonly log: Log;
  /** Receives audit events of changes; none are emitted if absent. */
  readonly events?: EventEmitter;
  /** Finds the names of changed objects for events. */
  readonly findSubject?: FindSubject;
  /** Policy for redirects to https and for headers of answers over https; absent for neither. */
  readonly transport?: TransportPolicy;
  /** Counter of requests that a limit refused, by status. */
  readonly refused?: Pick<Tally, 'add'>;
  /** Counter of connections that exceeded a deadline. */
  readonly cut?: Tally<TimeoutPhase>;
  /** Answers media addresses and publishers on connections of this server. Returns false for any other request. */
  readonly media: (request: IncomingMessage, response: ServerResponse) => boolean;
}

/** Maximum body of a control request, in bytes. */
const BODY_LIMIT_BYTES = 8 * 1024 * 1024;

/** Statuses that report a limit, not a fault of the request. */
const LIMIT_STATUSES: ReadonlySet<number> = new Set([408, 413, 429, 431]);

/** Security headers of every answer. */
const HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'SAMEORIGIN',
  'content-security-policy': CLOSED_POLICY,
} as const;
/** Content security policy that files of the desk and the player add to the rules in the page itself. */
const PAGE_POLICY = "object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/** Methods of the route at an address without parameters; empty if there is none. */
function allowedAt(app: FastifyInstance, url: string): string[] {
  const path = url.split('?', 1)[0] ?? '';
  return ['GET', 'HEAD', 'PUT', 'POST', 'DELETE'].filter((method) => app.hasRoute({ method, url: path }));
}

/**
 * Disables the schema compilers of the framework. No route uses them, because the contract has its own schemas, and loading
 * them at each start takes time.
 */
function noCompiler(): never {
  throw new Error('schemas of routes are not supported');
}

/**
 * Part of the HTTP server that is not for media. Its connections come from the media edge, so it does not listen on a port
 * itself.
 */
export async function createHttpApp(
  options: HttpAppOptions,
): Promise<{ readonly app: FastifyInstance; readonly server: Server }> {
  const app = fastify({
    bodyLimit: BODY_LIMIT_BYTES,
    // The name of a stream is one percent-encoded segment of a path.
    routerOptions: { maxParamLength: 2000 },
    forceCloseConnections: true,
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    // Requests with undecodable addresses never reach a route.
    frameworkErrors: (cause, _request, reply) => {
      const error = new AirdeskError('bad_request', cause.message);
      // The declared type is narrower than the value, which is a reply without a route.
      void (reply as FastifyReply).headers(HEADERS).code(error.status).send(errorBody(error));
    },
    clientErrorHandler: (cause, socket) => {
      refuseUnread(cause, socket, options.refused);
    },
    serverFactory: (handler) => createApiServer({ ...options, serve: handler }),
  });
  app.setNotFoundHandler(({ method, url }, reply) => {
    const allowed = allowedAt(app, url);
    if (allowed.length > 0) reply.header('allow', allowed.join(', '));
    const error =
      allowed.length > 0
        ? new AirdeskError('method_not_allowed', `${method} is not allowed here`)
        : new AirdeskError('not_found');
    void reply.code(error.status).send(errorBody(error));
  });
  app.setErrorHandler((cause, request, reply) => {
    const error = knownError(cause) ?? new AirdeskError('internal', 'An error inside the server; see its log');
    if (error.code === 'internal')
      options.log.error('a request failed', {
        path: request.url.split('?')[0],
        error: stackOf(cause),
      });
    if (error.code === 'request_too_large') {
      // Closing at once would reset the connection of a client that is still sending. The client would then lose the answer
      // (RFC 9112 section 9.6).
      reply.removeHeader('connection');
      request.raw.resume();
    }
    void sendErrorHeaders(reply, error).code(error.status).send(errorBody(error));
  });
  app.addHook('onRequest', (_request, reply, next) => {
    reply.headers(HEADERS);
    next();
  });
  app.addHook('onResponse', (_request, reply, next) => {
    if (LIMIT_STATUSES.has(reply.statusCode)) options.refused?.add(String(reply.statusCode));
    next();
  });
  addAccessHook(app, options.access);
  if (options.events) auditRequests(app, options.events, options.findSubject);
  // Clock for MPDs (UTCTiming), for pages of any origin.
  app.get('/-/time', { config: { access: 'probe' } }, (_request, reply) =>
    reply
      .header('cache-control', 'no-store')
      .header('access-control-allow-origin', '*')
      .type('text/plain')
      .send(isoTime(options.clock.now())),
  );
  deskLoginRoutes(app, options.access);
  for (const routes of options.routes) await routes(app);
  // Files of the player and the desk contain no data of the server, so they are public, including the login page.
  await addStaticFiles(app, {
    folders: options.playerFolders,
    prefix: '/-/player/',
    cacheControl: 'public, max-age=3600',
    policy: () => PAGE_POLICY,
  });
  if (options.deskFolder !== undefined) {
    // Links of the documentation are relative to its folder.
    app.get('/-/docs', { config: { access: 'probe' } }, (_request, reply) => reply.redirect('/-/docs/', 308));
    await addStaticFiles(app, {
      folders: [options.deskFolder],
      prefix: '/',
      cacheControl: 'public, max-age=0',
      policy: () => `${PAGE_POLICY}; frame-src ${options.access.wallOrigins.join(' ') || "'none'"}`,
    });
  }
  await app.ready();
  const server = app.server;
  deskSocket(server, options.desk, options.access, options.clock);
  return { app, server };
}
