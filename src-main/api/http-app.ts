import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import fastifyStatic from '@fastify/static';
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { AirdeskError } from '../../src-preload/contract/index.ts';
import type { Operators } from '../operators/operators.ts';
import type { DeskCalls } from './desk-connection.ts';
import type { EventEmitter } from '../control/event-services.ts';
import { isoTime, type Clock } from '../lib/clock.ts';
import { CLOSED_POLICY } from '../lib/http-semantics.ts';
import { stackOf } from '../lib/error-message.ts';
import type { TransportPolicy } from '../lib/transport-policy.ts';
import type { Log } from '../lib/log.ts';
import type { Tally } from '../lib/tally.ts';
import { deskSocket } from './desk-socket.ts';
import { errorBody, knownError } from './error-reply.ts';
import { addAccessHook, sendErrorHeaders } from './access-hook.ts';
import { deskLoginRoutes } from './desk-login.ts';
import type { CutPhase } from './request-deadlines.ts';
import { createApiServer, refuseUnread } from './api-server.ts';
import { auditRequests } from './audit-hook.ts';

/** The addresses of one API: adds its routes. */
export type Routes = (app: FastifyInstance) => void | Promise<void>;

/** What the control side of HTTP is made with. */
export interface HttpAppOptions {
  /** Folder of the built desk; undefined where there is none. */
  readonly deskFolder: string | undefined;
  /** Folders of the files under `/-/player/`, which embed pages load; a file comes from the first that has it. */
  readonly playerFolders: readonly string[];
  readonly desk: DeskCalls;
  /** Identifies callers. */
  readonly access: Operators;
  /** The HTTP APIs. */
  readonly routes: readonly Routes[];
  readonly clock: Clock;
  readonly log: Log;
  /** Receives the changes for the audit events; none without it. */
  readonly events?: EventEmitter;
  /** Redirects to https, and headers of answers by https; neither without it. */
  readonly transport?: TransportPolicy;
  /** Counts requests that a limit refused, by the status of the answer; nothing is counted without it. */
  readonly refused?: Pick<Tally, 'add'>;
  /** Counts connections whose time was over. */
  readonly cut?: Tally<CutPhase>;
  /** Answers media addresses and publishers on connections that this server holds; returns whether it did. */
  readonly media: (request: IncomingMessage, response: ServerResponse) => boolean;
}

/** Largest body of a control request. */
const BODY_LIMIT_BYTES = 8 * 1024 * 1024;

/** Statuses of answers that a limit gives, not the request. */
const LIMIT_STATUSES: ReadonlySet<number> = new Set([408, 413, 429, 431]);

/** What every answer says to browsers. */
const HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'SAMEORIGIN',
  'content-security-policy': CLOSED_POLICY,
} as const;
/** What files of the desk and the player add to the rules in the page itself. */
const PAGE_POLICY = "object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/** Methods of the route at an address that has no parameters; none where nothing is served. */
function allowedAt(app: FastifyInstance, url: string): string[] {
  const path = url.split('?', 1)[0] ?? '';
  return ['GET', 'HEAD', 'PUT', 'POST', 'DELETE'].filter((method) => app.hasRoute({ method, url: path }));
}

/** No route has a schema of the framework: the contract has its own. Without this its compilers are loaded at each start. */
function noCompiler(): never {
  throw new Error('schemas of routes are not supported');
}

/** The control side of HTTP. Connections come from the media edge, so it listens on no port of its own. */
export async function createHttpApp(
  options: HttpAppOptions,
): Promise<{ readonly app: FastifyInstance; readonly server: Server }> {
  const app = fastify({
    bodyLimit: BODY_LIMIT_BYTES,
    // A name of a stream is one segment of a path, percent-encoded.
    routerOptions: { maxParamLength: 2000 },
    forceCloseConnections: true,
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    // Addresses that cannot be read never come to a route.
    frameworkErrors: (cause, _request, reply) => {
      const error = new AirdeskError('bad_request', cause.message);
      // The type of replies that are no route's is narrower than what they take.
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
        ? new AirdeskError('method_not_allowed', `${method} is not taken here`)
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
      // Closed at once, the connection would be reset under a client that still sends, which never sees the answer (RFC 9112 section 9.6).
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
  if (options.events) auditRequests(app, options.events);
  // The clock of MPDs (UTCTiming): pages of any origin may ask.
  app.get('/-/time', { config: { access: 'probe' } }, (_request, reply) =>
    reply
      .header('cache-control', 'no-store')
      .header('access-control-allow-origin', '*')
      .type('text/plain')
      .send(isoTime(options.clock.now())),
  );
  deskLoginRoutes(app, options.access);
  for (const routes of options.routes) await routes(app);
  if (options.playerFolders.length > 0) {
    await app.register(fastifyStatic, {
      root: [...options.playerFolders],
      prefix: '/-/player/',
      decorateReply: false,
      setHeaders,
      maxAge: 3_600_000,
    });
  }
  if (options.deskFolder !== undefined) {
    await app.register(deskFiles(options.deskFolder, options.access));
  }
  await app.ready();
  const server = app.server;
  deskSocket(server, options.desk, options.access, options.clock);
  return { app, server };
}

/** The files of the desk hold nothing of any server: they are open to all, with the page that asks for a login. */
function deskFiles(root: string, access: Pick<Operators, 'wallOrigins'>): Routes {
  return async (app) => {
    const framing: typeof setHeaders = (reply) => {
      const origins = access.wallOrigins.join(' ') || "'none'";
      reply.header('content-security-policy', `${PAGE_POLICY}; frame-src ${origins}`);
    };
    app.addHook('onRoute', (route) => {
      route.config = { ...route.config, access: 'probe' };
    });
    // The links of the documentation are relative to its folder.
    app.get('/-/docs', (_request, reply) => reply.redirect('/-/docs/', 308));
    await app.register(fastifyStatic, { root, prefix: '/', wildcard: false, setHeaders: framing });
  };
}

function setHeaders(reply: { header(name: string, value: string): unknown }): void {
  reply.header('content-security-policy', PAGE_POLICY);
}
