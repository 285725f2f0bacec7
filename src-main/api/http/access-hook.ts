import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AirdeskError } from '../../../src-preload/contract/index.ts';
import type { Operators } from '../../operators/operators.ts';
import type { Domain } from '../../../src-preload/contract/operations/roles.ts';
import { requireAccess, requireAllStreams, requireDeliberate } from '../../operators/require.ts';
import { identifyCaller, noteUnknownCaller, requestFacts } from './caller.ts';
import { corsHeaders } from './cors.ts';
import { noteCaller } from './audit-hook.ts';

/** Access that a route needs: none, reading, acting on running streams and sessions, changing the configuration. */
type RouteAccess = 'probe' | 'view' | 'operate' | 'edit';

export interface RouteNeeds {
  /** Access; default: `view` for GET and HEAD, `edit` for all other methods. */
  access?: RouteAccess;
  /** Subject of the route, for the rights of roles. Default: `desk`, in which only administrators may make changes. */
  domain?: Domain | undefined;
  /** Whether the route changes something although its method is GET. */
  isAction?: boolean;
  /** Whether the route itself limits its answer to the caller's streams. */
  isScoped?: boolean;
}

declare module 'fastify' {
  interface FastifyContextConfig extends RouteNeeds {
    /** Determines the needs by the request, if they differ between requests to the route. Overrides the other fields. */
    needs?: (request: FastifyRequest) => RouteNeeds;
  }
}

/** Refuses callers without the access that a route needs, before a body is read. A route that declares no access is closed. */
export function addAccessHook(app: FastifyInstance, access: Operators): void {
  app.addHook('onRequest', (request, reply, next) => {
    const origin = access.allowedOrigin(requestFacts(request.raw));
    if (origin !== undefined) reply.headers(corsHeaders(origin));
    next();
  });
  app.addHook('preParsing', async (request) => {
    const { method, routeOptions, raw } = request;
    const isRead = method === 'GET' || method === 'HEAD';
    const needs = routeOptions.config.needs?.(request) ?? routeOptions.config;
    const required = method === 'OPTIONS' ? 'probe' : (needs.access ?? (isRead ? 'view' : 'edit'));
    // Probes answer every caller, whatever login the caller has.
    if (required === 'probe') return noteUnknownCaller(access, raw);
    const caller = await identifyCaller(access, raw);
    // A refused change is recorded too, except for callers without a login: they could fill the log.
    if (required !== 'view' && !['anyone', 'local'].includes(caller.who)) noteCaller(raw, caller);
    if (needs.isScoped !== true) requireAllStreams(caller);
    requireAccess(caller, required, 'domain' in needs ? needs.domain : 'desk');
    if (required === 'view') return;
    if (needs.isAction && isRead) requireDeliberate(caller);
    noteCaller(raw, caller);
  });
}

/**
 * Challenge for a desk without a login. Browsers do not know this scheme, so the login page of the desk appears and not a
 * dialog of the browser.
 */
export const DESK_CHALLENGE: Readonly<Record<string, string>> = { 'www-authenticate': 'Desk realm="Airdesk"' };

/**
 * Header lines of an error: the login scheme (RFC 7617), the time to retry (RFC 9110 section 10.2.3) and the accepted content
 * codings (section 12.5.3).
 */
export function errorHeaders({ code, details }: AirdeskError): Readonly<Record<string, string>> {
  const { retry_after: retryAfter, accept_encoding: acceptEncoding } = details;
  return {
    ...(code === 'unauthorized' ? { 'www-authenticate': 'Basic realm="Airdesk", charset="UTF-8"' } : {}),
    ...(code === 'portal_key_invalid' ? { 'www-authenticate': 'X-Auth-Token realm="Airdesk"' } : {}),
    ...(typeof acceptEncoding === 'string' ? { 'accept-encoding': acceptEncoding } : {}),
    ...(typeof retryAfter === 'number' ? { 'retry-after': String(retryAfter) } : {}),
  };
}

export function sendErrorHeaders(reply: FastifyReply, error: AirdeskError): FastifyReply {
  return reply.headers(errorHeaders(error));
}
