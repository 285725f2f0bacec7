import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AirdeskError } from '../../../src-preload/contract/index.ts';
import { domainOf } from '../../../src-preload/contract/operation-domains.ts';
import { seesAll } from '../../operators/complete-answers.ts';
import { readerView } from '../../operators/reader-view.ts';
import { addressGroup } from '../../lib/network-address.ts';
import { METHODS } from '../../lib/node-http.ts';
import { runInTurns } from '../../lib/turns.ts';
import type { Caller } from '../../operators/caller.ts';
import {
  BODY_LIMIT_BYTES,
  PiecesBody,
  TextBody,
  type Answer,
  type Api,
  type ByteStream,
  type Endpoint,
} from './endpoint.ts';
import { BytesBody } from './cached-body.ts';
import { EndpointTree, type FoundEndpoints } from './endpoint-tree.ts';
import { readQueryString } from './query-string.ts';
import { requireKnownParameters } from './require-known-parameters.ts';
import { readAll, readRequestBody } from './request-body.ts';
import type { RouteNeeds } from '../http/access-hook.ts';
import { noteOperation } from '../http/audit-hook.ts';
import { corsHeaders } from '../http/cors.ts';
import { sendAnswer } from './send-answer.ts';
import { SharedAnswers } from './shared-answers.ts';

/** Identifies the caller of a request. Raises the reason of a refusal. */
export type Authorize = (request: FastifyRequest, endpoint: Pick<Endpoint, 'access' | 'id'>) => Caller;

interface Services {
  readonly authorize: Authorize;
  readonly shared: SharedAnswers;
}

/**
 * Methods other than GET and HEAD. Each path of an API answers all of them, with 405 if it has no endpoint for the method, such
 * as TRACE.
 */
const OTHER_METHODS = METHODS.filter((method) => !['GET', 'HEAD', 'CONNECT'].includes(method));

/**
 * Adds APIs to the server: their endpoints under all prefixes, the refusal of other methods, and CORS preflight requests. The
 * server has one route for each prefix, and `EndpointTree` finds the endpoint.
 */
export async function addEndpoints(app: FastifyInstance, apis: readonly Api[], authorize: Authorize): Promise<void> {
  const tree = new EndpointTree(apis);
  const shared = new SharedAnswers();
  const foundByRequest = new WeakMap<IncomingMessage, FoundEndpoints>();
  const find = ({ raw }: FastifyRequest): FoundEndpoints | undefined => {
    const found = foundByRequest.get(raw) ?? tree.find(raw.url ?? '');
    if (found) foundByRequest.set(raw, found);
    return found;
  };
  const needs = (request: FastifyRequest): RouteNeeds => needsOf(request.method, find(request));
  const handler = (request: FastifyRequest, reply: FastifyReply): unknown => {
    const found = find(request);
    return found ? serve(found, request, reply, { authorize, shared }) : reply.callNotFound();
  };
  for (const method of OTHER_METHODS) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  await app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (request, _body, parsed) => {
      readBytes(request, find(request)).then((bytes) => {
        parsed(null, bytes);
      }, parsed);
    });
    scope.addHook('onRequest', (request, reply, next) => {
      if (find(request)?.isPublic) reply.headers(corsHeaders('*'));
      next();
    });
    // The rest of a refused body is discarded, but the connection stays open so that the sender can read the answer.
    scope.addHook('onError', (request, _reply, _error, next) => {
      if (endpointOf(request.method, find(request))?.body?.isStream) request.raw.resume();
      next();
    });
    for (const prefix of new Set(apis.flatMap(({ prefixes }) => prefixes))) {
      const route = { url: `${prefix}/*`, config: { needs }, handler };
      scope.route({ ...route, method: 'GET', exposeHeadRoute: true });
      scope.route({ ...route, method: OTHER_METHODS });
    }
    done();
  });
}

/**
 * Access that a request needs. A path without an endpoint needs the default access of its method. A refused method needs the
 * same access as reading.
 */
function needsOf(method: string, found: FoundEndpoints | undefined): RouteNeeds {
  if (!found) return {};
  const endpoint = endpointOf(method, found);
  if (!endpoint) return { access: 'view', domain: 'desk' };
  const { id, access, isAction = false, isScoped = false } = endpoint;
  return { access, domain: domainOf(id), isAction, isScoped };
}

/** Endpoint for a method. A HEAD request must have no effect. */
function endpointOf(method: string, found: FoundEndpoints | undefined): Endpoint | undefined {
  const routeMethod = method === 'HEAD' ? 'GET' : method;
  const endpoint = found?.endpoints.find((one) => one.method === routeMethod);
  return method === 'HEAD' && endpoint && !hasHead(endpoint) ? undefined : endpoint;
}

function hasHead({ method, isAction }: Endpoint): boolean {
  return method === 'GET' && !isAction;
}

/**
 * Reads the body of a request; undefined if the handler reads it itself. Raises `request_too_large`, `unsupported_media_type`.
 */
async function readBytes(
  { method, raw }: FastifyRequest,
  found: FoundEndpoints | undefined,
): Promise<Uint8Array | undefined> {
  const body = endpointOf(method, found)?.body;
  if (body) requireNoCoding(raw.headers['content-encoding']);
  if (!found || body?.isStream) return undefined;
  return readAll(streamOf(raw), Number(raw.headers['content-length'] ?? 0), body?.limitBytes ?? BODY_LIMIT_BYTES);
}

/** Raises `unsupported_media_type` for a compressed body (RFC 9110 section 15.5.16). */
function requireNoCoding(coding = 'identity'): void {
  if (coding.trim().toLowerCase() === 'identity') return;
  const detail = `The body has the content coding ${coding.slice(0, 100)}; send it uncompressed`;
  throw new AirdeskError('unsupported_media_type', detail, { accept_encoding: 'identity' });
}

function serve(
  found: FoundEndpoints,
  request: FastifyRequest,
  reply: FastifyReply,
  services: Services,
): Promise<FastifyReply> | FastifyReply {
  const { method } = request;
  const endpoint = endpointOf(method, found);
  if (endpoint) return answer(endpoint, found, request, reply, services);
  const { endpoints } = found;
  const head = endpoints.some(hasHead) ? ['HEAD'] : [];
  const allow = [...endpoints.map((one) => one.method), ...head, 'OPTIONS'].join(', ');
  reply.header('allow', allow);
  if (method === 'OPTIONS') return reply.code(200).send();
  throw new AirdeskError('method_not_allowed', `${method} is not allowed here; allowed: ${allow}`);
}

async function answer(
  endpoint: Endpoint,
  found: FoundEndpoints,
  request: FastifyRequest,
  reply: FastifyReply,
  { authorize, shared }: Services,
): Promise<FastifyReply> {
  const caller = authorize(request, endpoint);
  const { url, headers } = request;
  const query = readQueryString(url);
  if (!found.isPublic) requireKnownParameters(endpoint, query);
  const body =
    endpoint.body && !endpoint.body.isStream
      ? await runInTurns(
          readRequestBody(request.body as Uint8Array | undefined, request.headers['content-type'], endpoint.body),
        )
      : undefined;
  noteOperation(request, endpoint.id, { ...(typeof body === 'object' ? body : {}), ...found.params });
  const left = (): AbortSignal => signalOf(reply.raw);
  const read = { caller, url, params: found.params, query, headers, body, left };
  const make = async (): Promise<Answer> => {
    const given = await endpoint.handle(endpoint.body?.isStream ? { ...read, stream: streamOf(request.raw) } : read);
    return mustReduce(endpoint, caller) ? readerAnswer(endpoint, given) : given;
  };
  if (!isShared(endpoint, caller)) return sendAnswer(request, reply, await make());
  const key = [url, headers.host, headers.accept].join('\n');
  return sendAnswer(request, reply, await shared.get(key, addressGroup(caller.address), make));
}

/** Whether the answer is the same for all callers without a login. */
function isShared(
  { method, access, isAction = false }: Endpoint,
  { who, mayWrite, mayOperate = false, prefixes }: Caller,
): boolean {
  const isAnyone = who === 'anyone' && !mayWrite && !mayOperate && prefixes === undefined;
  return isAnyone && method === 'GET' && access === 'view' && !isAction;
}

/** Signal that is aborted when the connection closes before the answer was sent, or after it. */
function signalOf(response: ServerResponse): AbortSignal {
  const abort = new AbortController();
  response.once('close', () => {
    abort.abort();
  });
  if (response.closed) abort.abort();
  return abort.signal;
}

/** Body of a request as it arrives. If a handler stops reading, neither the request nor its answer ends. */
function streamOf(raw: IncomingMessage): ByteStream {
  return {
    [Symbol.asyncIterator]: () => raw.iterator({ destroyOnReturn: false }),
    destroy: () => raw.destroy(),
  };
}

/**
 * Whether the answer must be reduced because the caller has no write access to its subject. A public answer is the same for
 * every caller.
 */
function mustReduce({ access, id }: Endpoint, caller: Caller): boolean {
  return access !== 'probe' && !seesAll(caller, id);
}

/** Answer for read-only callers. Handlers with a text answer have already reduced it. */
function readerAnswer({ tag }: Endpoint, answer: Answer): Answer {
  const { body } = answer;
  if (body === undefined || body instanceof TextBody || body instanceof PiecesBody || body instanceof BytesBody)
    return answer;
  return { ...answer, body: readerView(body, tag) };
}
